"""Experts that are classifiers of text or of sound, through transformers (extra ``local``).

A classifier has labels of its own; the map to those of the run says something of **each** of them, or it is refused. Without a map every
label of the classifier has to be a spelling of one of the run's (``joy`` and ``happy`` in meld-7). The likeliest label of the
classifier decides; one that the map drops gives no vote, never the second likeliest. All scores are kept with the vote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from emotion.experts.expert import ABSENT, ABSTAINED, Case, ExpertVote
from emotion.experts.given_labels import in_order
from emotion.experts.reading import texts_of_stream
from emotion.votes import STREAMS
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set
from mmrole.llm.local import AudioClassifier, Classification, TextClassifier

Hear = Callable[[Path, int], npt.NDArray[np.float32]]
"""File of a clip, rate in Hz -> its sound at that rate, one channel, shape (samples,)."""

RULE: Final = "classifier/likeliest/v1"
DROPPED: Final = "label_without_counterpart"
TIE: Final = "tie"


def total_map(
    own: Sequence[str], labels: LabelSet, label_map: Mapping[str, str] | None, drop: Sequence[str], where: str
) -> dict[str, str | None]:
    """What each label of a classifier means in the run.

    Args:
        own: the classifier's labels
        labels: the run's set
        label_map: label of the classifier -> label of the run; by spelling when None
        drop: labels of the classifier that mean none
        where: the expert, for messages

    Returns:
        label of the classifier -> label of the run, None for a dropped one; in the order of `own`

    Raises:
        UsageError: a label is not mapped, mapped twice or unknown, or nothing is left
    """
    given = dict(label_map or {})
    for name in (*given, *drop):
        if name not in own:
            raise UsageError(f"{where}: its classifier has no label {name!r}; it has {', '.join(own)}")
    if twice := [name for name in drop if name in given]:
        raise UsageError(f"{where}: {twice[0]!r} is both mapped and dropped")
    found: dict[str, str | None] = {}
    for name in own:
        if name in drop:
            found[name] = None
            continue
        target = given.get(name) if label_map is not None else name
        label = None if target is None else labels.resolve(target)
        if label is None:
            said = f"to {target!r}, which is no label of {labels.name}" if name in given else "nowhere"
            raise UsageError(
                f"{where}: {name!r} of its classifier is mapped {said}: give label_map a label of {labels.name} for it, or "
                "name it in drop"
            )
        found[name] = label
    if not any(found.values()):
        raise UsageError(f"{where}: every label of its classifier is dropped")
    return found


class _Classified:
    """What the two experts share: their labels, and from scores to a vote."""

    kind = ""
    baseline = False

    def __init__(
        self,
        classifier: TextClassifier | AudioClassifier,
        *,
        name: str,
        labels: LabelSet | str,
        streams: Sequence[str],
        reads: Sequence[str],
        label_map: Mapping[str, str] | None,
        drop: Sequence[str],
    ) -> None:
        if not streams or any(stream not in reads for stream in streams):
            raise UsageError(f"the expert {name} reads {', '.join(reads)}, not {', '.join(streams) or 'none'}")
        self.name = name
        self.labels = label_set(labels)
        self.streams = tuple(stream for stream in STREAMS if stream in streams)
        self._map = total_map(classifier.labels, self.labels, label_map, drop, f"the expert {name}")
        self._model = classifier

    @cached_property
    def can_give(self) -> tuple[str, ...]:
        """The labels that it is able to give, in the order of the set."""
        return in_order((label for label in self._map.values() if label is not None), self.labels)

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The rule, the model and the map."""
        return MappingProxyType(
            {
                "kind": self.kind,
                "rule": RULE,
                "model": self._model.identity,
                "map": dict(self._map),
                "labels": list(self.labels.labels),
            }
        )

    def _vote(self, found: Classification) -> ExpertVote:
        if not found.scores:
            return ExpertVote(label=None, status=ABSENT, reason=found.reason)
        detail: dict[str, Any] = {"scores": {label: round(share, 4) for label, share in found.scores.items()}}
        if found.truncated:
            detail["truncated"] = True
        most = max(found.scores.values())
        leaders = [label for label, share in found.scores.items() if share == most]
        means = {self._map[label] for label in leaders}
        if len(means) > 1:
            return ExpertVote(label=None, status="ambiguous", reason=TIE, detail=detail)
        [label] = means
        detail["own_label"] = leaders[0]
        if label is None:
            return ExpertVote(label=None, status=ABSTAINED, reason=DROPPED, detail=detail)
        return ExpertVote(label=label, detail=detail)


class TextClassifierExpert(_Classified):
    """Classifies what a stream holds in words: the text, a description, or (``all``) all of them, a line each.

    Args:
        classifier: the model. With a batch of 1 a vote depends on its own text only; larger ones are faster on a GPU, and the
            last decimals of the scores then depend on the neighbours
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: any
        label_map: label of the classifier -> label of the run
        drop: labels of the classifier that have none

    Raises:
        UsageError: an unknown stream, or the map is not total
        ModelFileError: the model cannot be loaded
    """

    kind = "text-classifier"

    def __init__(
        self,
        classifier: TextClassifier,
        *,
        name: str = "text-classifier",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("text",),
        label_map: Mapping[str, str] | None = None,
        drop: Sequence[str] = (),
    ) -> None:
        super().__init__(
            classifier, name=name, labels=labels, streams=streams, reads=STREAMS, label_map=label_map, drop=drop
        )
        self._classifier = classifier

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002  the field's word
        """The vote on one case; equal in every round.

        Args:
            case: its text and descriptions are read
            stream: one of `streams`
            round: pass, from 0
        """
        return self.votes([case], stream, round)[0]

    def votes(self, cases: Sequence[Case], stream: str, round: int) -> list[ExpertVote]:  # noqa: A002, ARG002  as above
        """The votes on several cases, in their order."""
        texts = ["\n".join(texts_of_stream(case, stream)) for case in cases]
        return [self._vote(found) for found in self._classifier.classify(texts)]


class SpeechClassifierExpert(_Classified):
    """Classifies the sound of a clip.

    Args:
        classifier: the model
        hear: gives the sound of a clip's file at the model's rate
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: ``speech`` is all that it hears
        label_map: label of the classifier -> label of the run
        drop: labels of the classifier that have none

    Raises:
        UsageError: another stream, or the map is not total
        ModelFileError: the model cannot be loaded
    """

    kind = "speech-classifier"

    def __init__(
        self,
        classifier: AudioClassifier,
        hear: Hear,
        *,
        name: str = "speech-classifier",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("speech",),
        label_map: Mapping[str, str] | None = None,
        drop: Sequence[str] = (),
    ) -> None:
        super().__init__(
            classifier, name=name, labels=labels, streams=streams, reads=("speech",), label_map=label_map, drop=drop
        )
        self._classifier = classifier
        self._hear = hear

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002, ARG002  equal in every round
        """The vote on one case; equal in every round.

        Args:
            case: its audio is heard
            stream: ``speech``
            round: pass, from 0

        Raises:
            InputError: the file of the clip cannot be read
        """
        if case.audio is None:
            return ExpertVote(label=None, status=ABSENT, reason="no_audio")
        rate_hz = self._classifier.sample_rate_hz
        return self._vote(self._classifier.classify([self._hear(case.audio, rate_hz)], sample_rate_hz=rate_hz)[0])
