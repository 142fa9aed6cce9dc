"""How well judges agree with one another, and with people: distributions, and item by item.

The published figures compare proportions alone; two judges may have the same proportions and agree on nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.kappa import cohen_kappa, gwet_ac1
from mmrole.core.scores import Score


def judge_agreement(
    judges: Mapping[str, Mapping[str, str | None]], *, labels: Sequence[str], bootstrap: int = 0, seed: int = 0
) -> list[Score]:
    """Agreement by item.

    Args:
        judges: name of the judge or annotator -> id of the item -> label, None where there is none
        labels: all labels: RF, RC, AC, AF, or compromise and following
        bootstrap: draws of the intervals (items are drawn); 0 for none
        seed: of the draws

    Returns:
        Krippendorff's alpha (nominal) and Gwet's AC1 of all, with ``details`` distributions: judge -> label -> share of its labels;
        and Cohen's kappa of every two, the part ``A+B``, with observed_agreement and confusion. A single judge gives undefined scores
    """
    items = list(dict.fromkeys(item for given in judges.values() for item in given))
    rows: dict[str, list[Any]] = {name: [given.get(item) for item in items] for name, given in judges.items()}
    table = list(rows.values())
    draws: dict[str, Any] = {"bootstrap": bootstrap, "seed": seed}
    out: list[Score] = []
    for score in (krippendorff_alpha(table, **draws), gwet_ac1(table, labels=labels, **draws)):
        details = {**score.details, "distributions": {name: _shares(row, labels) for name, row in rows.items()}}
        out.append(replace(score, details=details))
    for a, b in combinations(rows, 2):
        out.append(replace(cohen_kappa(rows[a], rows[b], labels=labels, **draws), part=f"{a}+{b}"))
    return out


def _shares(row: Sequence[str | None], labels: Sequence[str]) -> dict[str, float | None]:
    counts = Counter(label for label in row if label is not None)
    total = sum(counts.values())
    return {label: counts[label] / total if total else None for label in labels}
