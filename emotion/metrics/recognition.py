"""Accuracy, F1 and coverage as statistics of confusion counts of recognition, for one table or many draws at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mmrole.core.bootstrap import Statistic
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet

FloatArray = npt.NDArray[np.float64]


def confusion_statistics(names: LabelSet, without: Sequence[str]) -> dict[str, tuple[Statistic, bool]]:
    """The scores of confusion counts.

    Args:
        names: the K labels
        without: labels to leave out of two more averages

    Returns:
        name -> (statistic of the flat counts, shape (draws, K * (K + 2)) -> (draws,), NaN where undefined; whether it is over
        the answered utterances only)

    Raises:
        UsageError: a label to leave out that is not in the set
    """
    size = len(names)
    if strange := [label for label in without if label not in names.labels]:
        raise UsageError(f"{strange[0]!r} is no label of {names.name}; there are {', '.join(names.labels)}")
    every = np.ones(size, dtype=np.bool_)
    rest = np.array([label not in without for label in names.labels])

    def table(sums: FloatArray, *, answered: bool) -> FloatArray:
        counts = sums.reshape(-1, size, size + 2)
        return counts[:, :, :size] if answered else counts

    def accuracy(sums: FloatArray, *, answered: bool) -> FloatArray:
        counts = table(sums, answered=answered)
        return _ratio(np.einsum("bii->b", counts[:, :, :size]), counts.sum(axis=(1, 2)))

    def parts(sums: FloatArray, *, answered: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
        counts = table(sums, answered=answered)
        support = counts.sum(axis=2)
        return 2 * np.einsum("bii->bi", counts[:, :, :size]), support + counts[:, :, :size].sum(axis=1), support

    def weighted(sums: FloatArray, *, answered: bool, chosen: npt.NDArray[np.bool_] = every) -> FloatArray:
        double, both, support = parts(sums, answered=answered)
        f1 = np.divide(double, both, out=np.zeros_like(both), where=both > 0)
        return _ratio((f1 * support)[:, chosen].sum(axis=1), support[:, chosen].sum(axis=1))

    def macro(sums: FloatArray, *, answered: bool) -> FloatArray:
        double, both, _ = parts(sums, answered=answered)
        f1 = np.divide(double, both, out=np.zeros_like(both), where=both > 0)
        return _ratio(f1.sum(axis=1), (both > 0).sum(axis=1).astype(np.float64))

    def macro_all(sums: FloatArray, *, answered: bool) -> FloatArray:
        double, both, support = parts(sums, answered=answered)
        f1 = np.divide(double, both, out=np.zeros_like(both), where=both > 0)
        return np.where(support.sum(axis=1) > 0, f1.mean(axis=1), np.nan)

    def micro(sums: FloatArray, *, answered: bool, chosen: npt.NDArray[np.bool_] = every) -> FloatArray:
        double, both, _ = parts(sums, answered=answered)
        return _ratio(double[:, chosen].sum(axis=1), both[:, chosen].sum(axis=1))

    out: dict[str, tuple[Statistic, bool]] = {}
    for answered in (False, True):
        for name, statistic in {
            "accuracy": accuracy,
            "weighted_f1": weighted,
            "macro_f1": macro,
            "macro_f1_all": macro_all,
        }.items():
            key = f"{name}_answered" if answered else name
            out[key] = (_bound(statistic, answered=answered), answered)
    out["coverage"] = (lambda sums: _ratio(table(sums, answered=True).sum(axis=(1, 2)), sums.sum(axis=1)), False)
    if len(without):
        out["weighted_f1_without"] = (_bound(weighted, answered=False, chosen=rest), False)
        out["micro_f1_without"] = (_bound(micro, answered=False, chosen=rest), False)
    return out


def _bound(statistic: Callable[..., FloatArray], **options: Any) -> Statistic:
    return lambda sums: statistic(sums, **options)


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    out: FloatArray = np.divide(a, b, out=np.full(len(b), np.nan), where=b > 0)
    return out
