import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.video.regions import Region, overlap, turn_rad, whole_picture


def test_upright_matrix_by_hand():
    region = Region(x_px=100, y_px=50, side_px=40, angle_rad=0)
    # 20 pixels show 40: pixel 0 at the left edge 80, every step 2
    np.testing.assert_allclose(region.matrix(20), [[2, 0, 80], [0, 2, 30]])


def test_turned_matrix_by_hand():
    region = Region(x_px=0, y_px=0, side_px=2, angle_rad=math.pi / 2)
    # a quarter turn clockwise: the square's left upper corner (-1, -1) is the picture's right upper one (1, -1)
    np.testing.assert_allclose(region.matrix(2) @ [0, 0, 1], [1, -1], atol=1e-12)
    np.testing.assert_allclose(region.matrix(2) @ [2, 0, 1], [1, 1], atol=1e-12)


def test_points_come_back_scaled_in_depth():
    region = Region(x_px=100, y_px=50, side_px=512, angle_rad=0)
    placed = region.to_picture(np.array([[128, 128, 10], [0, 256, -3]], np.float32), 256)
    np.testing.assert_allclose(placed, [[100, 50, 20], [-156, 306, -6]])
    assert placed.dtype == np.float32


@given(st.floats(-500, 500), st.floats(1, 2000), st.floats(-3, 3))
def test_to_picture_is_the_matrix(x, side, angle):
    region = Region(x_px=x, y_px=20, side_px=side, angle_rad=angle)
    points = np.array([[3, 200, 0], [250, 7, 0]], np.float32)
    expected = points[:, :2] @ region.matrix(256)[:, :2].T + region.matrix(256)[:, 2]
    np.testing.assert_allclose(region.to_picture(points, 256)[:, :2], expected, rtol=1e-4, atol=1e-2)


def test_letterbox():
    assert whole_picture(640, 360) == Region(x_px=320, y_px=180, side_px=640, angle_rad=0)
    assert whole_picture(100, 300).side_px == 300


@pytest.mark.parametrize(
    ("end", "target", "turn"),
    [
        ((1, 0), 0.0, 0.0),  # eyes level
        ((1, 1), 0.0, math.pi / 4),  # the right one in the picture is lower: tilted clockwise
        ((0, -1), math.pi / 2, 0.0),  # upright body: up is -y
        ((1, 0), math.pi / 2, math.pi / 2),  # lies with the head to the right
        ((-1, 0), 0.0, -math.pi),  # upside down, either sign
    ],
)
def test_turn_by_hand(end, target, turn):
    found = turn_rad(np.array([0.0, 0.0]), np.array(end, float), target)
    assert abs(found) == pytest.approx(abs(turn)) if abs(turn) == math.pi else found == pytest.approx(turn)


def test_overlap_by_hand():
    box = np.array([0, 0, 10, 10], float)
    others = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30], [2, 2, 4, 4]], float)
    # half of each: 50 common of 150; a small one inside: 4 of 100
    np.testing.assert_allclose(overlap(box, others), [1, 1 / 3, 0, 0.04])
    assert overlap(np.zeros(4), np.zeros((1, 4))).tolist() == [0.0]


@pytest.mark.parametrize(("side", "angle"), [(0.5, 0.0), (math.nan, 0.0), (10.0, math.nan), (math.inf, 0.0)])
def test_unusable(side, angle):
    assert not Region(x_px=0, y_px=0, side_px=side, angle_rad=angle).is_usable()
    assert Region(x_px=0, y_px=0, side_px=1, angle_rad=0).is_usable()
