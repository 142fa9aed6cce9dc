"""What decides the scores beside the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD
from emotion.metrics.cec import Measure as CecMeasure
from emotion.metrics.ed import Measure as EdMeasure
from emotion.metrics.mec import Average, Empty
from emotion.metrics.rc import Method
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
        cec_measure: what CEC is: ``alpha`` or ``pairwise`` agreement
        ed_measure: what ED is: ``entropy`` of the votes or 1 - ``alpha``
        rc_method: how a judgement becomes a score of role consistency: ``evidence``, ``graded`` or ``subjective``
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
    cec_measure: CecMeasure = "alpha"
    ed_measure: EdMeasure = "entropy"
    rc_method: Method = "evidence"
    truth_map: str | None = None

    def to_record(self) -> dict[str, Any]:
        """The options as one JSON record; fractions are texts such as ``7/10``."""
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        return record | {
            "threshold": str(self.threshold),
            "min_valid": str(self.min_valid),
            "kinds": list(self.kinds),
            "nobody": sorted(self.nobody),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ScoreOptions:
        """Options from what `to_record` gave.

        Raises:
            KeyError: a field is missing
            ValueError: a share is no fraction
        """
        given = {field.name: record[field.name] for field in fields(cls)}
        given |= {
            "threshold": Fraction(given["threshold"]),
            "min_valid": Fraction(given["min_valid"]),
            "kinds": tuple(given["kinds"]),
            "nobody": frozenset(given["nobody"]),
        }
        return cls(**given)
