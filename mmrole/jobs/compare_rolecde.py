"""Runs of RoleCDE side by side: every judge of every folder, with paired differences on the decisions that both runs have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record, file_sha256
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.core.journal import read_records
from mmrole.core.manifest import read_manifest
from mmrole.core.scores import Score, score_of_record
from mmrole.jobs.bench.rolecde.score import SCORED, SCORES, graded_by, read_decisions
from mmrole.jobs.bench.rolecde.similarity import PREFIX, SIMILARITY
from mmrole.jobs.bench.rolecde.stages import place_of
from mmrole.jobs.comparison_tables import Comparison, Pair, Run, pair_numbers
from mmrole.jobs.run_names import run_names
from textbench.benchmark import is_folder_of
from textbench.rolecde.dbr_metrics import dbr_difference
from textbench.rolecde.personas import Persona
from textbench.rolecde.plan import BENCHMARK, ORDERS
from textbench.rolecde.similarity_difference import similarity_difference

File = str | os.PathLike[str]

_METRICS: Final = ("dbr", "debiased_dbr")
_SIMILARITIES: Final = ("bleu", "rougeL_f", "rougeL_recall", "bertscore_f")


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One judge of one folder.

    Attributes:
        name: what the tables call it
        personas: id -> persona
        scores: DBR and debiased DBR, of all dilemmas and without flagged ones
        decisions: records of ``decisions.jsonl``
        similarity: records of ``similarity.jsonl``; empty where it was not computed
        record: name, folder and hashes of the files
    """

    name: str
    personas: Mapping[str, Persona] = field(repr=False)
    scores: list[Score]
    decisions: list[Record] = field(repr=False)
    similarity: list[Record] = field(repr=False)
    record: Record


def holds_role_decisions(folder: File) -> bool:
    """Whether a folder is one of `mmrole bench rolecde`."""
    return is_folder_of(BENCHMARK, folder)


def compared_role_decisions(
    folders: Sequence[File], names: Sequence[str] | None, *, all_pairs: bool, bootstrap: int, seed: int
) -> tuple[Comparison, list[Record]]:
    """The comparison, and what its manifest says of each run.

    Args:
        folders: one or more
        names: of the folders; the names that they have when None
        all_pairs: differences of every two runs, and not only of each from the first
        bootstrap: draws of whole personas
        seed: of the draws

    Raises:
        StoreError: a folder is not scored
        InputError: a folder is of something else, or two have one persona with other texts or another role option
        UsageError: names that do not fit, or a single run
    """
    called = run_names(folders, names)
    runs = [run for folder, name in zip(folders, called, strict=True) for run in _read(Path(folder), name)]
    if len(runs) < 2:
        raise UsageError(f"{folders[0]} holds the grades of one judge: a comparison needs two, or another folder")
    for number, run in enumerate(runs):
        for other in runs[:number]:
            _check_same(other, run)
    pairs = [
        Pair(
            first=runs[a].name,
            second=runs[b].name,
            scores=list(_differences(runs[a], runs[b], bootstrap=bootstrap, seed=seed)),
        )
        for a, b in pair_numbers(len(runs), all_pairs=all_pairs)
    ]
    listed = [Run(name=run.name, scores=run.scores, coverage={}) for run in runs]
    comparison = Comparison(runs=listed, pairs=pairs, bootstrap=bootstrap, seed=seed, drawn="personas")
    return comparison, [run.record for run in runs]


def _read(folder: Path, name: str) -> Iterable[_Run]:
    if not holds_role_decisions(folder):
        raise InputError(f"{folder} holds no run of mmrole bench {BENCHMARK}: compare one kind")
    place = place_of(folder)
    homes = graded_by(place, None)
    for home in homes:
        try:
            files: Mapping[str, str] = read_manifest(home / SCORED)["files"]
        except (StoreError, KeyError):
            raise StoreError(f"{home} is not scored: run mmrole bench {BENCHMARK} score") from None
        for file, sha256 in files.items():
            if not (home / file).is_file() or file_sha256(home / file) != sha256:
                raise StoreError(f"{home / file} is missing or was changed: run mmrole bench {BENCHMARK} score again")
        scores = [
            replace(score_of_record(record, f"{home / SCORES}, line {number}"), part=record["items"])
            for number, record in enumerate(read_records(home / SCORES), 1)
            if record["metric"] in (*_METRICS, *(f"{PREFIX}{name}" for name in _SIMILARITIES)) and record["by"] == "all"
        ]
        yield _Run(
            name=f"{name}: {home.name}" if len(homes) > 1 else name,
            personas=place.personas,
            scores=[
                score for score in scores if score.metric != "debiased_dbr" or len(place.plan.orders) == len(ORDERS)
            ],
            decisions=read_decisions(home),
            similarity=list(read_records(home / SIMILARITY)) if SIMILARITY in files else [],
            record={"name": name, "judge": home.name, "folder": str(folder.absolute()), "files": dict(files)},
        )


def _check_same(first: _Run, second: _Run) -> None:
    both = f"{first.name} and {second.name}"
    for name, persona in first.personas.items():
        other = second.personas.get(name)
        if other is None:
            continue
        levels = persona.dilemmas.keys() & other.dilemmas.keys()
        if any(persona.dilemmas[level].options != other.dilemmas[level].options for level in levels):
            raise InputError(f"persona {name} is not the same in {both}: compare runs on one data set")
    roles = {(each["persona"], each["level"]): (each["role_option"], each["flagged"]) for each in first.decisions}
    for each in second.decisions:
        before = roles.get((each["persona"], each["level"]))
        if before is not None and before != (each["role_option"], each["flagged"]):
            raise InputError(
                f"persona {each['persona']}, {each['level']}, was audited differently in {both}: build both with one audit"
            )


def _differences(first: _Run, second: _Run, *, bootstrap: int, seed: int) -> Iterable[Score]:
    """Of DBR, of debiased DBR where both runs have both orders, and of similarity where both have it."""
    for items in ("all", "without_flagged"):
        sides = [[each for each in run.decisions if items == "all" or not each["flagged"]] for run in (first, second)]
        found = dbr_difference(sides[0], sides[1], part=items, bootstrap=bootstrap, seed=seed)
        yield replace(found, metric="dbr")
        if all({each["order"] for each in side} == set(ORDERS) for side in sides):
            # over dilemmas with both orders in both runs, DBR is the mean of the orders
            whole = _in_both_orders(sides[0]) & _in_both_orders(sides[1])
            kept = [[each for each in side if _item(each) in whole] for side in sides]
            found = dbr_difference(kept[0], kept[1], part=items, bootstrap=bootstrap, seed=seed)
            left_out = {_item(each) for side in sides for each in side} - whole
            yield replace(
                found,
                metric="debiased_dbr",
                n=len(whole),
                excluded={"not_in_both": len(left_out)},
                definition=found.definition.replace("dbr_difference", "debiased_dbr_difference"),
            )

    for name in _SIMILARITIES:
        if all(run.similarity and name in run.similarity[0] for run in (first, second)):
            for items in ("all", "without_flagged"):
                sides = [_kept(run, items) for run in (first, second)]
                yield similarity_difference(*sides, name=name, part=items, bootstrap=bootstrap, seed=seed)


def _kept(run: _Run, items: str) -> list[Record]:
    flagged = {(each["persona"], each["level"]) for each in run.decisions if each["flagged"]}
    return [each for each in run.similarity if items == "all" or (each["persona"], each["level"]) not in flagged]


def _in_both_orders(decisions: Iterable[Record]) -> set[tuple[str, str, int]]:
    there: dict[tuple[str, str, int], set[str]] = {}
    for each in decisions:
        if each["decision"] is not None:
            there.setdefault(_item(each), set()).add(each["order"])
    return {item for item, orders in there.items() if orders == set(ORDERS)}


def _item(record: Record) -> tuple[str, str, int]:
    return record["persona"], record["level"], record["run"]
