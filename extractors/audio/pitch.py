"""Pitch: the fundamental frequency of each frame, by Praat's autocorrelation or by pYIN."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal, get_args

import numpy as np
import parselmouth
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ, STEP_S, STEP_SAMPLES
from extractors.audio.waveform import Waveform
from mmrole.core.errors import MissingExtraError, UsageError

PitchMethod = Literal["parselmouth", "pyin"]

FLOOR_HZ = 75.0
CEILING_HZ = 500.0

# A voice holds for two periods at least; single voiced frames in noise do not.
_SHORTEST_RUN = 3
_FEWEST_FRAMES = 5

# Long sounds are tracked in chunks, so that memory does not grow with their length. Neighbours share two seconds, within
# which they are joined where both are unvoiced: there Praat's path through the candidates can be cut without changing it.
_CHUNK = {"parselmouth": 3000, "pyin": 1000}
_SHARED = 200

# Praat analyses windows of three periods of the floor (40 ms); with this many samples around the first and the last frame
# time (half a window and one sample to spare) its frames lie exactly on the grid.
_AROUND = round(1.5 / FLOOR_HZ * SAMPLE_RATE_HZ) + 1
_SILENCE_THRESHOLD = 0.03

_PYIN_WINDOW = 1024

_Tracker = Callable[[NDArray[np.float32]], NDArray[np.float64]]


def require_method(method: str) -> None:
    """Checks that a pitch method exists and is installed, without importing it.

    Raises:
        UsageError: no such method
        MissingExtraError: pYIN without librosa
    """
    if method not in get_args(PitchMethod):
        raise UsageError(f"pitch {method!r}: there is only {' and '.join(get_args(PitchMethod))}")
    if method == "pyin" and find_spec("librosa") is None:
        raise MissingExtraError("pitch 'pyin' needs librosa: pip install 'mmrole[librosa]'")


def track_f0(waveform: Waveform, *, method: PitchMethod = "parselmouth") -> NDArray[np.float32]:
    """Fundamental frequency of each frame of the 10 ms grid.

    Voiced stretches shorter than 30 ms are taken for unvoiced, and a sound with fewer than 50 ms of voice in all has none.

    Args:
        waveform: any length
        method: `parselmouth`: Praat's autocorrelation (Boersma 1993, "Accurate short-term analysis of the fundamental
            frequency and the harmonics-to-noise ratio of a sampled sound"), 75 to 500 Hz, its other defaults; `pyin`:
            probabilistic YIN (Mauch and Dixon 2014) by librosa, in the same range

    Returns:
        F0 `[shape=(frames,)]` in Hz, 75 to 500; NaN where unvoiced or not measured

    Raises:
        UsageError: no such method
        MissingExtraError: pYIN without librosa
    """
    require_method(method)
    if not len(waveform.samples) or not np.any(waveform.samples):
        return np.full(waveform.frames, np.nan, np.float32)
    tracker = _praat_tracker(waveform.samples) if method == "parselmouth" else _pyin_tracker()
    f0 = _in_chunks(waveform, tracker, _CHUNK[method])
    f0[~waveform.measured_frames()] = 0
    return _gated(f0)


def voiced_runs(voiced: NDArray[np.bool_]) -> NDArray[np.int64]:
    """First frame of each stretch of voiced frames, and the one after its last `[shape=(runs, 2)]`."""
    edges = np.diff(np.concatenate([[False], voiced, [False]]).astype(np.int8))
    return np.flatnonzero(edges).reshape(-1, 2)


def _gated(f0: NDArray[np.float64]) -> NDArray[np.float32]:
    """NaN for unvoiced (0), for runs too short to be a voice, and for all when there is too little of it."""
    voiced = f0 > 0
    for begin, end in voiced_runs(voiced):
        if end - begin < _SHORTEST_RUN:
            voiced[begin:end] = False
    if voiced.sum() < _FEWEST_FRAMES:
        voiced[:] = False
    return np.where(voiced, f0, np.nan).astype(np.float32)


def _in_chunks(waveform: Waveform, tracker: _Tracker, size: int) -> NDArray[np.float64]:
    """F0 per frame (0: unvoiced), tracked chunk by chunk and joined."""
    frames, samples = waveform.frames, waveform.samples
    f0 = np.zeros(frames)
    done = 0
    for first in range(0, max(frames - _SHARED, 1), size):
        last = min(first + size + _SHARED, frames)
        begin, end = first * STEP_SAMPLES - _AROUND, (last - 1) * STEP_SAMPLES + _AROUND
        inside = samples[max(begin, 0) : min(end, len(samples))]
        chunk = np.pad(inside, (max(-begin, 0), max(end - len(samples), 0)))
        track = tracker(chunk)
        joint = _joint(f0[first:done], track[: done - first]) if done else 0
        f0[first + joint : last] = track[joint:]
        done = last
    return f0


def _joint(before: NDArray[np.float64], after: NDArray[np.float64]) -> int:
    """Where to go over from one track to the next within the frames that both have.

    The middle of the longest stretch that both call unvoiced; without one, the middle of the longest in which they agree
    within 1 %; else the middle.
    """
    for same in ((before == 0) & (after == 0), np.abs(before - after) <= 0.01 * before):
        runs = voiced_runs(same)
        if len(runs):
            begin, end = runs[np.argmax(runs[:, 1] - runs[:, 0])]
            return int(begin + end) // 2
    return len(before) // 2


def _praat_tracker(samples: NDArray[np.float32]) -> _Tracker:
    # Praat calls a frame silent by its peak relative to that of the whole sound. A chunk is told the threshold that means
    # the same for it.
    whole_peak = _peak(samples)

    def track(chunk: NDArray[np.float32]) -> NDArray[np.float64]:
        peak = _peak(chunk)
        frames = (len(chunk) - 2 * _AROUND) // STEP_SAMPLES + 1
        if peak == 0:
            return np.zeros(frames)
        sound = parselmouth.Sound(chunk.astype(np.float64), sampling_frequency=float(SAMPLE_RATE_HZ))
        pitch = sound.to_pitch_ac(
            time_step=STEP_S,
            pitch_floor=FLOOR_HZ,
            pitch_ceiling=CEILING_HZ,
            silence_threshold=_SILENCE_THRESHOLD * whole_peak / peak,
        )
        return np.array(pitch.selected_array["frequency"], np.float64)

    return track


def _peak(samples: NDArray[np.float32]) -> float:
    """Largest distance from the mean, which is what Praat takes for the peak."""
    mean = float(samples.mean(dtype=np.float64))
    return max(float(samples.max()) - mean, mean - float(samples.min()))


def _pyin_tracker() -> _Tracker:
    import librosa

    def track(chunk: NDArray[np.float32]) -> NDArray[np.float64]:
        # librosa centres frame k on k * hop; what stands around the first and last frame time is context
        pad = _PYIN_WINDOW // 2 - _AROUND
        f0, voiced, _ = librosa.pyin(
            np.pad(chunk, pad),
            fmin=FLOOR_HZ,
            fmax=CEILING_HZ,
            sr=SAMPLE_RATE_HZ,
            frame_length=_PYIN_WINDOW,
            hop_length=STEP_SAMPLES,
            center=False,
        )
        return np.where(voiced, np.nan_to_num(f0), 0.0)

    return track
