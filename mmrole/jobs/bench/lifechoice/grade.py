"""`mmrole bench lifechoice grade`: a judge scores the profiles; neither agent nor profiler is asked. Accuracies do not need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import Journal, read_records
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.lifechoice.preparation import library_of, masked_cases
from mmrole.jobs.bench.lifechoice.run import PROFILES, SEGMENTS, SUMMARIES
from mmrole.jobs.bench.lifechoice.stages import new_manifest, opened_folder, stage_fields, stored_items
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, judge_name
from mmrole.llm import BatchItem, ChatModel, Prices, batch_journal
from mmrole.llm.stage import StageResult
from textbench.benchmark import GRADES, RATINGS, REPLIES, BenchmarkFolder
from textbench.lifechoice.asking import Given, Profiles
from textbench.lifechoice.cases import Unit, units
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.preparing import Descriptions, SegmentsOf
from textbench.lifechoice.profile_scores import judge_call, read_verdict
from textbench.lifechoice.rounds import StoredCaller
from textbench.regeneration import (
    RepeatedEstimate,
    ask_until_read,
    attempts_of,
    estimate_repeated,
    require_regenerations,
)
from textbench.tokens import approximate

JUDGE: Final = "judge.json"
RATINGS_KEY: Final = "ratings"


@dataclass(frozen=True, kw_only=True)
class GradeResult:
    """What was graded.

    Attributes:
        stage: the calls of the judge
        ratings: the file, None when the stage ended early and left an earlier one as it was
        left_out: profiles that are not judged: there is none, or no motivation to judge by, or it was given away
    """

    stage: StageResult
    ratings: Path | None
    left_out: int


def grade(
    folder: str | Path,
    judge: ChatModel | str,
    *,
    name: str | None = None,
    profiles: str | Path | None = None,
    most_regenerations: int = 2,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> GradeResult:
    """Has a judge score every profile from 1 to 3, by the motivation of the choice.

    Args:
        folder: after `run`
        judge: a model, or the name of an endpoint
        name: of the folder below ``grades``; the judge's own name when None
        profiles: the folder that `run` was given
        most_regenerations: how often an unreadable reply is asked for again, 0 to 12
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: see there

    Raises:
        UsageError: no such endpoint, or the grades are those of another judge
        ModelError: the judge cannot answer at all; what was answered is stored
        StoreError: there are no profiles, or the folder is damaged or in use
    """
    require_regenerations(most_regenerations)
    asking = asking_of(judge, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    place, plan = opened_folder(folder)
    grades = place.path / GRADES / judge_name(judge, asking.model, name)
    with place.locked():
        calls, books, left_out = _calls(place, plan, profiles)
        keep_to(grades / JUDGE, asking.model, "judge")
        manifest = new_manifest("grade", plan, {"judge": dict(asking.model.identity)})
        result = ask_until_read(calls, asking, grades / REPLIES, parse=read_verdict, most=most_regenerations)
        if result.stopped is None:
            with batch_journal(grades / REPLIES) as journal:
                records = [_rating(call, books, journal) for call in calls]
            write_atomically(grades / RATINGS, "".join(f"{to_json(record)}\n" for record in records).encode())
        manifest.counts = result.counts
        manifest.extra |= stage_fields(result) | {"left_out": left_out}
        manifest.write(grades / MANIFEST)
    result.raise_if_stopped()
    return GradeResult(stage=result, ratings=grades / RATINGS if result.stopped is None else None, left_out=left_out)


def estimate_grade(
    folder: str | Path,
    judge: ChatModel | str,
    *,
    name: str | None = None,
    profiles: str | Path | None = None,
    most_regenerations: int = 2,
    **asked: Any,
) -> RepeatedEstimate:
    """What `grade` would take: its first calls, and at most all of them. Asks nothing."""
    asking = asking_of(judge, asks=False, **asked)
    place, plan = opened_folder(folder)
    grades = place.path / GRADES / judge_name(judge, asking.model, name)
    with place.locked():
        calls, _, _ = _calls(place, plan, profiles)
        return estimate_repeated(calls, asking, grades / REPLIES, parse=read_verdict, most=most_regenerations)


def ratings_of(place: BenchmarkFolder, name: str | None, *, needed: bool) -> list[Record]:
    """The judge's scores; none where nobody has judged.

    Args:
        place: the folder
        name: of the grades; the only ones when None
        needed: whether it is an error that there are none

    Raises:
        UsageError: there are several, or none though they are needed or named
    """
    if name is None and not needed and not list((place.path / GRADES).glob(f"*/{RATINGS}")):
        return []
    path = place.grades(name) / RATINGS
    if not path.is_file():
        raise UsageError(f"{path} is missing: make it with mmrole bench lifechoice grade")
    return list(read_records(path))


def _calls(
    place: BenchmarkFolder, plan: LifeChoicePlan, profiles: str | Path | None
) -> tuple[list[BatchItem], dict[str, str | None], int]:
    calls: list[BatchItem] = []
    left_out = 0
    books: dict[str, str | None] = {}
    for unit, given in _profiles(place, plan, profiles):
        call = judge_call(unit, given) if given is not None else None
        if call is None:
            left_out += 1
        else:
            calls.append(call)
            books[call.item_id] = unit.told.case.book
    if not calls:
        raise UsageError(
            f"{place.path} has no profile that could be judged: a judge needs items with a motivation, and methods with a profile"
        )
    return calls, books, left_out


def _profiles(
    place: BenchmarkFolder, plan: LifeChoicePlan, profiles: str | Path | None
) -> Iterator[tuple[Unit, Given | None]]:
    """The profiles of whole texts, made again from what is stored."""
    home = Path(profiles) if profiles is not None else place.path / PROFILES
    cases = masked_cases(plan, place, stored_items(place))
    descriptions = Descriptions(plan, approximate, StoredCaller(home / SUMMARIES), cases)
    segments = SegmentsOf(plan, descriptions, StoredCaller(home / SEGMENTS), cases)
    built = Profiles(plan, library_of(plan), descriptions, segments)
    for unit in units(plan, cases):
        if unit.run == 0 and unit.told.prefix == plan.prefixes:
            given = built.of(unit)
            yield unit, given if isinstance(given, Given) else None


def _rating(call: BatchItem, books: dict[str, str | None], journal: Journal) -> Record:
    records = attempts_of(journal, call.item_id)
    last = records[-1] if records else {"status": "error", "value": None, "reason": "it was not asked"}
    return {
        "item_id": call.fields["item_id"],
        "method": call.fields["method"],
        "book": books[call.item_id],
        "score": last["value"] if last["status"] == "ok" else None,
        "status": last["status"],
        "reason": last["reason"],
        "attempts": len(records),
    }
