"""`mmrole bench lifechoice run`: in steps, each with its own journal.

``names``     with masking by a model: names are found           profiles/names.jsonl -> entities.json
``profile``   descriptions are written, call by call            profiles/summaries.jsonl; as the last step, texts are embedded, too
``segments``  CharMap's segments are picked, one call an item    profiles/segments.jsonl
``answer``    the agent is asked                                 answers.jsonl; what it cannot be asked: unasked.jsonl
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from mmrole.core.canonical import to_json
from mmrole.core.errors import UsageError
from mmrole.core.files import write_atomically
from mmrole.core.lock import RunLock
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.lifechoice.preparation import (
    ENTITIES,
    EVERY_BOOK,
    library_of,
    prepared,
    stored_maps,
    write_masking,
)
from mmrole.jobs.bench.lifechoice.stages import (
    StoredItem,
    new_manifest,
    opened_folder,
    stage_fields,
    stored_items,
)
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress
from mmrole.llm import BatchItem, ChatModel, Estimate, Prices, Repair, Spent, batch_journal, estimate_batch, run_batch
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import ANSWERS, BenchmarkFolder, opened_journal
from textbench.lifechoice.asking import Profiles, Unasked, questions, read_choice
from textbench.lifechoice.cases import Case, told
from textbench.lifechoice.library import Library
from textbench.lifechoice.name_finding import find_names, read_names
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.preparing import Descriptions, SegmentsOf
from textbench.lifechoice.rounds import EstimatingCaller, JournalCaller, total_of
from textbench.lifechoice.segments import read_segments
from textbench.lifechoice.summaries import SHORTER, SummaryReader, stand_in
from textbench.tokens import approximate

Step = Literal["names", "profile", "segments", "answer"]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
AGENT: Final = "agent.json"
PROFILER: Final = "profiler.json"
PROFILES: Final = "profiles"
NAMES: Final = "names.jsonl"
SUMMARIES: Final = "summaries.jsonl"
SEGMENTS: Final = "segments.jsonl"
UNASKED: Final = "unasked.jsonl"


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What was done.

    Attributes:
        steps: step -> what it did; a step that was not reached is not there
        answers: all questions to the agent: done, failed, pending
        unasked: questions that could not be asked, with their reasons
    """

    steps: dict[Step, StageResult]
    answers: StageResult
    unasked: list[Unasked] = field(repr=False)


def run(
    folder: str | Path,
    agent: ChatModel | str,
    *,
    profiler: ChatModel | str | None = None,
    profiles: str | Path | None = None,
    until: Step = "answer",
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
    on_note: Callable[[str], object] | None = None,
) -> RunResult:
    """Builds the profiles and asks the agent. What is answered is never asked again.

    Args:
        folder: from `build`
        agent: a model, or the name of an endpoint
        profiler: writes descriptions and picks segments; the agent when None
        profiles: folder of the journals of profiles, which several runs can share one after the other; `folder`/profiles when None
        until: the last step
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of all steps together
        on_progress: see there
        on_note: is told when texts are embedded, which takes its time

    Raises:
        UsageError: no such endpoint, or the folder holds the answers of another agent or the profiles of another profiler
        ModelError: a model cannot answer at all; what was answered is stored
        StoreError: the folder is damaged, or in use
    """
    if until not in STEPS:
        raise UsageError(f"there is no step {until!r}: choose one of {', '.join(STEPS)}")
    asked: dict[str, Any] = {"config": config, "cache": cache, "prices": prices, "on_progress": on_progress}
    asking = asking_of(agent, max_cost=max_cost, **asked)
    profiling = asking if profiler is None else asking_of(profiler, max_cost=max_cost, **asked)
    place, plan = opened_folder(folder)
    if until == "names" and plan.masking != "model":
        raise UsageError("no names are to be found: the folder was not built with --masking model")
    home = Path(profiles) if profiles is not None else place.path / PROFILES
    with place.locked(), RunLock(home):
        keep_to(place.path / AGENT, asking.model, "agent")
        keep_to(home / PROFILER, profiling.model, "profiler")
        identities = {"agent": dict(asking.model.identity), "profiler": dict(profiling.model.identity)}
        manifest = new_manifest("run", plan, identities)
        library = library_of(plan, note=on_note)  # before anything is paid for: an extra may be missing
        result = _steps(place, plan, home, asking, profiling, library, until)
        manifest.counts = result.answers.counts
        manifest.extra |= stage_fields(result.answers)
        manifest.extra["steps"] = {name: stage_fields(each) for name, each in result.steps.items()}
        manifest.extra["until"] = until
        manifest.extra["unasked"] = dict(sorted(Counter(each.reason for each in result.unasked).items()))
        manifest.write(place.path / MANIFEST)
    for each in (*result.steps.values(), result.answers):
        each.raise_if_stopped()
    return result


def estimate_run(
    folder: str | Path,
    agent: ChatModel | str,
    *,
    profiler: ChatModel | str | None = None,
    profiles: str | Path | None = None,
    until: Step = "answer",
    **asked: Any,
) -> dict[Step, Estimate]:
    """What `run` would take with the same arguments, by step; asks nothing.

    Descriptions that are not there yet are taken to be as long as they may be, names that are not found yet to be none.
    """
    asking = asking_of(agent, asks=False, **asked)
    profiling = asking if profiler is None else asking_of(profiler, asks=False, **asked)
    place, plan = opened_folder(folder)
    home = Path(profiles) if profiles is not None else place.path / PROFILES
    keep_to(place.path / AGENT, asking.model, "agent", write=False)
    keep_to(home / PROFILER, profiling.model, "profiler", write=False)
    with place.locked():
        items = stored_items(place)
        found: dict[Step, Estimate] = {}
        maps = None
        if plan.masking == "model":
            looking = EstimatingCaller(profiling, home / NAMES, _no_names, parse=read_names, repair=Repair())
            maps = find_names([item for item, _ in items], looking, approximate, nameless=EVERY_BOOK).maps
            found["names"] = total_of(looking.estimates)
        cases = prepared(items, maps if plan.masking == "model" else stored_maps(plan, place)).cases
        reader = SummaryReader(approximate)
        writer = EstimatingCaller(profiling, home / SUMMARIES, stand_in, parse=reader, repair=SHORTER)
        descriptions = Descriptions(plan, approximate, writer, cases)
        found["profile"] = total_of(writer.estimates)
        picker = EstimatingCaller(profiling, home / SEGMENTS, lambda _: [], parse=read_segments)
        segments = SegmentsOf(plan, descriptions, picker, cases)
        found["segments"] = total_of(picker.estimates)
        if until == "answer":
            built = Profiles(plan, library_of(plan, estimating=True), descriptions, segments)
            asks = (each for each in questions(plan, cases, built) if isinstance(each, BatchItem))
            with opened_journal(place.path / ANSWERS) as journal:
                found["answer"] = estimate_batch(
                    asks, asking.model, journal, parse=read_choice, cache=asking.cache, prices=asking.prices
                )
    return {name: found[name] for name in STEPS[: STEPS.index(until) + 1] if name in found}


def _steps(
    place: BenchmarkFolder,
    plan: LifeChoicePlan,
    home: Path,
    asking: Asking,
    profiling: Asking,
    library: Library,
    until: Step,
) -> RunResult:
    items = stored_items(place)
    total = len(items) * len(plan.methods) * plan.prefixes * plan.runs
    steps: dict[Step, StageResult] = {}
    waiting = StageResult(total=total, done=0, failed=0, pending=total, reused=0)
    spent = Spent()
    if plan.masking == "model":
        found, steps["names"] = _names(place, home, items, profiling)
        if not found or until == "names":
            return RunResult(steps=steps, answers=waiting, unasked=[])
        spent += steps["names"].spent
    maps = stored_maps(plan, place)
    ready = prepared(items, maps)
    write_masking(place, maps, ready.residual)
    cases = ready.cases
    if until == "names":
        return RunResult(steps=steps, answers=waiting, unasked=[])

    def ends(step: Step) -> bool:
        if step == until and steps[step].stopped is None and any(m.memory == "embedding" for m in plan.parsed):
            for each in (part for case in cases for part in told(plan, case)):
                library.memory(each.text, "embedding")  # and is kept for the steps that are left
        return step == until or steps[step].stopped is not None

    with batch_journal(home / SUMMARIES) as journal:
        writer = JournalCaller(profiling.after(spent), journal, parse=SummaryReader(approximate), repair=SHORTER)
        descriptions = Descriptions(plan, approximate, writer, cases)
        steps["profile"] = writer.result()
    if ends("profile"):
        return RunResult(steps=steps, answers=waiting, unasked=[])
    spent += steps["profile"].spent
    with batch_journal(home / SEGMENTS) as journal:
        picker = JournalCaller(profiling.after(spent), journal, parse=read_segments)
        segments = SegmentsOf(plan, descriptions, picker, cases)
        steps["segments"] = picker.result()
    if ends("segments"):
        return RunResult(steps=steps, answers=waiting, unasked=[])
    built = Profiles(plan, library, descriptions, segments)
    answers, unasked = _answers(place, plan, cases, built, asking.after(spent + steps["segments"].spent), total)
    steps["answer"] = answers
    return RunResult(steps=steps, answers=answers, unasked=unasked)


def _names(place: BenchmarkFolder, home: Path, items: Sequence[StoredItem], asking: Asking) -> tuple[bool, StageResult]:
    """Has the names found; whether all parts have been looked through."""
    with batch_journal(home / NAMES) as journal:
        caller = JournalCaller(asking, journal, parse=read_names, repair=Repair())
        found = find_names([item for item, _ in items], caller, approximate, nameless=EVERY_BOOK)
    if found.maps is not None:
        record = {book: entities.to_record() for book, entities in found.maps.items()}
        write_atomically(place.path / ENTITIES, f"{to_json(record)}\n".encode())
    return found.maps is not None, caller.result()


def _answers(
    place: BenchmarkFolder, plan: LifeChoicePlan, cases: Sequence[Case], built: Profiles, asking: Asking, total: int
) -> tuple[StageResult, list[Unasked]]:
    unasked: list[Unasked] = []

    def asks() -> Iterator[BatchItem]:
        for each in questions(plan, cases, built):
            if isinstance(each, Unasked):
                unasked.append(each)
            else:
                yield each

    with batch_journal(place.path / ANSWERS) as journal:
        batch = run_batch(
            asks(),
            asking.model,
            journal,
            parse=read_choice,
            cache=asking.cache,
            prices=asking.prices,
            max_cost=asking.max_cost,
            total=total,
            progress=asking.progress,
        )
    if batch.stopped is None:
        lines = "".join(f"{to_json(each.to_record())}\n" for each in unasked)
        write_atomically(place.path / UNASKED, lines.encode())
    failed = batch.failed + len(unasked)
    failures = [*batch.failures, *({"item": each.key, "round": 0, "reason": each.reason} for each in unasked)]
    result = replace(
        StageResult.of(batch), total=total, failed=failed, pending=total - batch.done - failed, failures=failures
    )
    return result, unasked


def _no_names(_: BatchItem) -> dict[str, list[list[str]]]:
    return {"characters": [], "places": [], "phrases": []}
