"""What decides the scores beside the data."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD
from emotion.metrics.mec import Average, Empty
from emotion.metrics.role_matrices import MIN_TRANSITIONS
from emotion.transitions import Kind
from mmrole.core.dialogue import NOBODY


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What decides the scores beside the data; all of it stands in the definitions.

    Attributes:
        threshold: share of the valid votes that accepts a label
        min_valid: share of the votes asked for that has to be valid
        average: of MEC
        empty: what MEC does with a response without any accepted label
        min_transitions: roles with fewer in either matrix leave EDD and RCD
        kinds: of transition that are scored
        drop_self_loops: count only transitions to another label in EDD and RCD
        equalise: draw a role's larger transition matrix down to the smaller
        two_speakers_only: score dialogues of exactly two speakers only
        nobody: speakers who are never played
        truth_map: name of the label map that the truth went through
    """

    threshold: Fraction = DEFAULT_THRESHOLD
    min_valid: Fraction = DEFAULT_MIN_VALID
    average: Average = "micro"
    empty: Empty = "excluded"
    min_transitions: int = MIN_TRANSITIONS
    kinds: tuple[Kind, ...] = ("intra", "inter")
    drop_self_loops: bool = False
    equalise: bool = False
    two_speakers_only: bool = True
    nobody: frozenset[str] = NOBODY
    truth_map: str | None = None
