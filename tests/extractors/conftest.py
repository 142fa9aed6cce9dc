"""Media made at test time: small films whose pictures show their own number, and sounds of one tone.

`film` writes a file and `media` hands out named ones, each made once in a session.
"""

from __future__ import annotations

import os
import struct
import wave
from collections.abc import Callable
from fractions import Fraction

import av
import numpy as np
import pytest

os.environ.setdefault("SVT_LOG", "1")  # libsvtav1 talks
TONE_HZ = 220.0
_BITS, _BAR_PX = 8, 8
_QUIET = {"libx265": {"x265-params": "log-level=none"}, "libsvtav1": {"preset": "12"}, "libvpx-vp9": {"cpu-used": "8"}}


def _numbered(number, size_px, pix_fmt):
    """A picture with its number in eight bars, the lowest bit on the left."""
    width, height = size_px
    luma = np.full((height, width), 40, np.uint8)
    for bit in range(_BITS):
        if number >> bit & 1:
            luma[:, bit * _BAR_PX : (bit + 1) * _BAR_PX] = 200
    return av.VideoFrame.from_ndarray(luma, format="gray").reformat(format=pix_fmt, threads=1)


def _number_of(frame):
    """The number that a decoded picture of `film` shows."""
    luma = frame.to_ndarray(format="gray")
    rows = luma[len(luma) // 4 : -len(luma) // 4]
    bars = min(_BITS, luma.shape[1] // _BAR_PX)
    return sum(1 << bit for bit in range(bars) if rows[:, bit * _BAR_PX + _BAR_PX // 2].mean() > 120)


def _tone(seconds, rate_hz, channels=1, level=0.125, hz=TONE_HZ):
    """A sine `[shape=(channels, samples)]` of the same level in all channels."""
    samples = level * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate_hz)) / rate_hz)
    return np.tile(samples, (channels, 1)).astype(np.float32)


def _picture_packets(stream, seconds, fps, times_s, shift_s):
    """Encoded pictures 0, 1, ... and the times that they are shown at."""
    clock = Fraction(1, fps if times_s is None else 1000)
    times_s = times_s if times_s is not None else [index / fps for index in range(round(seconds * fps))]
    stream.codec_context.time_base = clock
    packets = []
    for number, time_s in enumerate(times_s):
        frame = _numbered(number % 256, (stream.width, stream.height), stream.pix_fmt)
        frame.pts, frame.time_base = round((time_s + shift_s) / clock), clock
        packets += stream.encode(frame)
    return packets + stream.encode(None)


def _sound_packets(stream, samples, shift_s, pause):
    """Encoded sound; of its packets those whose time lies in `pause` are left out."""
    rate_hz = stream.rate
    size = stream.codec_context.frame_size or 1024
    packets = []
    for at in range(0, samples.shape[1], size):
        part = np.ascontiguousarray(samples[:, at : at + size])
        frame = av.AudioFrame.from_ndarray(part, format="fltp", layout=stream.layout.name)
        frame.sample_rate, frame.time_base = rate_hz, Fraction(1, rate_hz)
        frame.pts = at + round(shift_s * rate_hz)
        for converted in av.AudioResampler(format=stream.format, layout=stream.layout, rate=rate_hz).resample(frame):
            packets += stream.encode(converted)
    packets += stream.encode(None)
    return [p for p in packets if pause is None or not pause[0] <= float(p.pts * p.time_base) < pause[1]]


def _film(
    path, *, seconds=2.0, fps=25, size_px=(64, 48), codec="libx264", pix_fmt="yuv420p", options=None, times_s=None, video_at_s=0.0,
    sound=("aac",), rate_hz=16_000, layout="mono", samples=None, sound_at_s=0.0, pause=None, default=None, aspect=None, rotation=0,
    container=None, mux=None, spoil: Callable | None = None,
):  # fmt: skip
    """Writes a film.

    Args:
        codec: of the picture, None for none
        times_s: when the pictures are shown; every 1/fps when None
        sound: codecs of the sound tracks
        samples: `[shape=(channels, n)]` of all sound tracks; a tone when None
        pause: from when to when there is no sound
        default: which sound track is marked as the default one
        mux: options of the container
        spoil: called with kind, number of the packet and its bytes; returns other bytes, or None to leave the packet out
    """
    with av.open(str(path), "w", format=container, container_options=mux or {}) as out:
        streams = []
        if codec:
            video = out.add_stream(codec, rate=fps, options={**_QUIET.get(codec, {}), **(options or {})})
            video.width, video.height = size_px
            video.pix_fmt = pix_fmt
            if aspect:
                video.sample_aspect_ratio = aspect
            if rotation:
                video.set_display_rotation(rotation)
            streams.append((video, lambda: _picture_packets(video, seconds, fps, times_s, video_at_s)))
        for number, name in enumerate(sound):
            track = out.add_stream(name, rate=rate_hz, layout=layout)
            if default is not None:
                track.disposition = av.stream.Disposition.default if number == default else av.stream.Disposition(0)
            heard = _tone(seconds, rate_hz, track.layout.nb_channels) if samples is None else samples
            streams.append((track, lambda track=track, heard=heard: _sound_packets(track, heard, sound_at_s, pause)))
        packets = [(packet, stream, n) for stream, make in streams for n, packet in enumerate(make())]
        for packet, stream, number in sorted(packets, key=lambda item: item[0].dts * item[0].time_base):
            if spoil:
                data = spoil(stream.type, number, bytes(packet))
                if data is None:
                    continue
                fresh = av.Packet(data)
                fresh.pts, fresh.dts, fresh.time_base = packet.pts, packet.dts, packet.time_base
                fresh.is_keyframe, fresh.duration, fresh.stream = packet.is_keyframe, packet.duration or 0, stream
                out.mux(fresh)
            else:
                out.mux(packet)
    return path


def _wav(path, samples, rate_hz=16_000):
    """Writes 16-bit PCM of samples `[shape=(channels, n)]`."""
    with wave.open(str(path), "wb") as file:
        file.setparams((len(samples), 2, rate_hz, 0, "NONE", ""))
        file.writeframes((np.clip(samples.T, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def _flip(kind, every=3, from_packet=5):
    """Spoils the middle of every n-th packet of a kind."""

    def spoil(this, number, data):
        if this != kind or number < from_packet or number % every:
            return data
        middle = len(data) // 2
        return data[:middle] + bytes(byte ^ 0x5A for byte in data[middle : middle + 200]) + data[middle + 200 :]

    return spoil


def _cut(source, target, share):
    data = source.read_bytes()
    target.write_bytes(data[: round(len(data) * share)])
    return target


def _with_cover(path, folder):
    """MP3 with a cover picture in an ID3v2.3 tag (id3.org, sections 3.1, 4.15)."""
    plain = _film(folder / "plain.mp3", codec=None, sound=("libmp3lame",))
    picture = av.CodecContext.create("mjpeg", "w")
    picture.width, picture.height, picture.pix_fmt, picture.time_base = 64, 48, "yuvj420p", Fraction(1, 25)
    jpeg = b"".join(bytes(p) for p in picture.encode(_numbered(5, (64, 48), "yuvj420p")))
    frame = b"\0image/jpeg\0\x03\0" + jpeg
    body = b"APIC" + struct.pack(">I", len(frame)) + b"\0\0" + frame
    size = bytes(len(body) >> shift & 127 for shift in (21, 14, 7, 0))
    path.write_bytes(b"ID3\x03\0\0" + size + body + plain.read_bytes())
    return path


def _without_layout(path, folder):
    """Six channels, and a channel mask that says nothing."""
    data = bytearray(_film(folder / "six.wav", codec=None, sound=("pcm_s16le",), layout="5.1").read_bytes())
    assert data[38:40] == struct.pack("<H", 16)  # valid bits of WAVE_FORMAT_EXTENSIBLE, the mask comes next
    data[40:44] = bytes(4)
    path.write_bytes(data)
    return path


_B_PICTURES = {"bf": "2", "x264-params": "b-pyramid=none:b-adapt=0"}
# AVI has no times before its start, at which pictures would have to be decoded and MP3 begins: all is shown a little later
_AVI = {"sound": ("libmp3lame",), "sound_at_s": 0.08}
_VARIABLE_S = [index / 25 for index in range(25)] + [1 + index / 10 for index in range(10)]
_RECIPES: dict[str, Callable] = {
    "base.mp4": lambda p, _: _film(p),
    "base.mkv": lambda p, _: _film(p),
    "base.avi": lambda p, _: _film(p, video_at_s=0.08, **_AVI),
    "base.flv": lambda p, _: _film(p, rate_hz=44_100),
    "base.ts": lambda p, _: _film(p, video_at_s=2, sound_at_s=2),
    "faststart.mp4": lambda p, _: _film(p, mux={"movflags": "faststart"}),
    "no_audio.mp4": lambda p, _: _film(p, sound=()),
    "audio_only.mp4": lambda p, _: _film(p, codec=None),
    "audio_10ms.mkv": lambda p, _: _film(p, sound=("pcm_s16le",), samples=_tone(0.01, 16_000)),
    "empty_audio.mkv": lambda p, _: _film(p, spoil=lambda kind, _n, data: data if kind == "video" else None),
    "empty_video.mkv": lambda p, _: _film(p, spoil=lambda kind, _n, data: data if kind == "audio" else None),
    "tone.wav": lambda p, _: _wav(p, _tone(2, 16_000)),
    "0_samples.wav": lambda p, _: _wav(p, _tone(0, 16_000)),
    "silence.wav": lambda p, _: _wav(p, np.zeros((1, 32_000))),
    "dc.wav": lambda p, _: _wav(p, np.full((1, 32_000), 0.25)),
    "variable.mp4": lambda p, _: _film(p, times_s=_VARIABLE_S),
    "rotated.mp4": lambda p, _: _film(p, rotation=90),
    "no_index.mp4": lambda p, d: _cut(d("base.mp4"), p, 0.6),
    "cut.mp4": lambda p, d: _cut(d("faststart.mp4"), p, 0.6),
    "cut.mkv": lambda p, d: _cut(d("base.mkv"), p, 0.6),
    "cut.avi": lambda p, d: _cut(d("base.avi"), p, 0.6),
    "cut.flv": lambda p, d: _cut(d("base.flv"), p, 0.6),
    "cut.wav": lambda p, d: _cut(d("tone.wav"), p, 0.6),
    "flips_in_audio.mkv": lambda p, _: _film(p, spoil=_flip("audio")),
    "flips_in_video.mkv": lambda p, _: _film(p, spoil=_flip("video"), options={"g": "10"}),
    "hevc.mp4": lambda p, _: _film(p, codec="libx265"),
    "vp9.webm": lambda p, _: _film(p, codec="libvpx-vp9", sound=("libopus",), rate_hz=48_000),
    "av1.mp4": lambda p, _: _film(p, codec="libsvtav1", size_px=(64, 64), seconds=1),
    "mpeg2.mkv": lambda p, _: _film(p, codec="mpeg2video", options={"bf": "2"}, sound=("mp2",)),
    "mpeg4.mkv": lambda p, _: _film(p, codec="mpeg4", options={"bf": "2"}),
    "mjpeg422.mov": lambda p, _: _film(p, codec="mjpeg", pix_fmt="yuvj422p", sound=("pcm_s16le",)),
    "ffv1_odd.mkv": lambda p, _: _film(p, codec="ffv1", pix_fmt="bgr0", size_px=(65, 49), sound=("flac",)),
    "10bit.mkv": lambda p, _: _film(p, pix_fmt="yuv420p10le", sound=("flac",)),
    "444_odd.mp4": lambda p, _: _film(p, pix_fmt="yuv444p", size_px=(65, 49)),
    "420_odd.webm": lambda p, _: _film(p, codec="libvpx-vp9", size_px=(65, 49), sound=()),
    "5.1.mkv": lambda p, _: _film(p, codec=None, sound=("ac3",), layout="5.1", rate_hz=48_000),
    "mask_0.wav": lambda p, d: _without_layout(p, p.parent),
    "24bit.wav": lambda p, _: _film(p, codec=None, sound=("pcm_s24le",)),
    "float.wav": lambda p, _: _film(p, codec=None, sound=("pcm_f32le",)),
    "8bit.wav": lambda p, _: _film(p, codec=None, sound=("pcm_u8",)),
    "mp3_named.wav": lambda p, _: _film(p, codec=None, sound=("libmp3lame",), container="mp3"),
    "late_audio.mkv": lambda p, _: _film(p, sound_at_s=0.8),
    "late_video.mkv": lambda p, _: _film(p, video_at_s=0.8),
    "at_100s.ts": lambda p, _: _film(p, video_at_s=100, sound_at_s=100),
    "pause.mkv": lambda p, _: _film(p, sound=("pcm_s16le",), pause=(0.6, 1.2)),
    "b_frames.avi": lambda p, _: _film(p, video_at_s=0.04, options=_B_PICTURES, **_AVI),
    "one_picture.mp4": lambda p, _: _film(p, times_s=[0.0], sound=()),
    "1fps.mp4": lambda p, _: _film(p, fps=1, seconds=5, sound=()),
    "tiny.mp4": lambda p, _: _film(p, size_px=(16, 16), sound=()),
    "two_tracks.mkv": lambda p, _: _film(p, sound=("aac", "libmp3lame"), default=1),
    "cover.mp3": lambda p, d: _with_cover(p, p.parent),
    "wide_pixels.mp4": lambda p, _: _film(p, aspect=Fraction(2, 1)),
    "html.mp4": lambda p, _: p.write_text("<html><body>404 Not Found</body></html>") and p,
    "empty.mp4": lambda p, _: p.touch() or p,
}  # fmt: skip


@pytest.fixture(scope="session")
def media(tmp_path_factory):
    """Path of a named file, which is made when it is first asked for."""
    folder = tmp_path_factory.mktemp("media")

    def get(name):
        path = folder / name
        return path if path.exists() else _RECIPES[name](path, get)

    get.names = tuple(_RECIPES)
    return get


film = pytest.fixture(scope="session", name="film")(lambda: _film)
number_of = pytest.fixture(scope="session", name="number_of")(lambda: _number_of)
