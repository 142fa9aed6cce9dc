import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.plotting.label_places import _crossings, places

AREA = (0.0, 0.0, 5.0, 5.0)
HEIGHT = 0.15


def box(place, width):
    x, y = place.middle
    return x - width / 2, y - HEIGHT / 2, x + width / 2, y + HEIGHT / 2


def overlap(first, second):
    return min(first[2], second[2]) > max(first[0], second[0]) and min(first[3], second[3]) > max(first[1], second[1])


def chosen(points, widths, **options):
    return places(np.array(points, dtype=float).reshape(-1, 2), widths, HEIGHT, AREA, **options)


def test_a_point_alone_has_its_name_at_its_right():
    (place,) = chosen([(2, 2)], [0.6])
    # by hand: half of the name and 0.8 of a line away
    assert place.middle == pytest.approx((2 + 0.3 + 0.8 * HEIGHT, 2))
    assert not place.far


def test_at_the_edge_it_is_at_the_left():
    (place,) = chosen([(4.9, 2)], [0.6])
    assert place.middle == pytest.approx((4.9 - 0.3 - 0.8 * HEIGHT, 2))


def test_words_that_are_there_are_left_free():
    (place,) = chosen([(2, 2)], [0.6], taken=[(2.1, 1.8, 3, 2.2)])
    assert place.middle[0] < 2


def test_names_of_points_in_one_place_lie_apart_with_lines():
    widths = [0.5] * 12
    found = chosen([(2.5, 2.5)] * 12, widths)
    boxes = [box(place, width) for place, width in zip(found, widths, strict=True)]
    assert not any(overlap(a, b) for k, a in enumerate(boxes) for b in boxes[k + 1 :])
    assert any(place.far for place in found)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), max_size=13), st.floats(0.2, 1.2))
def test_names_are_within_the_area_and_the_same_each_time(points, width):
    widths = [width] * len(points)
    found = chosen(points, widths)
    assert len(found) == len(points)
    assert chosen(points, widths) == found
    for place in found:
        left, bottom, right, top = box(place, width)
        assert left >= -1e-9
        assert bottom >= -1e-9
        assert right <= 5 + 1e-9
        assert top <= 5 + 1e-9


def test_an_area_that_is_too_small_still_gives_a_place():
    (place,) = chosen([(2, 2)], [50.0])
    assert np.isfinite(place.middle).all()


@pytest.mark.parametrize(
    ("line", "expected"),
    [  # by hand, against the box from (1, 1) to (2, 2)
        (((0, 0), (3, 3)), True),
        (((0, 0), (0.9, 0.9)), False),
        (((0, 1.5), (3, 1.5)), True),
        (((0, 2.5), (3, 2.5)), False),
        (((1.5, 0), (1.5, 3)), True),
        (((1.2, 1.2), (1.8, 1.3)), True),
        (((0, 1.9), (1.2, 3)), False),
    ],
)
def test_lines_and_boxes(line, expected):
    start, end = np.array([line], dtype=float).transpose(1, 0, 2)
    assert _crossings(start, end, np.array([[1.0, 1, 2, 2], [np.nan] * 4])).tolist() == [[expected, False]]
