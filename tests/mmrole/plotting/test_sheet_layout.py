import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.plotting.sheet_layout import LABEL, MARGIN, NARROWEST_CELL, WIDTH, filled_rows, frame_grid

CLOSE = 1e-6


def apart(one, other):
    return (
        one[2] <= other[0] + CLOSE
        or other[2] <= one[0] + CLOSE
        or one[3] <= other[1] + CLOSE
        or other[3] <= one[1] + CLOSE
    )


@given(st.integers(0, 60), st.floats(0.05, 20), st.booleans(), st.floats(0, 500))
def test_frames_lie_in_order_beside_one_another(count, aspect, zoom, top):
    cells = frame_grid(count, aspect, zoom=zoom, top=top)
    assert len(cells) == count
    boxes = [(cell.label[0], cell.label[1], cell.box[2], cell.box[3]) for cell in cells]
    for box in boxes:
        assert box[0] >= MARGIN - CLOSE
        assert box[1] >= top - CLOSE
        assert box[2] <= WIDTH - MARGIN + CLOSE
        assert box[2] - box[0] >= NARROWEST_CELL - CLOSE
    assert all(apart(one, other) for one, other in itertools.combinations(boxes, 2))
    assert boxes == sorted(boxes, key=lambda box: (box[1], box[0]))


@pytest.mark.parametrize("aspect", [16 / 9, 4 / 3, 9 / 16])
def test_pictures_have_the_shape_of_the_video_and_close_ups_are_square(aspect):
    for cell in frame_grid(7, aspect, zoom=True, top=0):
        left, top, right, bottom = cell.picture
        assert (right - left) / (bottom - top) == pytest.approx(aspect)
        assert cell.zoom[2] - cell.zoom[0] == pytest.approx(cell.zoom[3] - cell.zoom[1])
        assert cell.zoom[0] > right


def test_extreme_shapes_are_cut_to_what_can_be_seen():
    for aspect in (0.01, 100.0):
        (cell,) = frame_grid(1, aspect, zoom=False, top=0)
        assert min(cell.picture[2] - cell.picture[0], cell.picture[3] - cell.picture[1]) > 60


@given(st.lists(st.floats(0.05, 20), max_size=40), st.floats(50, 300))
def test_keyframes_fill_rows(aspects, height):
    boxes = filled_rows(aspects, height=height, top=100.0)
    assert len(boxes) == len(aspects)
    labelled = [(left, top - 2 * LABEL, right, bottom) for left, top, right, bottom in boxes]
    assert all(apart(one, other) for one, other in itertools.combinations(labelled, 2))
    assert all(box[0] >= MARGIN and box[2] <= WIDTH - MARGIN + CLOSE and box[1] >= 100 - CLOSE for box in labelled)
