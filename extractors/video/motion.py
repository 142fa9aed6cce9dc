"""How much a face or a body changes between two frames, and how much two frames of it look alike.

Face: the mean absolute difference of the blendshapes without blinks and glances (`EXPRESSION`), 0..1.
Body: the mean distance that the joints seen in both frames have moved, in sizes of the torso. The size is the distance from
the middle of the shoulders to the middle of the hips, or the width of the shoulders where that is more or the hips are not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS

if TYPE_CHECKING:
    from extractors.video.observation import Body, Face

# A blink and a glance move these and say nothing of the expression; `_neutral` never moves.
_NO_EXPRESSION: Final = ("_neutral", "eyeBlink", "eyeLook")
EXPRESSION: Final = np.array([k for k, name in enumerate(BLENDSHAPES) if not name.startswith(_NO_EXPRESSION)])
BLINKS: Final = np.array([k for k, name in enumerate(BLENDSHAPES) if name.startswith("eyeBlink")])
# The rest of the 33 points moves with these.
_JOINT_NAMES: Final = ("nose", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
JOINTS: Final = np.array([k for k, name in enumerate(BODY_LANDMARKS) if name.endswith(_JOINT_NAMES)])
SHOULDERS: Final = [BODY_LANDMARKS.index(f"{side}_shoulder") for side in ("left", "right")]
HIPS: Final = [BODY_LANDMARKS.index(f"{side}_hip") for side in ("left", "right")]
NOSE: Final = BODY_LANDMARKS.index("nose")
TRUNK: Final = np.array([NOSE, *SHOULDERS, *HIPS])
VISIBLE: Final = 0.5  # visibility from which a point counts as seen
MIN_JOINTS: Final = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Expression:
    """A face as far as its expression goes.

    Attributes:
        values: (41,) blendshapes without blinks and glances, 0..1
        blink: how far the eyes are shut, 0..1
    """

    values: NDArray[np.float32]
    blink: float

    @classmethod
    def of(cls, face: Face) -> Expression:
        """Takes the expression from a face."""
        return cls(values=face.blendshapes[EXPRESSION], blink=float(face.blendshapes[BLINKS].mean()))

    def distance(self, other: Expression) -> float:
        """Mean absolute difference, 0..1."""
        return float(np.abs(self.values - other.values).mean())


@dataclass(frozen=True, kw_only=True, eq=False)
class Pose:
    """A body as far as its posture goes.

    Attributes:
        points: (13, 2) `JOINTS` in pixels of the displayed picture
        seen: (13,) which of them are visible
        size_px: size of the torso
        blink: 0; a body does not blink
    """

    points: NDArray[np.float32]
    seen: NDArray[np.bool_]
    size_px: float
    blink: float = 0.0

    @classmethod
    def of(cls, body: Body) -> Pose:
        """Takes the posture from a body."""
        marks = body.landmarks
        joints = marks[JOINTS]
        return cls(points=joints[:, :2], seen=joints[:, 3] >= VISIBLE, size_px=torso_size_px(marks))

    def distance(self, other: Pose) -> float | None:
        """Mean way of the joints in sizes of the torso; None when too few are seen in both frames."""
        common = self.seen & other.seen
        size_px = (self.size_px + other.size_px) / 2
        if np.count_nonzero(common) < MIN_JOINTS or size_px <= 0:
            return None
        way = (self.points - other.points)[common]
        return float(np.sqrt((way * way).sum(axis=1)).mean()) / size_px


def torso_size_px(landmarks: NDArray[np.float32]) -> float:
    """Size of the torso in pixels.

    Args:
        landmarks: (33, 4) x, y, z in pixels and visibility
    """
    shoulders = landmarks[SHOULDERS, :2].astype(np.float64)
    size_px = float(np.hypot(*(shoulders[0] - shoulders[1])))
    if landmarks[HIPS, 3].min() >= VISIBLE:
        down = shoulders.mean(axis=0) - landmarks[HIPS, :2].mean(axis=0)
        size_px = max(size_px, float(np.hypot(*down)))
    return size_px
