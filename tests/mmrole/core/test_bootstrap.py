import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.bootstrap import (
    Estimate,
    bootstrap_interval,
    draw_weights,
    interval,
    mean_of_sums,
    paired_difference,
    resampled_sums,
    sums_by_cluster,
)
from mmrole.core.errors import UsageError


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 30), st.integers(0, 5))
def test_a_draw_has_as_many_clusters_as_there_are(clusters, draws, seed):
    weights = np.concatenate([np.zeros((0, clusters)), *draw_weights(clusters, draws, seed)])
    assert weights.shape == (draws, clusters)
    assert (weights.sum(axis=1) == clusters).all()
    assert (weights >= 0).all()


def test_draws_depend_on_the_seed_only():
    first, again, other = (np.concatenate(list(draw_weights(9, 20, seed))) for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_chunks_do_not_change_the_draws(monkeypatch):
    whole = np.concatenate(list(draw_weights(7, 50, 1)))
    monkeypatch.setattr("mmrole.core.bootstrap._CHUNK", 7 * 3)
    assert np.array_equal(np.concatenate(list(draw_weights(7, 50, 1))), whole)


def test_interval_of_a_mean_agrees_with_the_closed_form():
    # of independent values the standard error of the mean is std / sqrt(n)
    values = np.random.default_rng(5).exponential(size=400)
    rows = np.column_stack([values, np.ones(400)])
    drawn = mean_of_sums(resampled_sums(rows, 4000, 0))
    error = values.std() / 20
    assert drawn.std() == pytest.approx(error, rel=0.05)
    assert drawn.mean() == pytest.approx(values.mean(), abs=4 * error / np.sqrt(4000))
    low, high = bootstrap_interval(rows, mean_of_sums, draws=4000)
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.25 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.25 * error)


def test_clusters_are_drawn_whole():
    # 20 dialogues of 10 equal values each: the error is that of 20 values, not of 200
    values = np.repeat(np.random.default_rng(6).normal(size=20), 10)
    estimate = Estimate(rows=np.column_stack([values, np.ones(200)]), statistic=mean_of_sums)
    names = [f"d{i // 10}" for i in range(200)]
    low, high = estimate.interval(names, draws=2000)
    assert high - low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(20), rel=0.1)
    narrow_low, narrow_high = estimate.interval(draws=2000)
    assert narrow_high - narrow_low == pytest.approx((high - low) / np.sqrt(10), rel=0.1)
    with pytest.raises(UsageError, match="2 clusters were named for 200 items"):
        estimate.interval(["a", "b"])


def test_no_interval_that_would_claim_certainty():
    assert bootstrap_interval([[1.0, 1.0]], mean_of_sums) is None
    assert bootstrap_interval([[1.0, 1.0], [0.0, 1.0]], mean_of_sums, draws=0) is None
    assert interval([0.5, 0.5], clusters=1) is None
    assert interval([0.5, np.nan, np.nan], clusters=9) is None
    assert interval([], clusters=9) is None
    # by hand: percentiles 2.5 and 97.5 of 0, 1, ..., 100, the undefined draw left out
    assert interval([*range(101), np.nan], clusters=9) == pytest.approx((2.5, 97.5), abs=1e-9)


def test_undefined_mean():
    assert Estimate(rows=np.zeros((3, 2)), statistic=mean_of_sums).value() is None


def test_sums_by_cluster():
    # by hand
    sums = sums_by_cluster([[1, 10], [2, 20], [3, 30]], np.array([1, 0, 1]), 3)
    assert sums.tolist() == [[2, 20], [4, 40], [0, 0]]
    assert sums_by_cluster(np.zeros((3, 0)), np.array([1, 0, 1]), 3).shape == (3, 0)


def test_shapes_are_checked():
    with pytest.raises(UsageError, match="shape"):
        resampled_sums([1.0, 2.0], 5, 0)
    with pytest.raises(UsageError, match="one shape"):
        paired_difference([[1, 1]], [[1, 1], [1, 1]], mean_of_sums)


def test_paired_difference_is_narrower_than_two_runs_apart():
    # one hard and one easy dialogue after another, both runs find them so; the second is 0.1 better everywhere
    hardness = np.random.default_rng(7).normal(size=100)
    first = np.column_stack([hardness, np.ones(100)])
    second = np.column_stack([hardness + 0.1, np.ones(100)])
    found = paired_difference(first, second, mean_of_sums, draws=500)
    assert found.value == pytest.approx(0.1)
    assert found.ci == pytest.approx((0.1, 0.1))
    assert found.first == pytest.approx(hardness.mean())
    assert found.clusters == 100
    same = paired_difference(first, first, mean_of_sums, draws=50)
    assert (same.value, same.ci) == (0.0, (0.0, 0.0))


def test_paired_difference_without_anything_in_common():
    nothing = paired_difference(np.zeros((0, 2)), np.zeros((0, 2)), mean_of_sums)
    assert (nothing.value, nothing.ci, nothing.clusters) == (None, None, 0)
    undefined = paired_difference(np.zeros((2, 2)), np.ones((2, 2)), mean_of_sums)
    assert (undefined.value, undefined.first, undefined.second) == (None, None, 1.0)
