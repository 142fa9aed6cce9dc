"""Responses of an agent as they are stored: one record per turn that it had to produce, whether it did or not.

A record of ``responses.jsonl``::

    {"utterance_id": id of the first utterance of the turn, "dialogue_id", "role", "condition", "agent",
     "utterances": [{"text", "face", "body", "speech"}, ...] or null, "status", "reason"}

The utterances are named ``ID/0``, ``ID/1``, ... by votes. ``utterances`` is null exactly when ``status`` is not ``ok``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines, places, validated

OK: Final = "ok"
PARTS: Final = ("text", "face", "body", "speech")


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentUtterance:
    """One utterance of a response, all of it in words.

    Attributes:
        text: what is said; never blank
        face: facial expression; None where the agent left it out
        body: body movement; None where the agent left it out
        speech: how it is said (pace, pitch, loudness, tone); None where the agent left it out
    """

    text: str
    face: str | None = None
    body: str | None = None
    speech: str | None = None

    def to_record(self) -> dict[str, str | None]:
        """The utterance as JSON values."""
        return {name: getattr(self, name) for name in PARTS}


@dataclass(frozen=True, kw_only=True, slots=True)
class ResponseRecord:
    """What became of one turn that an agent had to produce.

    Attributes:
        utterance_id: id of the first utterance of the turn
        dialogue_id: its dialogue
        role: who is played
        condition: what the agent was told: none, prev, prof or all
        agent: name of the agent
        utterances: one or more; None when there is no response
        status: ``ok``; ``unparsed``, ``ambiguous``, ``refusal``, ``truncated``, ``error`` of a reply; or why the agent was not asked
        reason: for people; None when the status is ``ok``
    """

    utterance_id: str
    dialogue_id: str
    role: str
    condition: str
    agent: str
    utterances: tuple[AgentUtterance, ...] | None
    status: str = OK
    reason: str | None = None

    def utterance_ids(self) -> tuple[str, ...]:
        """Names of the utterances in votes: ``ID/0``, ``ID/1``, ..."""
        return tuple(f"{self.utterance_id}/{number}" for number in range(len(self.utterances or ())))

    def to_record(self) -> Record:
        """The response as JSON values."""
        return {
            "utterance_id": self.utterance_id,
            "dialogue_id": self.dialogue_id,
            "role": self.role,
            "condition": self.condition,
            "agent": self.agent,
            "utterances": None if self.utterances is None else [each.to_record() for each in self.utterances],
            "status": self.status,
            "reason": self.reason,
        }


def agents_of(responses: Iterable[ResponseRecord]) -> str:
    """Whose responses these are, in words: agent and condition."""
    return (
        ", ".join(dict.fromkeys(f"responses of {each.agent} ({each.condition})" for each in responses)) or "responses"
    )


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


def _none_when_blank(text: str | None) -> str | None:
    return text if text is not None and text.strip() else None


Said = Annotated[str, AfterValidator(_not_blank)]
Shown = Annotated[str | None, AfterValidator(_none_when_blank)]


class UtteranceForm(BaseModel):
    """The form of an utterance that comes from outside; fields that are not ours are dropped."""

    model_config = ConfigDict(strict=True)

    text: Said
    face: Shown = None
    body: Shown = None
    speech: Shown = None

    def utterance(self) -> AgentUtterance:
        """The utterance itself."""
        return AgentUtterance(text=self.text, face=self.face, body=self.body, speech=self.speech)


class _ResponseForm(BaseModel):
    model_config = ConfigDict(strict=True)

    utterance_id: str = Field(min_length=1)
    dialogue_id: str
    role: str
    condition: str
    agent: str
    utterances: list[UtteranceForm] | None
    status: str = Field(min_length=1)
    reason: str | None


def read_responses(path: str | Path) -> list[ResponseRecord]:
    """The responses of a file.

    Args:
        path: responses.jsonl

    Raises:
        InputError: it cannot be read, a field is missing or of another type, a turn is there twice, or a record has utterances and a
            status that says that there are none; names file and line
    """
    return responses_from(JsonLines(path, "responses"))


def responses_from(records: Iterable[Mapping[str, Any] | ResponseRecord]) -> list[ResponseRecord]:
    """Responses from their records, or objects as they are.

    Raises:
        InputError: see `read_responses`
    """
    where = places(records, "response")
    out: list[ResponseRecord] = []
    seen: dict[str, int] = {}
    for number, record in enumerate(records):
        response = record if isinstance(record, ResponseRecord) else _response(record, where(number))
        before = seen.setdefault(response.utterance_id, number)
        if before != number:
            raise InputError(
                f"{where(number)}: a second response to the turn {response.utterance_id!r}, the first: {where(before)}; "
                "one file is one agent under one condition"
            )
        out.append(response)
    return out


def _response(record: Mapping[str, Any], place: str) -> ResponseRecord:
    given = validated(_ResponseForm, record, place)
    if (given.status == OK) != bool(given.utterances):
        raise InputError(
            f"{place}: status {given.status!r} with {len(given.utterances or ())} utterances; "
            "a response has one utterance or more exactly when its status is ok"
        )
    if given.status != OK and not given.reason:
        raise InputError(f"{place}: status {given.status!r} without a reason")
    return ResponseRecord(
        utterance_id=given.utterance_id,
        dialogue_id=given.dialogue_id,
        role=given.role,
        condition=given.condition,
        agent=given.agent,
        utterances=tuple(each.utterance() for each in given.utterances) if given.utterances else None,
        status=given.status,
        reason=given.reason,
    )
