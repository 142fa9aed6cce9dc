"""Tables of ratings, wide or long, and all agreement figures of one table.

Wide: one row per unit, a column that names the unit (the first), and one column per rater. Long: the columns ``unit``,
``rater`` and ``rating``. CSV in any encoding that `read_clean` takes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from mmrole.core.agreement import LEVELS, Measurement, krippendorff_alpha
from mmrole.core.correlation import kendall, pearson, spearman
from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError, UsageError
from mmrole.core.kappa import cohen_kappa, fleiss_kappa, gwet_ac1
from mmrole.core.scores import Score

LONG_COLUMNS: Final = ("unit", "rater", "rating")


@dataclass(frozen=True, kw_only=True)
class RatingTable:
    """Ratings of units by raters.

    Attributes:
        raters: names of the raters
        units: names of the units
        ratings: one row per rater, one column per unit; None where there is none
    """

    raters: tuple[str, ...]
    units: tuple[str, ...]
    ratings: list[list[str | float | None]]

    def values(self) -> list[str | float]:
        """The different ratings, numbers in rising order, texts in the order in which they appear."""
        seen = dict.fromkeys(value for row in self.ratings for value in row if value is not None)
        numbers = sorted(value for value in seen if not isinstance(value, str))
        return [*numbers, *(value for value in seen if isinstance(value, str))]


def read_ratings(path: str | Path) -> RatingTable:
    """Reads a table of ratings from a CSV file; cells that are all numbers become numbers.

    Raises:
        InputError: no such table, a unit or a rating of one rater is there twice; names file and line
    """
    source = str(path)
    report = DefectReport(source=source)
    table = Table(read_clean(path, report), source)
    rows = [(table.line, [cell.strip() for cell in row]) for row in table.rows(report, strict=True)]
    if not rows:
        raise InputError(f"{source}: there are no ratings below the header")
    header = table.header
    long = {name.lower(): position for position, name in enumerate(header)}
    cells: dict[tuple[str, str], str] = {}
    if set(LONG_COLUMNS) <= long.keys():
        at = [long[name] for name in LONG_COLUMNS]
        triples = [(line, row[at[1]], row[at[0]], row[at[2]]) for line, row in rows]
    elif len(header) < 3:
        raise InputError(
            f"{source}: a table of ratings has a column of units and one per rater, or the columns {', '.join(LONG_COLUMNS)}; "
            f"there are {', '.join(header)}"
        )
    else:
        triples = [
            (line, rater, row[0], cell) for line, row in rows for rater, cell in zip(header[1:], row[1:], strict=True)
        ]
    for line, rater, unit, cell in triples:
        if not unit or not rater:
            raise InputError(f"{source}, line {line}: no {'rater' if unit else 'unit'}")
        if (rater, unit) in cells:
            raise InputError(f"{source}, line {line}: a second rating of {unit!r} by {rater!r}")
        cells[rater, unit] = cell
    raters, units = (tuple(dict.fromkeys(key[side] for key in cells)) for side in (0, 1))
    convert = _converter([cell for cell in cells.values() if cell])
    return RatingTable(
        raters=raters,
        units=units,
        ratings=[[convert(cells.get((rater, unit), "")) for unit in units] for rater in raters],
    )


def _converter(cells: list[str]) -> Any:
    try:
        [float(cell) for cell in cells]
    except ValueError:
        return lambda cell: cell or None
    return lambda cell: float(cell) if cell else None


def agree(
    table: RatingTable,
    *,
    level: Measurement = "nominal",
    order: Sequence[Hashable] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> list[Score]:
    """All agreement figures of a table of ratings.

    Args:
        table: the ratings
        level: of measurement
        order: the values in rising order, for ordinal ratings that are texts
        bootstrap: draws of the intervals (units are drawn); 0 for none
        seed: of the draws

    Returns:
        Krippendorff's alpha; Fleiss' kappa and Gwet's AC1 (nominal); and for every two raters, with the part ``A+B``: Cohen's kappa,
        unweighted for nominal ratings, linear and quadratic for ordinal ones, and from ordinal level upwards Pearson's r (not
        for texts), Spearman's rho and Kendall's tau-b

    Raises:
        UsageError: values that the level cannot take, an order that does not name them all
    """
    if level not in LEVELS:
        raise UsageError(f"level has to be one of {', '.join(LEVELS)}, not {level!r}")
    shared: dict[str, Any] = {"bootstrap": bootstrap, "seed": seed}
    values: list[Hashable] = list(order) if order is not None else list(table.values())
    out = [krippendorff_alpha(table.ratings, level=level, order=order, **shared)]
    if level == "nominal":
        out += [coefficient(table.ratings, labels=values, **shared) for coefficient in (fleiss_kappa, gwet_ac1)]
    weights: tuple[Any, ...] = (None,) if level == "nominal" else ("linear", "quadratic") if level == "ordinal" else ()
    rank = {value: float(position) for position, value in enumerate(values)}
    for a, b in combinations(range(len(table.raters)), 2):
        first, second = table.ratings[a], table.ratings[b]
        pair = [cohen_kappa(first, second, labels=values, weights=weight, **shared) for weight in weights]
        if level != "nominal":
            ranked = [
                [None if v is None else rank[v] if order is not None else v for v in row] for row in (first, second)
            ]
            tests = (spearman, kendall) if order is not None else (pearson, spearman, kendall)
            pair += [test(*ranked, **shared) for test in tests]
        name = f"{table.raters[a]}+{table.raters[b]}"
        out += [
            replace(score, part=f"{name}/{score.part}" if len(weights) > 1 and "kappa" in score.metric else name)
            for score in pair
        ]
    return out
