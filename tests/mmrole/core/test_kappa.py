import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from mmrole.core.errors import UsageError
from mmrole.core.kappa import cohen_kappa, fleiss_kappa, gwet_ac1

REFERENCE = json.loads((Path(__file__).parent / "references" / "agreement_reference.json").read_text(encoding="utf-8"))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda k: st.tuples(
            st.just(k), st.lists(st.tuples(st.integers(0, k - 1), st.integers(0, k - 1)), min_size=1, max_size=30)
        )
    ),
    st.sampled_from([None, "linear", "quadratic"]),
)
def test_cohen_equals_scikit_learn(case, weights):
    k, pairs = case
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns and gives NaN where we say no_variation
        wanted = float(cohen_kappa_score(first, second, labels=list(range(k)), weights=weights))
    score = cohen_kappa(first, second, labels=list(range(k)), weights=weights)
    assert score.n == len(pairs)
    if wanted == wanted:
        assert score.value == pytest.approx(wanted, abs=1e-12)
    else:
        assert (score.value, score.reason) == (None, "no_variation")


def test_cohen_by_hand():
    # table [[20, 5], [10, 15]]: po = .7, pe = .5 * .6 + .5 * .4 = .5, kappa = .4
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    score = cohen_kappa(first, second, labels=["y", "n"], bootstrap=400)
    assert score.value == pytest.approx(0.4, abs=1e-15)
    assert score.details == {"observed_agreement": 0.7, "confusion": [[20, 5], [10, 15]]}
    assert score.ci[0] < 0.4 < score.ci[1]


def test_the_order_of_the_labels_is_the_scale():
    first, second = ["low", "high", "low"], ["middle", "high", "low"]
    near = cohen_kappa(first, second, labels=["low", "middle", "high"], weights="quadratic").value
    far = cohen_kappa(first, second, labels=["low", "high", "middle"], weights="quadratic").value
    assert near > far


def test_cohen_counts_what_it_leaves_out():
    score = cohen_kappa(["a", None, "x", "b"], ["a", "a", "a", ""], labels=["a", "b"])
    assert score.excluded == {"missing": 2, "not_in_labels": 1}
    assert (score.n, score.value, score.reason) == (1, None, "no_variation")
    assert cohen_kappa([], [], labels=["a"]).reason == "no_pairs"


def test_cohen_usage():
    with pytest.raises(UsageError, match="2 and 1 ratings"):
        cohen_kappa(["a", "b"], ["a"], labels=["a", "b"])
    with pytest.raises(UsageError, match="given twice"):
        cohen_kappa(["a"], ["a"], labels=["a", "a"])
    with pytest.raises(UsageError, match="weights has to be"):
        cohen_kappa(["a"], ["a"], labels=["a"], weights="cubic")


def test_fleiss_equals_an_independent_library():
    # statsmodels on the whole tables of 500 random shapes, see references/agreement_reference.py
    whole = [case for case in REFERENCE if not any(v is None for row in case["ratings"] for v in row)]
    assert len(whole) > 150
    for case in whole:
        value = fleiss_kappa(case["ratings"]).value
        assert value == (None if case["fleiss"] is None else pytest.approx(case["fleiss"], abs=1e-9)), case


def test_fleiss_of_seven_labels_and_three_raters_is_exact():
    # shapes with fewer raters than labels; perfect agreement is exactly 1
    row = list("abcdefg")
    score = fleiss_kappa([row, row, row], labels=row, bootstrap=50)
    assert score.value == 1.0
    assert score.details == {"observed_agreement": 1.0, "raters": 3}


def test_fleiss_undefined_cases():
    assert fleiss_kappa([["a", "a"], ["a", "a"]]).reason == "no_variation"
    assert fleiss_kappa([["a", "b"]]).reason == "fewer_than_two_raters"
    assert fleiss_kappa([]).reason == "fewer_than_two_raters"
    score = fleiss_kappa([["a", "b", "x"], ["a", None, "a"]], labels=["a", "b"])
    assert (score.n, score.excluded) == (1, {"incomplete": 1, "not_in_labels": 1})
    assert fleiss_kappa([["x"], ["x"]], labels=["a"]).reason == "no_units"


def test_gwet_equals_an_independent_library():
    # the table of Krippendorff 2011, example C; the package irrCAC 0.4 gives .77544 with P .81818 and Pe .19032
    n = None
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    score = gwet_ac1(ratings, bootstrap=100)
    assert score.value == pytest.approx(0.77544, abs=5e-6)
    assert score.details["observed_agreement"] == pytest.approx(0.81818, abs=5e-6)
    assert (score.n, score.excluded) == (11, {"fewer_than_two_ratings": 1, "not_in_labels": 0})
    assert score.ci[0] < score.value < score.ci[1]


def test_gwet_stays_high_where_one_label_prevails():
    # by hand: P = 19/20, s = (39/40, 1/40), Pe = 2 * 39/1600, AC1 = 1 - (1/20) / (1 - 39/800)
    score = gwet_ac1([["a"] * 20, ["a"] * 19 + ["b"]])
    assert score.value == pytest.approx(1 - 0.05 / (1 - 39 / 800), abs=1e-12)


def test_gwet_undefined_cases():
    assert gwet_ac1([["a"] * 3] * 2).reason == "no_variation"
    assert gwet_ac1([["a"] * 3] * 2, labels=["a", "b"]).value == 1.0
    assert gwet_ac1([["a", "b"]]).reason == "no_pairable_units"
    assert gwet_ac1([]).reason == "no_pairable_units"
    assert gwet_ac1([["a", "x"], ["a", "b"]], labels=["a", "b"]).excluded == {
        "fewer_than_two_ratings": 1,
        "not_in_labels": 1,
    }
