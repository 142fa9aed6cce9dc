"""How far two discrete distributions are apart: the Hellinger distance (Hellinger 1909).

    H(p, q) = sqrt(1 - sum_i sqrt(p_i q_i)) = sqrt(1/2 sum_i (sqrt(p_i) - sqrt(q_i))^2)

The second form is computed for near distributions: it has no cancellation, and is exactly 0 for equal ones. Counts of the
same proportions (c and 3 c) give equal distributions too, since division of floats is rounded correctly. The first form is
computed for far ones, and is exactly 1 where nothing overlaps. No smoothing is needed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def distribution(counts: npt.ArrayLike) -> FloatArray:
    """Counts divided by their total.

    Args:
        counts: any shape, >= 0, with a total above 0

    Returns:
        the same shape, sum 1

    Raises:
        ValueError: a negative or non-finite count, or nothing to divide by
    """
    array = np.asarray(counts, dtype=np.float64)
    if array.size and not (np.isfinite(array).all() and (array >= 0).all()):
        raise ValueError("counts have to be finite and not negative")
    total = array.sum()
    if total == 0:
        raise ValueError("counts without a total are no distribution")
    shares: FloatArray = array / total
    return shares


def hellinger(p: npt.ArrayLike, q: npt.ArrayLike) -> float:
    """Hellinger distance of two distributions given as counts or as probabilities.

    Args:
        p: counts or probabilities, any shape
        q: the same shape

    Returns:
        distance in [0, 1]; 0 exactly when the distributions are equal, 1 when no outcome has mass in both

    Raises:
        ValueError: shapes differ, or one is no distribution (see `distribution`)

    >>> round(hellinger([1, 1, 0], [1, 0, 1]), 5)
    0.70711
    """
    first, second = distribution(p), distribution(q)
    if first.shape != second.shape:
        raise ValueError(f"distributions differ in shape: {first.shape} and {second.shape}")
    return float(hellinger_of_roots(np.sqrt(first).ravel(), np.sqrt(second).ravel()))


def hellinger_of_roots(first: FloatArray, second: FloatArray) -> FloatArray:
    """Hellinger distance along the last axis, of square roots of distributions.

    Args:
        first: shape (..., n)
        second: shape (..., n); the leading shapes are broadcast

    Returns:
        distances in [0, 1], the broadcast leading shape
    """
    gap = first - second
    overlap = np.einsum("...i,...i->...", first, second)
    near = 0.5 * np.einsum("...i,...i->...", gap, gap)
    squared: FloatArray = np.where(overlap < 0.5, 1 - overlap, near)  # each form where it is exact
    distance: FloatArray = np.sqrt(np.clip(squared, 0.0, 1.0))
    return distance
