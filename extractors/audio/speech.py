"""Speech time: which frames are speech, by WebRTC's voice activity detector and by voicing."""

from __future__ import annotations

import numpy as np
import webrtcvad
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ, STEP_SAMPLES
from extractors.audio.pitch import voiced_runs
from extractors.audio.waveform import Waveform

# Mode 3 takes the least noise for speech.
_MODE = 3

# The detector knows absolute levels: it takes hiss above about -50 dBFS for speech and misses voices below -40. So it hears
# the sound amplified until loud frames stand at the first level, but never so far that the quietest rise above the second.
_LOUD_DB = -22.0
_QUIET_DB = -55.0
_LOUD_PERCENTILE, _QUIET_PERCENTILE = 95, 10
# With less between the two, quiet frames are not the background, and the sound is taken as it is.
_RANGE_DB = 20.0
# Frames that are no further than this above the quiet ones are background, whatever the detector says while it holds on.
_ABOVE_QUIET_DB = 6.0

# Closures of stops belong to speech; a pause is at least this long. The detector holds on for 60 to 90 ms, which makes up
# for the soft ends of words; a click alone comes out as 80 ms, so shorter bursts than this are none.
_PAUSE_FRAMES = 20
_BURST_FRAMES = 10

_BLOCK_FRAMES = 3000


def find_speech(waveform: Waveform, *, levels_db: NDArray[np.float32], f0_hz: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which frames of the 10 ms grid are speech.

    A frame is speech when the detector says so for the 10 ms around it and it stands above the background, or when it is
    voiced (the detector misses quiet voices); voicing alone, without a word from the detector in the whole clip, is hum.
    Pauses shorter than 200 ms belong to speech; speech shorter than 100 ms is dropped.

    Args:
        waveform: any length
        levels_db: of its frames, from `frame_levels_db`
        f0_hz: of its frames, from `track_f0`

    Returns:
        whether each frame is speech `[shape=(frames,)]`; False where nothing was measured
    """
    heard = np.isfinite(levels_db)
    if not heard.any():
        return np.zeros(waveform.frames, np.bool_)
    gain, floor_db = _ear(levels_db[heard])
    speech = _detect(waveform, gain) & heard & (levels_db > floor_db)
    if not speech.any():
        return speech
    speech |= np.isfinite(f0_hz)
    for begin, end in voiced_runs(~speech):
        if begin > 0 and end < len(speech) and end - begin < _PAUSE_FRAMES:
            speech[begin:end] = True
    for begin, end in voiced_runs(speech):
        if end - begin < _BURST_FRAMES:
            speech[begin:end] = False
    return np.asarray(speech & waveform.measured_frames())


def _ear(levels_db: NDArray[np.float32]) -> tuple[float, float]:
    """Factor for the sound that the detector hears, and the level at and below which frames are background."""
    quiet_db, loud_db = (float(level) for level in np.percentile(levels_db, [_QUIET_PERCENTILE, _LOUD_PERCENTILE]))
    if loud_db - quiet_db < _RANGE_DB:
        return 1.0, -np.inf
    return 10 ** (min(_LOUD_DB - loud_db, _QUIET_DB - quiet_db) / 20), quiet_db + _ABOVE_QUIET_DB


def _detect(waveform: Waveform, gain: float) -> NDArray[np.bool_]:
    """The detector's word on the 10 ms around each frame's time."""
    detector = webrtcvad.Vad(_MODE)
    frames, size = waveform.frames, 2 * STEP_SAMPLES
    said = np.zeros(frames, np.bool_)
    for first in range(0, frames, _BLOCK_FRAMES):
        count = min(_BLOCK_FRAMES, frames - first)
        begin = first * STEP_SAMPLES - STEP_SAMPLES // 2
        part = waveform.samples[max(begin, 0) : begin + count * STEP_SAMPLES]
        lead = max(-begin, 0)
        heard = np.zeros(count * STEP_SAMPLES, np.float32)
        heard[lead : lead + len(part)] = part
        pcm = np.clip(heard * (gain * 32768), -32768, 32767).astype("<i2").tobytes()
        said[first : first + count] = [
            detector.is_speech(pcm[at : at + size], SAMPLE_RATE_HZ) for at in range(0, len(pcm), size)
        ]
    return said
