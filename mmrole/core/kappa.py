"""Chance-corrected agreement of two raters (Cohen) and of many (Fleiss, Gwet).

References:
    Cohen 1960, A coefficient of agreement for nominal scales.
    Cohen 1968, Weighted kappa.
    Fleiss 1971, Measuring nominal scale agreement among many raters.
    Gwet 2008, Computing inter-rater reliability and its variance in the presence of high agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from mmrole.core.agreement import Ratings, is_missing, rating_rows
from mmrole.core.bootstrap import bootstrap_interval, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
Weighting = Literal["linear", "quadratic"]


def cohen_kappa(
    first: Sequence[Any],
    second: Sequence[Any],
    *,
    labels: Sequence[Hashable],
    weights: Weighting | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Cohen's kappa of two raters, 1 - sum(w p) / sum(w p_first p_second).

    Disagreement weights w of the labels at positions i and j: [i != j], ``linear`` |i - j|, ``quadratic`` (i - j)^2.

    Args:
        first: ratings of one rater, missing as None, NaN or an empty string
        second: ratings of the other, of the same length
        labels: all labels; their order is the scale of the weighted forms
        weights: None for nominal labels
        bootstrap: draws of the interval (units are drawn); 0 for none
        seed: of the draws

    Returns:
        kappa in [-1, 1]; ``n`` units rated by both, ``excluded`` missing and not_in_labels, ``details``
        observed_agreement and the confusion counts, shape (K, K), rows = first. ``no_pairs`` and ``no_variation`` (both
        raters constant and equal) are undefined

    Raises:
        UsageError: lengths differ, labels are not given once each, an unknown weighting
    """
    if len(first) != len(second):
        raise UsageError(f"two raters rate the same units: {len(first)} and {len(second)} ratings")
    position = _positions(labels)
    if weights not in (None, "linear", "quadratic"):
        raise UsageError(f"weights has to be None, 'linear' or 'quadratic', not {weights!r}")
    pairs = list(zip(first, second, strict=True))
    rated = [(a, b) for a, b in pairs if not is_missing(a) and not is_missing(b)]
    valid = [(position[a], position[b]) for a, b in rated if a in position and b in position]
    width = len(position)
    steps = np.abs(np.subtract.outer(np.arange(width), np.arange(width))).astype(np.float64)
    cost = (steps > 0).astype(np.float64) if weights is None else steps if weights == "linear" else steps**2

    def kappa(sums: FloatArray) -> FloatArray:
        table = sums.reshape(-1, width, width)
        n = table.sum(axis=(1, 2))
        observed = (table * cost).sum(axis=(1, 2)) * n
        expected = np.einsum("bi,ij,bj->b", table.sum(axis=2), cost, table.sum(axis=1))
        return _one_minus_ratio(observed, expected)

    cells = np.array([i * width + j for i, j in valid], dtype=np.int64)
    table = np.bincount(cells, minlength=width * width)
    details = {
        "observed_agreement": float(np.trace(table.reshape(width, width)) / len(valid)) if valid else None,
        "confusion": table.reshape(width, width).tolist(),
    }
    return _score(
        "kappa_cohen",
        weights or "unweighted",
        kappa,
        (np.eye(width * width)[cells], len(valid)),
        {"missing": len(pairs) - len(rated), "not_in_labels": len(rated) - len(valid)},
        definition("kappa/cohen/v1", weights=weights or "none", labels=",".join(map(str, labels))),
        details,
        bootstrap,
        seed,
    )


def fleiss_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Fleiss' kappa, (P - Pe) / (1 - Pe), of any fixed number of raters (Fleiss 1971).

    P is the mean share of agreeing pairs of raters per unit, Pe the sum of the squared shares of the labels.

    Args:
        ratings: one row per rater, one column per unit; missing as None, NaN or an empty string
        labels: all labels; those that occur when None
        bootstrap: draws of the interval (units are drawn); 0 for none
        seed: of the draws

    Returns:
        kappa in [-1, 1]; ``n`` units rated by all, ``excluded`` incomplete (a missing rating; use alpha for those) and
        not_in_labels, ``details`` observed_agreement P and raters. ``fewer_than_two_raters``, ``no_units`` and
        ``no_variation`` are undefined
    """
    rows = rating_rows(ratings)
    units = list(zip(*rows, strict=True))
    complete = [unit for unit in units if not any(map(is_missing, unit))]
    position = _positions(labels if labels is not None else list(dict.fromkeys(v for unit in complete for v in unit)))
    valid = [unit for unit in complete if all(value in position for value in unit)]
    raters, width = len(rows), len(position)
    counts = np.zeros((len(valid), width))
    for number, unit in enumerate(valid):
        for value in unit:
            counts[number, position[value]] += 1
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1)) if raters > 1 else np.zeros(len(valid))

    def kappa(sums: FloatArray) -> FloatArray:
        of, n = sums[:, :width], sums[:, :width].sum(axis=1)
        # (n / raters - agreeing) / (n / raters) over (n^2 - sum of squares) / n^2, cleared of fractions
        observed = (n / raters - sums[:, width]) * n * raters
        expected = n**2 - (of**2).sum(axis=1)
        return _one_minus_ratio(observed, expected)

    details = {"observed_agreement": float(agreeing.mean()) if valid and raters > 1 else None, "raters": raters}
    return _score(
        "kappa_fleiss",
        "nominal",
        kappa,
        (np.column_stack([counts, agreeing]), len(valid) if raters > 1 else 0),
        {"incomplete": len(units) - len(complete), "not_in_labels": len(complete) - len(valid)},
        definition("kappa/fleiss/v1"),
        details,
        bootstrap,
        seed,
        nothing="no_units" if raters > 1 else "fewer_than_two_raters",
    )


def gwet_ac1(
    ratings: Ratings,
    *,
    labels: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Gwet's AC1, (P - Pe) / (1 - Pe), which stays high where raters agree and one label prevails (Gwet 2008).

    P is the mean share of agreeing pairs of ratings over the units with two or more; with s_k the mean over all rated units
    of the share of label k among its ratings, Pe = sum s_k (1 - s_k) / (K - 1).

    Args:
        ratings: one row per rater, one column per unit; missing as None, NaN or an empty string
        labels: all K labels; those that occur when None
        bootstrap: draws of the interval (units are drawn); 0 for none
        seed: of the draws

    Returns:
        AC1 in [-1, 1]; ``n`` units with two ratings or more, ``excluded`` fewer_than_two_ratings (units; those with one count
        in Pe) and not_in_labels (ratings), ``details`` observed_agreement P. ``no_pairable_units`` and ``no_variation`` (a
        single label) are undefined
    """
    rows = rating_rows(ratings)
    there = [[value for value in unit if not is_missing(value)] for unit in zip(*rows, strict=True)]
    position = _positions(labels if labels is not None else list(dict.fromkeys(v for unit in there for v in unit)))
    width = len(position)
    counts = np.zeros((len(there), width))
    for number, unit in enumerate(there):
        for value in unit:
            if value in position:
                counts[number, position[value]] += 1
    size = counts.sum(axis=1)
    strange = sum(map(len, there)) - int(size.sum())
    pairs = size * (size - 1)
    share = np.divide((counts * (counts - 1)).sum(axis=1), pairs, out=np.zeros(len(size)), where=pairs > 0)
    shares = np.divide(counts, size[:, None], out=np.zeros_like(counts), where=size[:, None] > 0)

    def ac1(sums: FloatArray) -> FloatArray:
        agreeing = mean_of_sums(sums[:, :2])
        of = np.divide(sums[:, 3:], sums[:, 2:3], out=np.full(sums[:, 3:].shape, np.nan), where=sums[:, 2:3] > 0)
        chance = (of * (1 - of)).sum(axis=1) / (width - 1) if width > 1 else np.ones(len(sums))
        return _one_minus_ratio(1 - agreeing, 1 - chance)

    pairable = size >= 2
    count = int(pairable.sum())
    return _score(
        "ac1",
        "nominal",
        ac1,
        (np.column_stack([share, pairable, size > 0, shares]).astype(np.float64), count),
        {"fewer_than_two_ratings": len(there) - count, "not_in_labels": strange},
        definition("ac1/gwet/v1"),
        {"observed_agreement": float(share[pairable].mean()) if count else None},
        bootstrap,
        seed,
        nothing="no_pairable_units",
    )


def _positions(labels: Sequence[Hashable]) -> dict[Hashable, int]:
    position = {label: number for number, label in enumerate(labels)}
    if len(position) != len(labels):
        raise UsageError(f"a label is given twice in {list(labels)!r}")
    return position


def _one_minus_ratio(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 - observed / expected, NaN where nothing but one value is expected."""
    ratio: FloatArray = np.divide(observed, expected, out=np.full(len(expected), np.nan), where=expected > 0)
    return 1 - ratio


def _score(
    metric: str,
    part: str,
    statistic: Callable[[FloatArray], FloatArray],
    rows: tuple[FloatArray, int],
    excluded: dict[str, int],
    text: str,
    details: dict[str, Any],
    bootstrap: int,
    seed: int,
    nothing: str = "no_pairs",
) -> Score:
    per_unit, count = rows
    value = float(statistic(per_unit.sum(axis=0, keepdims=True))[0]) if count else np.nan
    defined = bool(np.isfinite(value))
    return Score(
        metric=metric,
        part=part,
        value=value if defined else None,
        n=count,
        excluded=excluded,
        ci=bootstrap_interval(per_unit, statistic, draws=bootstrap, seed=seed) if defined and bootstrap else None,
        definition=text,
        bounds=(-1.0, 1.0),
        direction="up",
        reason=None if defined else "no_variation" if count else nothing,
        details=details,
    )
