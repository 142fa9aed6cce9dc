import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.divergence import distribution, hellinger

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=30).filter(any)


def test_golden_value():
    # by hand: sum sqrt(p q) = 1/2, so H = sqrt(1/2)
    assert hellinger([0.5, 0.5, 0], [0.5, 0, 0.5]) == pytest.approx(math.sqrt(0.5), abs=1e-15)


def test_disjoint_distributions_are_as_far_as_can_be():
    assert hellinger([3, 0, 4], [0, 9, 0]) == 1.0


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.integers(1, 7))
def test_equal_proportions_are_exactly_0_apart(counts, times):
    assert hellinger(counts, [times * c for c in counts]) == 0.0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 20).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 9), min_size=n, max_size=n)] * 3)))
def test_it_is_a_metric(triple):
    if not all(map(any, triple)):
        return
    p, q, r = triple
    assert hellinger(p, q) == hellinger(q, p)
    assert 0 <= hellinger(p, q) <= 1
    assert hellinger(p, r) <= hellinger(p, q) + hellinger(q, r) + 1e-12
    # the form in most textbooks
    bhattacharyya = np.sqrt(distribution(p) * distribution(q)).sum()
    assert hellinger(p, q) == pytest.approx(math.sqrt(max(0.0, 1 - bhattacharyya)), abs=1e-7)


@pytest.mark.parametrize("counts", [[0, 0], [], [-1, 2], [math.nan, 1], [math.inf, 1]])
def test_what_is_no_distribution(counts):
    with pytest.raises(ValueError, match="counts"):
        distribution(counts)


def test_shapes_have_to_agree():
    with pytest.raises(ValueError, match="differ in shape"):
        hellinger([1, 1], [1, 1, 1])
