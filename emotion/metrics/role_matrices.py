"""What EDD and RCD have in common: the roles that can be compared, and their transition distributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from emotion.transitions import TransitionMatrix
from mmrole.core.errors import UsageError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Normalise = Literal["joint", "row"]
Matrices = Mapping[str, TransitionMatrix]

MIN_TRANSITIONS: Final = 10
FEW_TRANSITIONS: Final = "few_transitions"


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedRoles:
    """The roles with enough transitions on both sides.

    Attributes:
        roles: their names, in the order of the truth
        prediction: the agent's counts, shape (R, K, K)
        truth: the ground truth's counts, shape (R, K, K)
        left_out: role -> its number of transitions {prediction, truth}, of the roles with too few
    """

    roles: tuple[str, ...]
    prediction: IntArray
    truth: IntArray
    left_out: dict[str, dict[str, int]]


def compared_roles(
    prediction: Matrices,
    truth: Matrices,
    *,
    min_transitions: int = MIN_TRANSITIONS,
    drop_self_loops: bool = False,
    equalise: bool = False,
    seed: int = 0,
) -> ComparedRoles:
    """Chooses the roles and prepares their counts.

    Args:
        prediction: role -> the agent's matrix
        truth: role -> the ground truth's matrix
        min_transitions: what both matrices of a role have to have (after dropping self-loops)
        drop_self_loops: count only transitions to another label
        equalise: draw from the larger of a role's two matrices, without replacement, as many transitions as the smaller has
        seed: of these draws

    Raises:
        UsageError: matrices of different label sets, or a threshold below 1
    """
    if min_transitions < 1:
        raise UsageError(f"min_transitions has to be 1 or more, not {min_transitions}")
    sets = {matrix.labels.labels: matrix.labels.name for side in (prediction, truth) for matrix in side.values()}
    if len(sets) > 1:
        raise UsageError(f"matrices of different label sets cannot be compared: {', '.join(sets.values())}")
    size = len(next(iter(sets))) if sets else 0
    rng = np.random.default_rng(seed)
    kept: list[tuple[str, IntArray, IntArray]] = []
    left_out: dict[str, dict[str, int]] = {}
    for role in dict.fromkeys([*truth, *prediction]):
        pair = [_counts(side.get(role), size, drop_self_loops=drop_self_loops) for side in (prediction, truth)]
        totals = [int(counts.sum()) for counts in pair]
        if min(totals) < min_transitions:
            left_out[role] = {"prediction": totals[0], "truth": totals[1]}
            continue
        if equalise:
            pair = [_drawn(counts, min(totals), rng) for counts in pair]
        kept.append((role, pair[0], pair[1]))
    return ComparedRoles(
        roles=tuple(role for role, _, _ in kept),
        prediction=np.array([counts for _, counts, _ in kept], dtype=np.int64).reshape(len(kept), size, size),
        truth=np.array([counts for _, _, counts in kept], dtype=np.int64).reshape(len(kept), size, size),
        left_out=left_out,
    )


def _counts(matrix: TransitionMatrix | None, size: int, *, drop_self_loops: bool) -> IntArray:
    if matrix is None:
        return np.zeros((size, size), dtype=np.int64)
    return matrix.drop_self_loops().counts if drop_self_loops else matrix.counts


def _drawn(counts: IntArray, size: int, rng: np.random.Generator) -> IntArray:
    if counts.sum() == size:
        return counts
    drawn = rng.multivariate_hypergeometric(counts.ravel(), size, method="marginals")
    return drawn.reshape(counts.shape).astype(np.int64)


def joint_roots(counts: npt.NDArray[Any]) -> FloatArray:
    """Square roots of joint distributions, shape (..., K, K) -> (..., K * K); zeros where there is no transition."""
    flat = counts.reshape(*counts.shape[:-2], counts.shape[-2] * counts.shape[-1]).astype(np.float64)
    total = flat.sum(axis=-1, keepdims=True)
    roots: FloatArray = np.sqrt(np.divide(flat, total, out=np.zeros_like(flat), where=total > 0))
    return roots


def row_distance(first: IntArray, second: IntArray) -> float | None:
    """Mean Hellinger distance of the rows that have mass in both matrices; None when no row has."""
    from mmrole.core.divergence import hellinger

    rows = np.flatnonzero((first.sum(axis=1) > 0) & (second.sum(axis=1) > 0))
    return float(np.mean([hellinger(first[row], second[row]) for row in rows])) if len(rows) else None
