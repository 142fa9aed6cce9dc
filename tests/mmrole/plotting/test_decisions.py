import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mmrole.core.errors import UsageError
from mmrole.plotting import DecisionsDisplay

COUNTS = {"all": {"RF": 1, "RC": 1, "AC": 0, "AF": 2}, "C6 Sports": {}}


def texts(display):
    return [text.get_text() for text in display.ax_.texts]


def test_the_parts_of_a_bar_are_the_shares():
    display = DecisionsDisplay(COUNTS).plot()
    bars = [patch for patch in display.ax_.patches if isinstance(patch, Rectangle) and patch.get_linewidth() > 0]
    widths = [bar.get_width() for bar in bars]
    assert [width / sum(widths) for width in widths] == pytest.approx([0.25, 0.25, 0.5])
    assert {".25", ".50", "4"} <= set(texts(display))


def test_a_row_without_decisions_is_empty_and_says_so():
    display = DecisionsDisplay(COUNTS).plot()
    assert "no decisions" in texts(display)
    assert any(patch.get_hatch() for patch in display.ax_.patches)


def test_on_the_axes_of_the_caller_and_in_chinese():
    figure = Figure(figsize=(6, 3))
    ax = figure.add_subplot()
    display = DecisionsDisplay({"全部": {"RF": 1}}, title="决定", lang="zh").plot(ax)
    assert (display.ax_, display.figure_) == (ax, figure)
    assert "决定" in texts(display)


def test_names_stand_beside_their_bars_and_are_shortened_where_they_are_long():
    display = DecisionsDisplay({"x" * 200: {"RF": 1}})
    assert display.size_in[0] < 10
    shown = [text for text in texts(display.plot()) if text.startswith("xxx")]
    assert "…" in shown[0]


@pytest.mark.parametrize("counts", [{}, {"all": {"XX": 1}}, {"all": {"RF": -1}}])
def test_what_cannot_be_drawn(counts):
    with pytest.raises(UsageError):
        DecisionsDisplay(counts)
