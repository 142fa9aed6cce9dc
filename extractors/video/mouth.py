"""How well a mouth fits the voice: the opening and the movement of the lips against the loudness of speech.

At 5 frames a second a mouth is seen once per syllable at best, so two traces are looked for, both of which survive that:

- *opening*: at the very moment of a frame an open mouth goes with a loud voice (correlation with the envelope);
- *movement*: from frame to frame the mouth of who speaks changes while there is voice, that of a listener hardly does
  (cosine with the envelope between the frames: it needs no pause in the speech to tell them apart).

    evidence = (r_opening + c_movement) / 2                                                            in -1/2 .. 1

Both are damped by the noise of the measurement, as if every frame carried so much more of it: the flicker of a still
mouth correlates with nothing, however well it happens to fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from extractors.video.observation import BLENDSHAPES
from mmrole.core.errors import UsageError

if TYPE_CHECKING:
    from extractors.video.observation import Face

Floats = NDArray[np.float64]

# Flicker of a still mouth: standard deviations of jawOpen and of the distance of the lips in distances of the eyes.
JAW_NOISE: Final = 0.03
LIP_NOISE: Final = 0.025
# Loudness that differs by less than this does not differ (1 is the loud part of the speech).
VOICE_NOISE: Final = 0.02
_JAW_OPEN: Final = BLENDSHAPES.index("jawOpen")
# jawOpen is the steadier of the two measures of one thing.
JAW_WEIGHT: Final = 2 / 3
# Loudness counts down to so far below the loud parts of the speech.
RANGE_DB: Final = 35.0
# Length of the window (Hann) that smooths the envelope: half a syllable.
SMOOTH_S: Final = 0.1
# The lips open a little before the sound, and dubbing and muxing shift it: the best of these is taken.
LAGS_S: Final = (-0.04, 0.0, 0.04, 0.08)
# Less speech than this says nothing about who speaks.
MIN_SPEECH_S: Final = 0.3


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """Loudness of the speech of a clip.

    Attributes:
        start_s: time of the first value
        step_s: distance of the values
        loudness: (n,) 0 where nobody speaks or more than `RANGE_DB` below the loud parts, about 1 in those, smoothed
    """

    start_s: float
    step_s: float
    loudness: Floats

    def at(self, times_s: Floats) -> Floats:
        """Loudness at each of the times; 0 outside of the sound."""
        places = (times_s - self.start_s) / self.step_s
        return np.interp(places, np.arange(len(self.loudness)), self.loudness, left=0.0, right=0.0)

    def between(self, times_s: Floats) -> Floats:
        """(n - 1,) mean loudness between neighbouring times."""
        sums = np.concatenate([[0.0], np.cumsum(self.loudness)])
        places = (times_s - self.start_s) / self.step_s + 0.5
        sums_at = np.interp(places, np.arange(len(sums)), sums)
        means: Floats = np.diff(sums_at) / (np.diff(times_s) / self.step_s)
        return means


def speech_envelope(times_s: ArrayLike, volume_db: ArrayLike, speech: ArrayLike) -> Envelope | None:
    """The envelope of the speech of a clip.

    Args:
        times_s: (n,) evenly spaced times, seconds from the container's start
        volume_db: (n,) level in dB below full scale; NaN or -inf where there is no sound
        speech: (n,) true where somebody speaks

    Returns:
        None when there are less than `MIN_SPEECH_S` of audible speech

    Raises:
        UsageError: the three are not of one length
    """
    times, level, spoken = np.asarray(times_s, np.float64), np.asarray(volume_db, np.float64), np.asarray(speech, bool)
    if not times.shape == level.shape == spoken.shape or times.ndim != 1:
        raise UsageError(
            f"times, volume and speech must be of one length, not {times.shape}, {level.shape}, {spoken.shape}"
        )
    heard = spoken & np.isfinite(level)
    if len(times) < 2 or (step_s := float(np.median(np.diff(times)))) <= 0 or heard.sum() * step_s < MIN_SPEECH_S:
        return None
    loud_db = float(np.quantile(level[heard], 0.95))
    loudness = np.zeros(len(times))
    loudness[heard] = np.clip(1 + (level[heard] - loud_db) / RANGE_DB, 0.0, None)
    window = np.hanning(2 * max(1, round(SMOOTH_S / step_s / 2)) + 3)[1:-1]
    smooth = np.convolve(loudness, window / window.sum())[len(window) // 2 :][: len(times)]
    return Envelope(start_s=float(times[0]), step_s=step_s, loudness=smooth)


def mouth_evidence(times_s: ArrayLike, faces: Sequence[Face], envelope: Envelope) -> float:
    """How well the mouth of one person fits the voice.

    Args:
        times_s: (n,) times of the frames that show the face
        faces: (n) what was measured there
        envelope: loudness of the speech

    Returns:
        the evidence, -1/2 .. 1; about 0 for a mouth that has nothing to do with the voice, or is still
    """
    times = np.asarray(times_s, np.float64)
    jaw = np.array([face.blendshapes[_JAW_OPEN] for face in faces], np.float64)
    lips = np.array([face.mouth_opening for face in faces], np.float64)
    traces = ((JAW_WEIGHT, jaw, JAW_NOISE), (1 - JAW_WEIGHT, lips, LIP_NOISE))
    opening = max(
        sum(weight * _damped_correlation(trace, voice, noise) for weight, trace, noise in traces)
        for voice in (envelope.at(times + lag_s) for lag_s in LAGS_S)
    )
    voice = envelope.between(times)
    movement = sum(weight * _damped_cosine(np.abs(np.diff(trace)), voice, noise) for weight, trace, noise in traces)
    return float(opening + movement) / 2


def _damped_correlation(mouth: Floats, voice: Floats, noise: float) -> float:
    return _damped_cosine(mouth - mouth.mean(), voice - voice.mean(), noise)


def _damped_cosine(mouth: Floats, voice: Floats, noise: float) -> float:
    size = np.sqrt((mouth @ mouth + len(mouth) * noise**2) * (voice @ voice + len(voice) * VOICE_NOISE**2))
    return float(mouth @ voice / size)
