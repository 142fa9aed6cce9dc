"""The prosody expert: rate, pitch and volume against the speaker's usual -> emotion. A baseline without a model, not for reporting.

The patterns and their sources are in ``data/prosody.toml``. Three means say how aroused a voice is far better than whether it is glad
or angry; expect anger and happiness to be taken for one another. A voice within half a standard deviation of the usual in all three is
taken as neutral. Without a reference, or when one of the three could not be measured, there is no label: a voice cannot be high by itself.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from emotion.experts.expert import ABSENT, ABSTAINED, Case, ExpertVote, require_whole
from emotion.experts.given_labels import NOT_IN_SET, given_labels, in_order
from emotion.experts.pattern_fit import NO_PATTERN, best_fit
from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import LabelSet, label_set

RULE: Final = "prosody/cosine/v1"
MEASURES: Final = ("rate", "pitch", "volume")
NEUTRAL: Final = "neutral"
NO_PROSODY: Final = "no_prosody"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Table:
    """``data/prosody.toml``; patterns: label -> `MEASURES`, shape (3,)."""

    sha256: str
    patterns: Mapping[str, npt.NDArray[np.float64]]
    usual: float
    fit: float
    margin: float


@lru_cache
def _table() -> _Table:
    data = files("emotion.experts").joinpath("data", "prosody.toml").read_bytes()
    content = tomllib.loads(data.decode("utf-8"))
    return _Table(
        sha256=bytes_sha256(data),
        patterns={
            label: np.array([steps[measure] for measure in MEASURES], dtype=np.float64)
            for label, steps in content["emotions"].items()
        },
        **{name: content[name] for name in ("usual", "fit", "margin")},
    )


class ProsodyExpert:
    """Compares the prosody of an utterance with the patterns of four emotions.

    Args:
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: ``speech`` is all that it reads

    Raises:
        UsageError: another stream, or no label in common with the run
    """

    kind = "prosody"
    baseline = True

    def __init__(
        self,
        *,
        name: str = "prosody",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("speech",),
    ) -> None:
        if tuple(streams) != ("speech",):
            raise UsageError(f"the expert {name} reads the stream speech, not {', '.join(streams) or 'none'}")
        self.name = name
        self.labels = label_set(labels)
        self.streams: tuple[str, ...] = ("speech",)
        self._given = given_labels([*_table().patterns, NEUTRAL], self.labels, self.kind)

    @cached_property
    def can_give(self) -> tuple[str, ...]:
        """The labels that it is able to give, in the order of the set."""
        return in_order(self._given.values(), self.labels)

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The rule and its table."""
        return MappingProxyType(
            {"kind": self.kind, "rule": RULE, "table": _table().sha256, "labels": list(self.labels.labels)}
        )

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002, ARG002  equal in every round
        """The vote on one case; equal in every round.

        Args:
            case: its prosody is read: ``rate_z``, ``pitch_z``, ``volume_z``
            stream: ``speech``
            round: pass, from 0

        Raises:
            InputError: a value is no number
            StoreError: the features lack the clip
        """
        require_whole(case, stream)
        if case.prosody is None:
            return ExpertVote(label=None, status=ABSENT, reason=NO_PROSODY)
        given = {measure: case.prosody.get(f"{measure}_z") for measure in MEASURES}
        if missing := [measure for measure, value in given.items() if value is None]:
            return ExpertVote(label=None, status=ABSENT, reason=f"no_{missing[0]}_against_a_reference")
        values = np.array([_number(measure, value) for measure, value in given.items()])
        table = _table()
        if (np.abs(values) <= table.usual).all():
            return self._named(NEUTRAL, {})
        found = best_fit(values, table.patterns, fit=table.fit, margin=table.margin)
        detail = {"fits": dict(found.fits)}
        if found.label is None:
            status = ABSTAINED if found.reason == NO_PATTERN else "ambiguous"
            return ExpertVote(label=None, status=status, reason=found.reason, detail=detail)
        return self._named(found.label, detail)

    def _named(self, own: str, detail: Mapping[str, Any]) -> ExpertVote:
        label = self._given.get(own)
        if label is None:
            return ExpertVote(label=None, status=ABSTAINED, reason=NOT_IN_SET, detail={**detail, "own_label": own})
        return ExpertVote(label=label, detail=detail)


def _number(measure: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{measure}_z of the prosody has to be a number, not {value!r}: extract the clip again")
    return float(value)
