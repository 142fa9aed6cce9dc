"""Correlation of two lists of numbers: Pearson's r, Spearman's rho, Kendall's tau-b.

Pairs with a missing number are left out and counted. Fewer than two pairs, or a constant list, is undefined.

References:
    Kendall 1945, The treatment of ties in ranking problems (tau-b).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mmrole.core.agreement import is_missing
from mmrole.core.bootstrap import interval
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]

_ROWS: Final = 2048  # of the comparison of all pairs at a time


def pearson(first: Sequence[Any], second: Sequence[Any], *, bootstrap: int = 0, seed: int = 0) -> Score:
    """Pearson's product-moment correlation.

    Args:
        first: numbers; missing as None, NaN or an empty string
        second: numbers, of the same length
        bootstrap: draws of the interval (pairs are drawn); 0 for none
        seed: of the draws

    Returns:
        r in [-1, 1]; ``n`` pairs, ``excluded`` missing; ``too_few_pairs`` and ``no_variation`` are undefined
    """
    return _correlation("pearson", definition("correlation/pearson/v1"), _pearson, first, second, bootstrap, seed)


def spearman(first: Sequence[Any], second: Sequence[Any], *, bootstrap: int = 0, seed: int = 0) -> Score:
    """Spearman's rank correlation: Pearson's r of the mid-ranks. Arguments and result as `pearson`."""
    return _correlation(
        "spearman", definition("correlation/spearman/v1", ties="midrank"), _spearman, first, second, bootstrap, seed
    )


def kendall(first: Sequence[Any], second: Sequence[Any], *, bootstrap: int = 0, seed: int = 0) -> Score:
    """Kendall's tau-b, (concordant - discordant) / sqrt((pairs - ties in first) (pairs - ties in second)).

    Arguments and result as `pearson`. Takes time quadratic in the number of pairs.
    """
    return _correlation(
        "kendall", definition("correlation/kendall/v1", variant="b"), _kendall, first, second, bootstrap, seed
    )


def midranks(values: npt.ArrayLike) -> FloatArray:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, codes, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: FloatArray = (last - (counts - 1) / 2)[codes]
    return ranks


def _pearson(x: FloatArray, y: FloatArray) -> float:
    if np.ptp(x) == 0 or np.ptp(y) == 0:  # a constant minus its mean need not be exactly 0
        return np.nan
    a, b = x - x.mean(), y - y.mean()
    a, b = a / np.abs(a).max(), b / np.abs(b).max()  # squares of very small or large numbers stay finite
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def _spearman(x: FloatArray, y: FloatArray) -> float:
    return _pearson(midranks(x), midranks(y))


def _kendall(x: FloatArray, y: FloatArray) -> float:
    balance = tied_x = tied_y = 0
    n = len(x)
    a, b = midranks(x), midranks(y)  # differences of ranks neither overflow nor vanish
    for start in range(0, n, _ROWS):
        dx = np.sign(a[start : start + _ROWS, None] - a)
        dy = np.sign(b[start : start + _ROWS, None] - b)
        balance += int((dx * dy).sum())
        tied_x += int((dx == 0).sum())
        tied_y += int((dy == 0).sum())
    # each pair was counted in both orders and each number was compared with itself
    free_x, free_y = n * n - tied_x, n * n - tied_y
    return float(balance / np.sqrt(float(free_x) * float(free_y))) if free_x and free_y else np.nan


def _correlation(
    metric: str,
    text: str,
    statistic: Callable[[FloatArray, FloatArray], float],
    first: Sequence[Any],
    second: Sequence[Any],
    bootstrap: int,
    seed: int,
) -> Score:
    if len(first) != len(second):
        raise UsageError(f"{metric}: two lists of one length are needed, got {len(first)} and {len(second)} numbers")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if not is_missing(a) and not is_missing(b)]
    try:
        table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    except (TypeError, ValueError):
        strange = next(v for pair in pairs for v in pair if isinstance(v, str) or not np.isreal(v))
        raise UsageError(f"{metric}: numbers are needed, got {strange!r}") from None
    if not np.isfinite(table).all():
        raise UsageError(f"{metric}: infinite numbers have no correlation")
    x, y = table[:, 0], table[:, 1]
    value = statistic(x, y) if len(pairs) > 1 else np.nan
    defined = bool(np.isfinite(value))
    ci = None
    if bootstrap and defined:
        rng = np.random.default_rng(seed)
        drawn = [statistic(x[rows], y[rows]) for rows in (rng.integers(0, len(x), len(x)) for _ in range(bootstrap))]
        ci = interval(drawn, clusters=len(x))
    return Score(
        metric=metric,
        part="all",
        value=value if defined else None,
        n=len(pairs),
        excluded={"missing": len(first) - len(pairs)},
        ci=ci,
        definition=text,
        bounds=(-1.0, 1.0),
        direction="up",
        reason=None if defined else "no_variation" if len(pairs) > 1 else "too_few_pairs",
    )
