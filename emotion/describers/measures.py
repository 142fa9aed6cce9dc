"""What describers are given: the measured features of one utterance, one object per modality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mmrole.core.canonical import Record

Sequence20 = Sequence[float | None]
"""z of 20 equal stretches of an utterance, None where a stretch was not measured."""


@dataclass(frozen=True, kw_only=True)
class SpeechMeasures:
    """Speech of an utterance relative to a reference group.

    Attributes:
        speed_level: very low, low, normal, high or very high; None where not measured; the next two likewise
        pitch_level: see there
        volume_level: see there
        speed: z of 20 equal stretches; None where not measured; the next two likewise
        pitch: see there
        volume: see there
        reference: whom it is compared with: speaker, gender or corpus
        transcript: what is said, None where unknown
    """

    speed_level: str | None
    pitch_level: str | None
    volume_level: str | None
    speed: Sequence20 | None
    pitch: Sequence20 | None
    volume: Sequence20 | None
    reference: str | None
    transcript: str | None = None

    @property
    def measured(self) -> bool:
        """Whether there is anything to describe."""
        return any(level is not None for level in (self.speed_level, self.pitch_level, self.volume_level))

    def to_record(self) -> Record:
        """What was measured, as JSON values, for keys; what is said is no part of it."""
        return {
            "levels": [self.speed_level, self.pitch_level, self.volume_level],
            "sequences": [None if each is None else list(each) for each in (self.speed, self.pitch, self.volume)],
            "reference": self.reference,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceMeasures:
    """The speaker's face in the n frames in which it was measured.

    Attributes:
        time_s: (n,) seconds from the container's start, rising
        blendshapes: (n, k) strength of each expression, 0 to 1
        names: (k,) names of the expressions, as MediaPipe spells them; left and right are the person's own
        head_pose_deg: (n, 3) pitch, yaw, roll in degrees: positive looks up, faces the picture's right edge, tilts clockwise
        frames: number of all frames of the clip, with a face or not
    """

    time_s: NDArray[np.float64]
    blendshapes: NDArray[np.float64]
    names: Sequence[str]
    head_pose_deg: NDArray[np.float64]
    frames: int


@dataclass(frozen=True, kw_only=True, eq=False)
class BodyMeasures:
    """The speaker's body in the n frames in which it was measured.

    Attributes:
        time_s: (n,) seconds from the container's start, rising
        landmarks: (n, k, 4) x, y, z in pixels of the displayed picture and visibility, 0 to 1
        names: (k,) names of the landmarks, as MediaPipe's pose model has them; left and right are the person's own
        width_px: of the displayed picture
        height_px: of the displayed picture
        frames: number of all frames of the clip, with a body or not
    """

    time_s: NDArray[np.float64]
    landmarks: NDArray[np.float64]
    names: Sequence[str]
    width_px: float
    height_px: float
    frames: int
