"""What experts share that compare one measured stream with a table of patterns: baselines without a model, not for reporting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from emotion.experts.expert import ABSTAINED, ExpertVote
from emotion.experts.given_labels import NOT_IN_SET, given_labels, in_order
from emotion.experts.pattern_fit import NO_PATTERN, best_fit
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

NEUTRAL: Final = "neutral"


class PatternExpert:
    """The name, labels and vote of such an expert; one that inherits from it measures.

    Args:
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: `stream` is all that it reads
        patterns: the labels of its own table
        table: hash of that table

    Raises:
        UsageError: another stream, or no label in common with the run
    """

    kind: ClassVar[str]
    stream: ClassVar[str]
    rule: ClassVar[str]
    baseline = True

    def __init__(
        self, *, name: str, labels: LabelSet | str, streams: Sequence[str], patterns: Iterable[str], table: str
    ) -> None:
        if tuple(streams) != (self.stream,):
            raise UsageError(f"the expert {name} reads the stream {self.stream}, not {', '.join(streams) or 'none'}")
        self.name = name
        self.labels = label_set(labels)
        self.streams: tuple[str, ...] = (self.stream,)
        self._given = given_labels([*patterns, NEUTRAL], self.labels, self.kind)
        self._table_sha256 = table

    @cached_property
    def can_give(self) -> tuple[str, ...]:
        """The labels that it is able to give, in the order of the set."""
        return in_order(self._given.values(), self.labels)

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The rule and its table."""
        return MappingProxyType(
            {"kind": self.kind, "rule": self.rule, "table": self._table_sha256, "labels": list(self.labels.labels)}
        )

    def _best(
        self,
        measured: npt.NDArray[np.float64],
        patterns: Mapping[str, npt.NDArray[np.float64]],
        detail: Mapping[str, Any],
        *,
        fit: float,
        margin: float,
    ) -> ExpertVote:
        """The vote for the best pattern; see `emotion.experts.pattern_fit.best_fit`."""
        found = best_fit(measured, patterns, fit=fit, margin=margin)
        told = {**detail, "fits": dict(found.fits)}
        if found.label is None:
            status = ABSTAINED if found.reason == NO_PATTERN else "ambiguous"
            return ExpertVote(label=None, status=status, reason=found.reason, detail=told)
        return self._named(found.label, told)

    def _named(self, own: str, detail: Mapping[str, Any]) -> ExpertVote:
        label = self._given.get(own)
        if label is None:
            return ExpertVote(label=None, status=ABSTAINED, reason=NOT_IN_SET, detail={**detail, "own_label": own})
        return ExpertVote(label=label, detail=detail)
