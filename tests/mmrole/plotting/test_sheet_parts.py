import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from mmrole.plotting.landmark_lines import FACE_CONTOURS, SKELETON
from mmrole.plotting.sheet_parts import Sheet, Window, inside


@pytest.fixture
def sheet():
    ax = Figure().add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 1000), ylim=(1000, 0))
    return Sheet(ax=ax, points=0.5)


# the part (10, 20, 90, 65) of a picture, twice as large at (100, 200)
WINDOW = Window(box=(100.0, 200.0, 260.0, 290.0), part_px=(10.0, 20.0, 90.0, 65.0))


def lines(sheet):
    return [line for part in sheet.ax.collections if isinstance(part, LineCollection) for line in part.get_segments()]


def test_window_by_hand():
    # 2 x (60 - 10) + 100 = 200; 2 x (20 - 20) + 200 = 200; 2 x (100 - 10) + 100 = 280; 2 x (70 - 20) + 200 = 300
    assert WINDOW.scale == 2.0
    assert WINDOW.place(np.array([[60, 20], [100, 70]])).tolist() == [[200, 200], [280, 300]]


def test_a_face_is_drawn_where_it_is_in_the_picture(sheet, frame_of):
    frame = frame_of()
    sheet.face(frame, WINDOW, width=1.0)
    drawn = lines(sheet)
    assert len(drawn) == len(FACE_CONTOURS) + 1
    # the box (60, 20, 100, 70) of the picture, see test_window_by_hand
    box = [line for line in drawn if len(line) == 5][-1]
    assert box.min(axis=0).tolist() == [200, 200]
    assert box.max(axis=0).tolist() == [280, 300]
    expected = WINDOW.place(frame.face_points_px[list(FACE_CONTOURS[0])])
    assert np.allclose(drawn[0], expected)
    assert sheet.ax.lines == () or len(sheet.ax.lines) == 0


def test_the_mesh_has_all_points(sheet, frame_of):
    sheet.face(frame_of(), WINDOW, width=1.0, mesh=True)
    (dots,) = sheet.ax.lines
    assert len(dots.get_xdata()) == 478


def test_a_body_has_33_points_and_those_hardly_seen_are_faint(sheet, frame_of):
    frame = frame_of()
    sheet.body(frame, WINDOW, width=1.0)
    assert sum(len(dots.get_xdata()) for dots in sheet.ax.lines) == 33
    faint = [dots for dots in sheet.ax.lines if dots.get_alpha() < 1]
    # every third point of the fixture has a visibility of .1
    assert sum(len(dots.get_xdata()) for dots in faint) == 11
    assert len(lines(sheet)) == len(SKELETON)


def test_nothing_is_drawn_of_what_was_not_found(sheet, frame_of):
    nobody = frame_of(face=False, body=False)
    sheet.face(nobody, WINDOW, width=1.0, mesh=True)
    sheet.body(nobody, WINDOW, width=1.0)
    assert lines(sheet) == []
    assert len(sheet.ax.lines) == 0


def test_landmarks_out_of_the_picture_do_not_reach_into_the_next(sheet, frame_of):
    sheet.body(frame_of(), WINDOW, width=1.0)
    for artist in (*sheet.ax.collections, *sheet.ax.lines):
        corners = sheet.ax.transData.transform([(100, 200), (260, 290)])
        # matplotlib turns the path of a rectangle into a box
        clip = artist.get_clip_box().get_points()
        assert np.allclose(np.sort(clip, axis=0), np.sort(corners, axis=0))


@pytest.mark.parametrize(
    ("aspect", "expected"),
    [(2.0, (0, 25, 100, 75)), (0.5, (25, 0, 75, 100)), (1.0, (0, 0, 100, 100))],  # by hand
)
def test_inside(aspect, expected):
    assert inside((0, 0, 100, 100), aspect) == expected
