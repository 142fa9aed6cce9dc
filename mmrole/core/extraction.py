"""What decides the result of an extraction."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError

DEFINITION = "extract/v1"
"""Changes whenever the same input would give other numbers, so that stored results are made anew."""

PitchMethod = Literal["parselmouth", "pyin"]
FaceBackend = Literal["litert", "mediapipe"]
PoseModel = Literal["full", "lite"]


@dataclass(frozen=True, kw_only=True)
class ExtractSettings:
    """Settings of `mmrole extract` that decide its results.

    Attributes:
        fps: sampled frames per second, > 0 and at most 120
        audio: measure the sound
        video: measure the picture
        pitch: ``parselmouth`` (Praat's autocorrelation) or ``pyin`` (librosa)
        face_backend: ``litert``, or ``mediapipe`` for stock MediaPipe
        pose: body model, ``full`` or ``lite``
        keyframes: at most so many keyframes of the face and as many of the body, >= 0

    Raises:
        UsageError: a value is out of range
    """

    fps: float = 5.0
    audio: bool = True
    video: bool = True
    pitch: PitchMethod = "parselmouth"
    face_backend: FaceBackend = "litert"
    pose: PoseModel = "full"
    keyframes: int = 4

    def __post_init__(self) -> None:
        if not (math.isfinite(self.fps) and 0 < self.fps <= 120):
            raise UsageError(f"fps must be above 0 and at most 120 frames per second, not {self.fps:g}")
        if not (self.audio or self.video):
            raise UsageError("audio and video are both switched off: nothing is left to measure")
        if self.keyframes < 0:
            raise UsageError(f"keyframes must be 0 or more, not {self.keyframes}")
        for name, allowed in (("pitch", PitchMethod), ("face_backend", FaceBackend), ("pose", PoseModel)):
            if getattr(self, name) not in get_args(allowed):
                raise UsageError(f"{name} must be one of {', '.join(get_args(allowed))}, not {getattr(self, name)!r}")

    def record(self) -> Record:
        """The settings as a JSON object."""
        return asdict(self)
