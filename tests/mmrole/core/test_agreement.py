import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.agreement import krippendorff_alpha, nominal_estimate
from mmrole.core.errors import UsageError

N = None
# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, example C: 4 observers, 12 units
EXAMPLE_C = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
REFERENCE = json.loads((Path(__file__).parent / "references" / "agreement_reference.json").read_text(encoding="utf-8"))


FIVE = st.integers(1, 5)


@st.composite
def tables(draw, values=FIVE):
    """Ratings of any shape: raters fewer than, as many as and more than the values."""
    raters, units = draw(st.integers(1, 7)), draw(st.integers(1, 9))
    row = st.lists(st.none() | values, min_size=units, max_size=units)
    return draw(st.lists(row, min_size=raters, max_size=raters))


# nominal, ordinal, interval, ratio: printed in the paper, p. 5 to 8
@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_example_of_the_paper(level, value):
    score = krippendorff_alpha(EXAMPLE_C, level=level)
    assert score.value == pytest.approx(value, abs=5e-4)
    assert score.n == 11
    assert score.excluded == {"fewer_than_two_ratings": 1}
    assert score.details["ratings"] == 40
    # by hand from the paper's coincidence matrix: 32 of 40 in the diagonal
    assert score.details["observed_agreement"] == pytest.approx(0.8)


def test_equal_to_an_independent_library():
    # 500 random shapes against the package krippendorff, see references/agreement_reference.py
    assert len(REFERENCE) == 500
    undefined = 0
    for case in REFERENCE:
        value = krippendorff_alpha(case["ratings"], level=case["level"]).value
        undefined += value is None
        assert value == (None if case["alpha"] is None else pytest.approx(case["alpha"], abs=1e-9)), case
    assert 0 < undefined < 100


def test_by_hand_as_a_fraction():
    # units (a,a), (a,b), (b,b): Do = 2/6, De = (3*3*2)/(6*5) = 18/30, alpha = 1 - (1/3)/(3/5) = 4/9
    assert krippendorff_alpha([["a", "a", "b"], ["a", "b", "b"]]).value == pytest.approx(4 / 9, abs=1e-15)


def test_no_variation_is_undefined_with_the_agreement_beside_it():
    score = krippendorff_alpha([["a"] * 4, ["a"] * 4])
    assert (score.value, score.reason, score.details["observed_agreement"]) == (None, "no_variation", 1.0)


@pytest.mark.parametrize("ratings", [[], [[]], [[1, 2, 3]], [[1, N], [N, 2]], [[N, N], [N, N]]])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_nothing_to_pair_is_undefined(ratings, level):
    score = krippendorff_alpha(ratings, level=level, bootstrap=10)
    assert (score.value, score.reason, score.n, score.ci) == (None, "no_pairable_units", 0, None)


def test_one_disagreement_in_twenty_can_be_zero():
    # prevalence, no bug: 20 units, one of them disagreed about: Do = 2/40, De = 2*39/(40*39) = 2/40
    score = krippendorff_alpha([["a"] * 20, ["a"] * 19 + ["b"]])
    assert score.value == pytest.approx(0, abs=1e-15)
    assert score.details["observed_agreement"] == pytest.approx(0.95)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_order_of_raters_and_units_does_not_matter(ratings, level):
    value = krippendorff_alpha(ratings, level=level).value
    turned = krippendorff_alpha([row[::-1] for row in ratings[::-1]], level=level).value
    assert turned == (None if value is None else pytest.approx(value, abs=1e-12))
    assert value is None or value <= 1


@settings(max_examples=60, deadline=None)
@given(tables(st.sampled_from("abc")))
def test_nominal_values_may_be_renamed(ratings):
    renamed = [[v and {"a": 7, "b": "x", "c": (1,)}[v] for v in row] for row in ratings]
    assert krippendorff_alpha(ratings).value == krippendorff_alpha(renamed).value


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from([(2.0, 3.0), (0.5, -40.0)]))
def test_interval_values_may_be_scaled_and_moved(ratings, change):
    factor, shift = change
    moved = [[None if v is None else factor * v + shift for v in row] for row in ratings]
    value = krippendorff_alpha(ratings, level="interval").value
    assert krippendorff_alpha(moved, level="interval").value == (
        None if value is None else pytest.approx(value, abs=1e-9)
    )


@settings(max_examples=60, deadline=None)
@given(tables(st.sampled_from([1, 2, 3, 4])))
def test_ordinal_texts_with_an_order(ratings):
    names = ["low", "middle", "high", "top"]
    worded = [[None if v is None else names[v - 1] for v in row] for row in ratings]
    assert krippendorff_alpha(worded, level="ordinal", order=names).value == (
        krippendorff_alpha(ratings, level="ordinal").value
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=9), st.integers(2, 5))
def test_perfect_agreement_is_exactly_1(row, raters):
    for level in ("nominal", "ordinal", "interval", "ratio"):
        score = krippendorff_alpha([row] * raters, level=level)
        assert score.value == (1.0 if len(set(row)) > 1 else None)
        assert score.details["observed_agreement"] == 1.0


def test_large_values_with_small_differences_lose_no_digits():
    small = krippendorff_alpha([[1, 2, 3, 3], [1, 2, 2, 3]], level="interval").value
    large = krippendorff_alpha([[10**9 + v for v in row] for row in ([1, 2, 3, 3], [1, 2, 2, 3])], level="interval")
    assert large.value == pytest.approx(small, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(tables(st.integers(0, 4)))
def test_the_sums_of_many_units_give_the_same_nominal_alpha(ratings):
    columns = list(zip(*ratings, strict=True))
    counts = [[sum(v == k for v in column) for k in range(5)] for column in columns]
    value = krippendorff_alpha(ratings).value
    found = nominal_estimate(np.array(counts)).value()
    assert found == (None if value is None else pytest.approx(value, abs=1e-12))


def test_interval_of_units():
    score = krippendorff_alpha(EXAMPLE_C, level="ordinal", bootstrap=300, seed=1)
    low, high = score.ci
    assert low < score.value < high <= 1
    assert score.ci == krippendorff_alpha(EXAMPLE_C, level="ordinal", bootstrap=300, seed=1).ci


def test_missing_is_none_nan_or_empty():
    told = [[1, 2, math.nan], [1, "", 3], [1, 2, 3]]
    assert krippendorff_alpha(told).value == krippendorff_alpha([[1, 2, N], [1, N, 3], [1, 2, 3]]).value
    array = np.array([[1, 2, np.nan], [1, np.nan, 3], [1, 2, 3]])
    assert krippendorff_alpha(array).value == krippendorff_alpha(told).value


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        ([[1, 2], [1]], {}, "row 0 has 2 ratings, row 1 1"),
        (["12", "13"], {}, "not the text '12'"),
        ([[1, 2], [1, 2]], {"level": "metric"}, "level has to be one of nominal, ordinal, interval, ratio"),
        ([["a", "b"], ["a", "b"]], {"level": "ordinal"}, "ordinal ratings have to be finite numbers.*got 'a'"),
        ([[1, math.inf], [1, 2]], {"level": "interval"}, "got inf"),
        ([[1, -2], [1, 2]], {"level": "ratio"}, "true zero; got -2"),
        ([["a", "c"], ["a", "b"]], {"level": "ordinal", "order": ["a", "b"]}, "'c' is not in the order"),
    ],
)
def test_what_cannot_be_rated(ratings, options, message):
    with pytest.raises(UsageError, match=message):
        krippendorff_alpha(ratings, **options)
