"""Agreement of raters: Krippendorff's alpha (kappas and AC1 are in `mmrole.core.kappa`, correlations in `mmrole.core.correlation`).

Conventions
    Ratings are a table with one row per rater and one column per unit. ``None``, NaN and an empty string are missing.
    Undefined cases are a `Score` without a value and with a reason, never 0, 1 or NaN:
    ``no_pairable_units`` (no unit has two ratings) and ``no_variation`` (a single value everywhere, so that chance agreement
    is complete). The observed agreement stands beside the coefficient in ``details``.

    A coefficient near 0 with high observed agreement is no error: when one value prevails, agreement by chance is high too.

References:
    Krippendorff 2011, Computing Krippendorff's Alpha-Reliability.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mmrole.core.bootstrap import Estimate, draw_weights, interval
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Ratings = Sequence[Sequence[Any]] | npt.NDArray[Any]
Measurement = Literal["nominal", "ordinal", "interval", "ratio"]

LEVELS: Final = ("nominal", "ordinal", "interval", "ratio")


def is_missing(rating: object) -> bool:
    """Whether a rating is absent: None, NaN or an empty string."""
    return rating is None or rating == "" or rating != rating  # only NaN differs from itself


def krippendorff_alpha(
    ratings: Ratings,
    *,
    level: Measurement = "nominal",
    order: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Krippendorff's alpha, 1 - Do / De (Krippendorff 2011).

    Do and De are the means of a squared difference d2 over the pairs of values within units and over all pairs. With n_c
    the number of pairable values c: nominal d2 = [c != k]; ordinal d2 = (sum of n_g for g = c..k - (n_c + n_k) / 2)^2;
    interval d2 = (c - k)^2; ratio d2 = ((c - k) / (c + k))^2.

    Args:
        ratings: one row per rater, one column per unit; missing as None, NaN or an empty string
        level: of measurement
        order: the values in rising order, for ordinal ratings that are no numbers
        bootstrap: draws of the interval (units are drawn); 0 for none
        seed: of the draws

    Returns:
        alpha in [-1, 1] (smaller only in small samples); ``n`` pairable units, ``excluded`` those with fewer than two
        ratings, ``details`` observed_agreement (share of agreeing pairs), raters, ratings, values

    Raises:
        UsageError: rows of different lengths, an unknown level, values that the level cannot take

    >>> krippendorff_alpha([[1, 2, None], [1, 3, 3]], level="ordinal").n
    2
    """
    if level not in LEVELS:
        raise UsageError(f"level has to be one of {', '.join(LEVELS)}, not {level!r}")
    units, values, shape = _flattened(ratings)
    codes, scale = _coded(values, level, order)
    sizes = np.bincount(units, minlength=shape[1])
    pairable = sizes >= 2
    kept = pairable[units] if len(units) else np.zeros(0, dtype=bool)
    # units are numbered anew, so that a draw has a weight for pairable units only
    numbers = np.cumsum(pairable) - 1
    units, codes = numbers[units[kept]], codes[kept]
    count = int(pairable.sum())
    share = _agreeing(units, codes, count, len(scale))
    details = {
        "observed_agreement": None if share is None else share,
        "raters": shape[0],
        "ratings": len(codes),
        "values": len(np.unique(codes)),
    }
    estimate = _estimator(level, units, codes, count, scale)
    value = estimate(np.ones(count)) if count else np.nan
    ci = None
    if bootstrap and np.isfinite(value):
        drawn = [estimate(row) for rows in draw_weights(count, bootstrap, seed) for row in rows]
        ci = interval(drawn, clusters=count)
    reason = None if np.isfinite(value) else "no_variation" if count else "no_pairable_units"
    return Score(
        metric="alpha",
        part=level,
        value=None if reason else float(value),
        n=count,
        excluded={"fewer_than_two_ratings": shape[1] - count},
        ci=ci,
        definition=definition("alpha/krippendorff/v1", level=level),
        bounds=(None, 1.0),
        direction="up",
        reason=reason,
        details=details,
    )


def nominal_estimate(counts: npt.ArrayLike) -> Estimate:
    """Nominal alpha from counts, as sums over units: what a cluster bootstrap of many units needs.

    Args:
        counts: how often each unit has each value, shape (units, K)

    Returns:
        an estimate whose features are the disagreement of the unit and its pairable values of each kind, shape (1 + K,)
    """
    table = np.asarray(counts, dtype=np.float64)
    sizes = table.sum(axis=1)
    pairable = sizes >= 2
    disagreeing = np.divide(sizes**2 - (table**2).sum(axis=1), sizes - 1, out=np.zeros(len(table)), where=pairable)

    def alpha(sums: FloatArray) -> FloatArray:
        n_c = sums[:, 1:]
        n = n_c.sum(axis=1)
        varied = (n_c > 0).sum(axis=1) > 1
        expected = np.where(varied, n**2 - (n_c**2).sum(axis=1), np.nan) / np.where(varied, n - 1, 1.0)
        value: FloatArray = 1 - sums[:, 0] / expected
        return value

    return Estimate(rows=np.column_stack([disagreeing, table * pairable[:, None]]), statistic=alpha)


def rating_rows(ratings: Ratings) -> list[list[Any]]:
    """The table of ratings as lists, one per rater.

    Raises:
        UsageError: a row is a text, or rows differ in length
    """
    rows = [_row(row) for row in ratings]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise UsageError(f"raters rate the same units: row 0 has {len(rows[0])} ratings, row {number} {len(row)}")
    return rows


def _flattened(ratings: Ratings) -> tuple[IntArray, list[Any], tuple[int, int]]:
    """Unit and value of every rating that is there, and (raters, units)."""
    rows = rating_rows(ratings)
    pairs = [(unit, value) for row in rows for unit, value in enumerate(row) if not is_missing(value)]
    shape = (len(rows), len(rows[0]) if rows else 0)
    return np.array([u for u, _ in pairs], dtype=np.int64), [v for _, v in pairs], shape


def _row(row: Sequence[Any] | npt.NDArray[Any]) -> list[Any]:
    if isinstance(row, str):
        raise UsageError(f"a rater's row has to be a list of ratings, not the text {row[:40]!r}")
    return row.tolist() if isinstance(row, np.ndarray) else list(row)


def _coded(values: list[Any], level: str, order: Sequence[Hashable] | None) -> tuple[IntArray, FloatArray]:
    """Code of each value, and the numbers that the codes stand for, in rising order."""
    if order is not None:
        position = {value: float(number) for number, value in enumerate(order)}
        if strange := [value for value in values if value not in position]:
            raise UsageError(f"rating {strange[0]!r} is not in the order that was given")
        numbers = [position[value] for value in values]
    elif level == "nominal":
        position = {}
        numbers = [position.setdefault(value, float(len(position))) for value in values]
    else:
        if strange := [v for v in values if isinstance(v, (str, bytes)) or not np.isreal(v) or not np.isfinite(v)]:
            raise UsageError(f"{level} ratings have to be finite numbers, or need an order; got {strange[0]!r}")
        numbers = [float(value) for value in values]
        if level == "ratio" and numbers and min(numbers) < 0:
            raise UsageError(f"ratio ratings have a true zero; got {min(numbers)!r}")
    scale, codes = np.unique(np.array(numbers, dtype=np.float64), return_inverse=True)
    return codes.astype(np.int64), scale


def _agreeing(units: IntArray, codes: IntArray, count: int, width: int) -> float | None:
    """Share of agreeing pairs, each unit weighted by its ratings: 1 - Do of the nominal level."""
    if not count:
        return None
    cells, of = np.unique(units * width + codes, return_counts=True)
    sizes = np.bincount(units, minlength=count)
    agreeing = np.bincount(cells // width, weights=of * (of - 1.0), minlength=count)
    return float((agreeing / (sizes - 1)).sum() / sizes.sum())


def _estimator(
    level: str, units: IntArray, codes: IntArray, count: int, scale: FloatArray
) -> Callable[[FloatArray], float]:
    """Alpha from a weight per unit, shape (count,): how often the unit is in the sample. NaN without variation."""
    width = len(scale)
    sizes = np.bincount(units, minlength=count).astype(np.float64)
    cells, of = np.unique(units * max(width, 1) + codes, return_counts=True)
    cell_unit, cell_code = np.divmod(cells, max(width, 1))

    def totals(weights: FloatArray) -> FloatArray:
        return np.bincount(cell_code, weights=of * weights[cell_unit], minlength=width).astype(np.float64)

    def nominal(weights: FloatArray) -> float:
        disagreeing = sizes**2 - np.bincount(cell_unit, weights=of.astype(np.float64) ** 2, minlength=count)
        observed = (weights * disagreeing / (sizes - 1)).sum()
        n_c = totals(weights)
        n = n_c.sum()
        expected = (n**2 - (n_c**2).sum()) / (n - 1)
        return float(1 - observed / expected) if np.count_nonzero(n_c) > 1 else np.nan

    def quadratic(weights: FloatArray, number: FloatArray, n_c: FloatArray) -> float:
        # the sum of (x - y)^2 over ordered pairs of m values is 2 m times their sum of squares about the mean
        n = n_c.sum()
        mean = (n_c * number).sum() / n
        x = number[cell_code] - mean  # centred, so that large values with small differences lose no digits
        sums = np.bincount(cell_unit, weights=of * x, minlength=count)
        within = np.bincount(cell_unit, weights=of * (x - (sums / sizes)[cell_unit]) ** 2, minlength=count)
        observed = (weights * 2 * sizes * within / (sizes - 1)).sum()
        expected = 2 * n * (n_c * (number - mean) ** 2).sum() / (n - 1)
        return float(1 - observed / expected) if np.count_nonzero(n_c) > 1 else np.nan

    def ratio(weights: FloatArray) -> float:
        n_c = totals(weights)
        n = n_c.sum()
        if np.count_nonzero(n_c) < 2:
            return np.nan
        expected = sum(n_c[k] * (n_c * _ratio_gap(scale, scale[k])).sum() for k in range(width)) / (n - 1)
        observed = 0.0
        for offset in range(1, int(sizes.max())):  # the cells of one unit stand together: pair each with the next ones
            same = cell_unit[offset:] == cell_unit[:-offset]
            first, second = np.flatnonzero(same), np.flatnonzero(same) + offset
            if not len(first):
                break
            gap = _ratio_gap(scale[cell_code[first]], scale[cell_code[second]])
            unit = cell_unit[first]
            observed += (2 * weights[unit] * of[first] * of[second] * gap / (sizes[unit] - 1)).sum()
        return float(1 - observed / expected)

    if level == "nominal":
        return nominal
    if level == "ratio":
        return ratio
    if level == "interval":
        return lambda weights: quadratic(weights, scale, totals(weights))

    def ordinal(weights: FloatArray) -> float:
        # the ordinal difference of two values is the difference of their mid-ranks
        n_c = totals(weights)
        return quadratic(weights, np.cumsum(n_c) - n_c / 2, n_c)

    return ordinal


def _ratio_gap(c: FloatArray, k: FloatArray) -> FloatArray:
    total = c + k
    return np.divide((c - k) ** 2, total**2, out=np.zeros(np.broadcast(c, k).shape), where=total != 0)
