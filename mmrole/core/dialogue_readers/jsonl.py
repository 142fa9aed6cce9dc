"""The project's own form of dialogues: JSONL, one dialogue per line.

::

    {"dialogue_id": "d1", "show": "S", "utterances": [
        {"utterance_id": "d1_0", "index": 0, "speaker": "Anna", "text": "Hello.", "emotion": "happy"}, ...]}

Fields are those of `Dialogue` and `Utterance`; what has a default there may be left out. Without `index` the order of
the file is the numbering, and a missing utterance cannot be noticed.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.grouping import DialogueBuilder, Facts
from mmrole.core.dialogue_readers.texts import note_text
from mmrole.core.errors import InputError
from mmrole.core.records import json_object, validated

Box = tuple[float, float, float, float]


class _UtteranceRecord(BaseModel):
    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    utterance_id: str = Field(min_length=1)
    speaker: str = Field(min_length=1)
    text: str
    index: int | None = Field(default=None, ge=0)
    emotion: str | None = None
    sentiment: str | None = None
    gender: str | None = None
    age: str | None = None
    traits: dict[str, str] | None = None
    scene: str | None = None
    dialogue_act: str | None = None
    face_box_px: Box | None = None
    start_s: float | None = None
    end_s: float | None = None


class _DialogueRecord(BaseModel):
    model_config = ConfigDict(extra="allow")

    dialogue_id: str = Field(min_length=1)
    show: str | None = None
    season: str | None = None
    episode: str | None = None
    split: str | None = None
    utterances: list[_UtteranceRecord] = Field(min_length=1)


_FIELDS: Final = tuple(field.name for field in dataclasses.fields(Utterance))


def read_jsonl(data: bytes, source: str, report: DefectReport, builder: DialogueBuilder, *, strict: bool) -> None:
    """Reads dialogues, one per line.

    Args:
        data: clean UTF-8
        source: the file, for messages
        report: gets the defects
        builder: gets the utterances
        strict: a line that is no dialogue is an error; else it is counted and left out

    Raises:
        InputError: a line that is no dialogue (strict), with file, line, field and value
    """
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = f"{source}, line {number}"
        try:
            record = validated(_DialogueRecord, json_object(line, place), place)
        except InputError as error:
            if strict:
                raise
            report.add(DefectKind.BAD_RECORD, f"line {number}", str(error).removeprefix(f"{place}: "))
            continue
        for name in record.model_extra or ():
            report.add(DefectKind.UNKNOWN_COLUMN, f"line {number}", name)
        facts = Facts(show=record.show, season=record.season, episode=record.episode, split=record.split)
        for given in record.utterances:
            builder.add(record.dialogue_id, _utterance(given, report), facts, number)


def _utterance(given: _UtteranceRecord, report: DefectReport) -> Utterance:
    for name in given.model_extra or ():
        report.add(DefectKind.UNKNOWN_COLUMN, given.utterance_id, name)
    note_text(given.text, given.utterance_id, report)
    values: dict[str, Any] = {name: getattr(given, name) for name in _FIELDS}
    box = given.face_box_px
    if box is not None and not (box[0] < box[2] and box[1] < box[3]):
        report.add(DefectKind.INVERTED_FACE_BOX, given.utterance_id, str(list(box)))
        values["face_box_px"] = None
    for name in ("speaker", "emotion", "sentiment"):
        cell = values[name]
        if cell is not None and cell != cell.strip():
            report.add(DefectKind.SPACES_IN_FIELD, given.utterance_id, f"{name} {cell!r}")
            values[name] = cell.strip() or None
    if values["speaker"] is None:
        report.add(DefectKind.EMPTY_FIELD, given.utterance_id, "speaker")
        values["speaker"] = ""
    if not values["emotion"]:
        values["emotion"] = None
        report.add(DefectKind.NO_EMOTION, given.utterance_id)
    return Utterance(**values)


def dialogue_record(dialogue: Dialogue) -> dict[str, Any]:
    """A dialogue as a record of this form; fields without a value are left out."""
    record = {name: getattr(dialogue, name) for name in ("dialogue_id", "show", "season", "episode", "split")}
    record["utterances"] = [
        {name: value for name in _FIELDS if (value := getattr(utterance, name)) is not None}
        for utterance in dialogue.utterances
    ]
    return json.loads(json.dumps({name: value for name, value in record.items() if value is not None}))  # type: ignore[no-any-return]
