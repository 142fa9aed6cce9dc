"""Descriptions by rules: no model is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from emotion.describers import body as body_rules
from emotion.describers import curves
from emotion.describers import embedded as rules
from emotion.describers import face as face_rules
from mmrole.core.canonical import Record, content_key
from mmrole.core.journal import Journal
from mmrole.core.languages import Language
from mmrole.jobs.describe.measures import Absent, Measures
from mmrole.jobs.describe.outcome import DescribeProgress, Told
from mmrole.jobs.describe.units import Unit

JOURNAL: Final = "described.jsonl"
_AT_ONCE: Final = 64
"""So many utterances are stored with one flush to the disk."""
_DEFINITIONS: Final = {"face": face_rules.DEFINITION, "body": body_rules.DEFINITION, "speech": curves.DEFINITION}


def describe_embedded(
    units: Sequence[Unit],
    measures: Measures,
    folder: Path,
    *,
    modalities: Sequence[str],
    language: Language,
    progress: Callable[[DescribeProgress], object] | None,
) -> dict[tuple[str, str], Told]:
    """Describes all utterances; what is stored and unchanged is not made again.

    Args:
        units: the utterances
        measures: their features
        folder: of the results, which holds the journal
        modalities: face, body, speech
        language: of the descriptions
        progress: is told how far it is

    Returns:
        (utterance id, modality) -> what came of it
    """
    told: dict[tuple[str, str], Told] = {}
    total, failed, reused = len(units) * len(modalities), 0, 0
    with Journal(folder / JOURNAL, key="key") as journal:
        for start in range(0, len(units), _AT_ONCE):
            new: list[Record] = []
            for unit in units[start : start + _AT_ONCE]:
                for modality in modalities:
                    each, record = _one(unit, modality, measures, journal, language)
                    told[unit.utterance_id, modality] = each
                    failed, reused = failed + each.failed, reused + each.reused
                    new += [] if record is None else [record]
            if new:
                journal.append_many(new)
            if progress is not None:
                progress(DescribeProgress(total=total, finished=len(told), failed=failed, reused=reused))
    return told


def _one(
    unit: Unit, modality: str, measures: Measures, journal: Journal, language: Language
) -> tuple[Told, Record | None]:
    """What came of one description, and its record where it has to be stored."""
    content = content_key(
        features=measures.files_key(unit, modality),
        definition=[_DEFINITIONS[modality], rules.DEFINITION],
        language=language,
    )
    key = f"{unit.utterance_id}#{modality}"
    before = journal.get(key)
    if before is not None and before["content"] == content and not before["failed"]:
        return Told(text=before["text"], reason=before["reason"], reused=True), None
    said = described(unit, modality, measures, language)
    each = said if isinstance(said, Told) else Told(text=said, reason=None)
    record = {
        "key": key,
        "utterance_id": unit.utterance_id,
        "modality": modality,
        "content": content,
        "text": each.text,
        "reason": each.reason,
        "failed": each.failed,
    }
    return each, record


def described(unit: Unit, modality: str, measures: Measures, language: Language) -> str | Told:
    """The sentence on one modality of an utterance, or why there is none."""
    if modality == "speech":
        speech = measures.speech(unit)
        return Told.absent(speech) if isinstance(speech, Absent) else rules.describe_speech(speech, language)
    if modality == "face":
        face = measures.face(unit)
        if isinstance(face, Absent):
            return Told.absent(face)
        return rules.describe_face(face_rules.summarise_face(face), language)
    body = measures.body(unit)
    if isinstance(body, Absent):
        return Told.absent(body)
    summary = body_rules.summarise_body(body)
    if summary is None:
        return Told(text=None, reason="shoulders_not_seen")
    return rules.describe_body(summary, language)
