import numpy as np
import pytest
from matplotlib.figure import Figure

from mmrole.core.errors import UsageError
from mmrole.plotting.fonts import chinese_family
from mmrole.plotting.personality import LABELLED, MEASURED, RadarDisplay, radar_page

SCORES = {
    "Ann": {"Extraversion": [5.0, 4.0], "Openness": [3.0, 3.0], "Neuroticism": [1.0, 1.0], "Agreeableness": [2.0, 2.0]}
}
LABELS = {
    "annotation": {
        "Ann": {
            "BFI": {
                "Extraversion": {"score": 4.0, "type": "H"}, "Openness": {"score": 3.0, "type": "X"},
                "Neuroticism": {"score": "X", "type": "X"},
            }
        }
    }
}  # fmt: skip


def texts(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def marks(ax, colour):
    """Positions of the marks of a colour, and whether they are open."""
    found = [line for line in ax.lines if line.get_marker() not in ("None", "") and line.get_color() == colour]
    return [(line.get_xydata()[0].tolist(), line.get_markerfacecolor() == "white") for line in found]


def test_from_scores():
    display = RadarDisplay.from_scores(SCORES, LABELS, "Ann")
    assert display.dimensions[:2] == ("Extraversion", "Agreeableness")
    np.testing.assert_array_equal(display.measured, [4.5, 2, np.nan, 1, 3])
    np.testing.assert_array_equal(display.labelled, [4, np.nan, np.nan, np.nan, 3])
    np.testing.assert_array_equal(display.runs[0], [4, 5])
    assert display.marginal == {"Openness", "Neuroticism"}


def test_method_and_scale_stand_behind_the_title():
    assert "BFI" in texts(RadarDisplay.from_scores(SCORES, LABELS, "Ann").plot().ax_)
    assert "ER_batch, BFI" in texts(RadarDisplay.from_scores(SCORES, LABELS, "Ann", method="ER_batch").plot().ax_)
    plain = RadarDisplay(["a", "b", "c"], [1, 2, 3], [3, 2, 1], low=1, high=5, title="Ann").plot()
    assert texts(plain.ax_).count("Ann") == 1
    long = RadarDisplay.from_scores(SCORES, LABELS, "Ann", method="ER_batch", title="Ann " * 40).plot()
    assert "ER_batch, BFI" in texts(long.ax_)
    assert any(text.startswith("Ann") and "…" in text for text in texts(long.ax_))


def test_scores_beyond_the_range_are_drawn_at_its_end():
    display = RadarDisplay.from_scores({"Ann": {"Openness": [9.0]}}, LABELS, "Ann")
    assert display.measured[4] == 5.0


def test_points_are_on_their_spokes_from_the_middle_to_the_rim():
    display = RadarDisplay(["a", "b", "c", "d"], [5, 3, 1, 1], [1, 1, 1, 1], low=1, high=5).plot()
    (top, right, *_), radius = [np.array(at) for at, _ in marks(display.ax_, MEASURED)], 1.3
    middle = np.array(marks(display.ax_, LABELLED)[0][0])
    np.testing.assert_allclose(top - middle, [0, -radius], atol=1e-9)  # upwards: y goes down the sheet
    np.testing.assert_allclose(right - middle, [radius / 2, 0], atol=1e-9)


def test_what_is_drawn_for_missing_and_marginal_scores():
    display = RadarDisplay.from_scores(SCORES, LABELS, "Ann").plot()
    assert len(marks(display.ax_, MEASURED)) == 4
    assert [hollow for _, hollow in marks(display.ax_, LABELLED)] == [False, True]
    assert {"Ann", "Extraversion", "4.50", "4.00", "–"} <= set(texts(display.ax_))
    assert "bar: range of the runs   open: marginal, not scored   –: no value" in texts(display.ax_)


def test_many_dimensions_have_names_along_their_spokes_and_no_numbers():
    names = [f"dimension {number}" for number in range(41)]
    display = RadarDisplay(names, [3.0] * 41, [2.0] * 41, low=1, high=5).plot()
    assert set(names) <= set(texts(display.ax_))
    assert "3.00" not in texts(display.ax_)
    assert len({text.get_rotation() for text in display.ax_.texts}) > 20


def test_a_chinese_name_gets_a_font_that_has_it(with_chinese_font):
    display = RadarDisplay.from_scores(SCORES, LABELS, "Ann", title="小棠").plot()
    (title,) = [text for text in display.ax_.texts if text.get_text() == "小棠"]
    assert title.get_fontfamily()[-1] == chinese_family()


@pytest.mark.skipif(chinese_family() is None, reason="no font with Chinese is installed")
def test_chinese_names_are_drawn_in_a_font_that_has_them():
    names = {"Extraversion": "外向性", "Openness": "开放性"}
    display = RadarDisplay.from_scores(SCORES, LABELS, "Ann", names=names, title="胡桃", lang="zh").plot()
    display.figure_.canvas.draw()  # a character without a glyph would be a warning, and so an error
    assert {"胡桃", "外向性", "● 测得", "■ 标注"} <= set(texts(display.ax_))
    assert "□" not in "".join(texts(display.ax_))


def test_a_page_of_charts():
    displays = [RadarDisplay.from_scores(SCORES, LABELS, "Ann") for _ in range(5)]
    page = radar_page(displays, columns=3)
    assert isinstance(page, Figure)
    assert len({display.ax_ for display in displays}) == 5
    width, height = displays[0].size_in
    np.testing.assert_allclose(page.get_size_inches(), [3 * width, 2 * height])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RadarDisplay(["a", "b"], [1, 1], [1, 1], low=1, high=5), "three dimensions or more, not 2"),
        (lambda: RadarDisplay(["a", "b", "c"], [1, 1], [1, 1, 1], low=1, high=5), "2 measured scores for 3 dimensions"),
        (lambda: RadarDisplay(["a", "b", "c"], [1, 1, 1], [1, 6, 1], low=1, high=5), "labelled scores are from 1 to 5"),
        (
            lambda: RadarDisplay(["a", "b", "c"], [1, 1, 1], [1, 1, 1], low=1, high=5, runs=[1, 2]),
            r"shape \(3, 2\), not \(2,\)",
        ),
        (lambda: RadarDisplay.from_scores(SCORES, LABELS, "Bob"), "there are no scores of 'Bob'"),
        (lambda: RadarDisplay.from_scores(SCORES, LABELS, "Ann", source="pdb"), "there are no labels from 'pdb'"),
        (lambda: radar_page([]), "no radar charts"),
    ],
)
def test_errors(call, message):
    with pytest.raises(UsageError, match=message):
        call()
