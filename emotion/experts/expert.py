"""What an expert of emotion recognition is: it sees a case through one stream and gives a vote.

Experts that ask a language model are in `emotion.experts.llm`: they give a request and a reader of the reply. All others compute
their vote and have the methods of `Expert`. MERRY, section on the emotion recognition experts; the streams are ours by its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
import numpy.typing as npt

from mmrole.core.canonical import bytes_sha256, content_key
from mmrole.core.errors import StoreError
from mmrole.core.labels import LabelSet

STATUSES: Final = ("ok", "ambiguous", "unparsed", "refusal", "truncated", "error", "absent", "abstained")
"""What a vote may be; only ``ok`` has a label."""

ABSENT: Final = "absent"
"""Status of a vote on a stream that shows nothing of the utterance; nobody was asked."""

ABSTAINED: Final = "abstained"
"""Status of a vote of an expert that saw the stream and found nothing in it to go by."""

BASELINE_NOTE: Final = "baseline, not for reporting"
"""Stands as ``note`` in every vote of a baseline."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of the dialogue before an utterance.

    Attributes:
        speaker: who says it
        text: what is said
    """

    speaker: str
    text: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One utterance with all that an expert may see of it.

    Attributes:
        utterance_id: an utterance of the dialogues, or ``ID/k`` of an agent's response
        speaker: who says it
        text: what is said; empty where nothing is
        history: the lines before it, the nearest last
        descriptions: modality (``face``, ``body``, ``speech``, ``text``) -> description; what is missing is not there
        undescribed: modality -> why its description is missing, where a describer said so
        blendshapes: means of the 52 blendshapes over the frames with a face, each 0 to 1, shape (52,); None without a face
        blendshape_names: their names, in order, shape (52,)
        prosody: ``rate_z``, ``pitch_z``, ``volume_z`` (float or None) and ``rate_level``, ``pitch_level``, ``volume_level`` (one of
            ``very low`` to ``very high`` or None); None without measured sound
        audio: the clip's file, for experts that listen; None where there is none, or where the clip is a part of it
        audio_sha256: of that file
        damaged: stream -> why what was measured for it cannot be read, where that is so
    """

    utterance_id: str
    speaker: str
    text: str
    history: tuple[Line, ...] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    undescribed: Mapping[str, str] = field(default_factory=dict)
    blendshapes: npt.NDArray[np.float64] | None = None
    blendshape_names: tuple[str, ...] = ()
    prosody: Mapping[str, Any] | None = None
    audio: Path | None = None
    audio_sha256: str | None = None
    damaged: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of all that an expert may see of it."""
        shapes = self.blendshapes
        return content_key(
            speaker=self.speaker,
            text=self.text,
            history=[[line.speaker, line.text] for line in self.history],
            descriptions=dict(self.descriptions),
            blendshapes=None if shapes is None else bytes_sha256(np.ascontiguousarray(shapes).tobytes()),
            blendshape_names=list(self.blendshape_names),
            prosody=None if self.prosody is None else dict(self.prosody),
            audio=self.audio_sha256,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpertVote:
    """What an expert says of one case from one stream in one round.

    Attributes:
        label: a label of the run's set; None where it gives none
        status: one of `STATUSES`: ``ok`` with a label, everything else without
        reason: a short code or line why there is no label, such as ``no_text``, ``no_face``, ``no_prosody``; None with one
        detail: what led to it, JSON values, stored with the vote: matched words, action units, probabilities
    """

    label: str | None
    status: str = "ok"
    reason: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


def require_whole(case: Case, stream: str) -> None:
    """Refuses a case whose measures cannot be read: that is no clip without a face or a voice.

    Raises:
        StoreError: they are damaged; says which file, and what to do
    """
    if stream in case.damaged:
        raise StoreError(case.damaged[stream])


class Expert(Protocol):
    """An expert that computes its votes.

    Attributes:
        name: of the expert in its panel, stored in every vote
        kind: what it is, such as ``lexicon``
        labels: the label set of the run
        can_give: the labels that it is able to give, in the order of the set
        streams: the streams that it is asked about, each one that it can read
        baseline: whether its votes are stamped `BASELINE_NOTE`
        identity: all that decides its votes, JSON values: kind, version of the rule, hashes of its data, settings; part of each
            vote's key and of the manifest
    """

    @property
    def name(self) -> str:
        """See above."""

    @property
    def kind(self) -> str:
        """See above."""

    @property
    def labels(self) -> LabelSet:
        """See above."""

    @property
    def can_give(self) -> tuple[str, ...]:
        """See above."""

    @property
    def streams(self) -> tuple[str, ...]:
        """See above."""

    @property
    def baseline(self) -> bool:
        """See above."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """See above."""

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002  the field's word
        """The vote on one case.

        Args:
            case: what there is
            stream: one of `streams`
            round: pass, from 0

        Raises:
            MMRoleError: this case cannot be worked on; its vote becomes an error, and the next run tries it again
        """


class BatchExpert(Expert, Protocol):
    """An expert that is much faster with many cases at once, such as a network."""

    def votes(self, cases: Sequence[Case], stream: str, round: int) -> Sequence[ExpertVote]:  # noqa: A002  see `Expert.vote`
        """The votes on several cases, in their order; each the same as `vote` gives."""


def votes_on(
    expert: Expert,
    cases: Sequence[Case],
    stream: str,
    round: int,  # noqa: A002  see `Expert.vote`
) -> Sequence[ExpertVote]:
    """The votes of an expert, in the order of the cases, all at once where it can."""
    if hasattr(expert, "votes"):
        return cast(BatchExpert, expert).votes(cases, stream, round)
    return [expert.vote(case, stream, round) for case in cases]
