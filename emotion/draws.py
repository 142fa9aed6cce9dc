"""Intervals of all scores of one agent: each draw of dialogues serves every score, so scores pair draw by draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from emotion.responses import Responses
from emotion.transitions import Kind, TransitionMatrix
from mmrole.core.bootstrap import Estimate, Statistic, draw_weights, sums_by_cluster
from mmrole.core.labels import LabelSet
from mmrole.core.threads import one_blas_thread

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_STEP: Final = 16  # draws of the transition counts at a time: their table stays in the processor's cache


class Sides(NamedTuple):
    """Transition matrices by role."""

    truth: Mapping[str, TransitionMatrix]
    prediction: Mapping[str, TransitionMatrix]


class Draws:
    """Statistics over one set of dialogues that share their draws.

    Args:
        responses: the responses; the clusters are the dialogues that have one
    """

    def __init__(self, responses: Responses) -> None:
        there = np.unique(responses.dialogue)
        self._number = np.full(len(responses.corpus.dialogues), -1, dtype=np.int64)
        self._number[there] = np.arange(len(there))
        self.clusters = len(there)
        self._sums: list[FloatArray] = []
        self._statistics: list[Statistic] = []
        self._tables: list[tuple[Any, Any, int]] = []

    def add(self, estimate: Estimate, dialogue: IntArray) -> None:
        """Adds an estimate.

        Args:
            estimate: the statistic and what each item adds
            dialogue: dialogue of each item, numbered in the corpus
        """
        self._sums.append(sums_by_cluster(estimate.rows, self._number[dialogue], self.clusters))
        self._statistics.append(estimate.statistic)

    def add_transitions(self, counts: TransitionCounts, kept: Sequence[int], *, drop_self_loops: bool = False) -> None:
        """Adds EDD, pairwise RCD and RCD margin of one kind of transition.

        The roles are those of the scores; a role without a transition on one side in a draw leaves that draw.

        Args:
            counts: the transitions
            kept: numbers of the roles that are scored
            drop_self_loops: leave transitions from a label to itself out
        """
        truth, prediction = (
            counts.by_cluster(side, kept, self.clusters, drop_self_loops=drop_self_loops) for side in (0, 1)
        )
        self._tables.append((truth, prediction, len(kept)))

    def run(self, *, draws: int, rcd_draws: int, seed: int) -> Drawn:
        """Draws the dialogues and evaluates everything that was added.

        Args:
            draws: number of draws
            rcd_draws: the first of them, for RCD
            seed: of the draws
        """
        if not draws or self.clusters < 2:
            nothing = np.zeros(0)
            return Drawn(
                clusters=self.clusters,
                estimates=[nothing] * len(self._sums),
                dynamics=[[nothing] * 3 for _ in self._tables],
            )
        table = np.hstack(self._sums) if self._sums else np.zeros((self.clusters, 0))
        sums: list[FloatArray] = []
        dynamics: list[list[FloatArray]] = [[] for _ in self._tables]
        done = 0
        with one_blas_thread():
            for weights in draw_weights(self.clusters, draws, seed):
                sums.append(weights @ table)
                for start in range(0, len(weights) if self._tables else 0, _STEP):
                    some = weights[start : start + _STEP]
                    for values, (truth, prediction, roles) in zip(dynamics, self._tables, strict=True):
                        if roles:
                            roots = (_roots(side, some, roles) for side in (truth, prediction))
                            values.append(_statistics(*roots, with_rcd=rcd_draws - done - start))
                        else:
                            values.append(np.full((len(some), 3), np.nan))
                done += len(weights)
        ends = np.cumsum([part.shape[1] for part in self._sums])
        parts = np.hsplit(np.concatenate(sums), ends)[:-1]
        whole = [np.concatenate(values) for values in dynamics]
        return Drawn(
            clusters=self.clusters,
            estimates=[statistic(part) for statistic, part in zip(self._statistics, parts, strict=True)],
            dynamics=[[values[:n, j] for j, n in enumerate((draws, rcd_draws, rcd_draws))] for values in whole],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """Values of statistics in each draw, NaN where undefined.

    Attributes:
        clusters: number of dialogues that were drawn from
        estimates: one array per estimate, shape (draws,), in the order in which they were added
        dynamics: per kind of transition EDD, pairwise RCD and RCD margin
    """

    clusters: int
    estimates: list[FloatArray]
    dynamics: list[list[FloatArray]]

    def flat(self) -> list[FloatArray]:
        """All of them, estimates first."""
        return [*self.estimates, *(values for three in self.dynamics for values in three)]


@dataclass(frozen=True, kw_only=True, eq=False)
class TransitionCounts:
    """Transitions of one kind, of both sides, by role, cell and dialogue.

    Attributes:
        kind: of transition
        labels: the label set
        roles: the roles that answered
        sides: truth and prediction: role, cell (origin * K + landing) and cluster of each transition, shape (n,) each
    """

    kind: Kind
    labels: LabelSet
    roles: tuple[str, ...]
    sides: tuple[tuple[IntArray, IntArray, IntArray], tuple[IntArray, IntArray, IntArray]]

    @classmethod
    def of(cls, responses: Responses, kind: Kind) -> TransitionCounts:
        """The transitions of responses."""
        corpus = responses.corpus
        numbers, role = np.unique(corpus.role[responses.turn], return_inverse=True)
        _, cluster = np.unique(responses.dialogue, return_inverse=True)
        sides = []
        for side in ("truth", "prediction"):
            rows, origin, landing = responses.transitions(kind, side)
            sides.append((role[rows], origin * len(corpus.labels) + landing, cluster[rows]))
        names = tuple(corpus.roles[number] for number in numbers.tolist())
        return cls(kind=kind, labels=corpus.labels, roles=names, sides=(sides[0], sides[1]))

    def by_role(self) -> Sides:
        """The matrices of each role."""
        size = len(self.labels)
        out = []
        for role, cell, _ in self.sides:
            flat = np.bincount(role * size * size + cell, minlength=len(self.roles) * size * size)
            tables = flat.reshape(len(self.roles), size, size)
            out.append(
                {name: TransitionMatrix(counts=tables[i], labels=self.labels) for i, name in enumerate(self.roles)}
            )
        return Sides(truth=out[0], prediction=out[1])

    def by_cluster(self, side: int, kept: Sequence[int], clusters: int, *, drop_self_loops: bool) -> Any:
        """Counts of each role and cell by dialogue, for some of the roles.

        Args:
            side: 0 truth, 1 prediction
            kept: numbers of the roles
            clusters: number of dialogues
            drop_self_loops: leave transitions from a label to itself out

        Returns:
            sparse matrix, shape (kept roles * K * K, clusters), of 32-bit floats, which hold whole numbers up to 2^24
        """
        from scipy.sparse import csr_array

        size = len(self.labels)
        role, cell, cluster = self.sides[side]
        number = np.full(len(self.roles), -1, dtype=np.int64)
        number[list(kept)] = np.arange(len(kept))
        chosen = number[role] >= 0
        if drop_self_loops:
            chosen &= cell // size != cell % size
        row = number[role[chosen]] * size * size + cell[chosen]
        shape = (len(kept) * size * size, clusters)
        dtype = np.float32 if len(row) < 1 << 24 else np.float64
        return csr_array((np.ones(len(row), dtype=dtype), (row, cluster[chosen])), shape=shape)


def _roots(table: Any, weights: FloatArray, roles: int) -> FloatArray:
    """Square roots of joint distributions in each draw, shape (draws, roles, cells); NaN for a role without a transition."""
    counts = table @ np.ascontiguousarray(weights.T, dtype=table.dtype)
    flat = counts.T.reshape(len(weights), roles, -1).astype(np.float64)
    total = flat.sum(axis=2, keepdims=True)
    roots: FloatArray = np.sqrt(np.divide(flat, total, out=np.full(flat.shape, np.nan), where=total > 0))
    return roots


def _statistics(truth: FloatArray, prediction: FloatArray, *, with_rcd: int) -> FloatArray:
    """EDD, RCD pairwise, RCD margin of each draw, shape (draws, 3), NaN where undefined."""
    out = np.full((len(truth), 3), np.nan)
    for draw, (g, p) in enumerate(zip(truth, prediction, strict=True)):
        there = np.isfinite(g[:, 0]) & np.isfinite(p[:, 0])
        if not there.any():
            continue
        g, p = g[there], p[there]  # the roles of this draw
        gap = p - g
        out[draw, 0] = 1 - np.sqrt(np.clip(0.5 * np.einsum("ri,ri->r", gap, gap), 0, 1)).mean()
        roles = len(g)
        if draw >= with_rcd or roles < 2:
            continue
        of_agent, of_truth, across = (1 - np.sqrt(np.clip(1 - a @ b.T, 0, 1)) for a, b in ((p, p), (g, g), (p, g)))
        above = np.triu_indices(roles, k=1)
        out[draw, 1] = (of_truth[above] - of_agent[above]).mean()
        own = np.diag(across)
        out[draw, 2] = (own - (across.sum(axis=1) - own) / (roles - 1)).mean()
    return out
