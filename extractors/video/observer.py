"""Measures faces and bodies frame by frame: the seam between the video pipeline and its models."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from extractors.video.body_landmarks import body_detector, body_landmarker
from extractors.video.body_tracker import BodyTracker
from extractors.video.face_detector import face_detector
from extractors.video.face_landmarks import FaceLandmarker
from extractors.video.face_tracker import FaceTracker
from extractors.video.observation import FrameObservation
from extractors.video.picture import Picture
from mmrole.core.errors import ModelFileError

MAX_FACES: Final = 4


class Observer(Protocol):
    """Sees faces and bodies in the frames of one clip after the other."""

    def start_clip(self) -> None:
        """Begins a new clip: nothing of the clips before may change what is seen in it."""

    def observe(self, picture: Picture, time_s: float) -> FrameObservation:
        """Sees the next sampled frame; times of a clip increase."""


@dataclass(frozen=True, kw_only=True)
class ModelPaths:
    """Where the model files lie.

    Attributes:
        face_landmarker: face_landmarker.task
        face_detector: face_detection_full_range.tflite
        pose_landmarker: pose_landmarker_full.task, _lite or _heavy; None where no body is wanted
    """

    face_landmarker: Path
    face_detector: Path
    pose_landmarker: Path | None = None


class LiteRtObserver:
    """MediaPipe's models on LiteRT, one thread; loaded once, for as many clips as there are.

    Args:
        models: where the model files lie
        body: look for bodies; needs `models.pose_landmarker`
        max_faces: how many faces, and bodies, are followed at once

    Raises:
        ModelFileError: a model file is missing or damaged
        MissingExtraError: LiteRT is not installed
    """

    def __init__(self, models: ModelPaths, *, body: bool = True, max_faces: int = MAX_FACES) -> None:
        self._faces = FaceTracker(
            FaceLandmarker(models.face_landmarker), face_detector(models.face_detector), max_faces=max_faces
        )
        self._bodies: BodyTracker | None = None
        if body:
            bundle = needed_pose_landmarker(models)
            # the detector is the fallback: 25 MB that most clips of speaking faces never need
            detector = functools.cache(lambda: body_detector(bundle))
            self._bodies = BodyTracker(
                body_landmarker(bundle), lambda picture: detector()(picture), max_bodies=max_faces
            )

    def start_clip(self) -> None:
        """Begins a new clip."""
        self._faces.start_clip()
        if self._bodies is not None:
            self._bodies.start_clip()

    def observe(self, picture: Picture, time_s: float) -> FrameObservation:
        """Sees the next sampled frame."""
        faces = self._faces.update(picture, time_s)
        bodies = () if self._bodies is None else self._bodies.update(picture, time_s, faces)
        return FrameObservation(time_s=time_s, faces=faces, bodies=bodies)


def needed_pose_landmarker(models: ModelPaths) -> Path:
    """The body model's path.

    Raises:
        ModelFileError: there is none
    """
    if models.pose_landmarker is None:
        raise ModelFileError("no model file for bodies is named (pose_landmarker_full.task)")
    return models.pose_landmarker
