"""Distinctiveness: how different the measured characters are from one another, and their map in two dimensions.

Source: InCharacter (ACL 2024), section 5 and appendix.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition
from textbench.incharacter.scales import Scale
from textbench.incharacter.scales import scale as find_scale
from textbench.incharacter.score_table import DimensionScores, score_table

FloatArray = npt.NDArray[np.float64]
Unit = Literal["score", "range"]


def distinctiveness(scores: DimensionScores, scale: str | Scale = "BFI", *, unit: Unit = "score") -> Score:
    """Population std of the measured scores over characters, mean over dimensions; per run, then the mean over runs.

    Args:
        scores: character -> dimension -> score per run
        scale: the scale or its name
        unit: ``score``: the scale's own units; ``range``: as a share of the range, comparable between scales

    Returns:
        the mean std, 0 when all characters are alike, up; ``n`` characters, ``details`` dimensions: name -> std. Undefined:
        ``fewer_than_two_characters``

    Raises:
        UsageError: an unknown scale, dimension or unit
    """
    if unit not in get_args(Unit):
        raise UsageError(f"unit is one of {', '.join(get_args(Unit))}, not {unit!r}")
    of = find_scale(scale)
    table = score_table(scores, of)
    values = table.values / (of.score_span if unit == "range" else 1.0)
    there = ~np.isnan(values)
    size = there.sum(axis=0)
    mean = np.divide(np.where(there, values, 0).sum(axis=0), size, out=np.zeros(size.shape), where=size > 0)
    squares = (np.where(there, values - mean, 0) ** 2).sum(axis=0)
    spread = np.sqrt(np.divide(squares, size, out=np.full(size.shape, np.nan), where=size > 1))  # (dimensions, runs)
    runs = [row[~np.isnan(row)].mean() for row in spread.T if not np.isnan(row).all()]
    n = int(there.any(axis=(1, 2)).sum())
    largest = (of.score_span if unit == "score" else 1.0) / 2
    return Score(
        metric="distinctiveness",
        part=of.name,
        value=float(np.mean(runs)) if runs else None,
        n=n,
        excluded={"not_measured": len(table.characters) - n},
        definition=definition("incharacter/distinctiveness/v1", scale=of.name, unit=unit),
        bounds=(0.0, largest),
        direction="up",
        reason=None if runs else "fewer_than_two_characters",
        details={
            "dimensions": {
                name: float(row[~np.isnan(row)].mean()) if not np.isnan(row).all() else None
                for name, row in zip(table.dimensions, spread, strict=True)
            },
            "runs": [float(run) for run in runs],
        },
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class PersonalityMap:
    """Characters as points; made by `personality_map`.

    Attributes:
        names: of the points
        points: coordinates on the two axes, shape (names, 2)
        explained: share of the variance on each axis, shape (2,)
        features: ``SCALE/DIMENSION`` of each feature
        loadings: what each feature adds to each axis, shape (2, features)
        left_out: names that lack a feature
    """

    names: tuple[str, ...]
    points: FloatArray
    explained: FloatArray
    features: tuple[str, ...]
    loadings: FloatArray
    left_out: tuple[str, ...]


def personality_map(scores: Mapping[str, DimensionScores], scales: Mapping[str, Scale] | None = None) -> PersonalityMap:
    """Principal components of the measured personalities.

    A feature is a dimension, averaged over runs, as a share of its range. An agent without a role is one more name in `scores`:
    characters that lie near it are played like nobody in particular.

    Args:
        scores: scale -> name -> dimension -> score per run
        scales: scale name -> scale, for scales of one's own

    Returns:
        the map; each axis is turned so that its largest loading is positive

    Raises:
        UsageError: no scores, fewer than three names with all features, or all alike
    """
    names = list(dict.fromkeys(name for of_names in scores.values() for name in of_names))
    columns, features = [], []
    for scale_name, of_names in scores.items():
        of = (scales or {}).get(scale_name) or find_scale(scale_name)
        table = score_table(of_names, of)
        there = ~np.isnan(table.values)
        size = there.sum(axis=2)
        means = np.divide(
            np.where(there, table.values, 0).sum(axis=2), size, out=np.full(size.shape, np.nan), where=size > 0
        )
        block = np.full((len(names), len(of.dimensions)), np.nan)
        block[[names.index(name) for name in table.characters]] = (means - of.score_low) / of.score_span
        measured = ~np.isnan(block).all(axis=0)
        columns.append(block[:, measured])
        features += [f"{of.name}/{name}" for name, kept in zip(of.dimensions, measured, strict=True) if kept]
    table_of_all = np.hstack(columns) if columns else np.zeros((0, 0))
    whole: npt.NDArray[np.bool_] = np.asarray(~np.isnan(table_of_all).any(axis=1))
    data = table_of_all[whole]
    if not features:
        raise UsageError(f"a map needs scores: not one of {len(names)} characters has any")
    if len(data) < 3 or data.shape[1] < 2:
        raise UsageError(
            f"a map needs 3 characters with all scores and 2 dimensions; there are {len(data)} of {len(names)} and {data.shape[1]}"
        )
    centred = data - data.mean(axis=0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    variance = lengths**2
    if variance.sum() <= 0:
        raise UsageError("all characters have the same scores: there is nothing to draw a map of")
    loadings = axes[:2]
    strongest = np.abs(loadings).argmax(axis=1)
    loadings = loadings * np.where(loadings[[0, 1], strongest] < 0, -1.0, 1.0)[:, None]
    return PersonalityMap(
        names=tuple(name for name, kept in zip(names, whole.tolist(), strict=True) if kept),
        points=centred @ loadings.T,
        explained=variance[:2] / variance.sum(),
        features=tuple(features),
        loadings=loadings,
        left_out=tuple(name for name, kept in zip(names, whole.tolist(), strict=True) if not kept),
    )
