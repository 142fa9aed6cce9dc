import pytest
from hypothesis import given
from hypothesis import strategies as st

from emotion.describers.curves import curve_of


@pytest.mark.parametrize(
    ("points", "shape"),
    [
        ([0.1] * 20, "steady"),
        ([-1, -1, -1, 0, 0, 0, 1, 1, 1], "rises"),
        ([1, 1, 1, 0, 0, 0, -1, -1, -1], "falls"),
        ([0, 0, 0, 1, 1, 1, 0, 0, 0], "rises_then_falls"),
        ([0, 0, 0, -1, -1, -1, 0, 0, 0], "falls_then_rises"),
        ([1, -1, 1, -1, 1, -1, 1, -1, 1], "varies"),
        ([-2, -1, 0, 1, 2, 3], "rises"),  # steps of 1, but in one direction
        ([0, 0, 0, 0, 0, 0, 0, 0, 3.3], "steady"),  # one wrong octave at the end
        ([0, 0.1, 0.2, 0.3, 0.4], "unknown"),  # five points
        ([None] * 20, "unknown"),
        (None, "unknown"),
    ],
)
def test_shapes(points, shape):
    assert curve_of(points).shape == shape


def test_pauses_are_gaps_inside():
    assert curve_of([None, 1, 1, None, None, 1, 1, None, 1, None]).pauses == 2
    assert curve_of([None, 1, 1, 1, None]).pauses == 0
    assert curve_of(None).pauses == 0


MIRROR = {
    "rises": "falls",
    "falls": "rises",
    "rises_then_falls": "falls_then_rises",
    "falls_then_rises": "rises_then_falls",
}


@given(st.lists(st.none() | st.integers(-12, 12).map(lambda number: number / 4), max_size=20))
def test_upside_down_the_shape_is_the_mirrored_one(points):
    shape = curve_of(points).shape
    turned = curve_of([None if point is None else -point for point in points]).shape
    assert turned == MIRROR.get(shape, shape)
