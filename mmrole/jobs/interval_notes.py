"""What has to be said of intervals before anybody relies on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from emotion.glossary import short_name
from mmrole.core.counting import counted
from mmrole.core.scores import Score

FEW: Final = 30
"""Clusters below which a bootstrap of clusters is too sure of itself (Cameron, Gelbach & Miller 2008, on five to thirty)."""


def interval_notes(scores: Sequence[Score], clusters: int, *, drawn: str = "dialogues") -> Iterator[str]:
    """Why intervals are narrower than they should be.

    Args:
        scores: with their intervals
        clusters: number of those that were drawn as a whole
        drawn: what they are, in the plural
    """
    there = [score for score in scores if score.ci is not None]
    if there and clusters < FEW:
        yield f"the intervals come from {counted(clusters, drawn.removesuffix('s'))}: from fewer than {FEW} they are mostly too narrow"
    certain = dict.fromkeys(short_name(score) for score in there if score.ci is not None and score.ci[0] == score.ci[1])
    if certain:
        yield f"every draw gave the same value, so that the interval has no width; that is no certainty: {', '.join(certain)}"
