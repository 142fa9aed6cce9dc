"""Which runtime sees faces and bodies: LiteRT, or stock MediaPipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from extractors.video.observer import LiteRtObserver, ModelPaths, Observer
from mmrole.core.errors import ModelFileError

if TYPE_CHECKING:
    from mmrole.core.extraction import ExtractSettings

_FACE_LANDMARKER: Final = "face_landmarker.task"
_FACE_DETECTOR: Final = "face_detection_full_range.tflite"
_POSE_LANDMARKER: Final = {"full": "pose_landmarker_full.task", "lite": "pose_landmarker_lite.task"}


def make_observer(paths: Mapping[str, Path], settings: ExtractSettings) -> Observer:
    """Makes the observer that the settings ask for.

    Args:
        paths: model files by their names
        settings: `face_backend` and `pose` are looked at

    Raises:
        ModelFileError: a model file is missing or damaged
        MissingExtraError: the backend is not installed
    """
    wanted = {"face_landmarker": _FACE_LANDMARKER, "face_detector": _FACE_DETECTOR}
    wanted["pose_landmarker"] = _POSE_LANDMARKER[settings.pose]
    missing = [name for name in wanted.values() if name not in paths]
    if missing:
        raise ModelFileError(f"the model files {', '.join(missing)} are missing; fetch them with `mmrole models fetch`")
    models = ModelPaths(**{part: paths[name] for part, name in wanted.items()})
    if settings.face_backend == "mediapipe":
        from extractors.video.mediapipe_backend import MediaPipeObserver

        return MediaPipeObserver(models)
    return LiteRtObserver(models)
