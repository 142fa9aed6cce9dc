"""Volume: the level of each frame in dB relative to full scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ, STEP_SAMPLES
from extractors.audio.waveform import Waveform

# Below the level of the last bit of 16-bit sound there is nothing but digital silence: a missing value, not a very low one.
SILENCE_DB = -100.0

# Praat's "Sound: To Intensity" with its default minimum pitch of 100 Hz: squared samples weighted by a Kaiser window of
# 6.4 / 100 Hz with beta = 2 pi^2 + 1/2, about 30 ms in effect, so that the level does not follow the single periods
# of a voice. It is applied to the energies of blocks of 2.5 ms.
_WINDOW_S = 0.064
_BETA = 2 * np.pi**2 + 0.5
_BLOCK = 40
_HALF = int(np.ceil(_WINDOW_S * SAMPLE_RATE_HZ / 2 / _BLOCK))


def frame_levels_db(waveform: Waveform) -> NDArray[np.float32]:
    """Level of each frame of the 10 ms grid.

    The root mean square of the measured samples around the frame's time, weighted like Praat's intensity, in dB relative to
    a full scale of 1 (a sine of amplitude 1 has -3.01 dB). Add 93.98 dB for Praat's scale (2e-5).

    Args:
        waveform: any length

    Returns:
        levels `[shape=(frames,)]` in dBFS, at least -100; NaN where nothing was measured or all is digital silence
    """
    frames = waveform.frames
    if not frames:
        return np.zeros(0, np.float32)
    # half a step and half a window of nothing before the first sample, so that frame times fall on block edges
    lead = STEP_SAMPLES // 2
    blocks = (frames + 1) * STEP_SAMPLES // _BLOCK
    squares = np.zeros(blocks * _BLOCK, np.float32)
    np.square(waveform.samples, out=squares[lead : lead + len(waveform.samples)])
    energy = squares.reshape(-1, _BLOCK).sum(axis=1, dtype=np.float64)
    squares[lead : lead + len(waveform.samples)] = waveform.measured() if len(waveform.missing) else 1.0
    count = squares.reshape(-1, _BLOCK).sum(axis=1, dtype=np.float64)

    window = _block_window()
    at = (np.arange(frames) * STEP_SAMPLES + lead) // _BLOCK
    weighted, weight = (np.convolve(np.pad(a, _HALF), window, mode="valid")[at] for a in (energy, count))
    heard = waveform.measured_frames() & (weight > 0) & (weighted > 0)
    levels = np.full(frames, np.nan, np.float32)
    levels[heard] = 10 * np.log10(weighted[heard] / weight[heard])
    levels[levels < SILENCE_DB] = np.nan
    return levels


def _block_window() -> NDArray[np.float64]:
    """Weight of each block around a frame `[shape=(2 * _HALF,)]`."""
    place = (np.arange(-_HALF, _HALF) + 0.5) * _BLOCK / SAMPLE_RATE_HZ / (_WINDOW_S / 2)
    inside = np.clip(1 - place**2, 0, None)
    return np.where(inside > 0, np.i0(_BETA * np.sqrt(inside)), 0.0) / np.i0(_BETA)
