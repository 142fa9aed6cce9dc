"""Syllable nuclei: where the syllables are, from the sound alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ, STEP_SAMPLES
from extractors.audio.waveform import Waveform

# The band in which vowels are strong and hum, rumble and fricatives are not.
_LOW_HZ, _HIGH_HZ = 300, 3000
_WINDOW = 320
# A Hann window of 100 ms lets 12 Hz through at half the amplitude: faster than syllables come.
_SMOOTH_FRAMES = 9
_DIP_DB = 2.0
# nuclei are at most this much below the loudest (99th percentile)
_RANGE_DB = 25.0
# A nucleus is voiced within 20 ms. In creak, such as Mandarin's third tone, F0 falls below the floor or gets lost: there the
# spectrum of a vowel counts as voice, at least this far above that of a fricative, at most this far below that of a thump.
_VOICED_NEAR = 2
_ABOVE_HISS_DB = 12.0
_BELOW_RUMBLE_DB = 6.0
_BLOCK_FRAMES = 1000


def find_nuclei(waveform: Waveform, *, f0_hz: NDArray[np.float32]) -> NDArray[np.int64]:
    """Frames of the 10 ms grid at which syllables have their peak.

    Peaks of the envelope of 300 to 3000 Hz, smoothed at 12 Hz, that are separated by dips of 2 dB, voiced, and at most
    25 dB below the loudest. Voiced means F0, or else the spectrum of a vowel in a sound that is voiced elsewhere. After de
    Jong and Wempe (2009), "Praat script to detect syllable nuclei and measure speech rate automatically", with a band
    envelope in place of intensity.

    Args:
        waveform: any length
        f0_hz: of its frames, from `track_f0`

    Returns:
        frame numbers `[shape=(nuclei,)]`, ascending
    """
    voiced = np.isfinite(f0_hz)
    if not voiced.any():
        return np.zeros(0, np.int64)
    rumble, band, hiss = _band_powers(waveform)
    level_db = _decibels(_smoothed(np.sqrt(band)) ** 2)
    rumble_db, band_db, hiss_db = (_decibels(_smoothed(power)) for power in (rumble, band, hiss))
    vowel = (band_db - hiss_db >= _ABOVE_HISS_DB) & (rumble_db - band_db <= _BELOW_RUMBLE_DB)
    near = np.convolve(np.pad(voiced, _VOICED_NEAR), np.ones(2 * _VOICED_NEAR + 1), mode="valid") > 0
    loud = level_db > np.percentile(level_db, 99) - _RANGE_DB
    return np.array([p for p in _peaks(level_db) if loud[p] and (near[p] or vowel[p])], np.int64)


def _band_powers(waveform: Waveform) -> NDArray[np.float64]:
    """Power below, in and above the band around each frame `[shape=(3, frames)]`, from spectra of 20 ms."""
    frames = waveform.frames
    window = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
    low, high = (round(hz * _WINDOW / SAMPLE_RATE_HZ) for hz in (_LOW_HZ, _HIGH_HZ))
    powers = np.zeros((3, frames))
    for first in range(0, frames, _BLOCK_FRAMES):
        count = min(_BLOCK_FRAMES, frames - first)
        begin = first * STEP_SAMPLES - _WINDOW // 2
        part = waveform.samples[max(begin, 0) : begin + (count - 1) * STEP_SAMPLES + _WINDOW]
        lead = max(-begin, 0)
        heard = np.zeros((count - 1) * STEP_SAMPLES + _WINDOW, np.float32)
        heard[lead : lead + len(part)] = part
        cuts = np.lib.stride_tricks.sliding_window_view(heard, _WINDOW)[::STEP_SAMPLES]
        spectrum = np.fft.rfft(cuts * window, axis=1)
        power = spectrum.real**2 + spectrum.imag**2
        powers[:, first : first + count] = np.add.reduceat(power, [1, low, high + 1], axis=1).T
    return powers / _WINDOW**2


def _decibels(power: NDArray[np.float64]) -> NDArray[np.float64]:
    return 10 * np.log10(np.maximum(power, 1e-18))


def _smoothed(envelope: NDArray[np.float64]) -> NDArray[np.float64]:
    kernel = np.hanning(_SMOOTH_FRAMES + 2)[1:-1]
    half = _SMOOTH_FRAMES // 2
    return np.convolve(np.pad(envelope, half), kernel / kernel.sum(), mode="valid")


def _peaks(level_db: NDArray[np.float64]) -> list[int]:
    """Local maxima; of two that no dip of 2 dB below the lower one separates, the higher."""
    rise = np.diff(level_db, prepend=-np.inf)
    fall = np.diff(level_db, append=-np.inf)
    kept: list[int] = []
    for peak in np.flatnonzero((rise > 0) & (fall <= 0)).tolist():
        if not kept:
            kept.append(peak)
            continue
        dip_db = min(level_db[kept[-1]], level_db[peak]) - level_db[kept[-1] : peak + 1].min()
        if dip_db >= _DIP_DB:
            kept.append(peak)
        elif level_db[peak] > level_db[kept[-1]]:
            kept[-1] = peak
    return kept
