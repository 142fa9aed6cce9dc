"""Paired differences of similarity between two agents, with the difference in length beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from mmrole.core.bootstrap import mean_of_sums, paired_difference, require_draws, sums_by_cluster
from mmrole.core.scores import Score, definition

LENGTH: Final = "candidate_words"


def similarity_difference(
    first: Iterable[Mapping[str, Any]],
    second: Iterable[Mapping[str, Any]],
    *,
    name: str,
    part: str = "all",
    bootstrap: int = 1000,
    seed: int = 0,
) -> Score:
    """Mean similarity of the second agent minus that of the first, over the decisions where both have one.

    Args:
        first: lines of ``similarity.jsonl``
        second: the same of another agent
        name: of the value: ``bleu`` (0-100), ``rougeL_f`` (0-1), ...
        part: name of the part that they are
        bootstrap: draws of the interval (personas are drawn, the same for both); 0 for none
        seed: of the draws

    Returns:
        the difference; ``n`` common decisions, ``excluded`` not_in_both, ``details`` first, second, personas, and ``first_words`` and
        ``second_words``, the mean lengths of the reasons, without which the difference cannot be read. Undefined:
        ``no_common_decisions``
    """
    require_draws(bootstrap)
    sides = [
        {
            tuple(row[each] for each in ("persona", "level", "order", "run")): row
            for row in rows
            if row[name] is not None
        }
        for rows in (first, second)
    ]
    common = [key for key in sides[0] if key in sides[1]]
    codes: dict[str, int] = {}
    clusters = np.array([codes.setdefault(key[0], len(codes)) for key in common], dtype=np.int64)
    sums = [
        sums_by_cluster(np.array([[side[key][name], 1.0] for key in common]).reshape(-1, 2), clusters, len(codes))
        for side in sides
    ]
    found = paired_difference(sums[0], sums[1], mean_of_sums, draws=bootstrap, seed=seed)
    widest = 100.0 if name == "bleu" else 2.0 if name.startswith("bertscore") else 1.0
    words = [sum(side[key][LENGTH] for key in common) / len(common) if common else None for side in sides]
    return Score(
        metric=f"similarity_{name}",
        part=part,
        value=found.value,
        n=len(common),
        excluded={"not_in_both": len(sides[0].keys() ^ sides[1].keys())},
        ci=None if found.ci is None or found.ci[0] == found.ci[1] else found.ci,  # as of DBR
        definition=definition("rolecde/similarity-difference/v1", value=name),
        bounds=(-widest, widest),
        direction="up",
        reason=None if found.value is not None else "no_common_decisions",
        details={
            "personas": found.clusters, "first": found.first, "second": found.second, "first_words": words[0],
            "second_words": words[1],
        },
    )  # fmt: skip
