from dataclasses import replace

import numpy as np
import pytest

from mmrole.core.errors import UsageError
from mmrole.plotting.fonts import chinese_family
from mmrole.plotting.personality_map import PersonalityMapDisplay
from textbench.incharacter.distinctiveness_metrics import personality_map

RNG = np.random.default_rng(4)
NAMES = ["Ann", "Bob", "Eve", "nobody", "Cid"]
SCORES = {name: {d: [float(RNG.uniform(1, 5))] for d in ("Extraversion", "Openness", "Neuroticism")} for name in NAMES}
FOUND = personality_map({"BFI": SCORES})


def texts(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_every_point_is_drawn_where_the_map_has_it():
    display = PersonalityMapDisplay(FOUND).plot()
    (drawn,) = display.ax_.collections
    np.testing.assert_array_equal(drawn.get_offsets(), FOUND.points)
    assert set(NAMES) <= set(texts(display.ax_))
    assert display.ax_.get_legend() is None


def test_both_axes_have_one_scale_and_hold_all_points():
    ax = PersonalityMapDisplay(FOUND).plot().ax_
    box = ax.get_window_extent()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert (right - left) / box.width == pytest.approx((top - bottom) / box.height)
    x, y = FOUND.points.T
    assert left < x.min() < x.max() < right
    assert bottom < y.min() < y.max() < top


def test_axes_say_how_much_they_hold_and_what_makes_them_up():
    ax = PersonalityMapDisplay(FOUND).plot().ax_
    strongest = FOUND.features[int(np.abs(FOUND.loadings[0]).argmax())].removeprefix("BFI/")
    assert ax.get_xlabel().startswith(
        f"component 1: {100 * FOUND.explained[0]:.0f} % of the variance   (+{strongest}, "
    )


def test_the_method_stands_behind_the_title():
    assert "map of measured personalities, ER_batch" in texts(
        PersonalityMapDisplay(FOUND, method="ER_batch").plot().ax_
    )


def test_a_plane_is_no_finding():
    """Three points lie in a plane, and two dimensions are one: their components always hold 100 %."""
    few = personality_map({"BFI": {name: of for name, of in SCORES.items() if name in NAMES[:3]}})
    assert few.explained.sum() == pytest.approx(1)
    assert "3 points always lie in a plane: that the axes hold 100 % says nothing" in texts(
        PersonalityMapDisplay(few).plot().ax_
    )
    flat = personality_map({"BFI": {name: {d: of[d] for d in list(of)[:2]} for name, of in SCORES.items()}})
    assert "two dimensions are a plane: that the axes hold 100 % says nothing" in texts(
        PersonalityMapDisplay(flat).plot().ax_
    )
    assert not any("100 % says nothing" in text for text in texts(PersonalityMapDisplay(FOUND).plot().ax_))


def test_groups_and_agents_without_a_role():
    groups = {"Ann": "en", "Bob": "en", "Eve": "zh", "Cid": "en"}
    ax = PersonalityMapDisplay(FOUND, groups=groups, roleless=["nobody"]).plot().ax_
    assert [len(points.get_offsets()) for points in ax.collections] == [3, 1, 1]
    np.testing.assert_array_equal(ax.collections[2].get_offsets()[0], FOUND.points[3])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["en", "zh", "without a role"]


def test_names_that_were_left_out_are_told():
    ax = PersonalityMapDisplay(replace(FOUND, left_out=("Dan",)), title="run 1").plot().ax_
    assert {"run 1", "left out, scores missing: Dan"} <= set(texts(ax))


def test_a_chinese_name_gets_a_font_that_has_it(with_chinese_font):
    ax = PersonalityMapDisplay(FOUND, names={"Eve": "小棠"}).plot().ax_
    (name,) = [text for text in ax.texts if text.get_text() == "小棠"]
    assert name.get_fontfamily()[-1] == chinese_family()


@pytest.mark.skipif(chinese_family() is None, reason="no font with Chinese is installed")
def test_chinese_names_are_drawn_in_a_font_that_has_them():
    display = PersonalityMapDisplay(FOUND, names={"Ann": "赫敏"}, lang="zh").plot()
    display.figure_.canvas.draw()  # a character without a glyph would be a warning, and so an error
    assert {"赫敏", "Eve", "测得人格分布图"} <= set(texts(display.ax_))
    assert display.ax_.get_ylabel().startswith("主成分 2：方差的 ")


def test_too_many_groups():
    found = replace(FOUND, names=tuple("abcdefg"))
    with pytest.raises(UsageError, match="a map shows 6 groups at most, not 7"):
        PersonalityMapDisplay(found, groups={name: name for name in found.names})
