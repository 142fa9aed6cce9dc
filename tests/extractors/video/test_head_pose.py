import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.head_pose import HeadPose
from extractors.video.litert_model import read_bundle
from mmrole.core.errors import ModelFileError


@pytest.fixture(scope="module")
def head_pose(model_files):
    (metadata,) = read_bundle(model_files["face_landmarker.task"], "geometry_pipeline_metadata_landmarks.binarypb")
    return HeadPose(metadata)


def landmarks_of(head_pose, pitch, yaw, roll, scale=10.0, shift=(300.0, 200.0, 5.0)):
    """The canonical face, turned by Rz(-roll) Ry(yaw) Rx(-pitch), as landmarks of a picture (y down, z away)."""
    p, y, r = np.radians([-pitch, yaw, -roll])
    about_x = np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    about_z = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
    landmarks = np.zeros((478, 3), np.float32)
    turned = head_pose._centred @ (about_z @ about_y @ about_x).T
    landmarks[head_pose._points] = turned * (scale, -scale, -scale) + np.array(shift)
    return landmarks


@settings(max_examples=40, deadline=None)
@given(
    pitch=st.floats(-80, 80),
    yaw=st.floats(-80, 80),
    roll=st.floats(-80, 80),
    scale=st.floats(1, 60),
)
def test_known_turns_are_found(head_pose, pitch, yaw, roll, scale):
    found = head_pose(landmarks_of(head_pose, pitch, yaw, roll, scale))
    np.testing.assert_allclose(found, [pitch, yaw, roll], atol=0.05)


def test_signs(head_pose):
    nose, chin_side, right_eye, left_eye = 4, 365, 33, 263
    straight = landmarks_of(head_pose, 0, 0, 0)
    up, aside, tilted = (landmarks_of(head_pose, *turn) for turn in ((20, 0, 0), (0, 20, 0), (0, 0, 20)))
    # looking up moves the nose tip, which stands out, up in the picture, against the mean of all points
    assert up[nose, 1] < straight[nose, 1]
    # facing the right edge moves it to the right
    assert aside[nose, 0] > straight[nose, 0]
    # tilting clockwise lowers the eye at the right (the person's left)
    assert tilted[left_eye, 1] > tilted[right_eye, 1]
    assert straight[chin_side, 1] > straight[nose, 1]


def test_mirror_image_turns_yaw_and_roll(head_pose):
    # a mirrored face is seen as the mirrored turn once left and right landmarks are exchanged; here only the angles:
    found = head_pose(landmarks_of(head_pose, 5, 15, -10))
    mirrored = head_pose(landmarks_of(head_pose, 5, -15, 10))
    np.testing.assert_allclose(found * (1, -1, -1), mirrored, atol=0.01)


@pytest.mark.parametrize("damaged", [b"", b"\x0a\x05abc", b"\xff" * 40])
def test_damaged_metadata(damaged):
    with pytest.raises(ModelFileError, match=r"face geometry of face_landmarker\.task cannot be read"):
        HeadPose(damaged)
