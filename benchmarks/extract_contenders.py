"""What the project's extraction is compared with; each runs alone in a process of its own.

    python benchmarks/extract_contenders.py NAME --clips DIR [--models DIR] [--fps 5] [--seconds S]

decode          every frame and the sound by PyAV, nothing else
decord          every frame by decord, no sound
floor           decode + the project's models on tensors that are cut already, at `--fps` + one call of Praat's pitch
floor-shipped   the same with the body model as MediaPipe ships it, that is with the silhouette that the project drops
stock           decode + MediaPipe's own FaceLandmarker and PoseLandmarker at `--fps` + Praat's pitch where parselmouth is
stock-opencv    the same, read by OpenCV as in MediaPipe's examples: each frame is converted, so many are looked at
length          nothing: how long the clips are
naive           what one writes first: both on every frame that OpenCV reads, librosa's pYIN (10 ms) where librosa is

Prints one line of JSON: seconds of video, CPU seconds of the loop (start and loading of the models left out), notes. Needs nothing of
mmrole (but `floor`, which takes the silhouette out with mmrole's own function), so that it runs in any environment.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

PITCH_RATE_HZ = 16000
POSE_OUTPUTS = (0, 1, 3)  # landmarks, presence, heat maps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", choices=sorted(CONTENDERS))
    parser.add_argument("--clips", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "mmrole" / "models")
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so much of each clip")
    args = parser.parse_args()
    clips = sorted(path for path in args.clips.iterdir() if path.suffix in {".mp4", ".flv", ".mkv", ".avi", ".mov"})
    measure, notes = CONTENDERS[args.name](args)
    start_s = time.process_time()
    for clip in clips:
        measure(clip)
    cpu_s = time.process_time() - start_s
    print(json.dumps({"video_s": sum(length_s(clip, args.seconds) for clip in clips), "cpu_s": cpu_s, "notes": notes}))


# ---- decoding ----


def length_s(path: Path, seconds: float) -> float:
    """How much of a clip's pictures is measured."""
    import av

    with av.open(str(path)) as file:
        video = file.streams.video[0]
        if video.duration is not None and video.time_base is not None:
            return min(seconds, float(video.duration * video.time_base))
        return min(seconds, (file.duration or 0) / av.time_base)


def frames(path: Path, fps: float, seconds: float, sound: list[Any]) -> Iterator[tuple[Any, float, bool]]:
    """Every frame, its time, and whether it is one of the `fps` a second that are looked at; fills `sound` on the way."""
    import av

    with av.open(str(path)) as file:
        video = file.streams.video[0]
        video.codec_context.thread_count = 1
        half_s, due_s = 0.5 / float(video.average_rate or 25), 0.0
        streams: list[Any] = [video, *file.streams.audio[:1]]
        frame: Any
        for frame in file.decode(streams):
            if isinstance(frame, av.AudioFrame):
                sound.append(frame)
                continue
            time_s = frame.time or 0.0
            if time_s >= seconds:
                return
            looked_at = time_s + half_s >= due_s
            due_s += looked_at / fps
            yield frame, time_s, looked_at


def mono(sound: list[Any]) -> Any:
    import av

    down = av.AudioResampler("flt", "mono", PITCH_RATE_HZ)
    parts = [part.to_ndarray()[0] for frame in sound for part in down.resample(frame)]
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def praat_pitch(samples: Any) -> None:
    import parselmouth

    if len(samples):
        parselmouth.Sound(samples, PITCH_RATE_HZ).to_pitch_ac(time_step=0.01, pitch_floor=75, pitch_ceiling=500)


# ---- contenders: each loads what it needs and returns what is called per clip, and its notes ----

Measure = Callable[[Path], None]


def decode(args: argparse.Namespace) -> tuple[Measure, list[str]]:
    def one(path: Path) -> None:
        for _ in frames(path, args.fps, args.seconds, []):
            pass

    return one, []


def floor(args: argparse.Namespace, *, shipped: bool = False) -> tuple[Measure, list[str]]:
    face = zipfile.ZipFile(args.models / "face_landmarker.task")
    pose = zipfile.ZipFile(args.models / "pose_landmarker_full.task").read("pose_landmarks_detector.tflite")
    if not shipped:
        from extractors.video.litert_prune import keep_outputs

        pose = keep_outputs(pose, POSE_OUTPUTS)
    per_frame = [
        invocation(face.read("face_landmarks_detector.tflite")),
        invocation(face.read("face_blendshapes.tflite")),
        invocation(pose),
    ]
    detect = invocation((args.models / "face_detection_full_range.tflite").read_bytes())
    praat_pitch(np.zeros(PITCH_RATE_HZ, np.float32))  # loaded before the clock runs

    def one(path: Path) -> None:
        sound: list[Any] = []
        second = -1
        for _, time_s, looked_at in frames(path, args.fps, args.seconds, sound):
            if looked_at:
                for run in per_frame:
                    run()
                if int(time_s) != second:
                    detect()
                    second = int(time_s)
        praat_pitch(mono(sound))

    return one, []


def invocation(model: bytes) -> Callable[[], None]:
    """One model on one thread with its input in place: calling it computes, and does nothing else."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=model, num_threads=1)
    interpreter.allocate_tensors()
    (given,) = interpreter.get_input_details()
    values = np.random.default_rng(0).random(given["shape"], dtype=np.float32)
    interpreter.set_tensor(given["index"], values)
    run: Callable[[], None] = interpreter.invoke
    return run


def tasks(args: argparse.Namespace) -> Callable[[], Callable[[Any, float], None]]:
    """Makes MediaPipe's two tasks in video mode; they are made anew for every clip, since their time must not go back."""
    import mediapipe as mp
    from mediapipe.tasks.python import BaseOptions, vision

    def opened() -> Callable[[Any, float], None]:
        mode = vision.RunningMode.VIDEO
        face = vision.FaceLandmarker.create_from_options(
            vision.FaceLandmarkerOptions(
                base_options=BaseOptions(str(args.models / "face_landmarker.task")),
                running_mode=mode,
                output_face_blendshapes=True,
            )
        )
        pose = vision.PoseLandmarker.create_from_options(
            vision.PoseLandmarkerOptions(
                base_options=BaseOptions(str(args.models / "pose_landmarker_full.task")), running_mode=mode
            )
        )

        def see(rgb: Any, time_s: float) -> None:
            image = mp.Image(image_format=mp.ImageFormat.SRGB, data=rgb)
            face.detect_for_video(image, round(1000 * time_s))
            pose.detect_for_video(image, round(1000 * time_s))

        return see

    return opened


def stock(args: argparse.Namespace) -> tuple[Measure, list[str]]:
    opened = tasks(args)
    pitch = importlib.util.find_spec("parselmouth") is not None

    def one(path: Path) -> None:
        see = opened()
        sound: list[Any] = []
        for frame, time_s, looked_at in frames(path, args.fps, args.seconds, sound):
            if looked_at:
                see(frame.to_ndarray(format="rgb24"), time_s)
        if pitch:
            praat_pitch(mono(sound))

    return one, [] if pitch else ["without pitch: parselmouth is not installed there"]


def opencv(args: argparse.Namespace, *, every_frame: bool) -> tuple[Measure, list[str]]:
    import cv2

    opened = tasks(args)
    package = "librosa" if every_frame else "parselmouth"
    pitch = (pyin if every_frame else praat_pitch) if importlib.util.find_spec(package) else None
    if pitch:
        pitch(np.zeros(PITCH_RATE_HZ, np.float32))  # loads and compiles before the clock runs

    def one(path: Path) -> None:
        see, video, number, due_s = opened(), cv2.VideoCapture(str(path)), 0, 0.0
        fps = video.get(cv2.CAP_PROP_FPS)
        while number / fps < args.seconds:
            there, bgr = video.read()
            if not there:
                break
            if every_frame or (number + 0.5) / fps >= due_s:
                see(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), number / fps)
                due_s += 1 / args.fps
            number += 1
        if pitch:
            pitch(mono(sound_of(path, args.seconds)))

    return one, [] if pitch else [f"without pitch: {package} is not installed there"]


def sound_of(path: Path, seconds: float) -> list[Any]:
    import av

    with av.open(str(path)) as file:
        if not file.streams.audio:
            return []
        return list(itertools.takewhile(lambda frame: (frame.time or 0.0) < seconds, file.decode(audio=0)))


def pyin(samples: Any) -> None:
    import librosa

    if len(samples):
        librosa.pyin(samples, fmin=75, fmax=500, sr=PITCH_RATE_HZ, frame_length=1024, hop_length=PITCH_RATE_HZ // 100)


def decord(_args: argparse.Namespace) -> tuple[Measure, list[str]]:
    import decord as library  # type: ignore[import-not-found,unused-ignore]  # not among the project's packages

    def one(path: Path) -> None:
        for _ in library.VideoReader(str(path), num_threads=1):
            pass

    return one, ["no sound"]


def length(_args: argparse.Namespace) -> tuple[Measure, list[str]]:
    return lambda _path: None, []


CONTENDERS: dict[str, Callable[[argparse.Namespace], tuple[Measure, list[str]]]] = {
    "decode": decode,
    "floor": floor,
    "floor-shipped": lambda args: floor(args, shipped=True),
    "stock": stock,
    "stock-opencv": lambda args: opencv(args, every_frame=False),
    "naive": lambda args: opencv(args, every_frame=True),
    "decord": decord,
    "length": length,
}

if __name__ == "__main__":
    main()
