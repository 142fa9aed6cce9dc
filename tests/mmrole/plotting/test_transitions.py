import numpy as np
import pytest
from matplotlib.figure import Figure

from emotion.score_folder import read_score_folder
from emotion.transitions import TransitionMatrix
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set
from mmrole.plotting import TransitionMatrixDisplay

THREE = LabelSet(name="three", labels=("a", "b", "c"))


def matrix(counts, labels=THREE):
    return TransitionMatrix(counts=np.array(counts), labels=labels)


TRUTH = matrix([[3, 1, 0], [0, 0, 0], [5, 0, 5]])
AGENT = matrix([[1, 1, 0], [0, 2, 0], [0, 0, 6]])


def shown(display, part):
    return [[text.get_text() for text in row] for row in display.text_[part]]


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_the_constructor_draws_nothing():
    assert not hasattr(TransitionMatrixDisplay(TRUTH), "ax_")


def test_ground_truth_agent_and_difference():
    display = TransitionMatrixDisplay(TRUTH, AGENT, kind="inter", role="Ann").plot()
    # by hand: shares of the row
    assert shown(display, "truth") == [[".75", ".25", "0"], ["–", "–", "–"], [".50", "0", ".50"]]
    assert shown(display, "prediction") == [[".50", ".50", "0"], ["0", "1.00", "0"], ["0", "0", "1.00"]]
    assert shown(display, "difference") == [["−.25", "+.25", "0"], ["–", "–", "–"], ["−.50", "0", "+.50"]]
    titles = [ax.get_title() for ax in display.axes_]
    assert titles == ["ground truth   n = 14", "agent   n = 10", "agent − ground truth"]
    for ax in display.axes_:
        assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b", "c"]
        assert ax.get_xlabel() == "label after"
    rows = [[text.get_text() for text in ax.get_yticklabels()] for ax in display.axes_]
    assert rows == [["a", "b", "c"], [], []]
    assert display.axes_[0].get_ylabel() == "label before"
    assert words(display.ax_) == [
        "transitions from the turn before   ·   role: Ann",
        "share of the row: label after, given the label before   ·   –: nothing in this row",
    ]


def test_each_row_of_a_side_says_how_many_transitions_it_is_of():
    display = TransitionMatrixDisplay(TRUTH, AGENT).plot()
    # by hand: the sums of the rows; nothing beside the difference, whose rows are of both
    notes = []
    for part, ax in zip(display.parts, display.axes_, strict=True):
        cells = [text for row in display.text_[part] for text in row]
        notes.append([text.get_text() for text in ax.texts if text not in cells])
    assert notes == [["4", "0", "10", "n"], ["2", "2", "6", "n"], []]


def test_the_scales_of_colours():
    display = TransitionMatrixDisplay(TRUTH, AGENT).plot()
    meshes = [ax.collections[0] for ax in display.axes_]
    assert [(m.norm.vmin, m.norm.vmax) for m in meshes] == [(0, 1), (0, 1), (-0.5, 0.5)]
    # that of the difference is symmetric around white, however small the differences are
    same = TransitionMatrixDisplay(TRUTH, TRUTH).plot().axes_[2].collections[0]
    assert (same.norm.vmin, same.norm.vmax) == (-0.1, 0.1)
    assert same.cmap(same.norm(0.0))[:3] == pytest.approx((0.97, 0.97, 0.97), abs=0.01)


def test_shares_of_all_transitions():
    display = TransitionMatrixDisplay(TRUTH, AGENT).plot(normalise="joint")
    # by hand: of 14 and of 10
    assert shown(display, "truth")[0] == [".214", ".071", "0"]
    assert shown(display, "prediction")[1] == ["0", ".200", "0"]
    # a row that only the ground truth lacks is there in the difference: it has no share of all transitions
    assert shown(display, "difference")[1] == ["0", "+.200", "0"]
    high = 6 / 10
    assert [ax.collections[0].norm.vmax for ax in display.axes_[:2]] == pytest.approx([high, high])


def test_numbers_of_transitions():
    display = TransitionMatrixDisplay(TRUTH, AGENT).plot(normalise="count")
    assert shown(display, "truth") == [["3", "1", "0"], ["–", "–", "–"], ["5", "0", "5"]]
    assert shown(display, "difference") == [["−2", "0", "0"], ["0", "+2", "0"], ["−5", "0", "+1"]]
    empty = TransitionMatrixDisplay(matrix(np.zeros((3, 3), int)), matrix(np.zeros((3, 3), int)))
    for normalise in ("row", "joint", "count"):
        drawn = empty.plot(normalise=normalise)
        assert all(shown(drawn, part) == [["–"] * 3] * 3 for part in ("truth", "prediction", "difference"))


def test_one_side_alone():
    display = TransitionMatrixDisplay(prediction=AGENT).plot()
    assert display.parts == ("prediction",)
    assert list(display.text_) == ["prediction"]
    assert TransitionMatrixDisplay(TRUTH).plot().parts == ("truth",)
    # the agent's largest number, not that of the ground truth that is not drawn
    alone = TransitionMatrixDisplay(TRUTH, AGENT).plot(parts=["prediction"], normalise="count")
    assert len(alone.axes_) == 1
    assert alone.axes_[0].collections[0].norm.vmax == 6


def test_from_report_and_from_folder(world):
    report = world.reports["attentive"]
    folder = read_score_folder(world.folder / "attentive")
    for kind in ("intra", "inter", "same_speaker"):
        for role in (None, "Ann"):
            one = TransitionMatrixDisplay.from_report(report, kind, role)
            other = TransitionMatrixDisplay.from_folder(folder, kind, role)
            for side in ("truth", "prediction"):
                assert np.array_equal(getattr(one, side).counts, getattr(other, side).counts)
            assert (one.kind, one.role) == (other.kind, other.role) == (kind, role)
    display = TransitionMatrixDisplay.from_report(report, "inter", "Ann", name="attentive").plot()
    # by hand: sadness -> happy, and anger -> happy in both, of truth and agent
    assert display.truth.total == display.prediction.total == 2
    assert display.ax_.texts[0].get_text() == "attentive   ·   transitions from the turn before   ·   role: Ann"


def test_in_chinese(world, with_chinese_font):
    pair = world.reports["attentive"].transitions("inter", "Bo")
    display = TransitionMatrixDisplay(pair.truth, pair.prediction, role="阿凯", lang="zh").plot()
    names = list(label_set("cped-13").display_names("zh"))
    assert [text.get_text() for text in display.axes_[0].get_yticklabels()] == names
    assert display.axes_[1].get_title().startswith("智能体")
    assert "角色：阿凯" in display.ax_.texts[0].get_text()


@pytest.mark.parametrize("size", [2, 30])
def test_everything_is_within_the_picture(size):
    labels = LabelSet(name="many", labels=tuple(f"long name {k}" for k in range(size)))
    counts = np.random.default_rng(0).integers(0, 50, (size, size))
    role = "A role with quite a long name, Duchess of Somewhere, " * 5
    display = TransitionMatrixDisplay(matrix(counts, labels), matrix(counts.T, labels), role=role).plot()
    figure = display.figure_
    figure.draw_without_rendering()
    texts = list(display.ax_.texts)
    for ax in display.ax_.child_axes:
        texts += [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label, ax.title]
    boxes = np.array([text.get_window_extent().extents for text in texts if text.get_text()])
    assert boxes[:, :2].min() >= 0
    assert (boxes[:, 2:] <= figure.bbox.size).all()
    assert all(len(row) == size for rows in display.text_.values() for row in rows)


def test_on_small_axes_of_others_letters_are_smaller():
    ax = Figure(figsize=(20, 3)).subplots()
    display = TransitionMatrixDisplay(TRUTH, AGENT)
    small = display.plot(ax)
    assert small.ax_ is ax
    size = small.text_["truth"][0][0].get_fontsize()
    assert size < TransitionMatrixDisplay(TRUTH, AGENT).plot().text_["truth"][0][0].get_fontsize()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: TransitionMatrixDisplay(), "give the transitions of the ground truth, of the agent, or both"),
        (
            lambda: TransitionMatrixDisplay(TRUTH, TransitionMatrix.empty("meld-7")),
            "three and meld-7: the matrices are of different label sets",
        ),
        (lambda: TransitionMatrixDisplay(TRUTH).plot(normalise="rows"), "one of row, joint, count, not 'rows'"),
        (lambda: TransitionMatrixDisplay(TRUTH).plot(parts=["difference"]), r"are of truth, not \['difference'\]"),
        (
            lambda: TransitionMatrixDisplay(TRUTH, AGENT).plot(parts=[]),
            "the parts to draw are of truth, prediction, diff",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, said):
    with pytest.raises(UsageError, match=said):
        make()
