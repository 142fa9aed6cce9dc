"""What `mmrole judge` reads: responses, the dialogues they were given in, roles, previous information."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from emotion.judging import JudgeMethod, Sample, judge_prompts, samples_of
from emotion.metrics.rc import Aspect
from emotion.playing.wording import language_of
from emotion.response_records import responses_from
from mmrole.core.canonical import Record
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import UsageError
from mmrole.core.languages import LANGUAGES, Language
from mmrole.core.records import JsonLines
from mmrole.core.roles import read_previous, read_roles
from mmrole.jobs.result_folder import file_of, input_records

File = str | os.PathLike[str]
RESPONSES: Final = "responses.jsonl"


@dataclass(frozen=True, kw_only=True)
class JudgeInputs:
    """What is judged.

    Attributes:
        samples: the responses in the order of their file, each with what it is judged against
        language: of the prompts
        format: of the dialogues
        inputs: the records of the files for the manifest
        notes: what has to be said beside the results
    """

    samples: list[Sample]
    language: Language
    format: str
    inputs: dict[str, Record]
    notes: list[str]

    def skipped(self) -> list[Record]:
        """Reason and role -> number of responses that no judge is asked about, for the manifest."""
        found = Counter(
            (each.reason, each.response.role, each.show) for each in self.samples if each.reason is not None
        )
        return [
            {"reason": reason, "role": role, "show": show, "responses": count}
            for (reason, role, show), count in found.items()
        ]

    def prompts(self, aspects: Sequence[Aspect], method: JudgeMethod) -> dict[str, str]:
        """Name -> SHA-256 of the prompts of some aspects."""
        return {
            prompt.name: prompt.sha256 for aspect in aspects for prompt in judge_prompts(aspect, method, self.language)
        }


def read_judge_inputs(
    responses: File,
    dialogues: File,
    roles: File,
    previous: File | None,
    *,
    aspects: Sequence[Aspect],
    lang: Language | None,
    format: str,  # noqa: A002  the word users expect
) -> JudgeInputs:
    """Reads what is judged.

    Args:
        responses: response records, JSONL, or the folder that holds them
        dialogues: the ground truth
        roles: role records, JSONL
        previous: records of previous information, JSONL; None for none
        aspects: that are judged
        lang: of the prompts; that of the dialogues when None
        format: of the dialogues

    Raises:
        InputError: a file that cannot be used, or none of the responses is to a turn of the dialogues; names file, line and value
        UsageError: an unknown language
    """
    if lang is not None and lang not in LANGUAGES:
        raise UsageError(f"the language of the prompts is one of {', '.join(LANGUAGES)}, not {lang!r}")
    path = file_of(responses, RESPONSES, "respond")
    given: dict[str, File | None] = {"responses": path, "dialogues": dialogues, "roles": roles, "previous": previous}
    inputs = input_records(given)
    lines = JsonLines(path, "responses")
    records = responses_from(lines)
    data_set = read_data_set(os.fspath(dialogues), format=format, strict=True)
    known = read_roles(roles)
    before = {} if previous is None else read_previous(previous)
    samples = list(samples_of(records, data_set.dialogues, known, before, place=lines.place))
    return JudgeInputs(
        samples=samples,
        language=lang if lang is not None else language_of(data_set.dialogues),
        format=data_set.format,
        inputs=inputs,
        notes=_notes(samples, aspects, previous),
    )


def _notes(samples: Sequence[Sample], aspects: Sequence[Aspect], previous: File | None) -> list[str]:
    judged = [sample for sample in samples if sample.reason is None]
    notes = []
    of_both = [aspect for aspect in aspects if aspect != "cha"]
    without = sum(sample.previous is None for sample in judged)
    if of_both and judged and without:
        why = "no file of previous information was given" if previous is None else "they have no previous information"
        notes.append(
            f"{without:,} of {len(judged):,} responses are judged for {', '.join(of_both)} against the profile alone: {why}"
        )
    for reason, what in (("no_profile", "their roles have no profile"), ("no_response", "there is no response")):
        count = sum(sample.reason == reason for sample in samples)
        if count:
            notes.append(f"{count:,} of {len(samples):,} responses are not judged: {what}")
    if not judged:
        notes.append("no response can be judged")
    return notes
