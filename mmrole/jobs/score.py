"""`mmrole score`: from files of dialogues and votes to a folder of scores, one agent under one condition."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emotion.evaluate import score_with
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.score_folder import PAGE, write_page, write_report
from mmrole.core.bootstrap import require_draws
from mmrole.core.manifest import Manifest
from mmrole.jobs.interval_notes import interval_notes
from mmrole.jobs.labels import map_record
from mmrole.jobs.result_folder import check_counts, file_of, input_records, result_folder, seal, unseal
from mmrole.jobs.score_page import score_page
from mmrole.jobs.truth import read_truth
from mmrole.jobs.voted_responses import check_same_responses
from mmrole.jobs.voters import CountedVotes, Electors

File = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreRun:
    """What `score_files` did.

    Attributes:
        out: the folder
        report: the scores
        counts: inputs = done + failed + skipped, of voted utterances
        notes: what has to be said beside the scores
    """

    out: Path
    report: ScoreReport
    counts: dict[str, int]
    notes: list[str]


def score_files(
    dialogues: File,
    votes: File,
    *,
    out: File,
    responses: File | None = None,
    judgements: File | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    truth_map: str | None = None,
    experts: Sequence[str] = (),
    baselines: bool = True,
    options: ScoreOptions = ScoreOptions(),  # noqa: B008  frozen
    bootstrap: int = 1000,
    seed: int = 0,
) -> ScoreRun:
    """Scores the votes on an agent's responses and fills a folder (see `emotion.score_folder`).

    Args:
        dialogues: the ground truth: CPED, MELD or the project's JSONL
        votes: vote records, JSONL (see `emotion.votes`), or the folder of `mmrole recognize`, as in the two that follow
        out: the folder
        responses: response records, JSONL, to count those that nobody voted on
        judgements: judgement records, JSONL, for role consistency
        format: of the dialogues; ``auto`` tells it from the file
        labels: name or TOML file of the label set; that of the format, else cped-13, when None
        truth_map: name or TOML file of a label map, from the labels of the dialogues to those of the scores
        experts: take only the votes of these experts; of all when empty
        baselines: take the votes of baselines as well
        options: what else decides the scores
        bootstrap: draws of the intervals; 0 for none
        seed: of the draws

    Raises:
        InputError: a file that cannot be used, or files that are not of the same responses; names file, line and value
        UsageError: an option that makes no sense, or a folder with other results
        LockedError: another run is working on the folder
        DiskError: the folder cannot be written
    """
    require_draws(bootstrap, name="--bootstrap")
    votes = file_of(votes, "votes.jsonl", "recognize")
    responses = None if responses is None else file_of(responses, "responses.jsonl", "respond")
    judgements = None if judgements is None else file_of(judgements, "judgements.jsonl", "judge")
    given: dict[str, File | None] = {
        "dialogues": dialogues, "votes": votes, "responses": responses, "judgements": judgements,
    }  # fmt: skip
    with result_folder(out, "score") as folder:
        inputs = input_records(given)
        check_same_responses(inputs)
        electors = Electors(experts=tuple(dict.fromkeys(experts)), baselines=baselines)
        cast = CountedVotes(votes, electors)
        truth = read_truth(dialogues, format=format, labels=labels, truth_map=truth_map)
        report = score_with(
            options,
            truth.dialogues,
            cast,
            responses,
            judgements,
            bootstrap=bootstrap,
            seed=seed,
            labels=truth.labels,
            truth_map=truth.truth_map,
        )
        counts = check_counts(len(report.responses.counts.utterances), len(report.responses.owner))
        drawn = len(set(report.responses.dialogue.tolist()))
        notes = [*truth.notes, *_notes(report), *cast.notes, *interval_notes(report.scores, drawn)]
        manifest = Manifest(
            command="score",
            settings={
                "format": truth.format,
                "labels": truth.labels.to_record(),
                "truth_map": None if truth.truth_map is None else map_record(truth.truth_map),
                "options": report.options.to_record(),
                "votes_of": electors.to_record(),
                "bootstrap": bootstrap,
                "seed": seed,
            },
            counts=counts,
            skipped=_skipped(report),
            extra={"inputs": inputs, "experts": dict(cast.experts), "coverage": report.coverage(), "notes": notes},
        )
        unseal(folder)
        names = write_report(report, folder)
        write_page(folder, score_page(report, inputs, notes, experts=cast.experts))
        seal(folder, manifest, [*names, PAGE])
    return ScoreRun(out=folder, report=report, counts=counts, notes=notes)


def _skipped(report: ScoreReport) -> list[dict[str, Any]]:
    left_out = report.responses.left_out_utterances
    return [{"reason": reason, "utterances": count} for reason, count in left_out.items() if count]


def _notes(report: ScoreReport) -> list[str]:
    counts = report.responses.counts
    notes = []
    if not len(report.responses.turn):
        notes.append("no vote is on a response that is scored: see what was left out")
    if counts.replaced:
        notes.append(
            f"{counts.replaced:,} votes without a label were replaced by a later vote of the same expert and round"
        )
    if report.responses.fused_from == "pooled":
        notes.append("there are no votes of the stream all: the votes of all streams of an utterance were put together")
    invalid = int(counts.invalid.sum())
    if invalid:
        notes.append(
            f"{invalid:,} of {int(counts.cast.sum()):,} votes are for a label that is not in {counts.labels.name}"
        )
    return notes
