"""Alignment by dimension, and by what characters have in common: language, source, ...; and its mean over scales.

Source: InCharacter (ACL 2024), tables 8, 9, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition
from textbench.incharacter.alignment_metrics import METRICS, OnX, OutOfRange, alignment_cells
from textbench.incharacter.labels import Labels
from textbench.incharacter.scales import Keys, Scale
from textbench.incharacter.score_table import DimensionScores


def alignment_by(
    scores: DimensionScores,
    labels: Labels,
    scale: str | Scale = "BFI",
    *,
    by: str | Mapping[str, str],
    types: str = "pdb",
    values: str = "annotation",
    mask: str = "pdb",
    mirror: Sequence[str] = (),
    keys: Keys | str | None = None,
    unmasked_x: OnX = "wrong",
    out_of_range: OutOfRange = "kept",
    bootstrap: int = 0,
    seed: int = 0,
) -> dict[str, dict[str, Score]]:
    """The alignment of each part of the characters or dimensions.

    Args:
        scores: as of `textbench.incharacter.alignment`, and so are the arguments that are not named here
        labels: as there
        scale: as there
        by: ``dimension``, or character -> group, such as its language or its source
        types: as there
        values: as there
        mask: as there
        mirror: as there
        keys: as there
        unmasked_x: as there
        out_of_range: as there
        bootstrap: as there
        seed: as there

    Returns:
        part -> metric -> score, whose ``part`` is ``SCALE/PART``; dimensions in the order of the scale, groups in that of the
        characters. By dimension there is no acc_full: it would be acc_dim

    Raises:
        UsageError: a character without a group, and as of `textbench.incharacter.alignment`
    """
    cells = alignment_cells(
        scores, labels, scale, types=types, values=values, mask=mask, mirror=mirror, keys=keys, unmasked_x=unmasked_x,
        out_of_range=out_of_range,
    )  # fmt: skip
    out = {}
    if isinstance(by, str):
        if by != "dimension":
            raise UsageError(f"by is 'dimension' or character -> group, not {by!r}")
        for number, name in enumerate(cells.scale.dimensions):
            columns = np.arange(len(cells.scale.dimensions)) == number
            part = cells.scores(columns=columns, part=f"{cells.scale.name}/{name}", bootstrap=bootstrap, seed=seed)
            out[name] = {metric: score for metric, score in part.items() if metric != "acc_full"}
        return out
    if alone := [name for name in cells.characters if name not in by]:
        raise UsageError(f"{alone[0]} has no group")
    groups = np.array([by[name] for name in cells.characters], dtype=object)
    for group in dict.fromkeys(groups.tolist()):
        out[group] = cells.scores(
            rows=groups == group, part=f"{cells.scale.name}/{group}", bootstrap=bootstrap, seed=seed
        )  # fmt: skip
    return out


def mean_over_scales(results: Mapping[str, Mapping[str, Score]]) -> dict[str, Score]:
    """The plain mean of each metric over scales: the last row of table 11.

    Args:
        results: scale -> metric -> score

    Returns:
        metric -> score; ``n`` scales with a value, ``excluded`` undefined (scales)
    """
    out = {}
    for metric in (name for name in METRICS if any(name in found for found in results.values())):
        found = [of_scale[metric] for of_scale in results.values() if metric in of_scale]
        values = [score.value for score in found if score.value is not None]
        out[metric] = Score(
            metric=metric,
            part="mean over scales",
            value=sum(values) / len(values) if values else None,
            n=len(values),
            excluded={"undefined": len(found) - len(values)},
            definition=definition("incharacter/mean-over-scales/v1", of=metric),
            bounds=found[0].bounds,
            direction=found[0].direction,
            reason=None if values else "no_scales",
            details={"scales": list(results)},
        )
    return out
