from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.ensemble import REASONS, exact, fuse, fuse_counts
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")


# by hand from 10 * most >= 7 * valid and 2 * valid >= cast
@pytest.mark.parametrize(
    ("votes", "label", "reason"),
    [
        ({"happy": 7, "anger": 3}, "happy", None),
        ({"happy": 6, "anger": 4}, None, "no_majority"),
        ({"happy": 14, "anger": 6}, "happy", None),
        ({"happy": 13, "anger": 7}, None, "no_majority"),
        ({"fear": 69, "anger": 31}, None, "no_majority"),
        ({"fear": 70, "anger": 30}, "fear", None),
        ({"happy": 7, "banana": 3}, "happy", None),
        ({"happy": 5, "banana": 5}, "happy", None),
        ({"happy": 4, "banana": 6}, None, "too_few_votes"),
        ({"happy": 4, None: 6}, None, "too_few_votes"),
        ({"快乐": 3, "happiness": 4, "anger": 3}, "happy", None),
        ({}, None, "no_votes"),
        ({"banana": 3}, None, "too_few_votes"),
    ],
)
def test_the_rule(votes, label, reason):
    fused = fuse(votes, threshold=0.7)
    assert (fused.label, fused.reason) == (label, reason)


def test_what_is_said_beside_the_label():
    fused = fuse({"anger": 2, "happy": 5, "banana": 1}, cast=10, utterance_id="u", stream="face")
    assert fused.to_record() == {
        "utterance_id": "u", "stream": "face", "label": "happy", "reason": None, "share": 5 / 7,
        "votes": {"happy": 5, "anger": 2}, "valid": 7, "cast": 10,
    }  # fmt: skip
    assert list(fused.to_record()) == sorted(fused.to_record())
    assert fuse({"banana": 1}).share is None


def test_votes_as_a_list():
    assert fuse(["happy", "happy", "快乐", None]).votes == {"happy": 3}


def test_two_labels_with_enough_votes():
    assert fuse({"happy": 5, "anger": 5}, threshold=0.5).reason == "tie"
    assert fuse({"happy": 6, "anger": 5}, threshold=0.5).label == "happy"


def test_votes_asked_for():
    assert fuse({"happy": 4}, cast=10).reason == "too_few_votes"
    assert fuse({"happy": 4}, cast=10, min_valid="2/5").label == "happy"
    with pytest.raises(UsageError, match="4 votes were given but only 3 asked for"):
        fuse({"happy": 4}, cast=3)


@pytest.mark.parametrize("share", [0.7, "0.7", "7/10", Fraction(7, 10)])
def test_thresholds_are_exact(share):
    assert exact(share) == Fraction(7, 10)


@pytest.mark.parametrize(
    ("share", "message"), [(0, "above 0"), (1.5, "at most 1"), ("x", "a number"), ("1/0", "number")]
)
def test_what_is_no_threshold(share, message):
    with pytest.raises(UsageError, match=message):
        fuse({"happy": 1}, share)


@pytest.mark.parametrize("votes", [{"happy": -1}, {"happy": 1.5}, {"happy": True}, "happy"])
def test_what_are_no_votes(votes):
    with pytest.raises(UsageError, match="votes"):
        fuse(votes)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 12), min_size=13, max_size=13), min_size=1, max_size=8),
    st.integers(0, 9),
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
)
def test_many_at_once_are_one_after_another(rows, invalid, threshold):
    counts = np.array(rows)
    codes = fuse_counts(counts, counts.sum(axis=1) + invalid, threshold=threshold)
    for row, code in zip(rows, codes.tolist(), strict=True):
        votes = dict(zip(CPED.labels, row, strict=True))
        fused = fuse({**votes, "banana": invalid}, threshold)
        assert fused.label == (CPED.labels[code] if code >= 0 else None)
        assert fused.reason == (None if code >= 0 else REASONS[-1 - code])
        # the rule itself
        valid, most = sum(row), max(row)
        clear = valid and 2 * valid >= valid + invalid and most >= threshold * valid and row.count(most) == 1
        assert (code >= 0) == bool(clear)
