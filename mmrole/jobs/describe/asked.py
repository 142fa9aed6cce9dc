"""Descriptions by a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from emotion.describers.body import summarise_body
from emotion.describers.face import summarise_face
from emotion.describers.reading import parse_of
from emotion.describers.requests import Asked, ask_by_pictures, ask_in_words, ask_speech
from emotion.describers.summaries import body_lines, face_lines
from mmrole.core.canonical import Record
from mmrole.core.languages import Language
from mmrole.jobs.describe.measures import Absent, Measures
from mmrole.jobs.describe.outcome import DescribeProgress, Told
from mmrole.jobs.describe.portraits import Portraits
from mmrole.jobs.describe.units import Unit
from mmrole.llm import BatchItem, BatchProgress, BatchResult, Estimate, Repair, batch_journal, estimate_batch, run_batch
from mmrole.llm.items import OK, record_key
from mmrole.llm.stage import Asking
from textbench.benchmark import opened_journal

JOURNAL: Final = "replies.jsonl"


@dataclass(frozen=True, kw_only=True)
class Questions:
    """What a model is asked about the utterances.

    Attributes:
        units: the utterances
        measures: their features
        modalities: face, body, speech
        language: of prompts and descriptions
        vision: face and body by pictures, else by measures in words
        portraits: pictures of the roles, None for none
        absent: what cannot be asked about, filled while the items are read
    """

    units: Sequence[Unit]
    measures: Measures
    modalities: Sequence[str]
    language: Language
    vision: bool
    portraits: Portraits | None
    absent: dict[tuple[str, str], Told] = field(default_factory=dict)

    def items(self) -> Iterator[BatchItem]:
        """One item for each description that can be asked for."""
        for unit in self.units:
            for modality in self.modalities:
                asked = self._ask(unit, modality)
                if isinstance(asked, Absent):
                    self.absent[unit.utterance_id, modality] = Told.absent(asked)
                    continue
                yield BatchItem(
                    item_id=item_id(unit, modality),
                    request=asked.request,
                    fields={
                        "utterance_id": unit.utterance_id,
                        "modality": modality,
                        "prompts": {asked.prompt.name: asked.prompt.sha256},
                    },
                )

    def _ask(self, unit: Unit, modality: str) -> Asked | Absent:
        if modality == "speech":
            speech = self.measures.speech(unit)
            return speech if isinstance(speech, Absent) else ask_speech(speech, self.language)
        if self.vision:
            pictures = self.measures.pictures(unit, modality)
            if isinstance(pictures, Absent):
                return pictures
            portrait = None if self.portraits is None else self.portraits.of(unit)
            return ask_by_pictures(modality, pictures, portrait, self.language)
        lines = self._face_lines(unit) if modality == "face" else self._body_lines(unit)
        if isinstance(lines, Absent):
            return lines
        return ask_in_words(modality, lines, self.measures.duration_s(unit), self.language)

    def _face_lines(self, unit: Unit) -> str | Absent:
        face = self.measures.face(unit)
        return face if isinstance(face, Absent) else face_lines(summarise_face(face), self.language)

    def _body_lines(self, unit: Unit) -> str | Absent:
        body = self.measures.body(unit)
        if isinstance(body, Absent):
            return body
        summary = summarise_body(body)
        return Absent(reason="shoulders_not_seen") if summary is None else body_lines(summary, self.language)


def item_id(unit: Unit, modality: str) -> str:
    """The id of an item in the journal of replies."""
    return f"{unit.utterance_id}#{modality}"


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What came of asking a model.

    Attributes:
        batch: the counts of the calls
        told: (utterance id, modality) -> what came of it; without what was not asked because the run ended early
    """

    batch: BatchResult
    told: dict[tuple[str, str], Told]


def ask_model(
    questions: Questions, asking: Asking, folder: Path, *, progress: Callable[[DescribeProgress], object] | None
) -> Answers:
    """Asks the model for every description that is not stored.

    Args:
        questions: what is asked
        asking: how
        folder: of the results, which holds the journal
        progress: is told how far it is
    """
    total = len(questions.units) * len(questions.modalities)

    def tell(state: BatchProgress) -> None:
        if progress is not None:
            finished = state.finished + len(questions.absent)
            progress(DescribeProgress(total=total, finished=finished, failed=state.failed, reused=state.reused))

    with batch_journal(folder / JOURNAL) as journal:
        before = {record["key"]: record for record in journal.records()}
        batch = run_batch(
            questions.items(),
            asking.model,
            journal,
            parse=parse_of(questions.language),
            repair=Repair(),
            cache=asking.cache,
            prices=asking.prices,
            max_cost=asking.max_cost,
            total=total,
            progress=tell,
        )
        told = dict(questions.absent)
        if batch.stopped is None:
            for unit in questions.units:
                for modality in questions.modalities:
                    if (unit.utterance_id, modality) not in told:
                        record = journal.get(record_key(item_id(unit, modality), 0))
                        if record is not None:
                            reused = record is before.get(record["key"])
                            told[unit.utterance_id, modality] = _told(record, reused=reused)
    return Answers(batch=batch, told=told)


def estimate_model(questions: Questions, asking: Asking, folder: Path) -> Estimate:
    """What `ask_model` would take; asks nothing. Repair requests come on top."""
    with opened_journal(folder / JOURNAL) as journal:
        return estimate_batch(
            questions.items(),
            asking.model,
            journal,
            parse=parse_of(questions.language),
            repair=Repair(),
            cache=asking.cache,
            prices=asking.prices,
        )


def _told(record: Record, *, reused: bool) -> Told:
    if record["status"] == OK:
        return Told(text=record["value"], reason=None, reused=reused)
    why = ": ".join(str(part) for part in (record["status"], record["rule"], record["reason"]) if part)
    return Told(text=None, reason=why, failed=True, reused=reused)
