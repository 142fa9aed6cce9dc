"""`mmrole compare`: folders of scores side by side, and paired differences on the items that they have in common."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from emotion.compare import judgement_differences, response_differences
from emotion.corpus import Corpus, corpus_of
from emotion.metrics.rc import ASPECTS, Aspect
from emotion.recognition import Predictions, predictions_of_records
from emotion.recognition_differences import recognition_differences
from emotion.responses import Responses, responses_of
from emotion.score_folder import JUDGED, LABELS, ScoreFolder, read_score_folder
from emotion.votes import counts_of_labels
from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import file_sha256
from mmrole.core.dialogue_readers import read_dialogues
from mmrole.core.errors import InputError, UsageError
from mmrole.core.scores import Score
from mmrole.jobs.compare_decisions import compared_decisions, holds_decisions
from mmrole.jobs.compare_rolecde import compared_role_decisions, holds_role_decisions
from mmrole.jobs.comparison_folder import write_comparison
from mmrole.jobs.comparison_tables import Comparison, Pair, Run, pair_numbers
from mmrole.jobs.interval_notes import interval_notes
from mmrole.jobs.labels import map_of_record
from mmrole.jobs.result_folder import result_folder
from mmrole.jobs.run_names import run_names

File = str | os.PathLike[str]

_OF_BENCHMARKS: Final = ((holds_decisions, compared_decisions), (holds_role_decisions, compared_role_decisions))
"""Which folders are of a benchmark, and what compares them."""

_MUST_AGREE: Final = ("options", "truth_map", "target", "level", "without")
"""Settings that decide the scores, beside the label set."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CompareRun:
    """What `compare` did.

    Attributes:
        out: the folder
        comparison: scores and differences
        notes: what has to be said beside them
    """

    out: Path
    comparison: Comparison
    notes: list[str]


def compare(
    folders: Sequence[File],
    *,
    out: File,
    names: Sequence[str] | None = None,
    dialogues: File | None = None,
    all_pairs: bool = False,
    bootstrap: int = 1000,
    seed: int = 0,
) -> CompareRun:
    """Compares folders of scores, each one agent under one condition, and fills a folder with tables.

    Args:
        folders: two or more that `mmrole score`, or all that `mmrole erc` filled; or any that `mmrole bench lifechoice score` filled,
            whose methods are the runs, or that `mmrole bench rolecde score` filled, whose judges are
        out: gets table.md, table.tex, table.csv and differences.jsonl
        names: of the runs in the tables; the names of their folders when None
        dialogues: the ground truth, where it is no longer where it was scored
        all_pairs: differences of every two runs, and not only of each from the first
        bootstrap: draws of the intervals of differences; 0 for none
        seed: of the draws

    Raises:
        StoreError: a folder holds no finished scores
        InputError: the runs are of different data or options
        UsageError: fewer than two folders, names that do not fit, a folder with other results
    """
    require_draws(bootstrap, name="--bootstrap")
    compared = next((found for holds, found in _OF_BENCHMARKS if any(map(holds, folders))), None)
    if len(folders) < 2 and compared is None:
        raise UsageError("a comparison needs two folders or more")
    if Path(out).resolve() in {Path(folder).resolve() for folder in folders}:
        raise UsageError(f"{out} is one of the folders that are compared: choose another folder for --out")
    if compared is not None:
        with result_folder(out, "compare") as folder:
            comparison, runs = compared(folders, names, all_pairs=all_pairs, bootstrap=bootstrap, seed=seed)
            notes = list(_of_intervals(comparison))
            write_comparison(folder, comparison, notes, runs=runs, all_pairs=all_pairs)
        return CompareRun(out=folder, comparison=comparison, notes=notes)
    found = [read_score_folder(Path(folder)) for folder in folders]
    called = run_names([run.folder for run in found], names)
    _check_same(found)
    numbers = pair_numbers(len(found), all_pairs=all_pairs)
    with result_folder(out, "compare") as folder:
        if found[0].command == "erc":
            pairs = _of_recognisers(found, numbers, bootstrap=bootstrap, seed=seed)
        else:
            pairs = _of_agents(found, numbers, dialogues, bootstrap=bootstrap, seed=seed)
        notes = _notes(found, called)
        comparison = Comparison(
            runs=[
                Run(name=name, scores=run.scores, coverage=run.manifest.get("coverage", {}))
                for name, run in zip(called, found, strict=True)
            ],
            pairs=[Pair(first=called[a], second=called[b], scores=rows) for (a, b), rows in pairs.items()],
            bootstrap=bootstrap,
            seed=seed,
        )
        runs = [
            {"name": name, "folder": str(run.folder.absolute()), "files": run.manifest["files"]}
            for name, run in zip(called, found, strict=True)
        ]
        write_comparison(folder, comparison, notes, runs=runs, all_pairs=all_pairs)
    return CompareRun(out=folder, comparison=comparison, notes=notes)


def _check_same(found: Sequence[ScoreFolder]) -> None:
    """Whether the runs can be compared: one kind of scores, one label set, the same options and dialogues."""
    first = found[0]
    for other in found[1:]:
        both = f"{first.folder} and {other.folder}"
        if other.command != first.command:
            raise InputError(
                f"{both} hold results of mmrole {first.command} and mmrole {other.command}: compare one kind"
            )
        if other.labels.labels != first.labels.labels or other.labels.sentiments != first.labels.sentiments:
            raise InputError(f"{both} were scored with the label sets {first.labels.name} and {other.labels.name}")
        for key in _MUST_AGREE:
            one, two = first.settings.get(key), other.settings.get(key)
            if isinstance(one, dict) and isinstance(two, dict):
                key = next((name for name in one if one[name] != two.get(name)), key)
                one, two = one.get(key), two.get(key)
            if one != two:
                raise InputError(f"{both} were scored with different options: {key} {one} and {two}; score them alike")
        files = [run.manifest["inputs"]["dialogues"] for run in (first, other)]
        if files[0]["sha256"] != files[1]["sha256"]:
            raise InputError(
                f"{both} were scored on different dialogues: {files[0]['path']} and {files[1]['path']} differ; "
                "score both on one file"
            )


def _of_recognisers(
    found: Sequence[ScoreFolder], numbers: Sequence[tuple[int, int]], *, bootstrap: int, seed: int
) -> dict[tuple[int, int], list[Score]]:
    settings = found[0].settings
    options = {"level": settings["level"], "without": settings["without"], "bootstrap": bootstrap, "seed": seed}
    runs: list[Predictions] = [predictions_of_records(run.records(LABELS), run.labels) for run in found]
    if runs[0].labels.at(options["level"]) is None:  # its scores are undefined in every run
        return {pair: [] for pair in numbers}
    return {(a, b): recognition_differences(runs[a], runs[b], **options) for a, b in numbers}


def _of_agents(
    found: Sequence[ScoreFolder],
    numbers: Sequence[tuple[int, int]],
    dialogues: File | None,
    *,
    bootstrap: int,
    seed: int,
) -> dict[tuple[int, int], list[Score]]:
    options = found[0].options
    corpus = _corpus(found, dialogues)
    runs: list[Responses] = [
        responses_of(
            corpus,
            counts_of_labels(run.records(LABELS), run.labels),
            threshold=options.threshold,
            min_valid=options.min_valid,
        )
        for run in found
    ]
    judged = [_judged(run) for run in found]
    clusters = corpus.dialogue_of_turns() if any(judged) else {}
    draws: dict[str, int] = {"bootstrap": bootstrap, "seed": seed}
    return {
        (a, b): [
            *response_differences(runs[a], runs[b], options, **draws),
            *judgement_differences(judged[a], judged[b], clusters, method=options.rc_method, **draws),
        ]
        for a, b in numbers
    }


def _corpus(found: Sequence[ScoreFolder], dialogues: File | None) -> Corpus:
    """The ground truth that all runs were scored on, which has to be the very file."""
    wanted = found[0].manifest["inputs"]["dialogues"]
    places = (
        [Path(dialogues)] if dialogues is not None else [Path(r.manifest["inputs"]["dialogues"]["path"]) for r in found]
    )
    for place in places:
        if not place.is_file():
            continue
        if file_sha256(place) == wanted["sha256"]:
            break
        if dialogues is not None:
            raise InputError(f"{place} is another file than the {wanted['name']} that the runs were scored on")
    else:
        if dialogues is not None:
            raise InputError(f"{dialogues}: there is no such file")
        raise InputError(
            f"{wanted['path']}, the dialogues that the runs were scored on, is not there or has changed: "
            "say with --dialogues where the file is"
        )
    settings, options = found[0].settings, found[0].options
    mapping: dict[str, Any] | None = settings["truth_map"]
    return corpus_of(
        read_dialogues(place, format=settings["format"]),
        found[0].labels,
        truth_map=None if mapping is None else map_of_record(mapping),
        two_speakers_only=options.two_speakers_only,
        nobody=options.nobody,
    )


def _judged(run: ScoreFolder) -> dict[Aspect, dict[str, float | None]]:
    """Aspect -> score of each sample; empty for a run without judgements."""
    out: dict[Aspect, dict[str, float | None]] = {}
    if JUDGED in run.manifest["files"]:
        records = run.records(JUDGED)
        for number, record in enumerate(records):
            if record.get("aspect") not in ASPECTS:
                raise InputError(f"{records.place(number)}: no judged sample")
            out.setdefault(record["aspect"], {})[record["utterance_id"]] = record["score"]
    return out


def _of_intervals(comparison: Comparison) -> Iterator[str]:
    scores = [score for pair in comparison.pairs for score in pair.scores]
    drawn = [count for score in scores if (count := score.details.get(comparison.drawn)) is not None]
    return interval_notes(scores, min(drawn, default=0), drawn=comparison.drawn)


def _notes(found: Sequence[ScoreFolder], names: Sequence[str]) -> list[str]:
    """What the runs say of themselves, and scores whose definitions differ although the options do not."""
    notes = [
        f"{name}: {note}" for name, run in zip(names, found, strict=True) for note in run.manifest.get("notes", [])
    ]
    experts = {name: sorted(run.manifest.get("experts", ())) for name, run in zip(names, found, strict=True)}
    if len(set(map(tuple, experts.values()))) > 1:
        panels = "; ".join(f"{name} by {', '.join(voted) or 'unknown'}" for name, voted in experts.items())
        notes.append(f"the runs were not voted on by the same experts, which alone makes them differ: {panels}")
    defined: dict[tuple[str, str, str], set[str]] = {}
    for run in found:
        for score in run.scores:
            key = (score.metric, score.part, score.definition.split(" ")[0])
            defined.setdefault(key, set()).add(score.definition)
    notes += [
        f"{metric} {part} is not the same in all runs: {'; '.join(sorted(texts))}"
        for (metric, part, _), texts in defined.items()
        if len(texts) > 1
    ]
    return notes
