"""MediaPipe's full-range face detector."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from extractors.video.detections import SingleShotDetector
from extractors.video.litert_model import LiteRtModel, read_model

_MIN_SCORE: Final = 0.6
"""MediaPipe's own threshold for this model. At .5, 1 % of 2,550 crops of pictures without a face passed both the detector and
the landmark model; faces 80 pixels wide in a picture of 1280 are found in about 9 cases of 10 at either."""
_STRIDES: Final = (4,)


def face_detector(path: Path) -> SingleShotDetector:
    """Loads face_detection_full_range.tflite (192 x 192 pixels, one anchor every four).

    The short-range detector of MediaPipe's face landmarker sees 128 x 128 pixels and misses the faces of medium shots.
    Keypoints: the person's right eye, left eye, nose tip, mouth, right ear, left ear.

    Raises:
        ModelFileError: the file is missing or damaged
    """
    model = LiteRtModel(read_model(path), path.name)
    return SingleShotDetector(model, strides=_STRIDES, per_place=1, min_score=_MIN_SCORE)
