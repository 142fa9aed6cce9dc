import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from mmrole.core.labels import INVALID, MISSING, LabelSet, label_set
from mmrole.plotting.timeline_grid import Grid, draw_timeline
from mmrole.plotting.timeline_turns import TimelineTurn
from mmrole.plotting.wording import wording

CPED = label_set("cped-13")
HAPPY, ANGER, NEUTRAL = (CPED.code(label) for label in ("happy", "anger", "neutral"))


def grid(*turns, labels=CPED):
    return Grid(turns=turns, labels=labels, words=wording("en"))


def turn(role="Ann", truth=(HAPPY,), prediction=(), **more):
    return TimelineTurn(role=role, truth=truth, prediction=prediction, **more)


def drawn(made):
    ax = Figure(figsize=made.size_in).add_axes((0, 0, 1, 1))
    draw_timeline(ax, made, "title")
    return ax


def marks(ax, marker):
    """Columns (from 0) and heights of the marks of a kind, without those of the legend."""
    lines = [line for line in ax.lines if line.get_marker() == marker]
    return [(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)][1:]


def test_states_have_rows_only_where_they_occur():
    assert grid(turn()).states == ()
    assert grid(turn(prediction=(HAPPY,))).states == ()
    assert grid(turn(prediction=(MISSING,))).states == ("ambiguous",)
    assert grid(turn(truth=(MISSING,))).states == ("no label",)
    assert grid(turn(truth=(INVALID,))).states == ("invalid",)
    assert grid(turn(), turn(prediction=(HAPPY,))).states == ("no response",)
    assert grid(turn(asked=False), turn(prediction=(HAPPY,))).states == ()
    every = grid(turn(truth=(MISSING,)), turn(prediction=(MISSING, INVALID)))
    assert every.states == ("ambiguous", "invalid", "no label", "no response")
    assert every.names == (*CPED.labels, *every.states)


def test_columns_are_as_many_as_the_longer_of_truth_and_response():
    made = grid(turn(truth=(HAPPY, ANGER)), turn("Bo", truth=(HAPPY,), prediction=(HAPPY,) * 3))
    assert made.columns == 5
    (_, first), (_, second) = made.places()
    assert second - first == pytest.approx(2 * made.column)
    assert made.right == pytest.approx(first + 5 * made.column)
    assert made.speakers == ("Ann", "Bo")


def test_marks_stand_in_the_column_of_their_utterance_and_the_row_of_their_label():
    made = grid(turn(truth=(HAPPY, MISSING)), turn("Bo", truth=(NEUTRAL,), prediction=(ANGER, MISSING, INVALID)))
    ax = drawn(made)
    columns = [made.left + (k + 0.5) * made.column for k in range(5)]
    rows = {name: made.top + (k + 0.5) * 0.23 for k, name in enumerate(made.names)}
    truth = [(columns[0], rows["happy"]), (columns[1], rows["no label"]), (columns[2], rows["neutral"])]
    assert np.array(marks(ax, "o")) == pytest.approx(np.array(truth))
    prediction = [(columns[2], rows["anger"]), (columns[3], rows["ambiguous"]), (columns[4], rows["invalid"])]
    assert np.array(marks(ax, "D")) == pytest.approx(np.array(prediction))
    # the turn without a response has a dash
    dashes = [line for line in ax.lines if to_hex(line.get_color()) == "#808080"]
    assert [line.get_ydata()[0] for line in dashes] == pytest.approx([rows["no response"]])


def chains(ax, colour):
    """Numbers of marks in each thin line of a colour."""
    return [len(line.get_xdata()) for line in ax.lines if line.get_alpha() == 0.6 and line.get_color() == colour]


def test_a_line_joins_what_follows_one_another():
    made = grid(turn(truth=(HAPPY, HAPPY)), turn("Bo", truth=(ANGER, MISSING, ANGER, ANGER)), turn(truth=(HAPPY,)))
    assert chains(drawn(made), "#222222") == [3, 3]
    broken = grid(turn(truth=(HAPPY, HAPPY)), turn("Bo", truth=(ANGER, ANGER), breaks=(0,)))
    ax = drawn(broken)
    assert chains(ax, "#222222") == [2, 2]
    # a line through the grid where utterances are missing, and one in the legend
    missing = [line for line in ax.lines if line.get_color() == "#aa0044"]
    assert [line.get_xdata()[0] for line in missing][1] == pytest.approx(broken.left + 2 * broken.column)
    assert "utterances are missing" in [text.get_text() for text in ax.texts]


def test_a_response_is_a_line_of_its_own():
    made = grid(turn(prediction=(HAPPY, HAPPY)), turn("Bo", prediction=(ANGER, MISSING, ANGER, ANGER)))
    assert chains(drawn(made), "#d55e00") == [2, 2]
    cut = grid(turn(prediction=(HAPPY, HAPPY, ANGER), prediction_breaks=(0, 2)))
    assert chains(drawn(cut), "#d55e00") == [2]


def test_labels_and_speakers_are_written_in_order_and_utterances_are_counted():
    ax = drawn(grid(turn(truth=(HAPPY, ANGER)), turn("Bo $x", prediction=(HAPPY, HAPPY))))
    said = [text.get_text() for text in ax.texts]
    names = [(text.get_position()[1], text.get_text()) for text in ax.texts if text.get_ha() == "right"]
    assert [name for _, name in sorted(names)] == ["Ann", "Bo $x", *CPED.labels, "no response"]  # from top to bottom
    assert {"title", "ground truth", "predicted", "Ann", "Bo $x", "1", "2", "3", "utterance"} <= set(said)
    assert "4" not in said  # the second utterance of the response is none of the dialogue
    assert said.count("positive") == said.count("negative") == 1


def test_bars_show_who_speaks():
    made = grid(turn(), turn("Bo", truth=(HAPPY,) * 3), turn())
    bars = [p for p in drawn(made).patches if p.get_height() < 0.2]
    starts = [made.left, made.left + 4 * made.column, made.left + made.column]
    assert [bar.get_x() for bar in bars] == pytest.approx([x + 0.02 for x in starts])
    assert len({bar.get_facecolor() for bar in bars}) == 2


@pytest.mark.parametrize(("count", "speakers"), [(1, 1), (40, 2), (120, 9)])
def test_everything_is_within_the_picture(count, speakers):
    labels = LabelSet(name="many", labels=tuple(f"a long name of a label {k}" for k in range(30)))
    turns = [turn(f"speaker {k % speakers} of a house with a long name", (k % 30,), (k % 7,)) for k in range(count)]
    made = grid(*turns, labels=labels)
    ax = drawn(made)
    ax.figure.draw_without_rendering()
    boxes = np.array([text.get_window_extent().extents for text in ax.texts if text.get_text()])
    assert boxes[:, :2].min() >= 0
    assert (boxes[:, 2:] <= ax.figure.bbox.size).all()
    assert made.column >= 0.17
