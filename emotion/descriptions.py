"""Descriptions of utterances in words: the records of ``descriptions.jsonl``.

A record is ``{"utterance_id", "modality": "face|body|speech|text", "text": str | null, "describer", "reason": str | null}``. A
description that could not be made is there all the same: its text is null and its reason says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, UsageError
from mmrole.core.records import JsonLines, Place, places, validated

MODALITIES: Final = ("face", "body", "speech", "text")
FIELDS: Final = ("utterance_id", "modality", "text", "describer", "reason")


@dataclass(frozen=True, kw_only=True, slots=True)
class Description:
    """One modality of one utterance in words.

    Attributes:
        utterance_id: an utterance of the dialogues
        modality: one of `MODALITIES`
        text: the description; None where there is none
        describer: who wrote it: ``embedded.zh``, the name of a model, ...
        reason: why there is no text (a code, and for people what was wrong); None where there is one
    """

    utterance_id: str
    modality: str
    text: str | None
    describer: str
    reason: str | None

    def to_record(self) -> Record:
        """The description as JSON values."""
        return {name: getattr(self, name) for name in FIELDS}


class _DescriptionRecord(BaseModel):
    model_config = ConfigDict(strict=True)

    utterance_id: str = Field(min_length=1)
    modality: Literal["face", "body", "speech", "text"]
    text: str | None
    describer: str = Field(min_length=1)
    reason: str | None = None


def descriptions_of(
    records: Iterable[Mapping[str, Any] | Description], *, place: Place | None = None
) -> dict[str, dict[str, Description]]:
    """Descriptions by utterance and modality.

    Args:
        records: the records of ``descriptions.jsonl``, such as a `JsonLines`, or objects
        place: from the number of a record to its file and line, for messages

    Returns:
        utterance id -> modality -> description, in the order of the records

    Raises:
        InputError: a field is missing or of another type, a text is blank, there is neither text nor reason or there are
            both, or a modality of an utterance is described twice
        UsageError: `records` is a path or a text
    """
    given: object = records
    if isinstance(given, str | bytes | Path):
        raise UsageError("descriptions have to be records, not a path or a text: read_descriptions reads a file")
    where = place if place is not None else places(records, "description")
    out: dict[str, dict[str, Description]] = {}
    line: dict[tuple[str, str], int] = {}
    for number, record in enumerate(records):
        each = _description(record, number, where)
        key = (each.utterance_id, each.modality)
        if key in line:
            raise InputError(
                f"{where(number)}: {each.modality} of {each.utterance_id!r} is described a second time (by {each.describer!r}); "
                f"the first is {where(line[key])} (by {out[key[0]][key[1]].describer!r}): keep one of them"
            )
        line[key] = number
        out.setdefault(each.utterance_id, {})[each.modality] = each
    return out


def read_descriptions(path: str | Path) -> dict[str, dict[str, Description]]:
    """Descriptions from ``descriptions.jsonl``; see `descriptions_of`.

    Raises:
        InputError: the file cannot be read, holds nothing, or a line is no description; names file and line
    """
    return descriptions_of(JsonLines(path, "descriptions"))


def _description(record: Mapping[str, Any] | Description, number: int, where: Place) -> Description:
    if isinstance(record, Description):
        given: Description | _DescriptionRecord = record
    else:
        given = validated(_DescriptionRecord, record, where(number))
    if given.text is None and not given.reason:
        raise InputError(f"{where(number)}: field text: null without a reason; field reason has to say why")
    if given.text is not None and not given.text.strip():
        raise InputError(
            f"{where(number)}: field text: a description is blank; give null and a reason where there is none"
        )
    if given.text is not None and given.reason is not None:
        raise InputError(
            f"{where(number)}: field reason: a description that is there needs no reason ({given.reason!r})"
        )
    return given if isinstance(given, Description) else Description(**given.model_dump())
