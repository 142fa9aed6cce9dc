import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mmrole.plotting.text_size import widest_in, width_in


@pytest.mark.parametrize("text", ["negative-other", "WWW", "iii", "0.123", "a b"])
def test_width_is_that_of_the_drawn_text(text):
    figure = Figure(dpi=600)  # so fine that hinting does not matter
    canvas = FigureCanvasAgg(figure)
    drawn = figure.text(0, 0, text, fontsize=20).get_window_extent(canvas.get_renderer()).width / 600
    assert width_in(text, 20) == pytest.approx(drawn, rel=0.05)


def test_width_grows_with_the_letters():
    assert width_in("happy", 18) == pytest.approx(2 * width_in("happy", 9))
    assert width_in("", 9) == 0


def test_a_character_that_the_font_has_not_is_as_wide_as_high(only_latin_fonts):
    assert mpl.rcParams["font.family"] == ["sans-serif"]
    assert width_in("小棠", 72) == pytest.approx(2.0)  # by hand: 72 points are an inch


def test_widest():
    assert widest_in(["a", "aaa", "aa"], 10) == width_in("aaa", 10)
    assert widest_in([], 10) == 0
