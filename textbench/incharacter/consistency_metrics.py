"""Consistency over repeated interviews: Std_Item, Std_Dim, Std_Score.

All standard deviations are those of a population. Each is divided by the range, then averaged over items or dimensions, then
over characters.

Source: InCharacter (ACL 2024), section 4.1 and table 2; formulas checked against its published raw results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition
from textbench.incharacter.item_scores import KINDS, Choices, ItemScores, Refusal, item_scores
from textbench.incharacter.scales import Keys, Scale
from textbench.incharacter.scales import scale as find_scale
from textbench.incharacter.score_table import score_table

FloatArray = npt.NDArray[np.float64]


def consistency(
    choices: Choices | None = None,
    scale: str | Scale = "BFI",
    *,
    scores: Mapping[str, Mapping[str, Sequence[float | None]]] | None = None,
    method: str = "SR",
    keys: Keys | str | None = None,
    upstream_ranges: bool = False,
    refusal: Refusal = "midpoint",
    bootstrap: int = 0,
    seed: int = 0,
) -> dict[str, Score]:
    """How much an agent's answers differ from run to run.

    Std_Item is the mean over items of the std of an item's score over runs; Std_Dim the mean over dimensions, and over runs, of the
    std of item scores within the dimension; Std_Score the mean over dimensions of the std of the dimension's score over
    runs.

    Args:
        choices: see `textbench.incharacter.dimension_scores`; gives std_item and std_dim
        scale: the scale or its name
        scores: character -> dimension -> score per run; gives std_score
        method: of the choices; nothing is reversed with ``d-OC``, unless its choices were stored mirrored: then give ``OC``
        keys: another key
        upstream_ranges: let choices that are no option into the spread, as the published runs did
        refusal: ``midpoint`` or ``excluded``
        bootstrap: draws of the intervals (characters are drawn); 0 for none
        seed: of the draws

    Returns:
        ``std_item``, ``std_dim`` with choices, ``std_score`` with scores; in [0, 0.5], 0 is best. ``n`` characters; ``excluded``
        fewer_than_two_runs, or too_few_items (characters); ``details`` the choices by kind. Without such characters:
        ``fewer_than_two_runs``, ``too_few_items``

    Raises:
        UsageError: neither choices nor scores, an unknown scale, method, option, item or dimension
    """
    if choices is None and scores is None:
        raise UsageError("consistency needs choices, scores, or both")
    found = {}
    options: dict[str, object] = {}
    of = find_scale(scale, keys)
    if choices is not None:
        table = item_scores(
            choices, of, method=method, upstream_ranges=upstream_ranges, refusal=refusal
        )  # fmt: skip
        options = {"key": of.variant, "method": method, "refusal": refusal, "upstream_ranges": upstream_ranges}
        found["std_item"] = _std_item(table), "fewer_than_two_runs", table.counts()
        found["std_dim"] = _std_dim(table), "too_few_items", table.counts()
    if scores is not None:
        found["std_score"] = _std_score(scores, of), "fewer_than_two_runs", {}
    out = {}
    for name, (values, reason, counts) in found.items():
        estimate = Estimate(rows=_rows(values), statistic=mean_of_sums)
        value = estimate.value()
        n = int(np.isfinite(values).sum())
        out[name] = Score(
            metric=name,
            part=of.name,
            value=value,
            n=n,
            excluded={reason: len(values) - n},
            ci=estimate.interval(draws=bootstrap, seed=seed) if value is not None else None,
            definition=definition(
                f"incharacter/{name.replace('_', '-')}/v1", scale=of.name, **(options if counts else {})
            ),
            bounds=(0.0, None if upstream_ranges else 0.5),
            direction="down",
            reason=None if value is not None else reason if len(values) else "no_characters",
            details={"choices": {kind: counts[kind] for kind in KINDS}} if counts else {},
        )
    return out


def _std_item(table: ItemScores) -> FloatArray:
    """Per character, shape (characters,); NaN where no item has two runs."""
    shape = (len(table.characters), int(table.runs.max(initial=-1)) + 1, table.values.shape[1])
    cube = np.full(shape, np.nan)
    cube[table.owner, table.runs] = table.values
    return _mean_there(_std_there(cube, axis=1), axis=1) / table.scale.span


def _std_dim(table: ItemScores) -> FloatArray:
    shape = (len(table.characters), int(table.runs.max(initial=-1)) + 1)
    columns = []
    for part in table.columns().values():
        spread = np.full(shape, np.nan)
        spread[table.owner, table.runs] = _std_there(table.values[:, part], axis=1)
        columns.append(_mean_there(spread, axis=1))
    return _mean_there(np.stack(columns, axis=1), axis=1) / table.scale.span


def _std_score(scores: Mapping[str, Mapping[str, Sequence[float | None]]], of: Scale) -> FloatArray:
    cube = score_table(scores, of).values
    return _mean_there(_std_there(cube, axis=2), axis=1) / of.score_span


def _std_there(values: FloatArray, axis: int) -> FloatArray:
    """Population std of the numbers that are there; NaN of fewer than two."""
    there = ~np.isnan(values)
    n = there.sum(axis=axis, keepdims=True)
    mean = np.divide(np.where(there, values, 0.0).sum(axis=axis, keepdims=True), n, out=np.zeros(n.shape), where=n > 0)
    squares = (np.where(there, values - mean, 0.0) ** 2).sum(axis=axis, keepdims=True)
    variance = np.divide(squares, n, out=np.full(n.shape, np.nan), where=n > 1)
    spread: FloatArray = np.sqrt(variance).squeeze(axis)
    return spread


def _mean_there(values: FloatArray, axis: int) -> FloatArray:
    there = ~np.isnan(values)
    n = there.sum(axis=axis)
    mean: FloatArray = np.divide(
        np.where(there, values, 0.0).sum(axis=axis), n, out=np.full(n.shape, np.nan), where=n > 0
    )
    return mean


def _rows(values: FloatArray) -> FloatArray:
    there = np.isfinite(values)
    return np.column_stack([np.where(there, values, 0.0), there]).astype(np.float64)
