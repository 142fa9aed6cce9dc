"""From item choices, or from ratings of batches, to scores of dimensions.

A dimension's score is the plain mean of its item scores (SR, SR-CoT, OC, d-OC) or of its batch scores (ER_batch). Scales whose
manual says sum are averaged too, as in the published results. 16Personalities has scores from 0 to 100: here the keyed
mean, rescaled. The published runs asked a website instead, whose formula is not known; on their choices the keyed mean is on
the same side of 50 in 81 to 96 % of the cases.

Source: InCharacter (ACL 2024), section 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from mmrole.core.errors import UsageError
from textbench.incharacter.item_scores import KINDS, Choices, ItemScores, Refusal, item_scores
from textbench.incharacter.scales import Keys, Scale
from textbench.incharacter.scales import scale as find_scale

Scores = dict[str, dict[str, list[float | None]]]
"""Character -> dimension -> score of run 0, 1, ..."""
Aggregate = Literal["mean", "sum"]


def dimension_scores(
    choices: Choices,
    scale: str | Scale = "BFI",
    *,
    method: str = "SR",
    keys: Keys | str | None = None,
    upstream_ranges: bool = False,
    refusal: Refusal = "midpoint",
    aggregate: Aggregate = "mean",
) -> Scores:
    """Scores of the dimensions from the choices of the items.

    Args:
        choices: character -> one mapping per run: item id -> choice; a refusal is ``x`` or None
        scale: the scale or its name
        method: ``SR``, ``SR-CoT``, ``OC``, ``d-OC`` (nothing reversed)
        keys: another key: dimension -> item numbers, negative = reversed, or a published variant (see
            `textbench.incharacter.scales.scale`)
        upstream_ranges: let choices that are no option (0, 666, 3.14) into the means, as the published runs did
        refusal: what a refusal is worth: ``midpoint``, or ``excluded``
        aggregate: ``mean``, or ``sum`` of the item scores: the mean times the number of items, so that items left out do
            not lower it; not rescaled, and not on the range that `alignment` expects

    Returns:
        character -> dimension -> one score per run; None where every item was left out. Count what was left out with
        `choice_counts`

    Raises:
        UsageError: an unknown scale, method, option or item

    >>> run = {str(item): 3 for item in range(1, 45)} | {"9": 1}
    >>> dimension_scores({"Ann": [run]}, "BFI")["Ann"]["Neuroticism"]
    [3.25]
    """
    if aggregate not in get_args(Aggregate):
        raise UsageError(f"aggregate is one of {', '.join(get_args(Aggregate))}, not {aggregate!r}")
    table = item_scores(
        choices, scale, method=method, keys=keys, upstream_ranges=upstream_ranges, refusal=refusal
    )  # fmt: skip
    out: Scores = {character: {name: [] for name in table.scale.dimensions} for character in table.characters}
    for name, part in table.columns().items():
        values = table.values[:, part]
        there = ~np.isnan(values)
        sizes = there.sum(axis=1)
        sums = np.where(there, values, 0.0).sum(axis=1)
        for owner, total, size in zip(table.owner.tolist(), sums.tolist(), sizes.tolist(), strict=True):
            score = (
                None
                if not size
                else table.scale.rescaled(total / size)
                if aggregate == "mean"
                else total / size * values.shape[1]
            )
            out[table.characters[owner]][name].append(score)
    return out


def batch_scores(
    ratings: Mapping[str, Mapping[str, Sequence[Sequence[Any]]]],
    scale: str | Scale = "BFI",
    *,
    upstream_zero: bool = False,
) -> Scores:
    """Scores of the dimensions from expert ratings (ER_batch; ER_all is one batch).

    Args:
        ratings: character -> dimension -> one list per run: the score of each batch, on the range of the scale's scores; None
            where the interviewer model gave none
        scale: the scale or its name
        upstream_zero: a score of 0 becomes the midpoint, as in the published code

    Returns:
        character -> dimension -> mean of the batch scores of each run; None where there is none. A score that is no number or
        outside the range is left out; count those with `rating_counts`

    Raises:
        UsageError: an unknown scale or dimension
    """
    of = find_scale(scale)
    out: Scores = {}
    for character, dimensions in ratings.items():
        out[character] = {}
        for name, runs in dimensions.items():
            of.checked_dimension(name)
            out[character][name] = []
            for run in runs:
                valid = [float(rating) for rating in run if _rating_kind(rating, of) == "answered"]
                if upstream_zero:
                    valid = [of.score_midpoint if rating == 0 else rating for rating in valid]
                out[character][name].append(sum(valid) / len(valid) if valid else None)
    return out


def rating_counts(
    ratings: Mapping[str, Mapping[str, Sequence[Sequence[Any]]]], scale: str | Scale = "BFI"
) -> dict[str, dict[str, int]]:
    """Expert ratings of each character by what they are.

    Args:
        ratings: see `batch_scores`
        scale: the scale or its name

    Returns:
        character -> answered, refused (None), invalid (outside the range, or no number)
    """
    of = find_scale(scale)
    out = {}
    for character, dimensions in ratings.items():
        counts = dict.fromkeys(("answered", "refused", "invalid"), 0)
        for rating in (rating for runs in dimensions.values() for run in runs for rating in run):
            counts[_rating_kind(rating, of)] += 1
        out[character] = counts
    return out


def choice_counts(
    choices: Choices, scale: str | Scale = "BFI", *, keys: Keys | str | None = None
) -> dict[str, dict[str, Any]]:
    """What was chosen, per character: refusals, choices that are no option, and the distribution of the options.

    Args:
        choices: see `dimension_scores`
        scale: the scale or its name
        keys: another key; fillers are not counted

    Returns:
        character -> answered, refused, missing (an item that a run lacks), invalid, runs, and ``options``: option -> how often
        it was chosen, before any reversal
    """
    table = item_scores(choices, scale, keys=keys)
    return {character: _counted(table, table.owner == number) for number, character in enumerate(table.characters)}


def _counted(table: ItemScores, rows: Any) -> dict[str, Any]:
    kinds = np.bincount(table.kinds[rows].ravel(), minlength=len(KINDS)).tolist()
    valid = table.choices[rows][table.kinds[rows] == KINDS.index("answered")].astype(np.int64) - table.scale.low
    options = np.bincount(valid, minlength=table.scale.span + 1).tolist()
    return {
        **dict(zip(KINDS, kinds, strict=True)),
        "runs": int(rows.sum()),
        "options": {table.scale.low + number: count for number, count in enumerate(options)},
    }


def _rating_kind(rating: object, of: Scale) -> str:
    if rating is None or (isinstance(rating, str) and rating.strip().lower() in ("x", "")):
        return "refused"
    if isinstance(rating, bool) or not isinstance(rating, (int, float, np.integer, np.floating)):
        return "invalid"
    number = float(rating)
    return "answered" if math.isfinite(number) and of.score_low <= number <= of.score_high else "invalid"
