"""MediaPipe's face mesh: 478 landmarks and 52 blendshapes of the face in a region."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.detections import Detection
from extractors.video.head_pose import HeadPose
from extractors.video.litert_model import LiteRtModel, read_bundle, sigmoid
from extractors.video.observation import Face, landmark_box, mouth_opening
from extractors.video.picture import Picture
from extractors.video.regions import Region, turn_rad

_MARGIN: Final = 1.5
"""Side of the region over the longer side of the face's box."""
_RIGHT_EYE, _LEFT_EYE = 33, 263
"""Outer corners of the person's right and left eye, the picture's left and right one."""

# the 146 landmarks that the blendshape model takes (MediaPipe, face_blendshapes_graph.cc)
# fmt: off
_BLENDSHAPE_POINTS: Final = np.array([
    0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65, 66, 67, 70, 78, 80,
    81, 82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136, 144, 145, 146, 148, 149, 150, 152, 153,
    154, 155, 157, 158, 159, 160, 161, 162, 163, 168, 172, 173, 176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251,
    263, 267, 269, 270, 276, 282, 283, 284, 285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318,
    321, 323, 324, 332, 334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380, 381, 382, 384, 385, 386,
    387, 388, 389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466, 468, 469, 470, 471, 472, 473, 474, 475, 476, 477,
], np.intp)
# fmt: on


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceMesh:
    """Landmarks that were found in a region.

    Attributes:
        presence: probability that the region shows a face, 0..1
        landmarks: (478, 3) float32 in pixels of the picture
        box_px: (4,) around the landmarks
    """

    presence: float
    landmarks: NDArray[np.float32]
    box_px: NDArray[np.float32]


class FaceLandmarker:
    """The models of face_landmarker.task, except for its short-range detector.

    Args:
        bundle: the file face_landmarker.task

    Raises:
        ModelFileError: it is missing or damaged
    """

    def __init__(self, bundle: Path) -> None:
        mesh, blendshapes, geometry = read_bundle(
            bundle,
            "face_landmarks_detector.tflite",
            "face_blendshapes.tflite",
            "geometry_pipeline_metadata_landmarks.binarypb",
        )
        self._mesh = LiteRtModel(mesh, "face_landmarks_detector.tflite")
        self._pixels = self._mesh.input_shape[0]
        self._blendshapes = LiteRtModel(blendshapes, "face_blendshapes.tflite")
        self._head_pose = HeadPose(geometry)

    def find(self, picture: Picture, region: Region) -> FaceMesh:
        """Finds the landmarks of the face in a region."""
        size = (self._pixels, self._pixels)
        matrix = region.matrix(self._pixels)
        points, presence, *_ = self._mesh(lambda seen: picture.warp(matrix, size, border="replicate", out=seen))
        landmarks = region.to_picture(points.reshape(-1, 3), self._pixels)
        score = float(sigmoid(presence).ravel()[0])
        return FaceMesh(presence=score, landmarks=landmarks, box_px=landmark_box(landmarks))

    def describe(self, mesh: FaceMesh, track: int) -> Face:
        """Adds blendshapes, head pose and mouth opening."""
        # the model normalises place and size of the points itself
        points = mesh.landmarks[_BLENDSHAPE_POINTS, :2]
        (blendshapes,) = self._blendshapes(lambda given: np.copyto(given, points))
        return Face(
            track=track,
            score=mesh.presence,
            box_px=mesh.box_px,
            landmarks=mesh.landmarks,
            blendshapes=blendshapes.copy(),
            head_pose_deg=self._head_pose(mesh.landmarks),
            mouth_opening=mouth_opening(mesh.landmarks),
        )


def region_of_mesh(mesh: FaceMesh) -> Region:
    """The region to look at next: half as large again as the landmarks, turned with the eyes."""
    return _around(mesh.box_px, turn_rad(mesh.landmarks[_RIGHT_EYE], mesh.landmarks[_LEFT_EYE], 0.0))


def region_of_detection(found: Detection) -> Region:
    """The region in which to look for the landmarks of a detected face; its first two keypoints are the eyes."""
    return _around(found.box_px, turn_rad(found.keypoints_px[0], found.keypoints_px[1], 0.0))


def _around(box_px: NDArray[np.float32], angle_rad: float) -> Region:
    left, top, right, bottom = (float(edge) for edge in box_px)
    side = _MARGIN * max(right - left, bottom - top)
    return Region(x_px=(left + right) / 2, y_px=(top + bottom) / 2, side_px=side, angle_rad=angle_rad)
