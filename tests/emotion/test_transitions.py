import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.transitions import TransitionMatrix, neighbours, transitions_by_role
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")
SEQUENCES = st.lists(st.lists(st.none() | st.sampled_from(CPED.labels), max_size=12), max_size=8)
HAPPY, ANGER, NEUTRAL = (CPED.code(x) for x in ("happy", "anger", "neutral"))


def dialogue(*rows, name="d"):
    """Utterances given as (number, speaker, emotion)."""
    return Dialogue(
        dialogue_id=name,
        utterances=tuple(
            Utterance(utterance_id=f"{name}_{i}", index=i, speaker=speaker, text="", emotion=emotion)
            for i, speaker, emotion in rows
        ),
    )


def cells(matrix):
    labels = matrix.labels.labels
    return {(labels[a], labels[b]): int(matrix.counts[a, b]) for a, b in zip(*np.nonzero(matrix.counts), strict=True)}


def test_counts_by_hand():
    matrix = TransitionMatrix.from_sequences(
        [["happy", "happy", None, "anger", "angry", "neutral"], [None], ["fear"], [], ["fear", "banana", "fear"]]
    )
    assert cells(matrix) == {("happy", "happy"): 1, ("anger", "anger"): 1, ("anger", "neutral"): 1}
    assert (matrix.total, matrix.self_loops) == (3, 2)


@settings(max_examples=60, deadline=None)
@given(SEQUENCES, st.integers(0, 8))
def test_the_parts_of_a_split_set_add_to_the_whole(sequences, cut):
    whole = TransitionMatrix.from_sequences(sequences)
    parts = [TransitionMatrix.from_sequences(sequences[:cut]), TransitionMatrix.from_sequences(sequences[cut:])]
    assert np.array_equal(sum(parts).counts, whole.counts)
    assert np.array_equal((parts[0] + parts[1]).counts, whole.counts)
    assert np.array_equal((TransitionMatrix.empty() + whole).counts, whole.counts)


@settings(max_examples=60, deadline=None)
@given(SEQUENCES)
def test_distributions(sequences):
    matrix = TransitionMatrix.from_sequences(sequences)
    if matrix.total:
        assert matrix.joint().sum() == pytest.approx(1, abs=1e-12)
    else:
        assert np.isnan(matrix.joint()).all()
    sums = matrix.row().sum(axis=1)
    there = matrix.counts.sum(axis=1) > 0
    assert sums[there] == pytest.approx(1, abs=1e-12)
    assert np.isnan(matrix.row()[~there]).all()
    dropped = matrix.drop_self_loops()
    assert (dropped.total, dropped.self_loops) == (matrix.total - matrix.self_loops, 0)
    assert matrix.upper().total == matrix.total


def test_upper_by_hand():
    matrix = TransitionMatrix.from_sequences([["happy", "relaxed", "anger", "fear", "neutral"]])
    assert cells(matrix.upper()) == {
        ("positive", "positive"): 1, ("positive", "negative"): 1, ("negative", "negative"): 1, ("negative", "neutral"): 1,
    }  # fmt: skip
    assert TransitionMatrix.empty("meld-7").upper() is None


def test_a_matrix_is_its_own():
    counts = np.zeros((13, 13), dtype=np.int64)
    matrix = TransitionMatrix(counts=counts, labels=CPED)
    counts[0, 0] = 5
    assert matrix.total == 0
    with pytest.raises(ValueError, match="read-only"):
        matrix.counts[0, 0] = 1


def test_what_is_no_matrix():
    with pytest.raises(UsageError, match=r"shape \(13, 13\)"):
        TransitionMatrix(counts=np.zeros((3, 3), dtype=np.int64), labels=CPED)
    with pytest.raises(UsageError, match="integers"):
        TransitionMatrix(counts=np.zeros((13, 13)), labels=CPED)
    with pytest.raises(UsageError, match="negative"):
        TransitionMatrix(counts=np.full((13, 13), -1), labels=CPED)
    with pytest.raises(UsageError, match="not the text 'happy'"):
        TransitionMatrix.from_sequences(["happy"])
    with pytest.raises(UsageError, match="do not add"):
        TransitionMatrix.empty() + TransitionMatrix.empty("meld-7")
    with pytest.raises(TypeError):
        TransitionMatrix.empty() + 1


TALK = dialogue(
    (0, "A", "happy"), (1, "A", "happy"), (2, "B", "anger"), (4, "B", "anger"), (5, "B", "fear"), (6, "A", "neutral"),
    (7, "B", None), (8, "A", "happy"), (9, "B", "happy"),
)  # fmt: skip


# by hand; a gap lies between 2 and 4
@pytest.mark.parametrize(
    ("kind", "bridge", "wanted"),
    [
        ("intra", False, [(0, 1), (4, 5)]),
        ("intra", True, [(0, 1), (2, 4), (4, 5)]),
        ("inter", False, [(1, 2), (5, 6), (6, 7), (7, 8), (8, 9)]),
        ("same_speaker", False, [(5, 7), (6, 8), (7, 9)]),
        ("same_speaker", True, [(1, 6), (5, 7), (6, 8), (7, 9)]),
    ],
)
def test_neighbours(kind, bridge, wanted):
    assert [(a.index, b.index) for _, a, b in neighbours(TALK, kind, bridge_gaps=bridge)] == wanted


def test_a_transition_belongs_to_the_role_that_lands():
    found = transitions_by_role([TALK], "inter")
    assert cells(found["A"]) == {("fear", "neutral"): 1}
    assert cells(found["B"]) == {("happy", "anger"): 1, ("happy", "happy"): 1}
    assert list(transitions_by_role([TALK, dialogue((0, "C", "happy"), name="e")], "intra")) == ["A", "B", "C"]


def test_an_unknown_kind():
    with pytest.raises(UsageError, match="kind has to be one of intra, inter, same_speaker"):
        transitions_by_role([TALK], "between")
