"""`mmrole bench lifechoice leak`: does the agent know the books by heart? It is asked to continue them, and a judge compares.

::

    names.jsonl            with masking by a model: names are found -> entities.json
    continuations.jsonl    the agent's replies
    verdicts.jsonl         the judge's replies
    leaks.jsonl            a line per item and condition; scores.jsonl, scores.md
    manifest.json
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import Journal
from mmrole.core.lock import RunLock
from mmrole.core.scores import Score
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.lifechoice.leak_page import leak_page
from mmrole.jobs.bench.lifechoice.leak_source import LeakSource, leak_source
from mmrole.jobs.bench.lifechoice.preparation import ENTITIES, EVERY_BOOK
from mmrole.jobs.bench.lifechoice.run import NAMES
from mmrole.jobs.bench.lifechoice.stages import keep_apart, manifest_of, stage_fields
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, lines
from mmrole.llm import BatchItem, ChatModel, Estimate, Prices, Repair, Spent, batch_journal, estimate_batch, run_batch
from mmrole.llm.batch import current_records
from mmrole.llm.items import ERROR, OK
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal
from textbench.entities import EntityMap
from textbench.lifechoice.leak_scores import leak_records, leak_scores
from textbench.lifechoice.leaks import LeakCase, continue_call, judge_calls, read_level
from textbench.lifechoice.name_finding import find_names, read_names
from textbench.lifechoice.plan import Masking
from textbench.lifechoice.rounds import EstimatingCaller, JournalCaller, total_of
from textbench.regeneration import ask_until_read, attempts_of, estimate_repeated, require_regenerations
from textbench.tokens import approximate

LeakStep = Literal["names", "continue", "judge"]
AGENT: Final = "agent.json"
JUDGE: Final = "judge.json"
FINDER: Final = "finder.json"
CONTINUATIONS: Final = "continuations.jsonl"
VERDICTS: Final = "verdicts.jsonl"
LEAKS: Final = "leaks.jsonl"
SCORES: Final = "scores.jsonl"
PAGE: Final = "scores.md"


@dataclass(frozen=True, kw_only=True)
class LeakResult:
    """What was tested.

    Attributes:
        out: the folder
        steps: step -> what it did; a step that was not reached is not there
        cases: items times conditions that were tested
        excluded: reason -> items that cannot be tested
        refused: novels that cannot be read, see `textbench.lifechoice.construction.NovelChoice`
        scores: None when the test ended early and left earlier ones as they were
    """

    out: Path
    steps: dict[LeakStep, StageResult]
    cases: int
    excluded: Mapping[str, int]
    refused: Sequence[Record]
    scores: list[Score] | None = field(repr=False)


def leak(
    out: str | Path,
    agent: ChatModel | str,
    judge: ChatModel | str,
    *,
    novels: Sequence[str | Path] | str | Path,
    folder: str | Path | None = None,
    data: str | Path | None = None,
    masking: Masking | None = None,
    entities: str | Path | None = None,
    finder: ChatModel | str | None = None,
    tokens: int = 400,
    most_regenerations: int = 2,
    bootstrap: int = 1000,
    seed: int = 0,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> LeakResult:
    """Asks the agent to continue each story after its end, plain and masked, and has a judge compare. Nothing is asked twice.

    Args:
        out: the folder; one agent and one judge
        agent: a model, or the name of an endpoint
        judge: the same
        novels: text files, or folders with ``.txt`` files; a file's name is the title of its book
        folder: of a run, whose items are tested; or
        data: a data set
        masking: ``none`` tests the plain text only; ``given`` and ``model`` test both. When None, that of the run; ``none`` for a data set
        entities: file with the names, for ``given``
        finder: finds the names, for ``model``; the agent when None
        tokens: length of the end that is shown and of the continuation that is compared, 20 and up
        most_regenerations: how often a verdict that cannot be read is asked for again, 0 to 12
        bootstrap: draws of whole books for the intervals; 0 for Wilson's
        seed: of the draws
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of all steps together
        on_progress: see there

    Raises:
        UsageError: an argument makes no sense, or the folder holds the replies of another model
        InputError: data, novels or names cannot be understood, or nothing can be tested
        ModelError: a model cannot answer at all; what was answered is stored
        StoreError: the folder is damaged or in use
    """
    require_draws(bootstrap, name="--bootstrap")
    require_regenerations(most_regenerations)
    asked: dict[str, Any] = {
        "config": config, "cache": cache, "prices": prices, "max_cost": max_cost, "on_progress": on_progress,
    }  # fmt: skip
    keep_apart(Path(out), "leak test")
    asking, judging = asking_of(agent, **asked), asking_of(judge, **asked)
    source, place = leak_source(folder, data, novels, masking, entities, tokens), Path(out)
    finding = _finding(source, asking, finder, asked)
    steps: dict[LeakStep, StageResult] = {}
    with RunLock(place):
        keep_to(place / AGENT, asking.model, "agent")
        keep_to(place / JUDGE, judging.model, "judge")
        settings: Record = {"masking": source.masking, "tokens": tokens, "bootstrap": bootstrap, "seed": seed}
        manifest = manifest_of("leak", settings, {"agent": dict(asking.model.identity)})
        manifest.extra |= {"judge": dict(judging.model.identity), "inputs": source.inputs}
        maps, spent = source.maps, Spent()
        if finding is not None:
            keep_to(place / FINDER, finding.model, "finder")
            maps, steps["names"] = _names(place, source, finding)
            spent += steps["names"].spent
        found = source.cases(maps, tokens)
        excluded = {**found.excluded, **({"malformed": source.malformed} if source.malformed else {})}
        if not found.cases:
            raise InputError(f"nothing can be tested: {_said(excluded)}")
        scores = None
        if not any(step.stopped for step in steps.values()) and (finding is None or maps is not None):
            answers, steps["continue"] = _continuations(place, found.cases, asking.after(spent))
            spent += steps["continue"].spent
            if steps["continue"].stopped is None:
                verdicts, steps["judge"] = _verdicts(
                    place, found.cases, answers, judging.after(spent), most_regenerations
                )
                if steps["judge"].stopped is None:
                    scores = leak_scores(found.cases, answers, verdicts, bootstrap=bootstrap, seed=seed)
                    name = str(asking.model.identity.get("model", "model"))
                    records = leak_records(found.cases, answers, verdicts, agent=name)
                    judged_by = str(judging.model.identity.get("model", "model"))
                    _write(place, records, scores, excluded, name, judged_by)
        tested = len(found.cases)
        done = 0 if scores is None else sum(score.n for score in scores if score.part in ("plain", "masked"))
        manifest.counts = {"inputs": tested, "done": done, "failed": tested - done, "skipped": 0}
        manifest.extra |= {
            "steps": {name: stage_fields(step) for name, step in steps.items()},
            "excluded": excluded,
            "refused": list(source.refused),
        }
        manifest.write(place / MANIFEST)
    for step in steps.values():
        step.raise_if_stopped()
    return LeakResult(out=place, steps=steps, cases=tested, excluded=excluded, refused=source.refused, scores=scores)


def estimate_leak(
    out: str | Path,
    agent: ChatModel | str,
    judge: ChatModel | str,
    *,
    novels: Sequence[str | Path] | str | Path,
    folder: str | Path | None = None,
    data: str | Path | None = None,
    masking: Masking | None = None,
    entities: str | Path | None = None,
    finder: ChatModel | str | None = None,
    tokens: int = 400,
    most_regenerations: int = 2,
    **asked: Any,
) -> dict[LeakStep, Estimate]:
    """What `leak` would take with the same arguments, by step; asks nothing.

    Continuations that are not there yet are taken to be as long as those of the books.
    """
    asked["asks"] = False
    asking, judging = asking_of(agent, **asked), asking_of(judge, **asked)
    source, place = leak_source(folder, data, novels, masking, entities, tokens), Path(out)
    finding = _finding(source, asking, finder, asked)
    keep_to(place / AGENT, asking.model, "agent", write=False)
    keep_to(place / JUDGE, judging.model, "judge", write=False)
    found: dict[LeakStep, Estimate] = {}
    maps = source.maps
    if finding is not None:
        keep_to(place / FINDER, finding.model, "finder", write=False)
        looking = EstimatingCaller(finding, place / NAMES, _no_names, parse=read_names, repair=Repair())
        maps = find_names(source.items, looking, approximate, nameless=EVERY_BOOK).maps
        found["names"] = total_of(looking.estimates)
    cases = source.cases(maps, tokens).cases
    calls = [continue_call(case) for case in cases]
    with opened_journal(place / CONTINUATIONS) as journal:
        found["continue"] = estimate_batch(calls, asking.model, journal, cache=asking.cache, prices=asking.prices)
        stored = {} if journal is None else _current(calls, asking, journal)
    there = {name: record for name, record in stored.items() if record["status"] != ERROR}
    answers = {case.key: there.get(case.key) or {"status": OK, "value": case.continuation} for case in cases}
    found["judge"] = estimate_repeated(
        list(judge_calls(cases, answers)), judging, place / VERDICTS, parse=read_level, most=most_regenerations
    )
    return found


def _finding(source: LeakSource, asking: Asking, finder: ChatModel | str | None, asked: Record) -> Asking | None:
    """How names are looked for; None where that is not needed."""
    if source.masking != "model" or source.maps is not None:
        if finder is not None:
            raise UsageError("names are not looked for, so that a finder has nothing to do: leave it out")
        return None
    return asking if finder is None else asking_of(finder, **asked)


def _names(place: Path, source: LeakSource, asking: Asking) -> tuple[Mapping[str, EntityMap] | None, StageResult]:
    with batch_journal(place / NAMES) as journal:
        caller = JournalCaller(asking, journal, parse=read_names, repair=Repair())
        maps = find_names(source.items, caller, approximate, nameless=EVERY_BOOK).maps
    if maps is not None:
        record = {book: entities.to_record() for book, entities in maps.items()}
        write_atomically(place / ENTITIES, f"{to_json(record)}\n".encode())
    return maps, caller.result()


def _continuations(place: Path, cases: Sequence[LeakCase], asking: Asking) -> tuple[dict[str, Record], StageResult]:
    calls = [continue_call(case) for case in cases]
    with batch_journal(place / CONTINUATIONS) as journal:
        batch = run_batch(
            calls,
            asking.model,
            journal,
            cache=asking.cache,
            prices=asking.prices,
            max_cost=asking.max_cost,
            progress=asking.progress,
        )
        return _current(calls, asking, journal), StageResult.of(batch)


def _current(calls: Sequence[BatchItem], asking: Asking, journal: Journal) -> dict[str, Record]:
    records = current_records(calls, asking.model, journal)
    return {call.item_id: record for call, record in zip(calls, records, strict=True) if record is not None}


def _verdicts(
    place: Path, cases: Sequence[LeakCase], answers: Mapping[str, Record], judging: Asking, most: int
) -> tuple[dict[str, Record], StageResult]:
    calls = list(judge_calls(cases, answers))
    result = ask_until_read(calls, judging, place / VERDICTS, parse=read_level, most=most)
    with batch_journal(place / VERDICTS) as journal:
        # not of what was judged before under the same name
        attempts = [(call, each) for call in calls for each in attempts_of(journal, call.item_id)]
    return {call.item_id: each for call, each in attempts if each["asked"] == call.fields["asked"]}, result


def _write(
    place: Path, records: Iterable[Record], scores: Sequence[Score], excluded: Mapping[str, int], agent: str, judge: str
) -> None:
    write_atomically(place / LEAKS, lines(records))
    write_atomically(place / SCORES, lines({**score.to_record(), "agent": agent} for score in scores))
    write_atomically(place / PAGE, leak_page(agent, judge, scores, excluded).encode())


def _no_names(_: BatchItem) -> dict[str, list[list[str]]]:
    return {"characters": [], "places": [], "phrases": []}


def _said(excluded: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in excluded.items()) or "there are no items"
