import dataclasses

import numpy as np
import pytest

from emotion.score_folder import read_score_folder
from mmrole.core.errors import UsageError
from mmrole.plotting import ScoresDisplay


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def test_every_score_of_every_run_has_its_numbers(world):
    display = ScoresDisplay.from_reports(world.reports)
    assert not hasattr(display, "ax_")
    said = words(display.plot())
    assert said[:2] == ["attentive", "happy"]
    rows = sum(len(group.rows) for group in display.groups)
    numbers = [text for text in said if "n = " in text or "no value" in text]
    assert len(numbers) == 2 * rows
    # by hand from the world: TP 4, FP 1, FN 2, so 8 / 11
    assert any(text.startswith(".727  [") and text.endswith("n = 4") for text in numbers)
    assert "no value: no_pairable_units" in numbers  # one stream only
    assert {"MEC", "CEC", "ED", "more is better", "less is better", "nearest to 0 is best", "n: responses"} <= set(said)
    assert len(display.axes_) == len(display.groups)


def test_points_are_where_the_values_are(world):
    display = ScoresDisplay.from_reports(world.reports, metrics=["mec"]).plot()
    (ax,) = display.axes_
    drawn = [line.get_xdata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    expected = [report["mec", part].value for part in ("lower", "upper") for report in world.reports.values()]
    assert drawn == pytest.approx(expected)
    heights = [line.get_ydata()[0] for line in ax.lines if len(line.get_xdata()) == 1]
    assert heights == sorted(heights)  # from top to bottom: the axis points down
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_a_single_run_without_a_name_has_no_legend(world):
    said = words(ScoresDisplay({"": world.reports["happy"].scores}, title="always happy").plot())
    assert said[:2] == ["always happy", "MEC"]


def test_what_the_marks_mean_is_said_only_where_they_are(world):
    scores = world.reports["happy"].scores
    plain = words(ScoresDisplay({"a": scores, "b": scores}, metrics=["mec"]).plot())
    assert not any("†" in text or "‡" in text for text in plain)
    other = [dataclasses.replace(score, definition=f"{score.definition} x=1") for score in scores]
    marked = words(ScoresDisplay({"a": scores, "b": other}, metrics=["mec"]).plot())
    assert "lower ‡" in marked
    assert marked[-1] == "‡ the definitions differ between the runs"
    noted = [dataclasses.replace(score, details={"ci_note": "biased"}) for score in scores]
    biased = words(ScoresDisplay({"a": noted}, metrics=["edd"]).plot())
    assert "EDD †" in biased
    assert biased[-1] == "† biased under resampling: the interval need not hold the value"


def test_from_folders(world):
    folders = [read_score_folder(world.folder / name) for name in ("attentive", "happy", "recognised")]
    display = ScoresDisplay.from_folders(folders).plot()
    assert list(display.runs) == ["attentive", "happy", "recognised"]
    assert {"ERC", "accuracy", "not scored"} <= set(words(display))


def test_in_chinese(world, with_chinese_font):
    said = words(ScoresDisplay.from_reports(world.reports, lang="zh").plot())
    assert {"越高越好", "无值：没有可比较两个标签的话语", "话轮内"} <= set(said)


@pytest.mark.parametrize("count", [1, 4, 9])
def test_everything_is_within_the_picture(world, count):
    runs = {f"a run with a rather long name number {k}": world.reports["happy"].scores for k in range(count)}
    display = ScoresDisplay(runs, title="a title that is long " * 9).plot()
    figure = display.figure_
    figure.draw_without_rendering()
    texts = [*display.ax_.texts, *(label for ax in display.axes_ for label in ax.get_xticklabels())]
    boxes = np.array([text.get_window_extent().extents for text in texts if text.get_text()])
    assert boxes[:, :2].min() >= 0
    assert (boxes[:, 2:] <= figure.bbox.size).all()


def test_nothing_to_draw_is_refused(world):
    with pytest.raises(UsageError, match="there are no scores to draw: no run"):
        ScoresDisplay({})
    with pytest.raises(UsageError, match="no scores to draw: the metrics are cec, ed, edd, mec, rcd"):
        ScoresDisplay.from_reports(world.reports, metrics=["exp"])
