"""`mmrole agree`: all agreement figures of a table of ratings, with what they are of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from mmrole.core.agreement import Measurement
from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import printable_path
from mmrole.core.errors import UsageError
from mmrole.core.ratings import RatingTable, agree, read_ratings
from mmrole.core.scores import Score


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """What `agree_file` found.

    Attributes:
        table: the ratings
        scores: the agreement figures
        level: of measurement
    """

    table: RatingTable
    scores: list[Score]
    level: str


def agree_file(
    path: str | os.PathLike[str],
    *,
    level: Measurement = "nominal",
    order: Sequence[str] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Agreement of the raters of a table.

    Args:
        path: CSV, wide (a column of units and one per rater) or long (unit, rater, rating)
        level: of measurement
        order: the values in rising order, for ordinal ratings that are texts
        bootstrap: draws of the intervals (units are drawn); 0 for none
        seed: of the draws

    Returns:
        the figures of `mmrole.core.ratings.agree`

    Raises:
        InputError: no such table; names file and line
        UsageError: values that the level cannot take; names the file
    """
    require_draws(bootstrap, name="--bootstrap")
    table = read_ratings(os.fspath(path))
    numbers = all(not isinstance(value, str) for value in table.values())
    try:
        ranks: Sequence[str | float] | None = [float(value) for value in order] if order and numbers else order
    except ValueError:
        raise UsageError(
            f"--order {','.join(order or ())}: the ratings of {printable_path(path)} are numbers"
        ) from None
    try:
        scores = agree(table, level=level, order=ranks, bootstrap=bootstrap, seed=seed)
    except UsageError as error:
        raise UsageError(f"{printable_path(path)}: {error}") from None
    return Agreement(table=table, scores=scores, level=level)
