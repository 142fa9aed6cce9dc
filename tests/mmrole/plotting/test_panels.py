import pytest
from matplotlib.figure import Figure

from mmrole.plotting.panels import axes_in, blank, fitted, heading, inset, joined
from mmrole.plotting.text_size import width_in


def box_in(ax, figure):
    """Left, top, right, bottom of axes in inches from the left upper corner."""
    width, height = figure.get_size_inches()
    box = ax.get_position()
    return pytest.approx((box.x0 * width, (1 - box.y1) * height, box.x1 * width, (1 - box.y0) * height))


@pytest.mark.parametrize("size", [(4, 3), (6, 5)])
def test_axes_are_as_large_as_asked_in_the_left_upper_corner(size):
    figure = Figure(figsize=size)
    assert box_in(axes_in(figure, (4, 3), (0.5, 0.4, 0.3, 0.2)), figure) == (0.5, 0.4, 3.7, 2.8)


def test_axes_on_a_part_of_a_figure():
    figure = Figure(figsize=(4, 6))
    upper, lower = figure.subfigures(2, 1, hspace=0)
    ax = axes_in(lower, (4, 3), (0.5, 0.4, 0.3, 0.2))
    assert ax.get_window_extent().bounds == pytest.approx((50, 20, 320, 240))  # at 100 dots an inch, from the bottom
    assert upper.axes == []


def test_a_sheet_has_inches_and_keeps_the_shape_of_its_picture():
    ax = Figure(figsize=(10, 10)).add_axes((0, 0, 1, 1))
    # by hand: 4 x 2 inches fill 10 x 5
    assert blank(ax, (4, 2)) == pytest.approx(2.5)
    assert ax.get_window_extent().bounds == pytest.approx((0, 250, 1000, 500))
    assert (ax.get_xlim(), ax.get_ylim(), ax.axison) == ((0, 4), (2, 0), False)
    inner = inset(ax, (4, 2), (1, 0.5, 3, 1.5))
    assert inner.get_window_extent().bounds == pytest.approx((250, 375, 500, 250))


def test_heading():
    ax = Figure(figsize=(3, 3)).add_axes((0, 0, 1, 0.8))
    heading(ax, "title $x", "legend", size_pt=10)
    assert [text.get_text() for text in ax.texts] == ["title $x", "legend"]
    assert [text.get_fontsize() for text in ax.texts] == pytest.approx([10, 7.8])


def test_a_line_that_is_too_long_loses_its_middle():
    long = "a very long name of a role that nobody can read in a small picture"
    for room in (1.0, 2.5):
        shown = fitted(long, 10, room)
        assert width_in(shown, 10) <= room
        assert shown.startswith("a v")
        assert "…" in shown
    assert fitted("short", 10, 1.0) == "short"
    assert fitted("two\nlines", 10, 2.0) == "two lines"


def test_parts_of_a_line():
    assert joined("a", None, "b", "c") == "a   ·   b   ·   c"
    assert joined(None, "b") == "b"
