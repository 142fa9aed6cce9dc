"""Cluster bootstrap: intervals for statistics of sums, by resampling whole dialogues.

Utterances of one dialogue are not independent, so dialogues are drawn, not utterances. What a statistic needs is summed per
dialogue once; a draw is then a weighted sum of those rows, and a million utterances cost no more than their dialogues.

Intervals are percentile intervals (Efron & Tibshirani 1993, chapter 13). One generator, seeded by the caller, gives the
draws; equal seeds and equal clusters give equal draws, so statistics of one run can be paired draw by draw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import UsageError
from mmrole.core.threads import one_blas_thread

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Statistic = Callable[[FloatArray], FloatArray]
"""Sums, shape (draws, features) -> values, shape (draws,), NaN where undefined."""

LEVEL: Final = 0.95
"""Share of the draws inside an interval."""

_CHUNK: Final = 4_000_000  # weights at a time: bounds memory, and one chunk stays in the cache of most machines


def require_draws(draws: int, *, name: str = "bootstrap") -> None:
    """Refuses a number of draws that makes no sense; 0 is for no intervals.

    Args:
        draws: the number
        name: what the caller knows it by

    Raises:
        UsageError: it is below 0
    """
    if draws < 0:
        raise UsageError(f"{name} is a number of draws from 0, not {draws}")


def draw_weights(clusters: int, draws: int, seed: int) -> Iterator[FloatArray]:
    """How often each cluster is in each draw.

    Args:
        clusters: number of clusters, > 0
        draws: number of draws
        seed: of the generator

    Yields:
        whole numbers as floats, shape (a part of the draws, clusters); each row sums to the number of clusters
    """
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // clusters)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = rng.integers(0, clusters, size=(size, clusters), dtype=np.int32) + np.arange(size)[:, None] * clusters
        yield np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters).astype(np.float64)


def resampled_sums(per_cluster: npt.ArrayLike, draws: int, seed: int) -> FloatArray:
    """Sums over the clusters of each draw.

    Args:
        per_cluster: what each cluster adds, shape (clusters, features)
        draws: number of draws
        seed: of the generator

    Returns:
        sums, shape (draws, features)
    """
    rows = np.asarray(per_cluster, dtype=np.float64)
    if rows.ndim != 2 or not len(rows):
        raise UsageError(f"per_cluster has to have the shape (clusters, features), not {rows.shape}")
    with one_blas_thread():
        return np.concatenate([weights @ rows for weights in draw_weights(len(rows), draws, seed)] or [rows[:0]])


def interval(values: npt.ArrayLike, *, clusters: int, level: float = LEVEL) -> tuple[float, float] | None:
    """Percentile interval of the values of the draws.

    Args:
        values: one per draw, NaN where undefined in that draw
        clusters: number of clusters that the draws came from
        level: share of the draws inside

    Returns:
        low and high end; None with fewer than two clusters (every draw would be the same, and look certain) or when the
        statistic is undefined in more than half of the draws
    """
    array = np.asarray(values, dtype=np.float64)
    defined = array[np.isfinite(array)]
    if clusters < 2 or not len(array) or 2 * len(defined) < len(array):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bootstrap_interval(
    per_cluster: npt.ArrayLike, statistic: Statistic, *, draws: int = 1000, seed: int = 0, level: float = LEVEL
) -> tuple[float, float] | None:
    """Interval of a statistic of sums.

    Args:
        per_cluster: what each cluster adds, shape (clusters, features)
        statistic: from sums, shape (draws, features), to values, shape (draws,)
        draws: number of draws; 0 gives None
        seed: of the generator
        level: share of the draws inside

    Returns:
        low and high end, or None (see `interval`)
    """
    rows = np.asarray(per_cluster, dtype=np.float64)
    if not draws or len(rows) < 2:
        return None
    return interval(statistic(resampled_sums(rows, draws, seed)), clusters=len(rows), level=level)


def mean_of_sums(sums: FloatArray) -> FloatArray:
    """The statistic of a mean: first feature over second, NaN where the second is 0, shape (draws, 2) -> (draws,)."""
    means: FloatArray = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return means


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate:
    """A statistic of sums over items, with what each item adds.

    Attributes:
        rows: what each item adds, shape (items, features); zeros for an item that is left out
        statistic: from sums to values (see `Statistic`)
    """

    rows: FloatArray
    statistic: Statistic

    def value(self) -> float | None:
        """The statistic over all items; None where undefined."""
        return _or_none(self.statistic(self.rows.sum(axis=0, keepdims=True))[0])

    def interval(
        self, clusters: Sequence[Hashable] | None = None, *, draws: int = 1000, seed: int = 0, level: float = LEVEL
    ) -> tuple[float, float] | None:
        """Interval by the cluster bootstrap.

        Args:
            clusters: name of each item's cluster; each item is its own when None
            draws: number of draws; 0 gives None
            seed: of the generator
            level: share of the draws inside

        Raises:
            UsageError: another number of names than items
        """
        per_cluster = self.rows
        if clusters is not None:
            if len(clusters) != len(self.rows):
                raise UsageError(f"{len(clusters)} clusters were named for {len(self.rows)} items")
            numbers: dict[Hashable, int] = {}
            codes = np.array([numbers.setdefault(name, len(numbers)) for name in clusters], dtype=np.int64)
            per_cluster = sums_by_cluster(self.rows, codes, len(numbers))
        return bootstrap_interval(per_cluster, self.statistic, draws=draws, seed=seed, level=level)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A paired difference between two runs.

    Attributes:
        value: second minus first, on the common clusters; None where undefined
        ci: interval of the difference
        clusters: number of common clusters
        first: value of the first run on the common clusters
        second: value of the second run on the common clusters
    """

    value: float | None
    ci: tuple[float, float] | None
    clusters: int
    first: float | None
    second: float | None


def paired_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    statistic: Statistic,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = LEVEL,
) -> Difference:
    """Difference of a statistic between two runs on the same clusters, each draw taken from both.

    Args:
        first: sums per cluster of the first run, shape (clusters, features), over the items that both runs have
        second: the same of the second run; row i is the same cluster
        statistic: from sums to values (see `Statistic`)
        draws: number of draws
        seed: of the generator
        level: share of the draws inside

    Raises:
        UsageError: the runs have different shapes
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 2:
        raise UsageError(f"two runs on common clusters have one shape, not {a.shape} and {b.shape}")
    if not len(a):
        return Difference(value=None, ci=None, clusters=0, first=None, second=None)
    whole = [_or_none(statistic(rows.sum(axis=0, keepdims=True))[0]) for rows in (a, b)]
    value = None if whole[0] is None or whole[1] is None else whole[1] - whole[0]
    ci = None
    if value is not None and draws and len(a) > 1:
        width = a.shape[1]
        sums = resampled_sums(np.hstack([a, b]), draws, seed)
        ci = interval(statistic(sums[:, width:]) - statistic(sums[:, :width]), clusters=len(a), level=level)
    return Difference(value=value, ci=ci, clusters=len(a), first=whole[0], second=whole[1])


def _or_none(value: np.float64) -> float | None:
    return float(value) if np.isfinite(value) else None


def sums_by_cluster(rows: npt.ArrayLike, clusters: npt.NDArray[np.integer], count: int) -> FloatArray:
    """Adds rows that belong to the same cluster.

    Args:
        rows: what each item adds, shape (items, features)
        clusters: cluster of each item, 0 to count - 1, shape (items,)
        count: number of clusters

    Returns:
        sums, shape (count, features)
    """
    array = np.asarray(rows, dtype=np.float64)
    columns = [np.bincount(clusters, weights=array[:, j], minlength=count) for j in range(array.shape[1])]
    return np.stack(columns, axis=1) if columns else np.zeros((count, 0))
