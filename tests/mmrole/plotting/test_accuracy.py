import pytest

from mmrole.core.errors import UsageError
from mmrole.plotting import AccuracyDisplay
from textbench.choices import Answer, accuracy


def score(right, wrong=0, unread=0):
    answers = [
        Answer(
            item_id=str(n),
            status="ok",
            count=4,
            chosen=0 if n < right else 1,
            position=0,
            correct=0,
            correct_position=0,
        )
        for n in range(right + wrong)
    ]
    answers += [
        Answer(item_id=f"u{n}", status="unparsed", count=4, correct=0, correct_position=0) for n in range(unread)
    ]
    return accuracy(answers)["accuracy"]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_bar_its_interval_and_its_figures():
    shown = AccuracyDisplay({"bm25": score(5, 15), "human": score(10, 8, 2)}).plot()
    bars = [patch.get_width() for patch in shown.ax_.patches]
    assert bars == [0.25, 0.5]
    said = texts(shown.ax_)
    # Wilson's interval of 5 of 20 (see textbench.choices)
    assert ".250 [.112, .469]  n = 20" in said
    assert any(text.endswith("n = 20, 2 unread") for text in said)
    assert [label.get_text() for label in shown.ax_.get_yticklabels()] == ["bm25", "human"]


def test_chance_is_a_line():
    shown = AccuracyDisplay({"bm25": score(5, 15)}).plot()
    assert [list(line.get_xdata()) for line in shown.ax_.lines if line.get_linestyle() != "-"] == [[0.25, 0.25]]


def test_no_value_says_why():
    shown = AccuracyDisplay({"bm25": score(0)}).plot()
    assert "no value: no_items" in texts(shown.ax_)
    assert not shown.ax_.patches


def test_chinese():
    shown = AccuracyDisplay({"bm25": score(5, 15)}, lang="zh").plot()
    assert "各方法的准确率" in texts(shown.ax_)


def test_nothing_to_draw():
    with pytest.raises(UsageError, match="no accuracies"):
        AccuracyDisplay({})
