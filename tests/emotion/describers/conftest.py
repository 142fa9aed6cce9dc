"""Faces and bodies whose movements are known."""

import numpy as np
import pytest

from emotion.describers.measures import BodyMeasures, FaceMeasures
from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS


@pytest.fixture
def make_face():
    """A face of n frames at 5 a second; keyword -> strengths of both sides (or of the one name), `pose` -> (pitch, yaw, roll)."""

    def make(n=10, frames=None, pose=(0.0, 0.0, 0.0), **strengths):
        values = np.zeros((n, len(BLENDSHAPES)))
        for name, strength in strengths.items():
            for place, known in enumerate(BLENDSHAPES):
                if known in (name, f"{name}Left", f"{name}Right"):
                    values[:, place] = strength
        pose_deg = np.zeros((n, 3))
        for place, angle in enumerate(pose):
            pose_deg[:, place] = angle
        return FaceMeasures(
            time_s=np.arange(n) / 5, blendshapes=values, names=BLENDSHAPES, head_pose_deg=pose_deg, frames=frames or n
        )

    return make


@pytest.fixture
def make_body():
    """A body of n frames, shoulders 100 px apart at (150..250, 200) of a picture of 400 x 400, nose 60 px above, facing the camera.

    Keyword -> (x, y) of a landmark, or arrays of them; what is not named besides nose, ears and shoulders is not visible.
    """

    def make(n=10, frames=None, **points):
        where = {
            "nose": (200, 140), "left_ear": (220, 150), "right_ear": (180, 150), "left_shoulder": (250, 200), "right_shoulder": (150, 200),
            **points,
        }  # fmt: skip
        marks = np.zeros((n, len(BODY_LANDMARKS), 4))
        for name, place in where.items():
            number = BODY_LANDMARKS.index(name)
            marks[:, number, 0], marks[:, number, 1], marks[:, number, 3] = place[0], place[1], 1.0
        return BodyMeasures(
            time_s=np.arange(n) / 5,
            landmarks=marks,
            names=BODY_LANDMARKS,
            width_px=400,
            height_px=400,
            frames=frames or n,
        )

    return make
