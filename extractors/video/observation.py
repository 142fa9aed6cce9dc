"""What is seen in one sampled frame: faces and bodies, in pixels of the displayed picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

# fmt: off
BLENDSHAPES: Final = (
    "_neutral", "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight", "cheekPuff",
    "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight",
    "eyeLookInLeft", "eyeLookInRight", "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight",
    "eyeSquintLeft", "eyeSquintRight", "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen", "jawRight",
    "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft", "mouthPressRight", "mouthPucker",
    "mouthRight", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft",
    "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight",
)
# fmt: on
"""Names of the 52 coefficients of `Face.blendshapes`, in the model's order; left and right are the person's own."""

HEAD_POSE_AXES: Final = ("pitch", "yaw", "roll")
"""Order of `Face.head_pose_deg`: positive means looks up, faces the picture's right edge, tilts clockwise."""

# fmt: off
BODY_LANDMARKS: Final = (
    "nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye", "right_eye_outer",
    "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder", "right_shoulder", "left_elbow",
    "right_elbow", "left_wrist", "right_wrist", "left_pinky", "right_pinky", "left_index", "right_index",
    "left_thumb", "right_thumb", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle", "right_ankle",
    "left_heel", "right_heel", "left_foot_index", "right_foot_index",
)
# fmt: on
"""Names of the 33 points of `Body.landmarks`; left and right are the person's own."""

FACE_LANDMARK_COUNT: Final = 478

_UPPER_LIP, _LOWER_LIP = 13, 14
_EYE_CORNERS = ((33, 133), (263, 362))


@dataclass(frozen=True, kw_only=True, eq=False)
class Face:
    """One face in one frame.

    Attributes:
        track: the same number for the same face throughout a clip, counted from 0 as faces appear
        score: probability that this is a face, 0..1; NaN where the backend does not tell
        box_px: (4,) float32 left, top, right, bottom of the landmarks; may reach out of the picture
        landmarks: (478, 3) float32 x, y, z in pixels; z in the scale of x, smaller is nearer, 0 about the head's centre
        blendshapes: (52,) float32 in 0..1, named by `BLENDSHAPES`
        head_pose_deg: (3,) float32, see `HEAD_POSE_AXES`
        mouth_opening: distance of the lips over the distance of the eyes, both in three dimensions; about 0 when closed
    """

    track: int
    score: float
    box_px: NDArray[np.float32]
    landmarks: NDArray[np.float32]
    blendshapes: NDArray[np.float32]
    head_pose_deg: NDArray[np.float32]
    mouth_opening: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Body:
    """One body in one frame.

    Attributes:
        track: the face track that the body belongs to; the body keeps it while it is followed, also in frames where its
            face is not seen; None for a body whose face was not seen
        score: probability that this is a body, 0..1; NaN where the backend does not tell
        landmarks: (33, 4) float32 x, y, z in pixels (z 0 at the hips, smaller is nearer) and visibility in 0..1, named
            by `BODY_LANDMARKS`; points out of the picture are the model's guesses
    """

    track: int | None
    score: float
    landmarks: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class FrameObservation:
    """All faces and bodies of one sampled frame.

    Attributes:
        time_s: time of the frame from the container's start
        faces: in the order of their tracks
        bodies: in no particular order; at most one for each face track
    """

    time_s: float
    faces: tuple[Face, ...]
    bodies: tuple[Body, ...]


def landmark_box(landmarks: NDArray[np.float32]) -> NDArray[np.float32]:
    """(4,) left, top, right, bottom around points (n, 2 or more)."""
    x, y = landmarks[:, 0], landmarks[:, 1]
    return np.array([x.min(), y.min(), x.max(), y.max()], np.float32)


def mouth_opening(landmarks: NDArray[np.float32]) -> float:
    """Distance of the inner lips over the distance of the eyes' centres, from face landmarks (478, 3)."""
    lips = np.linalg.norm(landmarks[_UPPER_LIP] - landmarks[_LOWER_LIP])
    right, left = (landmarks[list(corners)].mean(axis=0) for corners in _EYE_CORNERS)
    return float(lips / np.linalg.norm(left - right))
