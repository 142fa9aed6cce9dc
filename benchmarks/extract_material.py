"""Makes the clips of the extraction benchmark from the fixtures: 1280 x 720, 25 frames a second, H.264 at 2 Mb/s, AAC.

    python benchmarks/extract_material.py OUT [--seconds 300] [--short 200]

OUT/long/ holds one clip of about so many seconds, OUT/short/ so many clips of two seconds, OUT/ten/ the first ten of them. One
person is in the picture and speaks all the time, so that every way of measuring has the same work to do on every frame. What is
already there is not made again.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

FIXTURES = Path(__file__).parents[1] / "fixtures"
CLIPS = ("clips/01_000_000.mp4", "clips/01_000_001.flv")
SHOTS = ("02_000_001", "02_000_002", "02_000_003")  # of the episode, one person in each
FPS, RATE_HZ = 25, 44100
SIZE_PX = (1280, 720)
BIT_RATE = 2_000_000
GRAIN = 3.0  # standard deviation of the film grain, grey levels of 255
SHORT_FRAMES, DIFFERENT = 50, 30

Pictures = list[NDArray[np.uint8]]
Sound = NDArray[np.int16]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=int, default=300, help="length of the long clip")
    parser.add_argument("--short", type=int, default=200, help="number of two-second clips")
    args = parser.parse_args()
    long, short, ten = (args.out / name for name in ("long", "short", "ten"))
    if done(long, 1) and done(short, args.short) and done(ten, min(10, args.short)):
        return
    for folder in (long, short, ten):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    pictures, sound = scene()
    loop = args.out / "loop.mp4"
    encode(loop, pictures, sound)
    repeat(loop, long / "long.mp4", sound, args.seconds)
    make_short(short, pictures, sound, args.short)
    for path in sorted(short.iterdir())[:10]:
        os.link(path, ten / path.name)


def done(folder: Path, count: int) -> bool:
    return folder.is_dir() and sum(1 for _ in folder.iterdir()) == count


def scene() -> tuple[Pictures, Sound]:
    """All shots of one person one after the other, enlarged and with grain."""
    with (FIXTURES / "segments.csv").open(encoding="utf-8", newline="") as file:
        shots = [row for row in csv.DictReader(file) if row["utterance_id"] in SHOTS]
    parts = [read(FIXTURES / name, 0, np.inf) for name in CLIPS]
    parts += [read(FIXTURES / row["path"], float(row["start_s"]), float(row["end_s"])) for row in shots]
    rng = np.random.default_rng(0)
    grains = [rng.normal(scale=GRAIN, size=(SIZE_PX[1], SIZE_PX[0], 1)).astype(np.float32) for _ in range(7)]
    small = [picture for pictures, _ in parts for picture in pictures]
    large = [cv2.resize(picture, SIZE_PX, interpolation=cv2.INTER_CUBIC) for picture in small]
    grained = [
        np.clip(picture + grain, 0, 255).astype(np.uint8)
        for picture, grain in zip(large, itertools.cycle(grains), strict=False)
    ]
    return grained, np.concatenate([sound for _, sound in parts])


def read(path: Path, start_s: float, end_s: float) -> tuple[Pictures, Sound]:
    """Pictures, and as much sound as they last, of a stretch of a file."""
    with av.open(str(path)) as file:
        pictures: list[Any] = [
            frame.to_ndarray(format="rgb24") for frame in file.decode(video=0) if start_s <= (frame.time or 0.0) < end_s
        ]
        file.seek(0)
        mono = av.AudioResampler("s16", "mono", RATE_HZ)
        sound: Sound = np.concatenate(
            [part.to_ndarray()[0] for frame in file.decode(audio=0) for part in mono.resample(frame)]
        )
    length = len(pictures) * RATE_HZ // FPS
    sound = sound[round(start_s * RATE_HZ) :][:length]
    return pictures, np.pad(sound, (0, length - len(sound)))


def encode(path: Path, pictures: Pictures, sound: Sound) -> None:
    with av.open(str(path), "w") as file:
        video = file.add_stream("libx264", rate=FPS)
        video.width, video.height = SIZE_PX
        video.pix_fmt, video.bit_rate = "yuv420p", BIT_RATE
        audio = file.add_stream("aac", rate=RATE_HZ, layout="mono")
        for picture in pictures:
            file.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(video.encode())
        add_sound(file, audio, sound)


def add_sound(file: av.container.OutputContainer, audio: av.AudioStream, sound: Sound) -> None:
    whole = av.AudioFrame.from_ndarray(sound[None], format="s16", layout="mono")
    whole.sample_rate = RATE_HZ
    cut = av.AudioResampler(audio.format, audio.layout, audio.rate, frame_size=audio.frame_size)
    for part in (*cut.resample(whole), *cut.resample(None)):
        file.mux(audio.encode(part))
    file.mux(audio.encode())


def repeat(loop: Path, path: Path, sound: Sound, seconds: int) -> None:
    """The loop's pictures over and over, without encoding them again: as many whole loops as come nearest to the length."""
    with av.open(str(loop)) as source, av.open(str(path), "w") as file:
        template = source.streams.video[0]
        video = file.add_stream_from_template(template)
        audio = file.add_stream("aac", rate=RATE_HZ, layout="mono")
        count = max(1, round(seconds * FPS / template.frames))
        add_sound(file, audio, np.tile(sound, count))
        length = round(template.frames / (FPS * (template.time_base or 1)))
        for number in range(count):
            source.seek(0)
            for packet in source.demux(template):
                if packet.pts is not None and packet.dts is not None:
                    packet.pts, packet.dts = packet.pts + number * length, packet.dts + number * length
                    packet.stream = video
                    file.mux(packet)


def make_short(folder: Path, pictures: Pictures, sound: Sound, count: int) -> None:
    """Two-second stretches of the scene; from the 31st on the same stretches with another title, so that the bytes differ."""
    samples = RATE_HZ // FPS
    last = len(pictures) - SHORT_FRAMES
    for number in range(count):
        path = folder / f"{number:04d}.mp4"
        if number < DIFFERENT:
            first = number * last // DIFFERENT
            stretch = slice(first, first + SHORT_FRAMES)
            encode(path, pictures[stretch], sound[first * samples : (first + SHORT_FRAMES) * samples])
            continue
        with av.open(str(folder / f"{number % DIFFERENT:04d}.mp4")) as source, av.open(str(path), "w") as file:
            file.metadata["title"] = f"clip {number}"
            streams = {stream.index: file.add_stream_from_template(stream) for stream in source.streams}
            for packet in source.demux():
                if packet.dts is not None:
                    packet.stream = streams[packet.stream.index]
                    file.mux(packet)


if __name__ == "__main__":
    main()
