from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.metrics import rcd
from emotion.transitions import TransitionMatrix
from mmrole.core.divergence import hellinger
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

matrix = TransitionMatrix.from_sequences
CPED = label_set("cped-13")
LONG = st.lists(st.sampled_from(CPED.labels), min_size=11, max_size=60)
ROLES = st.dictionaries(st.sampled_from("abcdef"), st.tuples(LONG, LONG), min_size=2)
MANY, FEW = matrix([["happy"] * 12]), matrix([["happy"] * 10])


def sides(roles):
    return {r: matrix([p]) for r, (p, _) in roles.items()}, {r: matrix([g]) for r, (_, g) in roles.items()}


@settings(max_examples=60, deadline=None)
@given(ROLES)
def test_the_formulas_of_the_definition(roles):
    p, g = sides(roles)
    h = {(x, r, y, s): hellinger({"p": p, "g": g}[x][r].counts, {"p": p, "g": g}[y][s].counts)
         for x in "pg" for y in "pg" for r in roles for s in roles}  # fmt: skip
    pairs = [h["p", r, "p", s] - h["g", r, "g", s] for r, s in combinations(roles, 2)]
    pairwise = rcd(p, g)
    assert pairwise.value == pytest.approx(np.mean(pairs), abs=1e-12)
    assert pairwise.n == len(pairs)
    assert pairwise.details["mean_absolute_difference"] == pytest.approx(np.mean(np.abs(pairs)), abs=1e-12)
    margins = [(1 - h["p", r, "g", r]) - np.mean([1 - h["p", r, "g", s] for s in roles if s != r]) for r in roles]
    margin = rcd(p, g, kind="margin")
    assert margin.value == pytest.approx(np.mean(margins), abs=1e-12)
    assert margin.n == len(roles)
    assert list(margin.details["roles"].values()) == pytest.approx(margins, abs=1e-12)
    assert np.mean(list(pairwise.details["roles"].values())) == pytest.approx(pairwise.value, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(ROLES)
def test_identity_is_exactly_0(roles):
    p, _ = sides(roles)
    assert rcd(p, p).value == 0.0
    assert rcd(p, {r: m + m for r, m in p.items()}).value == 0.0


def test_blurred_characters_by_hand():
    # truth: two roles without anything in common, H = 1; the agent plays both alike, H = 0
    truth = {"a": matrix([["happy"] * 20]), "b": matrix([["anger"] * 20])}
    agent = {"a": MANY, "b": MANY}
    score = rcd(agent, truth)
    assert (score.value, score.n, score.direction, score.bounds) == (-1.0, 1, "zero", (-1.0, 1.0))
    assert score.details["relative"] == -1.0
    # a is met and b is missed: ((1 - 0) - (1 - 1) + (1 - 1) - (1 - 0)) / 2
    margin = rcd(agent, truth, kind="margin")
    assert (margin.value, margin.direction) == (0.0, "up")
    assert rcd(truth, truth, kind="margin").value == 1.0
    assert rcd(truth, agent).details["relative"] is None  # the truth's roles do not differ


@pytest.mark.parametrize("kind", ["pairwise", "margin"])
def test_undefined(kind):
    for prediction, truth in (({"a": MANY, "b": FEW}, {"a": MANY, "b": MANY}), ({"a": MANY}, {"a": MANY}), ({}, {})):
        score = rcd(prediction, truth, kind=kind)
        assert (score.value, score.reason, score.n) == (None, "fewer_than_two_roles", 0)
    assert rcd({"a": MANY, "b": FEW}, {"a": MANY, "b": MANY}, kind=kind).excluded == {"few_transitions": 1}


def test_usage():
    with pytest.raises(UsageError, match="kind has to be 'pairwise' or 'margin'"):
        rcd({}, {}, kind="both")
