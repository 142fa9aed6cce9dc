import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.metrics import confusion_matrix

from emotion.metrics import erc
from emotion.score_folder import read_score_folder
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set
from mmrole.plotting import ConfusionMatrixDisplay

CPED = label_set("cped-13")
MELD = label_set("meld-7")
COUNTS = [[6, 2, 1, 1], [0, 0, 0, 0], [0, 3, 0, 9]]


def shown(display):
    return [[text.get_text() for text in row] for row in display.text_]


def ticks(display):
    x, y = ([t.get_text() for t in labels] for labels in (display.ax_.get_xticklabels(), display.ax_.get_yticklabels()))
    return x, y


def title_and_legend(display):
    return [text.get_text() for text in display.ax_.texts][-2:]


def test_the_constructor_draws_nothing():
    display = ConfusionMatrixDisplay([[1, 0], [0, 1]], labels=["a", "b"])
    assert not hasattr(display, "ax_")
    assert not display.of_sets


def test_rows_are_true_columns_predicted_in_the_order_of_the_labels():
    display = ConfusionMatrixDisplay(np.zeros((13, 15), dtype=int)).plot()
    columns, rows = ticks(display)
    assert rows == list(CPED.labels)
    assert columns == [*CPED.labels, "ambiguous", "invalid"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("predicted", "true")
    assert display.figure_ is display.ax_.figure


def test_cells_have_share_and_count_and_an_empty_row_has_dashes():
    display = ConfusionMatrixDisplay([[*row] for row in np.array(COUNTS)[:2, :]], labels=["a", "b"]).plot()
    # by hand: 6, 2, 1, 1 of 10
    assert shown(display) == [[".60", "6", ".20", "2", ".10", "1", ".10", "1"], ["–"] * 4]
    title, legend = title_and_legend(display)
    assert title == "emotion recognition   ·   10 utterances"
    assert legend == "large: share of the row, small: number   ·   –: nothing in this row"
    # the number of utterances of each label stands beside its row
    assert [text.get_text() for text in display.ax_.texts if text.get_position()[0] > 4.5] == ["10", "0"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [("share", [".60", ".20", ".10", ".10"]), ("count", ["6", "2", "1", "1"])],
)
def test_cells_may_have_one_of_the_two(values, expected):
    display = ConfusionMatrixDisplay(np.array(COUNTS)[:2], labels=["a", "b"]).plot(values=values)
    assert shown(display) == [expected, ["–"] * 4]
    labels, extras = (mesh.get_array().filled(-1) for mesh in display.ax_.collections)
    # the colours are the shares in either case
    assert labels.tolist() == [[0.6, 0.2], [-1, -1]]
    assert extras.tolist() == [[0.1, 0.1], [-1, -1]]


def test_counts_without_ambiguous_and_invalid():
    display = ConfusionMatrixDisplay([[3, 1], [0, 4]], labels=["a", "b"]).plot()
    assert shown(display) == [[".75", "3", ".25", "1"], ["0", "1.00", "4"]]
    assert len(display.ax_.collections) == 1
    assert title_and_legend(display)[1] == "large: share of the row, small: number"


def test_from_predictions_is_as_scikit_learn_counts():
    rng = np.random.default_rng(0)
    truth, prediction = (rng.choice(MELD.labels, 200).tolist() for _ in range(2))
    display = ConfusionMatrixDisplay.from_predictions(truth, prediction, "meld-7")
    # independent library: rows true, columns predicted
    assert np.array_equal(display.counts[:, :7], confusion_matrix(truth, prediction, labels=MELD.labels))
    assert not display.counts[:, 7:].any()


def test_from_predictions_with_a_list_of_labels():
    display = ConfusionMatrixDisplay.from_predictions(["b", "a"], ["b", None], ["b", "a", "c"]).plot()
    assert ticks(display)[1] == ["b", "a", "c"]
    assert display.counts.tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0]]


def test_from_erc_takes_the_names_of_a_label_set(with_chinese_font):
    result = erc(["happy", "anger"], ["happy", "huh"])
    assert ticks(ConfusionMatrixDisplay.from_erc(result).plot())[1] == list(CPED.labels)
    display = ConfusionMatrixDisplay.from_erc(result, labels="cped-13", lang="zh").plot()
    columns, rows = ticks(display)
    assert rows == list(CPED.display_names("zh"))
    assert columns == [*rows, "不明确", "无效"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("预测", "真实")


def test_without_a_chinese_font_it_is_in_english_and_says_so(only_latin_fonts):
    display = ConfusionMatrixDisplay(np.eye(13, dtype=int), lang="zh")
    with pytest.warns(UserWarning, match="so the picture is in English"):
        display.plot()
    assert ticks(display)[1] == list(CPED.labels)


def test_from_report_has_one_table_per_label(world):
    report = world.reports["attentive"]
    display = ConfusionMatrixDisplay.from_report(report).plot()
    assert display.of_sets
    # by hand from the world: turns of anger+sadness, happy, neutral, happy+relaxed; responses anger, happy+relaxed, neutral, happy
    by_label = dict(zip(CPED.labels, display.counts.tolist(), strict=True))
    assert by_label["happy"] == [[2, 0], [0, 2]]
    assert by_label["relaxed"] == [[2, 1], [1, 0]]
    assert by_label["sadness"] == [[3, 0], [1, 0]]
    assert by_label["fear"] == [[4, 0], [0, 0]]
    texts = dict(zip(CPED.labels, shown(display), strict=True))
    assert texts["relaxed"] == ["2", "1", "1", "0"]
    assert texts["fear"] == ["4", "0", "–", "–"]
    assert "emotions of responses   ·   4 responses" in [text.get_text() for text in display.ax_.texts]
    upper = ConfusionMatrixDisplay.from_report(report, "upper", name="attentive").plot()
    assert len(upper.text_) == 3
    assert upper.ax_.texts[0].get_text() == "attentive   ·   emotions of responses   ·   4 responses"


def test_from_folder_is_from_report(world):
    folder = read_score_folder(world.folder / "attentive")
    for level in ("lower", "upper"):
        from_folder = ConfusionMatrixDisplay.from_folder(folder, level)
        from_report = ConfusionMatrixDisplay.from_report(world.reports["attentive"], level)
        assert np.array_equal(from_folder.counts, from_report.counts)
        assert from_folder.labels.labels == from_report.labels.labels


def test_from_a_folder_of_recognition(world):
    display = ConfusionMatrixDisplay.from_folder(read_score_folder(world.folder / "recognised"))
    truth = [u.emotion for dialogue in world.dialogues for u in dialogue.utterances]
    said = [world.predictions.get(u.utterance_id) for dialogue in world.dialogues for u in dialogue.utterances]
    assert np.array_equal(display.counts, erc(truth, said).confusion)


def test_it_is_drawn_on_axes_of_others():
    figure = Figure(figsize=(8, 4), layout="constrained")
    first, second = figure.subplots(1, 2)
    display = ConfusionMatrixDisplay(np.eye(5, dtype=int), labels=list("abcde"))
    assert display.plot(second) is display
    assert display.ax_ is second
    assert not first.texts
    figure.draw_without_rendering()


@settings(deadline=None, max_examples=6)
@given(st.integers(2, 30), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_every_cell_is_annotated_whatever_the_number_of_labels(size, extra, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (size, size + 2 * (extra > 0))) * rng.integers(0, 2, (size, 1))
    display = ConfusionMatrixDisplay(counts, labels=[f"label {k}" for k in range(size)]).plot(values="count")
    expected = [[f"{x}" if row.any() else "–" for x in row] for row in counts]
    assert shown(display) == expected
    width, height = display.size_in
    assert display.figure_.get_size_inches() == pytest.approx([width, height])


@pytest.mark.parametrize("size", [2, 30])
def test_names_and_titles_are_within_the_picture(size):
    labels = [f"a long name {k}" for k in range(size)]
    display = ConfusionMatrixDisplay(np.eye(size, size + 2, dtype=int), labels=labels, name="run").plot()
    figure = display.figure_
    figure.draw_without_rendering()
    ax = display.ax_
    texts = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    boxes = np.array([text.get_window_extent().extents for text in texts if text.get_text()])
    assert boxes[:, :2].min() >= 0
    assert (boxes[:, 2:] <= figure.bbox.size).all()


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (np.zeros((3, 3), dtype=int), r"of 2 labels have the shape \(2, 4\), \(2, 2\) or \(2, 2, 2\), not \(3, 3\)"),
        (np.full((2, 2), 0.5), "whole numbers from 0, not float64"),
        ([[1, -1], [0, 0]], "whole numbers from 0, not int64 from -1"),
    ],
)
def test_counts_that_are_none_are_refused(counts, said):
    with pytest.raises(UsageError, match=said):
        ConfusionMatrixDisplay(counts, labels=["a", "b"])


def test_other_values_are_refused():
    with pytest.raises(UsageError, match="one of both, share, count, not 'all'"):
        ConfusionMatrixDisplay([[1, 0], [0, 1]], labels=["a", "b"]).plot(values="all")
