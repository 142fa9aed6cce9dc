"""What is voted on, read from the files that were given."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from emotion.descriptions import read_descriptions
from emotion.experts.cases import Cases, ClipCases, ResponseCases, utterance_ids
from emotion.experts.measured import ClipFeatures
from emotion.experts.panel import Panel
from emotion.playing.wording import language_of
from emotion.response_records import agents_of, read_responses
from mmrole.core.canonical import Record
from mmrole.core.counting import counted
from mmrole.core.dialogue import Dialogue
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import InputError, UsageError
from mmrole.core.features import JOURNAL
from mmrole.core.labels import LabelSet, label_set
from mmrole.core.languages import Language
from mmrole.jobs.labels import find_label_set
from mmrole.jobs.result_folder import file_of, input_record, input_records
from mmrole.jobs.truth import DEFAULT_LABELS

File = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class Electorate:
    """What is voted on.

    Attributes:
        cases: the utterances
        labels: the label set
        format: of the dialogues
        language: of the prompts
        inputs: the files, for the manifest
        of: whose utterances they are, in words
        ids: of the utterances of the dialogues
        without: status -> responses that have no utterance
        notes: what has to be said beside the votes
    """

    cases: Cases
    labels: LabelSet
    format: str
    language: Language
    inputs: dict[str, Record]
    of: str
    ids: frozenset[str]
    without: Counter[str]
    notes: list[str]


def read_electorate(
    dialogues: File,
    panel: Panel,
    *,
    descriptions: File | None,
    responses: File | None,
    features: File | None,
    format: str,  # noqa: A002  the word users expect
    labels: str | None,
    language: Language | None,
    history: int,
) -> Electorate:
    """Reads what is voted on; see `mmrole.jobs.recognize.run.recognize` for the arguments.

    Raises:
        InputError: a file that cannot be used
        StoreError: no finished features folder
        UsageError: options that make no sense together
    """
    for name, given in (("--descriptions", descriptions), ("--features", features)):
        if responses is not None and given is not None:
            raise UsageError(
                f"{name} is about the clips of the dialogues, --responses about what an agent said in their place: give one of them"
            )
    responses = None if responses is None else file_of(responses, "responses.jsonl", "respond")
    descriptions = None if descriptions is None else file_of(descriptions, "descriptions.jsonl", "describe")
    inputs = input_records(
        {"dialogues": dialogues, "descriptions": descriptions, "responses": responses, "panel": panel.path}
    )
    data_set = read_data_set(os.fspath(dialogues), format=format, strict=True)
    chosen = find_label_set(labels) if labels is not None else label_set(data_set.labels or DEFAULT_LABELS)
    notes: list[str] = []
    without: Counter[str] = Counter()
    cases: Cases
    of = "clips"
    if responses is not None:
        given_responses = read_responses(os.fspath(responses))
        of = agents_of(given_responses)
        try:
            of_responses = ResponseCases(data_set.dialogues, given_responses, history=history)
        except InputError as error:
            raise InputError(
                str(error) if str(error).startswith(os.fspath(responses)) else f"{responses}: {error}"
            ) from None
        cases, without = of_responses, of_responses.without
    else:
        of_clips = _clips(data_set.dialogues, panel, descriptions, features, history)
        cases = of_clips
        notes += _clip_notes(of_clips, descriptions)
        if features is not None:
            inputs["features"] = input_record(Path(features) / JOURNAL)
    return Electorate(
        cases=cases,
        labels=chosen,
        format=data_set.format,
        language=language or language_of(data_set.dialogues),
        inputs=inputs,
        of=of,
        ids=frozenset(utterance_ids(data_set.dialogues)),
        without=without,
        notes=notes,
    )


def _clips(
    dialogues: list[Dialogue], panel: Panel, descriptions: File | None, features: File | None, history: int
) -> ClipCases:
    described = None if descriptions is None else read_descriptions(os.fspath(descriptions))
    measured = None
    if features is not None:
        kinds = {entry.kind for entry in panel.entries}
        measured = ClipFeatures(
            features,
            utterance_ids(dialogues),
            faces="facial-action" in kinds,
            sound="speech-classifier" in kinds,
        )
        if not measured.clips and not measured.strangers:
            raise InputError(f"{features} holds no clip: there is nothing to vote on")
        if not measured.clips:
            raise InputError(
                f"{features}: no clip is named after an utterance of the dialogues: the clips are {measured.strangers[0]!r}, ..., the "
                f"utterances {dialogues[0].utterances[0].utterance_id!r}, ..."
            )
    try:
        return ClipCases(dialogues, descriptions=described, features=measured, history=history)
    except InputError as error:
        raise InputError(f"{descriptions}: {error}") from None


def _clip_notes(cases: ClipCases, descriptions: File | None) -> list[str]:
    notes = []
    if descriptions is not None and cases.undescribed:
        notes.append(f"{cases.undescribed:,} of {len(cases):,} utterances have no record of a description")
    if cases.strangers:
        many = len(cases.strangers)
        notes.append(
            f"the descriptions of {counted(many, 'utterance')} in no dialogue, such as {cases.strangers[0]!r}, are not used"
        )
    if cases.without_clip:
        notes.append(f"{cases.without_clip:,} of {len(cases):,} utterances have no clip in the features")
    return notes
