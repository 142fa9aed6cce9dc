"""Scores of dimensions as an array: what the metrics compute on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import UsageError
from textbench.incharacter.scales import Scale

FloatArray = npt.NDArray[np.float64]
DimensionScores = Mapping[str, Mapping[str, Sequence[float | None]]]
"""Character -> dimension -> score of run 0, 1, ..."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTable:
    """Scores of dimensions.

    Attributes:
        characters: names, in the order of the input
        dimensions: names, in the order of the scale
        values: NaN where there is none, shape (characters, dimensions, runs)
    """

    characters: tuple[str, ...]
    dimensions: tuple[str, ...]
    values: FloatArray


def score_table(scores: DimensionScores, scale: Scale) -> ScoreTable:
    """The scores as an array over all dimensions of the scale.

    Args:
        scores: character -> dimension -> one score per run, None or NaN where there is none
        scale: the scale

    Raises:
        UsageError: a dimension that the scale does not have, a score that is no finite number
    """
    of_runs = [runs for dimensions in scores.values() for runs in dimensions.values()]
    number = {name: position for position, name in enumerate(scale.dimensions)}
    if any(isinstance(runs, (int, float, str)) for runs in of_runs):
        raise UsageError("scores are character -> dimension -> list of one score per run; a single score is no list")
    values = np.full((len(scores), len(number), max(map(len, of_runs), default=0)), np.nan)
    for row, (character, dimensions) in enumerate(scores.items()):
        for name, runs in dimensions.items():
            column = number[scale.checked_dimension(name)]
            for run, score in enumerate(runs):
                if score is None:
                    continue
                try:
                    value = float(score)
                except (TypeError, ValueError):
                    value = math.inf
                if math.isinf(value):
                    raise UsageError(f"{character}, {name}, run {run}: a score is a number or None, not {score!r}")
                values[row, column, run] = value
    return ScoreTable(characters=tuple(scores), dimensions=scale.dimensions, values=values)
