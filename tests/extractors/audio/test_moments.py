import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.audio.moments import STRETCHES, FeatureSummary, Moments, pooled

values = st.lists(st.floats(-100, 100) | st.just(float("nan")), max_size=50)


def test_by_hand():
    # 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9
    assert Moments.of(np.array([1, 2, np.nan, 3, 6])) == Moments(count=4, mean=3, m2=14, utterances=1)
    assert Moments.of(np.array([1, 2, 3, 6.0])).std == pytest.approx(np.sqrt(14 / 4))


def test_nothing():
    assert Moments.of(np.array([np.nan])) == Moments() == pooled([])
    assert Moments().std is None
    assert Moments() + Moments() == Moments()


@given(st.lists(values, max_size=8))
def test_pooling_is_as_good_as_having_all_frames(parts):
    total = pooled(Moments.of(np.array(p)) for p in parts)
    frames = np.array([v for p in parts for v in p if v == v])
    assert total.count == len(frames)
    assert total.utterances == sum(any(v == v for v in p) for p in parts)
    if len(frames):
        assert total.mean == pytest.approx(frames.mean(), abs=1e-9)
        assert total.std == pytest.approx(frames.std(), abs=1e-6)


def test_a_small_spread_far_from_zero_survives():
    rng = np.random.default_rng(0)
    parts = [1e6 + rng.normal(size=100) * 1e-3 for _ in range(50)]
    assert pooled(map(Moments.of, parts)).std == pytest.approx(np.concatenate(parts).std(), rel=1e-4)


def test_stretches_by_hand():
    # 40 frames: two to a stretch
    summary = FeatureSummary.of(np.r_[1.0, 3.0, np.nan, 5.0, np.full(36, np.nan)])
    assert summary.stretches == (2.0, 5.0, *[None] * 18)
    assert summary.moments == Moments(count=3, mean=3, m2=8, utterances=1)


@given(st.integers(0, 200), st.data())
def test_stretches_are_equal_parts(count, data):
    curve = np.array(data.draw(st.lists(st.floats(-5, 5) | st.just(float("nan")), min_size=count, max_size=count)))
    summary = FeatureSummary.of(curve)
    assert len(summary.stretches) == STRETCHES
    sizes = np.bincount(np.arange(count) * STRETCHES // max(count, 1), minlength=STRETCHES)
    assert sizes.max() - sizes.min() <= 1
    for part, mean in zip(np.split(curve, np.cumsum(sizes)[:-1]), summary.stretches, strict=True):
        there = part[np.isfinite(part)]
        assert (mean is None) == (len(there) == 0)
        assert mean is None or mean == pytest.approx(there.mean(), abs=1e-12)


@given(values)
def test_records_survive_json(curve):
    summary = FeatureSummary.of(np.array(curve))
    text = json.dumps(summary.to_record(), allow_nan=False)
    assert FeatureSummary.from_record(json.loads(text)) == summary
