"""What experts vote on: the utterances of dialogues with what is known of their clips, or the utterances of an agent's responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Protocol

from emotion.descriptions import Description
from emotion.experts.expert import Case, Line
from emotion.experts.measured import ClipFeatures, Measured
from emotion.response_records import ResponseRecord
from mmrole.core.dialogue import Dialogue, Turn
from mmrole.core.errors import InputError, UsageError

DEFAULT_HISTORY: Final = 20
"""So many lines before an utterance are shown: a dialogue of CPED has ten on average, and a bound keeps long ones affordable."""

_DESCRIBED: Final = ("face", "body", "speech")


class Cases(Protocol):
    """Cases in a fixed order; each iteration makes them anew, so that a million of them need no memory."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Case]: ...


class ClipCases:
    """The utterances of dialogues, in their order.

    Args:
        dialogues: the dialogues
        descriptions: utterance id -> modality -> description (see `emotion.descriptions`)
        features: what was measured of their clips
        history: lines before an utterance that are shown

    Attributes:
        undescribed: utterances without any record of a description
        strangers: described utterances that are in no dialogue
        without_clip: utterances that have no clip in the features; 0 without features

    Raises:
        InputError: descriptions, but none of an utterance of the dialogues; an utterance id that is there twice
        UsageError: a history that makes no sense
    """

    def __init__(
        self,
        dialogues: Sequence[Dialogue],
        *,
        descriptions: Mapping[str, Mapping[str, Description]] | None = None,
        features: ClipFeatures | None = None,
        history: int = DEFAULT_HISTORY,
    ) -> None:
        self._dialogues = dialogues
        self._descriptions = descriptions or {}
        self._features = features
        self._history = checked_history(history)
        ids = utterance_ids(dialogues)
        self._size = len(ids)
        self.strangers = [name for name in self._descriptions if name not in ids]
        if self._descriptions and len(self.strangers) == len(self._descriptions):
            raise InputError(
                f"no description is of an utterance of the dialogues: the descriptions are of {self.strangers[0]!r}, ..., "
                f"the dialogues have {next(iter(ids), None)!r}, ..."
            )
        self.without_clip = 0 if features is None else self._size - len(features.clips)
        self.undescribed = self._size - (len(self._descriptions) - len(self.strangers))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Case]:
        for dialogue in self._dialogues:
            lines = [Line(speaker=each.speaker, text=each.text) for each in dialogue.utterances]
            for position, utterance in enumerate(dialogue.utterances):
                described = self._descriptions.get(utterance.utterance_id, {})
                measured = Measured() if self._features is None else self._features.of(utterance.utterance_id)
                yield Case(
                    utterance_id=utterance.utterance_id,
                    speaker=utterance.speaker,
                    text=utterance.text,
                    history=tuple(lines[max(0, position - self._history) : position]),
                    descriptions={name: each.text for name, each in described.items() if each.text is not None},
                    undescribed={name: each.reason or "" for name, each in described.items() if each.text is None},
                    blendshapes=measured.blendshapes,
                    blendshape_names=measured.blendshape_names,
                    prosody=measured.prosody,
                    audio=measured.audio,
                    audio_sha256=measured.audio_sha256,
                    damaged=measured.damaged,
                )


class ResponseCases:
    """The utterances of an agent's responses, ``ID/0``, ``ID/1``, ..., in the order of the responses.

    The lines before one are the ground truth before its turn, and the earlier utterances of the same response.

    Args:
        dialogues: the ground truth
        responses: what the agent gave (see `emotion.response_records`)
        history: lines before an utterance that are shown

    Attributes:
        without: status -> number of responses that have no utterance to vote on

    Raises:
        InputError: a response to a turn that is not there, or by another role
        UsageError: a history that makes no sense
    """

    def __init__(
        self, dialogues: Sequence[Dialogue], responses: Sequence[ResponseRecord], *, history: int = DEFAULT_HISTORY
    ) -> None:
        self._responses = responses
        self._history = checked_history(history)
        self._turns = _turns_by_id(dialogues)
        for response in responses:
            place = self._turns.get(response.utterance_id)
            if place is None:
                raise InputError(
                    f"the response to {response.utterance_id!r}: no turn of the dialogues starts with that id"
                )
            role = place[1].role
            if response.role != role:
                raise InputError(
                    f"the response to {response.utterance_id!r} is by {response.role!r}, but the turn is by {role!r}: "
                    "are these the dialogues that it was made for?"
                )
        self.without = Counter(response.status for response in responses if not response.utterances)
        self._size = sum(len(response.utterances or ()) for response in responses)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Case]:
        for response in self._responses:
            said = response.utterances or ()
            dialogue, _, before = self._turns[response.utterance_id]
            own = [Line(speaker=response.role, text=each.text) for each in said]
            context = [
                Line(speaker=each.speaker, text=each.text)
                for each in islice(dialogue.utterances, max(0, before - self._history), before)
            ]
            for position, utterance in enumerate(said):
                lines = [*context, *own[:position]]
                given = {name: getattr(utterance, name) for name in _DESCRIBED}
                yield Case(
                    utterance_id=f"{response.utterance_id}/{position}",
                    speaker=response.role,
                    text=utterance.text,
                    history=tuple(lines[max(0, len(lines) - self._history) :]),
                    descriptions={name: text for name, text in given.items() if text},
                )


def checked_history(history: int) -> int:
    """The number of lines, when it is one.

    Raises:
        UsageError: it is negative
    """
    if history < 0:
        raise UsageError(f"a history of {history} lines makes no sense: give 0 or more")
    return history


def utterance_ids(dialogues: Sequence[Dialogue]) -> set[str]:
    """Ids of all utterances.

    Raises:
        InputError: one is there twice
    """
    ids: set[str] = set()
    for dialogue in dialogues:
        for utterance in dialogue.utterances:
            if utterance.utterance_id in ids:
                raise InputError(f"utterance id {utterance.utterance_id!r} is there twice in the dialogues")
            ids.add(utterance.utterance_id)
    return ids


def _turns_by_id(dialogues: Sequence[Dialogue]) -> dict[str, tuple[Dialogue, Turn, int]]:
    """Id of a turn's first utterance -> its dialogue, the turn, and the number of utterances before it."""
    out: dict[str, tuple[Dialogue, Turn, int]] = {}
    for dialogue in dialogues:
        before = 0
        for turn in dialogue.turns:
            out[turn.turn_id] = dialogue, turn, before
            before += len(turn.utterances)
    return out
