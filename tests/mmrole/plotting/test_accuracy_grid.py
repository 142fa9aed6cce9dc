import pytest

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score
from mmrole.plotting import AccuracyGridDisplay


def score(value, n=20):
    return Score(
        metric="accuracy", part="p", value=value, n=n, definition="d", bounds=(0, 1), direction="up",
        reason=None if value is not None else "no_items",
    )  # fmt: skip


def test_cells_rows_and_columns():
    rows = {
        "Values and Beliefs": {"bm25": score(0.5), "human": score(0.0)},
        "Desires and Goals": {"bm25": score(None, 0), "human": None},
        "all": {"bm25": score(0.25, 40), "human": score(1.0, 40)},
    }
    shown = AccuracyGridDisplay(rows, ["bm25", "human"]).plot()
    cells = [[text.get_text() for text in row] for row in shown.text_]
    # an accuracy of 0 is a number with its n; no decisions are a dash
    assert cells == [[".50", "20", ".00", "20"], ["–", "–"], [".25", "40", "1.00", "40"]]
    assert [label.get_text() for label in shown.ax_.get_xticklabels()] == ["bm25", "human"]
    assert [label.get_text() for label in shown.ax_.get_yticklabels()] == list(rows)


def test_chinese_words():
    shown = AccuracyGridDisplay({"all": {"bm25": score(0.5)}}, ["bm25"], kind="genre", lang="zh").plot()
    assert [label.get_text() for label in shown.ax_.get_yticklabels()] == ["全部"]
    assert "各体裁与方法的准确率" in [text.get_text() for text in shown.ax_.texts]


def test_nothing_to_draw():
    with pytest.raises(UsageError, match="no accuracies by genre"):
        AccuracyGridDisplay({}, ["bm25"], kind="genre")
