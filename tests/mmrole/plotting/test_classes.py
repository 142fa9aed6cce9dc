import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from emotion.metrics import erc
from emotion.score_folder import read_score_folder
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set
from mmrole.plotting import ClassesDisplay

CPED = label_set("cped-13")


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def markers(display):
    """Recall and precision of the points that are drawn."""
    lines = [line for line in display.ax_.lines if line.get_linestyle() == "None"]
    return sorted((float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True))


def test_labels_stand_at_recall_and_precision():
    classes = {"a": {"precision": 0.5, "recall": 0.25}, "b": {"precision": 1.0, "recall": 0.75}}
    display = ClassesDisplay(classes)
    assert not hasattr(display, "ax_")
    display.plot()
    assert markers(display) == [(0.25, 0.5), (0.75, 1.0)]
    assert display.points_ == {"a": (0.25, 0.5), "b": (0.75, 1.0)}
    assert {"a", "b", "predicted too often", "predicted too rarely"} <= set(words(display))
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("recall", "precision")
    assert display.ax_.get_legend() is None  # no sentiments


def test_an_agent_that_is_always_happy_shows_its_bias(world):
    display = ClassesDisplay.from_report(world.reports["happy"], name="happy").plot()
    # by hand: happy in 2 of the 5 turns that were answered, and in all five responses
    assert markers(display) == [(1.0, 0.4)]
    assert list(display.points_) == ["happy"]
    # a label without a precision is no point at 0, but it is named
    note = " ".join(" ".join(words(display)).split())
    assert "never predicted, so no precision: relaxed, anger, sadness, neutral" in note
    assert "neither true nor predicted: grateful, positive-other, fear, depress, disgust, astonished, worried," in note
    low, _ = display.ax_.get_ylim()
    assert low < -0.05
    assert "happy   ·   precision and recall of each label" in words(display)


def test_a_label_that_is_not_in_the_truth():
    result = erc(["happy", "anger"], ["happy", "fear"])
    display = ClassesDisplay.from_erc(result, labels="cped-13").plot()
    assert "not in the truth, so no recall: fear" in words(display)
    # anger: never predicted
    assert display.points_ == {"happy": (1.0, 1.0)}


def test_where_all_are_there_nothing_stands_below():
    display = ClassesDisplay({"a": {"precision": 0.5, "recall": 0.25}}).plot()
    assert display.ax_.get_ylim() == pytest.approx((-0.02, 1.02))


def test_sentiments_have_colours_and_a_legend():
    classes = {label: {"precision": 0.1 + k / 20, "recall": 0.5} for k, label in enumerate(CPED.labels)}
    display = ClassesDisplay(classes, labels=CPED).plot()
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["positive", "neutral", "negative"]
    lines = [line for line in display.ax_.lines if line.get_linestyle() == "None"]
    assert [len(line.get_xdata()) for line in lines] == [4, 1, 8]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 3
    colours = {text.get_text(): text.get_color() for text in display.ax_.texts}
    assert colours["happy"] == colours["grateful"] == lines[0].get_color()


def test_counts_of_sets_and_of_single_labels_are_read_alike():
    names = label_set("meld-7")
    rng = np.random.default_rng(0)
    truth, said = (rng.choice([*names.labels[:5], "huh"], 60).tolist() for _ in range(2))
    result = erc(truth, said, names)
    from_counts = ClassesDisplay.from_counts(result.confusion, labels=names)
    for label, row in result.per_class.items():
        assert from_counts.classes[label]["precision"] == row["precision"]
        assert from_counts.classes[label]["recall"] == row["recall"]


def test_from_folder(world):
    display = ClassesDisplay.from_folder(read_score_folder(world.folder / "happy"), "upper").plot()
    expected = ClassesDisplay.from_report(world.reports["happy"], "upper")
    assert display.classes == expected.classes
    assert list(display.classes) == ["positive", "neutral", "negative"]
    recognised = ClassesDisplay.from_folder(read_score_folder(world.folder / "recognised")).plot()
    # by hand: happy true of d1_0, d1_3, d1_4, d2_1, predicted of d1_0, d2_1, d2_3
    assert recognised.points_["happy"] == (0.5, pytest.approx(2 / 3))


def test_in_chinese(world, with_chinese_font):
    display = ClassesDisplay.from_report(world.reports["happy"], lang="zh").plot()
    assert "快乐" in words(display)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("召回率", "精确率")


@settings(deadline=None, max_examples=8)
@given(st.integers(2, 30), st.integers(0, 2**32 - 1))
def test_every_label_is_named_once(size, seed):
    rng = np.random.default_rng(seed)
    classes = {
        f"label{k}x": {name: None if rng.random() < 0.2 else rng.random() ** 2 for name in ("precision", "recall")}
        for k in range(size)
    }
    display = ClassesDisplay(classes).plot()
    said = " ".join(words(display))
    assert all(said.count(label) == 1 for label in classes)
    assert len(markers(display)) == sum(None not in row.values() for row in classes.values())


def test_on_axes_of_others():
    figure = Figure(figsize=(6, 3))
    first, second = figure.subplots(1, 2)
    display = ClassesDisplay({"a": {"precision": 0.5, "recall": 0.25}}).plot(second)
    assert display.ax_ is second
    assert not first.texts
    name = next(text for text in second.texts if text.get_text() == "a")
    assert name.get_fontsize() < 9


def test_classes_of_other_labels_are_refused():
    with pytest.raises(UsageError, match="classes are of a, the labels are a, b"):
        ClassesDisplay({"a": {"precision": 0.5, "recall": 0.25}}, labels=["a", "b"])
