"""The trained expert: a text classifier that was trained on labelled dialogues with `mmrole experts train`.

It reads the utterance and the lines before it, nothing else: descriptions, faces and voices do not matter to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from emotion.experts.expert import ABSENT, Case, ExpertVote
from emotion.experts.trained_features import Texts
from emotion.experts.trained_model import TrainedText, read_trained
from emotion.votes import STREAMS
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

RULE: Final = "trained-text/v1"
READS: Final = ("all", "text")


class TrainedExpert:
    """Votes for the likeliest label of a trained text classifier.

    Args:
        model: the file of the expert, or what `read_trained` gave
        name: of the expert in its panel
        labels: label set of the run, or its name; that of the training when None
        streams: ``text``, ``all`` or both; the text is all that it reads of either

    Raises:
        InputError: the file cannot be used
        UsageError: another stream, or it was trained on other labels
    """

    kind = "trained"
    baseline = False

    def __init__(
        self,
        model: TrainedText | str | Path,
        *,
        name: str = "trained",
        labels: LabelSet | str | None = None,
        streams: Sequence[str] = ("text",),
    ) -> None:
        if not streams or any(stream not in READS for stream in streams):
            raise UsageError(f"the expert {name} reads {' and '.join(READS)}, not {', '.join(streams) or 'none'}")
        self.model = model if isinstance(model, TrainedText) else read_trained(model)
        self.name = name
        self.labels = self.model.labels if labels is None else label_set(labels)
        self.streams = tuple(stream for stream in STREAMS if stream in streams)
        if self.labels.labels != self.model.labels.labels:
            raise UsageError(
                f"{self.model.source or name}: was trained on the label set {self.model.labels.name}, the run has "
                f"{self.labels.name}: train one with --labels {self.labels.name}"
            )

    @property
    def can_give(self) -> tuple[str, ...]:
        """The labels of its training data."""
        return self.model.classes

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The rule and the file."""
        return MappingProxyType(
            {"kind": self.kind, "rule": RULE, "model": self.model.sha256, "labels": list(self.labels.labels)}
        )

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002  the field's word
        """The vote on one case; equal in every round.

        Args:
            case: text and history are read; it should have as many lines of history as the training had
            stream: one of `streams`
            round: pass, from 0
        """
        return self.votes([case], stream, round)[0]

    def votes(self, cases: Sequence[Case], stream: str, round: int) -> list[ExpertVote]:  # noqa: A002, ARG002  as above
        """The votes on several cases, in their order, each the same as `vote` gives."""
        found = [ExpertVote(label=None, status=ABSENT, reason="no_text")] * len(cases)
        there = [position for position, case in enumerate(cases) if case.text.strip()]
        if not there:
            return found
        shares = self.model.probabilities([texts_of(cases[position], self.model.context) for position in there])
        for position, row in zip(there, shares, strict=True):
            detail = {"scores": dict(zip(self.can_give, map(_stored, row.tolist()), strict=True))}
            best = np.flatnonzero(row == row.max())
            if len(best) > 1:
                found[position] = ExpertVote(label=None, status="ambiguous", reason="tie", detail=detail)
            else:
                found[position] = ExpertVote(label=self.can_give[int(best[0])], detail=detail)
        return found


def texts_of(case: Case, context: int) -> Texts:
    """Utterance and context of a case, the nearest line first; empty where there is no line."""
    before = [line.text for line in reversed(case.history[-context:])] if context else []
    return (case.text, *before, *[""] * (context - len(before)))


def _stored(share: float) -> float:
    return round(share, 6)
