"""MediaPipe's BlazePose: 33 landmarks of the body in a region, refined by the model's heat maps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.detections import Detection, SingleShotDetector
from extractors.video.litert_model import LiteRtModel, read_bundle, sigmoid
from extractors.video.litert_prune import keep_outputs
from extractors.video.picture import Picture
from extractors.video.regions import Region, turn_rad

_MIN_SCORE: Final = 0.5
_STRIDES: Final = (8, 16, 32, 32, 32)
_MARGIN: Final = 1.25
_BODY_POINTS: Final = 33
_CENTRE, _RIM = 33, 34
"""Auxiliary landmarks: the middle of the hips, and a point on the circle around the whole body."""
_HIPS_BELOW_FACE: Final = 3.3
_BODY_RADIUS: Final = 4.2
"""In heights of the face's box: from its centre to the hips, and from the hips to the rim point."""
_KERNEL: Final = 7
"""Cells of the heat map that are averaged, across and down (MediaPipe, RefineLandmarksFromHeatmapCalculator)."""
_REACH: Final = np.arange(_KERNEL) - _KERNEL // 2
_MIN_HEAT: Final = 0.5
_OUTPUTS: Final = (0, 1, 3)
"""Landmarks, presence, heat maps; not the silhouette (2), which costs as much as all others, nor metric landmarks (4)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BodyPose:
    """Landmarks that were found in a region.

    Attributes:
        presence: probability that the region shows a body, 0..1
        landmarks: (33, 4) float32 x, y, z in pixels of the picture, visibility in 0..1
        region: where to look in the next frame
    """

    presence: float
    landmarks: NDArray[np.float32]
    region: Region


class BodyLandmarker:
    """The landmark model of a pose landmarker's bundle (lite, full or heavy)."""

    def __init__(self, model: bytes) -> None:
        self._model = LiteRtModel(keep_outputs(model, _OUTPUTS), "pose_landmarks_detector.tflite")
        self._pixels = self._model.input_shape[0]

    def find(self, picture: Picture, region: Region) -> BodyPose:
        """Finds the landmarks of the body in a region."""
        size = (self._pixels, self._pixels)
        matrix = region.matrix(self._pixels)
        raw, presence, heat = self._model(lambda seen: picture.warp(matrix, size, border="replicate", out=seen))
        points = raw.reshape(-1, 5)  # x, y, z, visibility, presence
        places = points[:, :3].copy()
        places[:, :2] = refine(places[:, :2] / np.float32(self._pixels), heat[0]) * self._pixels
        landmarks = np.empty((_BODY_POINTS, 4), np.float32)
        placed = region.to_picture(places, self._pixels)
        landmarks[:, :3] = placed[:_BODY_POINTS]
        landmarks[:, 3] = sigmoid(points[:_BODY_POINTS, 3])
        return BodyPose(
            presence=float(presence.ravel()[0]),  # the model applies the logistic function itself
            landmarks=landmarks,
            region=_around(placed[_CENTRE], placed[_RIM]),
        )


def body_detector(bundle: Path) -> SingleShotDetector:
    """Loads the detector of pose_landmarker_full.task or its like.

    Raises:
        ModelFileError: the file is missing or damaged
    """
    (content,) = read_bundle(bundle, "pose_detector.tflite")
    model = LiteRtModel(content, "pose_detector.tflite")
    return SingleShotDetector(model, strides=_STRIDES, per_place=2, min_score=_MIN_SCORE)


def body_landmarker(bundle: Path) -> BodyLandmarker:
    """Loads the landmark model of pose_landmarker_full.task or its like.

    Raises:
        ModelFileError: the file is missing or damaged
    """
    (content,) = read_bundle(bundle, "pose_landmarks_detector.tflite")
    return BodyLandmarker(content)


def region_of_body(found: Detection) -> Region:
    """The region in which to look for the landmarks of a detected body.

    The detector's box is that of the face; its first two keypoints are the middle of the hips and a point on the circle
    around the whole body.
    """
    return _around(found.keypoints_px[0], found.keypoints_px[1])


def region_below_face(face_box_px: NDArray[np.float32]) -> Region:
    """The region of an upright body, from the box of its face alone.

    Measured on people seen down to the chest: as good a start as the detector's region, which costs as much as the
    landmarks (visible points 2.2 and 2.0 % of the shoulders' width from where repeated looks settle).
    """
    left, top, right, bottom = face_box_px
    height = bottom - top
    hips = np.array([(left + right) / 2, (top + bottom) / 2 + _HIPS_BELOW_FACE * height], np.float32)
    return _around(hips, hips - np.array([0, _BODY_RADIUS * height], np.float32))


def refine(points: NDArray[np.float32], heat: NDArray[np.float32]) -> NDArray[np.float32]:
    """Moves each point to the centre of gravity of its heat map, in a window of 7 x 7 cells around the point.

    Args:
        points: (n, 2) x, y in 0..1
        heat: (rows, columns, n), before the logistic function

    Returns:
        (n, 2); points outside of the map, and those whose window is cold (below .5 everywhere), stay as they are.
        MediaPipe gives the cells the coordinates 0, 1/columns, ...: their left upper corners, not their centres.
    """
    rows, columns, count = heat.shape
    size = np.array([columns, rows])
    cells = np.trunc(points * size.astype(np.float32))
    inside: NDArray[np.bool_] = np.all((cells >= 0) & (cells < size), axis=1)
    centre = np.where(inside[:, np.newaxis], cells, 0).astype(np.intp)
    places = centre[:, :, np.newaxis] + _REACH  # (n, 2, 7) columns and rows of the windows
    limited = np.minimum(np.maximum(places, 0), size[:, np.newaxis] - 1)
    valid: NDArray[np.bool_] = np.equal(places, limited)
    column, row = limited[:, 0], limited[:, 1]
    window = heat[row[:, :, np.newaxis], column[:, np.newaxis, :], np.arange(count)[:, np.newaxis, np.newaxis]]
    weights = sigmoid(window) * (valid[:, 1, :, np.newaxis] & valid[:, 0, np.newaxis, :])
    warm: NDArray[np.bool_] = np.logical_and(inside, weights.max(axis=(1, 2)) >= _MIN_HEAT)
    across, down = weights.sum(axis=1), weights.sum(axis=2)
    total = np.maximum(across.sum(axis=1), np.finfo(np.float32).tiny)  # of a cold window all may be rounded to 0
    refined = np.stack([(across * column).sum(axis=1), (down * row).sum(axis=1)], axis=1) / total[:, np.newaxis] / size
    return np.where(warm[:, np.newaxis], refined, points).astype(np.float32)


def _around(centre: NDArray[np.float32], rim: NDArray[np.float32]) -> Region:
    """A square around the circle, upright for a standing person: the rim point lies straight above the hips."""
    radius = math.hypot(float(rim[0]) - float(centre[0]), float(rim[1]) - float(centre[1]))
    return Region(
        x_px=float(centre[0]),
        y_px=float(centre[1]),
        side_px=2 * radius * _MARGIN,
        angle_rad=turn_rad(centre, rim, math.pi / 2),
    )
