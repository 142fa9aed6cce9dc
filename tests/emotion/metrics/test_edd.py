import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.metrics import edd
from emotion.metrics.role_matrices import compared_roles
from emotion.transitions import TransitionMatrix
from mmrole.core.divergence import hellinger
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

matrix = TransitionMatrix.from_sequences
CPED = label_set("cped-13")
P = matrix([["happy", "happy"], ["happy", "anger"]] * 10)
Q = matrix([["happy", "happy"], ["happy", "sadness"]] * 10)
FEW = matrix([["happy"] * 10])
LONG = st.lists(st.sampled_from(CPED.labels), min_size=11, max_size=60)
ROLES = st.dictionaries(st.sampled_from("abcde"), st.tuples(LONG, LONG), min_size=1)


def sides(roles):
    return {r: matrix([p]) for r, (p, _) in roles.items()}, {r: matrix([g]) for r, (_, g) in roles.items()}


def test_golden_value():
    # by hand: p = (.5, .5, 0), q = (.5, 0, .5), H = sqrt(1/2)
    score = edd(prediction={"a": P}, truth={"a": Q}, min_transitions=10)
    assert score.value == pytest.approx(1 - np.sqrt(0.5), abs=1e-15)
    assert (score.n, score.direction, score.bounds) == (1, "up", (0.0, 1.0))
    assert score.details["roles"]["a"] == {"value": score.value, "prediction": 20, "truth": 20}


@settings(max_examples=60, deadline=None)
@given(ROLES)
def test_mean_over_roles_of_1_minus_hellinger(roles):
    p, g = sides(roles)
    score = edd(p, g)
    assert score.n == len(roles)
    assert score.value == pytest.approx(np.mean([1 - hellinger(p[r].counts, g[r].counts) for r in roles]), abs=1e-12)
    assert score.details["pooled"] == pytest.approx(
        1 - hellinger(sum(p.values()).counts, sum(g.values()).counts), abs=1e-12
    )
    assert edd(g, p).value == pytest.approx(score.value, abs=1e-15)  # H is symmetric
    assert 0 <= score.value <= 1


@settings(max_examples=60, deadline=None)
@given(ROLES)
def test_identity_is_exactly_1(roles):
    p, _ = sides(roles)
    triple = {r: m + m + m for r, m in p.items()}
    for options in ({}, {"normalise": "row"}, {"equalise": True}):
        assert edd(p, p, **options).value == 1.0
    assert edd(p, triple).value == 1.0


def test_roles_with_few_transitions_are_left_out_and_listed():
    score = edd({"a": P, "b": FEW, "c": P}, {"a": Q, "b": Q, "d": Q})
    assert (score.n, score.excluded["few_transitions"]) == (1, 3)
    assert score.details["left_out"] == {
        "b": {"prediction": 9, "truth": 20}, "d": {"prediction": 0, "truth": 20}, "c": {"prediction": 20, "truth": 0},
    }  # fmt: skip
    assert edd({"b": FEW}, {"b": FEW}, min_transitions=9).value == 1.0
    nobody = edd({"b": FEW}, {"b": Q})
    assert (nobody.value, nobody.reason, nobody.n, nobody.details["pooled"]) == (None, "no_roles", 0, None)
    assert edd({}, {}).reason == "no_roles"


def test_self_loops_can_be_dropped():
    # by hand: without happy -> happy nothing overlaps
    score = edd({"a": P}, {"a": Q}, drop_self_loops=True)
    assert score.value == 0.0
    assert score.details["roles"]["a"]["truth"] == 10
    assert "self_loops=dropped" in score.definition
    assert edd({"a": P}, {"a": Q}, min_transitions=11, drop_self_loops=True).reason == "no_roles"


def test_rows():
    # by hand: the row of happy is (.5, .5) against (1, 0): H^2 = 1 - sqrt(.5); the row of anger is in one matrix only
    p = matrix([["happy", "happy"], ["happy", "anger"]] * 5)
    g = matrix([["happy", "happy"]] * 5 + [["anger", "happy"]] * 5)
    assert edd({"a": p}, {"a": g}, normalise="row").value == pytest.approx(1 - np.sqrt(1 - np.sqrt(0.5)))
    apart = matrix([["fear", "happy"]] * 10)
    score = edd({"a": p}, {"a": apart}, normalise="row")
    assert (score.value, score.excluded["no_common_row"]) == (None, 1)


def test_equalised_counts():
    rng = np.random.default_rng(0)
    big = matrix([rng.choice(CPED.labels, size=2000).tolist()])
    small = matrix([rng.choice(CPED.labels, size=101).tolist()])
    compared = compared_roles({"a": big}, {"a": small}, equalise=True, seed=3)
    assert compared.prediction.sum() == compared.truth.sum() == 100
    assert (compared.prediction[0] <= big.counts).all()
    one, again, other = (edd({"a": big}, {"a": small}, equalise=True, seed=s).value for s in (3, 3, 4))
    assert one == again != other


@pytest.mark.parametrize(
    ("options", "message"),
    [({"normalise": "column"}, "normalise has to be"), ({"min_transitions": 0}, "1 or more, not 0")],
)
def test_usage(options, message):
    with pytest.raises(UsageError, match=message):
        edd({"a": P}, {"a": Q}, **options)


def test_label_sets_have_to_agree():
    other = TransitionMatrix.empty(LabelSet(name="x", labels=("a", "b")))
    with pytest.raises(UsageError, match="different label sets"):
        edd({"a": P}, {"a": other})
