"""Runs of LIFECHOICE side by side: every method of every folder, with paired differences on the decisions that both answered."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from mmrole.core.bootstrap import mean_of_sums, paired_difference, sums_by_cluster
from mmrole.core.canonical import Record, file_sha256
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.core.journal import read_records
from mmrole.core.manifest import read_manifest
from mmrole.core.scores import Score, definition, score_of_record
from mmrole.jobs.bench.lifechoice.score import RESULTS, SCORED, SCORES
from mmrole.jobs.bench.lifechoice.stages import opened_folder
from mmrole.jobs.comparison_tables import Comparison, Pair, Run, pair_numbers
from mmrole.jobs.run_names import run_names
from textbench.benchmark import is_folder_of
from textbench.choices.answers import REPLIES
from textbench.lifechoice.plan import BENCHMARK

File = str | os.PathLike[str]

_METRICS: Final = ("accuracy", "accuracy_parsed")

Key = tuple[str, int]
"""Item and run."""


@dataclass(frozen=True, kw_only=True)
class _Decisions:
    """One method of one folder.

    Attributes:
        name: what the tables call it
        scores: its accuracies
        results: key -> record of ``results.jsonl``, of those that have a reply
        record: name, folder and hashes of the files
    """

    name: str
    scores: list[Score]
    results: Mapping[Key, Record] = field(repr=False)
    record: Record


def holds_decisions(folder: File) -> bool:
    """Whether a folder is one of `mmrole bench lifechoice`."""
    return is_folder_of(BENCHMARK, folder)


def compared_decisions(
    folders: Sequence[File], names: Sequence[str] | None, *, all_pairs: bool, bootstrap: int, seed: int
) -> tuple[Comparison, list[Record]]:
    """The comparison, and what its manifest says of each run.

    Args:
        folders: one or more
        names: of the folders; the names that they have when None
        all_pairs: differences of every two runs, and not only of each from the first
        bootstrap: draws of whole books
        seed: of the draws

    Raises:
        StoreError: a folder is not scored
        InputError: a folder is of something else, or two have one item with different contents
        UsageError: names that do not fit, or a single method
    """
    called = run_names(folders, names)
    runs = [
        run for folder, name in zip(folders, called, strict=True) for run in _read(Path(folder), name, len(folders) > 1)
    ]
    if len(runs) < 2:
        raise UsageError(f"{folders[0]} holds one method: a comparison needs two, or another folder")
    _check_same(runs)
    pairs = [
        Pair(first=runs[a].name, second=runs[b].name, scores=_differences(runs[a], runs[b], bootstrap, seed))
        for a, b in pair_numbers(len(runs), all_pairs=all_pairs)
    ]
    listed = [Run(name=run.name, scores=run.scores, coverage={}) for run in runs]
    return Comparison(runs=listed, pairs=pairs, bootstrap=bootstrap, seed=seed, drawn="books"), [
        run.record for run in runs
    ]


def _read(folder: Path, name: str, several: bool) -> Iterable[_Decisions]:
    if not holds_decisions(folder):
        raise InputError(f"{folder} holds no run of mmrole bench {BENCHMARK}: compare one kind")
    _, plan = opened_folder(folder)
    try:
        files: Mapping[str, Any] = read_manifest(folder / SCORED)["files"]
    except (StoreError, KeyError):
        raise StoreError(f"{folder} is not scored: run mmrole bench {BENCHMARK} score") from None
    for file, sha256 in files.items():
        if not (folder / file).is_file() or file_sha256(folder / file) != sha256:
            raise StoreError(f"{folder / file} is missing or was changed: run mmrole bench {BENCHMARK} score again")
    scores: dict[str, list[Score]] = {}
    for number, record in enumerate(read_records(folder / SCORES), 1):
        if record["metric"] in _METRICS and record["by"] == "all":
            scores.setdefault(record["method"], []).append(score_of_record(record, f"{folder / SCORES}, line {number}"))
    results: dict[str, dict[Key, Record]] = {}
    for record in read_records(folder / RESULTS):
        if record["prefix"] == plan.prefixes and record["status"] in REPLIES:
            results.setdefault(record["method"], {})[record["item_id"], record["run"]] = record
    for method in (each.name for each in plan.parsed):
        yield _Decisions(
            name=f"{name}: {method}" if several else method,
            scores=scores.get(method, []),
            results=results.get(method, {}),
            record={"name": name, "method": method, "folder": str(folder.absolute()), "files": dict(files)},
        )


def _check_same(runs: Sequence[_Decisions]) -> None:
    contents: dict[str, tuple[str, str]] = {}
    for run in runs:
        for (item, _), record in run.results.items():
            before = contents.setdefault(item, (record["content"], run.name))
            if before[0] != record["content"]:
                raise InputError(
                    f"item {item} is not the same in {before[1]} and {run.name}: compare runs on one data set"
                )


def _differences(first: _Decisions, second: _Decisions, bootstrap: int, seed: int) -> list[Score]:
    common = [key for key in first.results if key in second.results]
    alone = {
        "only_in_first": len(first.results) - len(common),
        "only_in_second": len(second.results) - len(common),
    }
    read = [key for key in common if all(run.results[key]["status"] == "ok" for run in (first, second))]
    return [
        _difference("accuracy", first, second, common, alone, bootstrap, seed),
        _difference(
            "accuracy_parsed",
            first,
            second,
            read,
            alone | {"unread_in_one_or_both": len(common) - len(read)},
            bootstrap,
            seed,
        ),
    ]


def _difference(
    metric: str,
    first: _Decisions,
    second: _Decisions,
    keys: Sequence[Key],
    excluded: Mapping[str, int],
    bootstrap: int,
    seed: int,
) -> Score:
    books: dict[str, int] = {}
    codes = np.array(
        [books.setdefault(str(first.results[key]["book"] or f"\0{key[0]}"), len(books)) for key in keys], dtype=np.int64
    )
    right = [[float(run.results[key]["right"] is True) for key in keys] for run in (first, second)]
    sums = [
        sums_by_cluster(np.column_stack([of, np.ones(len(keys))]).reshape(-1, 2), codes, len(books)) for of in right
    ]
    found = paired_difference(sums[0], sums[1], mean_of_sums, draws=bootstrap, seed=seed)
    pairs = list(zip(*right, strict=True))
    return Score(
        metric=metric,
        part="all",
        value=found.value,
        n=len(keys),
        excluded=excluded,
        ci=found.ci,
        definition=definition(f"choices/{metric}-difference/v1", cluster="item.book"),
        bounds=(-1.0, 1.0),
        direction="up",
        reason=None if found.value is not None else "no_common_items",
        details={
            "first": found.first,
            "second": found.second,
            "books": found.clusters,
            "only_first_right": sum(a > b for a, b in pairs),
            "only_second_right": sum(b > a for a, b in pairs),
        },
    )
