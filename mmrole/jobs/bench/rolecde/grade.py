"""`mmrole bench rolecde grade`: judges say whether the reasons weigh both sides; the agent is not asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from mmrole.jobs.asking import keep_to
from mmrole.jobs.bench.rolecde.stages import Place, new_manifest, opened, place_of
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, judge_name, lines, write_manifest
from mmrole.llm import ChatModel, Prices, Spent, batch_journal
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import RATINGS, REPLIES
from textbench.regeneration import (
    RepeatedEstimate,
    ask_until_read,
    attempts_of,
    estimate_repeated,
    require_regenerations,
)
from textbench.rolecde.deciding import Decision, decisions_of
from textbench.rolecde.judging import judge_calls, rating_record, read_judgement

JUDGE: Final = "judge.json"
REGENERATIONS: Final = 3


@dataclass(frozen=True, kw_only=True)
class GradeResult:
    """What one judge graded.

    Attributes:
        name: of the judge
        stage: its calls
        decisions: planned: one per dilemma, order and run
        choices: status of the agent's choice -> decisions
        judged: decisions with a verdict
        waiting: decisions whose call failed or was not made: grade again
        ratings: the file, None when the stage ended early and left an earlier one as it was
    """

    name: str
    stage: StageResult
    decisions: int
    choices: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    waiting: int = 0
    ratings: Path | None = None

    @property
    def unread(self) -> bool:
        """Whether nothing that the judge said could be read: there are no decisions."""
        return not self.judged and bool(self.stage.total)


def grade(
    folder: str | Path,
    judges: Sequence[ChatModel | str] | ChatModel | str,
    *,
    name: str | None = None,
    most_regenerations: int = REGENERATIONS,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> list[GradeResult]:
    """Has judges read the reasons, each into a folder of its own; the agent is not asked.

    Args:
        folder: with answers
        judges: models, or names of endpoints, one after the other
        name: of the folder below ``grades``, with one judge only; the judge's own name when None
        most_regenerations: how often an unreadable reply is asked for again, 0 to 12
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of all judges together
        on_progress: see there

    Raises:
        UsageError: no such endpoint, or the grades are those of another judge
        ModelError: a judge cannot answer at all; what was answered is stored
        StoreError: there are no answers, or the folder is damaged or in use
    """
    require_regenerations(most_regenerations)
    askings = _askings(
        judges, name, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress
    )
    place = place_of(folder)
    out: list[GradeResult] = []
    spent = Spent()
    with place.folder.locked():
        decisions = _decisions(place)
        for each, asking in askings.items():
            out.append(_grade(place, decisions, each, asking.after(spent), most_regenerations))
            spent += out[-1].stage.spent
            out[-1].stage.raise_if_stopped()
    return out


def estimate_grade(
    folder: str | Path,
    judges: Sequence[ChatModel | str] | ChatModel | str,
    *,
    name: str | None = None,
    most_regenerations: int = REGENERATIONS,
    **asked: Any,
) -> dict[str, RepeatedEstimate]:
    """Judge -> what its first calls would take, and what all may when nothing can be read. Asks nothing."""
    require_regenerations(most_regenerations)
    place = place_of(folder)
    with place.folder.locked():
        calls = list(judge_calls(place.personas, _decisions(place)))
        return {
            each: estimate_repeated(
                calls, asking, place.folder.grades(each) / REPLIES, parse=read_judgement, most=most_regenerations
            )
            for each, asking in _askings(judges, name, **asked, asks=False).items()
        }


def read_ratings(grades: Path) -> list[Record]:
    """The records of ``ratings.jsonl``.

    Raises:
        StoreError: the file is missing or damaged
    """
    path = grades / RATINGS
    if not path.is_file():
        raise StoreError(f"{path} is missing: make it with mmrole bench rolecde grade")
    return list(read_records(path))


def _askings(judges: Sequence[ChatModel | str] | ChatModel | str, name: str | None, **asked: Any) -> dict[str, Asking]:
    several = list(judges) if isinstance(judges, Sequence) and not isinstance(judges, str) else [judges]
    if not several:
        raise UsageError("no judge was named")
    if name is not None and len(several) > 1:
        raise UsageError("one name for several judges: leave it out, each has its own")
    found = opened(several, **asked)
    if name is not None:
        return {judge_name("", next(iter(found.values())).model, name): next(iter(found.values()))}
    return found


def _decisions(place: Place) -> list[Decision]:
    return list(decisions_of(place.plan, place.personas.values(), place.folder.answers()))


def _grade(place: Place, decisions: Sequence[Decision], name: str, asking: Asking, most: int) -> GradeResult:
    home = place.folder.grades(name)
    keep_to(home / JUDGE, asking.model, "judge")
    manifest = new_manifest("grade", place.plan, {"judge": dict(asking.model.identity)})
    calls = list(judge_calls(place.personas, decisions))
    result = ask_until_read(calls, asking, home / REPLIES, parse=read_judgement, most=most)
    with batch_journal(home / REPLIES) as journal:
        ratings = [
            rating_record(place.personas[each.persona], each, attempts_of(journal, each.key)) for each in decisions
        ]
    graded = GradeResult(
        name=name,
        stage=result,
        decisions=len(decisions),
        choices=Counter(each.status for each in decisions),
        judged=sum(record["form"] is not None for record in ratings),
        waiting=sum(record["form_status"] in ("error", "missing") for record in ratings),
        ratings=home / RATINGS if result.stopped is None else None,
    )
    manifest.extra |= {"decisions": len(decisions), "choices": dict(graded.choices), "judged": graded.judged}
    manifest.extra["waiting"] = graded.waiting
    if result.stopped is None:
        write_atomically(home / RATINGS, lines(ratings))
    write_manifest(manifest, home / MANIFEST, result)
    return graded
