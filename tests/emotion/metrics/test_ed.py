import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.metrics import ed
from emotion.metrics.ed import entropy
from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")


# by hand: ten votes
@pytest.mark.parametrize(
    ("counts", "value"), [([10], 0), ([9, 1], 0.1412), ([8, 2], 0.2173), ([7, 3], 0.2653), ([5, 5], 0.3010)]
)
def test_golden_values(counts, value):
    assert ed([dict(zip(CPED.labels, counts, strict=False))]).value == pytest.approx(value, abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 13))
def test_as_different_as_can_be_is_exactly_1(votes):
    assert ed([dict.fromkeys(CPED.labels[:votes], 1)]).value == 1.0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6))
def test_more_votes_than_labels_spread_evenly(times):
    assert ed([dict.fromkeys(CPED.labels, times)]).value == pytest.approx(1.0, abs=1e-15)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 20), min_size=13, max_size=13), min_size=1, max_size=10))
def test_the_formula_of_the_definition(rows):
    counts = np.array([row for row in rows if sum(row) >= 2], dtype=np.int64).reshape(-1, 13)
    for row, value in zip(counts.tolist(), entropy(counts), strict=True):
        v = sum(row)
        wanted = -sum(c / v * math.log(c / v) for c in row if c) / math.log(min(v, 13))
        assert value == pytest.approx(wanted, abs=1e-12)
        assert 0 <= value <= 1
        assert (value == 0) == (max(row) == v)


def test_counts_and_details():
    score = ed([{"happy": 10}, {"happy": 5, "anger": 5}, {"fear": 1}, {"banana": 3, "happy": 1}, {}], part="face")
    assert score.value == pytest.approx(math.log(2) / math.log(10) / 2)
    assert (score.part, score.n, score.direction) == ("face", 2, "down")
    assert score.excluded == {"fewer_than_two_votes": 3, "invalid_votes": 3}
    assert score.details == {"unanimous": 0.5, "mean_votes": 10.0}


def test_undefined():
    for votes in ([], [{"happy": 1}], [{"banana": 5}]):
        score = ed(votes, bootstrap=10)
        assert (score.value, score.reason, score.n, score.ci) == (None, "no_utterances", 0, None)
    assert ed([{"happy": 3}], measure="alpha").reason == "no_variation"


def test_alpha_over_votes():
    bags = [{"happy": 3, "anger": 1}, {"fear": 4}, {"anger": 2, "fear": 2}]
    table = list(zip(*[[x for x, c in bag.items() for _ in range(c)] for bag in bags], strict=True))
    assert ed(bags, measure="alpha").value == pytest.approx(1 - krippendorff_alpha(table).value, abs=1e-12)


def test_interval_over_dialogues():
    bags = [{"happy": 10}, {"happy": 5, "anger": 5}] * 20
    score = ed(bags, clusters=[i // 2 for i in range(40)], bootstrap=50)
    assert score.ci == pytest.approx((score.value, score.value))
    low, high = ed(bags, bootstrap=200).ci
    assert low < score.value < high


def test_usage():
    with pytest.raises(UsageError, match="whole number"):
        ed([{"happy": 0.5}])
    with pytest.raises(UsageError, match="measure has to be"):
        ed([], measure="gini")
