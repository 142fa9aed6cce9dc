import numpy as np
import pytest

from extractors.video.observation import (
    BLENDSHAPES,
    BODY_LANDMARKS,
    HEAD_POSE_AXES,
    landmark_box,
    mouth_opening,
)


def test_names():
    assert len(BLENDSHAPES) == len(set(BLENDSHAPES)) == 52
    assert len(BODY_LANDMARKS) == len(set(BODY_LANDMARKS)) == 33
    # positions that MediaPipe documents (face blendshapes and pose landmark tables)
    assert (BLENDSHAPES[0], BLENDSHAPES[25], BLENDSHAPES[51]) == ("_neutral", "jawOpen", "noseSneerRight")
    assert (BODY_LANDMARKS[0], BODY_LANDMARKS[11], BODY_LANDMARKS[24]) == ("nose", "left_shoulder", "right_hip")
    assert HEAD_POSE_AXES == ("pitch", "yaw", "roll")


def test_box_by_hand():
    points = np.array([[3, 9, 50], [1, 20, -7], [8, 11, 0]], np.float32)
    assert landmark_box(points).tolist() == [1, 9, 8, 20]


def test_mouth_opening_by_hand():
    landmarks = np.zeros((478, 3), np.float32)
    landmarks[[33, 133]] = [[0, 0, 0], [20, 0, 0]]  # right eye, centre (10, 0, 0)
    landmarks[[263, 362]] = [[90, 0, 40], [110, 0, 40]]  # left eye, centre (100, 0, 40): turned away
    landmarks[13], landmarks[14] = (50, 60, 5), (50, 90, 5)
    assert mouth_opening(landmarks) == pytest.approx(30 / np.hypot(90, 40))
