"""`mmrole bench incharacter grade`: an interviewer model reads the answers; the agent is not asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.incharacter.stages import new_manifest
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, judge_name, lines, write_manifest
from mmrole.llm import BatchItem, ChatModel, Prices, batch_journal
from mmrole.llm.stage import StageResult
from textbench.benchmark import RATINGS, REPLIES, BenchmarkFolder
from textbench.incharacter.grading import calls_of, read_reply
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan, plan_from
from textbench.incharacter.ratings import rating_record, unread_methods
from textbench.incharacter.sittings import Sitting, sittings
from textbench.regeneration import (
    MOST_REGENERATIONS,
    RepeatedEstimate,
    ask_until_read,
    attempts_of,
    estimate_repeated,
    require_regenerations,
)

INTERVIEWER: Final = "interviewer.json"


@dataclass(frozen=True, kw_only=True)
class GradeResult:
    """What was graded.

    Attributes:
        stage: the calls of the interviewer model
        sittings: one per character, scale, method and run
        graded: of these, with ratings
        incomplete: of these, not whole because an answer is missing: run the stage ``run`` again
        ratings: the file, None when the stage ended early and left an earlier one as it was
        unread: methods of which nothing that the interviewer said could be read: they have no scores
    """

    stage: StageResult
    sittings: int
    graded: int
    incomplete: int
    ratings: Path | None
    unread: Sequence[str] = ()


def grade(
    folder: str | Path,
    interviewer: ChatModel | str,
    *,
    name: str | None = None,
    methods: Sequence[str] = (),
    most_regenerations: int = MOST_REGENERATIONS,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> GradeResult:
    """Has the interviewer model read the answers; the agent is not asked.

    Args:
        folder: with answers
        interviewer: a model, or the name of an endpoint
        name: of the folder below ``grades``; the interviewer's own name when None
        methods: of those of the plan; all when empty
        most_regenerations: how often an unreadable reply is asked for again, 0 to 12
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: see there

    Raises:
        UsageError: no such endpoint, or the grades are those of another interviewer
        ModelError: the interviewer cannot answer at all; what was answered is stored
        StoreError: there are no answers, or the folder is damaged or in use
    """
    require_regenerations(most_regenerations)
    asking = asking_of(
        interviewer, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress
    )
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    grades = place.grades(judge_name(interviewer, asking.model, name))
    with place.locked():
        todo = _todo(plan, place, methods)
        keep_to(grades / INTERVIEWER, asking.model, "interviewer")
        manifest = new_manifest("grade", plan, {"interviewer": dict(asking.model.identity), "methods": list(methods)})
        calls = [call for _, of_sitting in todo for call in of_sitting]
        result = ask_until_read(calls, asking, grades / REPLIES, parse=read_reply, most=most_regenerations)
        records = _ratings(todo, grades / REPLIES)
        incomplete, unread = sum(not sitting.whole for sitting, _ in todo), unread_methods(records)
        manifest.extra |= {"sittings": len(todo), "graded": len(records), "incomplete": incomplete}
        manifest.extra["methods_unread"] = unread
        if result.stopped is None:
            kept = [] if not methods else [r for r in read_ratings(grades, missing=True) if r["method"] not in methods]
            write_atomically(grades / RATINGS, lines([*kept, *records]))
        write_manifest(manifest, grades / MANIFEST, result)
    result.raise_if_stopped()
    return GradeResult(
        stage=result,
        sittings=len(todo),
        graded=len(records),
        incomplete=incomplete,
        ratings=grades / RATINGS if result.stopped is None else None,
        unread=unread,
    )


def estimate_grade(
    folder: str | Path,
    interviewer: ChatModel | str,
    *,
    name: str | None = None,
    methods: Sequence[str] = (),
    most_regenerations: int = MOST_REGENERATIONS,
    **asked: Any,
) -> RepeatedEstimate:
    """What the first calls of `grade` would take, and what all may when nothing can be read. Asks nothing."""
    require_regenerations(most_regenerations)
    asking = asking_of(interviewer, asks=False, **asked)
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    grades = place.grades(judge_name(interviewer, asking.model, name))
    with place.locked():
        calls = [call for _, of_sitting in _todo(plan, place, methods) for call in of_sitting]
        return estimate_repeated(calls, asking, grades / REPLIES, parse=read_reply, most=most_regenerations)


def read_ratings(grades: Path, *, missing: bool = False) -> list[Record]:
    """The records of ``ratings.jsonl``.

    Args:
        grades: the folder of one interviewer's grades
        missing: no file is no records, instead of an error

    Raises:
        StoreError: the file is missing or damaged
    """
    path = grades / RATINGS
    if not path.is_file():
        if missing:
            return []
        raise StoreError(f"{path} is missing: make it with mmrole bench incharacter grade")
    return list(read_records(path))


def _todo(
    plan: InCharacterPlan, place: BenchmarkFolder, methods: Sequence[str]
) -> list[tuple[Sitting, list[BatchItem]]]:
    for method in methods:
        if method not in plan.methods:
            raise UsageError(f"the plan has no method {method!r}: it has {', '.join(plan.methods)}")
    chosen = list(methods) or list(plan.methods)
    return [(sitting, list(calls_of(plan, sitting))) for sitting in sittings(plan, place.answers(), chosen)]


def _ratings(todo: Sequence[tuple[Sitting, list[BatchItem]]], path: Path) -> list[Record]:
    with batch_journal(path) as journal:
        found = [rating_record(sitting, calls, lambda name: attempts_of(journal, name)) for sitting, calls in todo]
    return [record for record in found if record is not None]
