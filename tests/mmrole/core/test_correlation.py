import math
import warnings

import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.correlation import kendall, midranks, pearson, spearman
from mmrole.core.errors import UsageError

NUMBERS = st.integers(-6, 6) | st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=0, max_size=40)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(pearson, scipy.stats.pearsonr), (spearman, scipy.stats.spearmanr), (kendall, scipy.stats.kendalltau)],
)
@settings(max_examples=60, deadline=None)
@given(PAIRS)
def test_equal_to_scipy(ours, theirs, pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    score = ours(first, second)
    if len(pairs) < 2:
        assert score.reason == "too_few_pairs"
    elif len(set(first)) < 2 or len(set(second)) < 2:
        assert score.reason == "no_variation"
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scipy warns of nearly constant numbers
            assert score.value == pytest.approx(float(theirs(first, second)[0]), abs=1e-9)


def test_midranks():
    # by hand
    assert midranks([30, 10, 30, 20]).tolist() == [3.5, 1, 3.5, 2]


def test_missing_pairs_are_counted():
    score = pearson([1, 2, None, 4], [1, 2, 3, math.nan], bootstrap=20)
    assert (score.n, score.excluded, score.value) == (2, {"missing": 2}, 1.0)


def test_interval_holds_the_value():
    x = [float(i) for i in range(30)]
    y = [v + (3 * v) % 7 for v in x]
    for test in (pearson, spearman, kendall):
        score = test(x, y, bootstrap=200)
        assert score.ci[0] < score.value < score.ci[1]
        assert score.ci == test(x, y, bootstrap=200).ci


def test_very_small_and_very_large_numbers():
    assert pearson([1e-200, 2e-200, 4e-200], [1, 2, 4]).value == pytest.approx(1)
    assert pearson([1e200, 2e200, 4e200], [1, 2, 4]).value == pytest.approx(1)
    assert kendall([1e-320, 2e-320, 1e300], [1, 2, 3]).value == 1.0


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [([1, 2], [1], "2 and 1 numbers"), ([1, "x"], [1, 2], "got 'x'"), ([1, math.inf], [1, 2], "infinite")],
)
def test_what_has_no_correlation(first, second, message):
    with pytest.raises(UsageError, match=message):
        pearson(first, second)
