"""Sounds with known properties, as decoded frames and as waveforms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import av
import numpy as np
import pytest

from extractors.audio.grid import SAMPLE_RATE_HZ
from extractors.audio.waveform import Waveform, WaveformBuilder

FullScale = {"s16": 2**15, "s16p": 2**15, "s32": 2**31, "s32p": 2**31}


def _frame(samples, rate_hz=16_000, layout="mono", sample_format="fltp"):
    """One decoded frame of samples of shape (channels, n)."""
    samples = np.atleast_2d(np.asarray(samples))
    if not sample_format.endswith("p"):
        samples = samples.T.reshape(1, -1)
    if sample_format.startswith("u8"):
        values = np.clip(np.round(samples * 128 + 128), 0, 255).astype(np.uint8)
    elif sample_format in FullScale:
        top = FullScale[sample_format]
        values = np.clip(np.round(samples * float(top)), -top, top - 1).astype(f"i{4 if '32' in sample_format else 2}")
    else:
        values = samples.astype(np.float64 if sample_format.startswith("dbl") else np.float32)
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(values), format=sample_format, layout=layout)
    frame.sample_rate = rate_hz
    frame.time_base = Fraction(1, rate_hz)
    return frame


def _frames(samples, sizes: int | Sequence[int] = 1024, *, start_s=0.0, rate_hz=16_000, clock_s=0.0, **how):
    """(frame, time) pairs of a sound cut into frames; times rounded to `clock_s` where that is given."""
    samples = np.atleast_2d(np.asarray(samples))
    pairs, at, i = [], 0, 0
    while at < samples.shape[1]:
        size = sizes if isinstance(sizes, int) else sizes[i % len(sizes)]
        time_s = start_s + at / rate_hz
        pairs.append(
            (
                _frame(samples[:, at : at + size], rate_hz, **how),
                round(time_s / clock_s) * clock_s if clock_s else time_s,
            )
        )
        at, i = at + size, i + 1
    return pairs


def _build(pairs, clip_end_s=None, **segment) -> Waveform:
    builder = WaveformBuilder(**segment)
    for frame, time_s in pairs:
        builder.add(frame, time_s)
    return builder.finish(end_s=clip_end_s)


def _tone(hz=220.0, seconds=1.0, level=0.125, rate_hz=16_000):
    return level * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate_hz)) / rate_hz)


def _vowel(seconds: float, f0_hz: float | np.ndarray = 120.0, rate_hz: int = 16_000):
    """A buzz with the formants of a schwa (500, 1500, 2500 Hz), peak 0.3."""
    n = round(seconds * rate_hz)
    phase = 2 * np.pi * np.cumsum(np.broadcast_to(f0_hz, n) / rate_hz)
    mean_hz = float(np.mean(f0_hz))
    sound = np.zeros(n)
    for harmonic in range(1, int(4000 / mean_hz)):
        hz = harmonic * mean_hz
        gain = sum(1 / (1 + ((hz - formant) / 80) ** 2) for formant in (500, 1500, 2500)) / harmonic**0.5
        sound += (gain + 0.02 / harmonic) * np.sin(harmonic * phase)
    return 0.3 * sound / np.abs(sound).max()


def _syllables(
    count: int, rate_syll_s: float = 4.0, lead_s: float = 0.5, f0_hz: float = 120.0, noise_db: float = -70.0
):
    """Vowels that swell and fade at a syllable rate, between silences of `lead_s`, over faint seeded hiss."""
    t = np.arange(round(count / rate_syll_s * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    swell = 0.03 + 0.97 * np.sin(np.pi * rate_syll_s * t) ** 2
    spoken = _vowel(count / rate_syll_s, f0_hz)[: len(t)] * swell
    rest = np.zeros(round(lead_s * SAMPLE_RATE_HZ))
    sound = np.concatenate([rest, spoken, rest])
    return sound + np.random.default_rng(3).normal(size=len(sound)) * 10 ** (noise_db / 20)


def _waveform(samples, missing=()) -> Waveform:
    spans = np.asarray(missing, np.int64).reshape(-1, 2)
    return Waveform(samples=np.asarray(samples, np.float32), missing=spans)


def _as_fixture(function: Callable) -> Callable:
    return pytest.fixture(scope="session", name=function.__name__.removeprefix("_"))(lambda: function)


frame = _as_fixture(_frame)
frames = _as_fixture(_frames)
build = _as_fixture(_build)
tone = _as_fixture(_tone)
vowel = _as_fixture(_vowel)
syllables = _as_fixture(_syllables)
waveform = _as_fixture(_waveform)
