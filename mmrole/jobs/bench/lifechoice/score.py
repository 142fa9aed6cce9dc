"""`mmrole bench lifechoice score`: every number, from what is stored; nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import Record, file_sha256, to_json
from mmrole.core.errors import StoreError
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from mmrole.jobs.bench.lifechoice.grade import RATINGS_KEY, ratings_of
from mmrole.jobs.bench.lifechoice.page import page
from mmrole.jobs.bench.lifechoice.preparation import masked_cases
from mmrole.jobs.bench.lifechoice.run import UNASKED
from mmrole.jobs.bench.lifechoice.stages import new_manifest, opened_folder, stored_items
from textbench.benchmark import BenchmarkFolder
from textbench.lifechoice.evaluation import Evaluation, evaluate
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.profile_scores import profile_scores, read_human_scores
from textbench.lifechoice.references import Reference, reference_for
from textbench.lifechoice.results import NOT_ASKED, Result, results_of

SCORES: Final = "scores.jsonl"
RESULTS: Final = "results.jsonl"
COUNTS: Final = "counts.jsonl"
PAGE: Final = "scores.md"
SCORED: Final = "scored.json"


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """What was scored.

    Attributes:
        folder: where the files are
        plan: of the run
        evaluation: the numbers
        results: one per question
        reference: published figures to be shown beside, None for none
        missing: questions without a reply
    """

    folder: Path
    plan: LifeChoicePlan = field(repr=False)
    evaluation: Evaluation = field(repr=False)
    results: list[Result] = field(repr=False)
    reference: Reference | None
    missing: int


def score(
    folder: str | Path,
    *,
    grades: str | None = None,
    human: str | Path | None = None,
    reference: str | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> ScoreResult:
    """Computes the scores and writes them beside the answers.

    Files: scores.jsonl, scores.md, results.jsonl (a line per question), counts.jsonl, scored.json (the manifest of this stage).

    Args:
        folder: with answers
        grades: name of the judge's scores of profiles; needed when there are several
        human: CSV with people's scores of profiles, to compare the judge's with
        reference: version of the data set whose published figures stand beside; only where the data are said to be that version
        bootstrap: draws of whole books for the intervals; 0 for Wilson's
        seed: of the draws

    Raises:
        UsageError: an option that makes no sense
        InputError: people's scores cannot be understood
        StoreError: there are no answers, or the folder is damaged or in use
    """
    require_draws(bootstrap, name="--bootstrap")
    place, plan = opened_folder(folder)
    beside = None if reference is None else reference_for(reference, plan.data_version)
    people = None if human is None else read_human_scores(human)
    with place.locked():
        results = read_results(place, plan)
        evaluation = evaluate(plan, results, bootstrap=bootstrap, seed=seed)
        rated = ratings_of(place, grades, needed=human is not None)
        extra = profile_scores(plan, rated, people, bootstrap=bootstrap, seed=seed)
        evaluation = Evaluation(parts=[*evaluation.parts, *extra], counts=evaluation.counts)
        missing = sum(result.record is None or result.answer.status == "error" for result in results)
        _write(place.path / SCORES, (part.to_record() for part in evaluation.parts))
        _write(place.path / RESULTS, (result.to_record() for result in results))
        _write(place.path / COUNTS, evaluation.counts)
        write_atomically(place.path / PAGE, page(plan, evaluation, beside).encode())
        options = {"grades": grades, "reference": reference, "bootstrap": bootstrap, "seed": seed}
        manifest = new_manifest("score", plan, {"options": options, "human": None if human is None else str(human)})
        total = len(results)
        manifest.counts = {"inputs": total, "done": total - missing, "failed": missing, "skipped": 0}
        names = (SCORES, RESULTS, COUNTS, PAGE)
        manifest.extra |= {"files": {name: file_sha256(place.path / name) for name in names}, RATINGS_KEY: len(rated)}
        manifest.write(place.path / SCORED)
    return ScoreResult(
        folder=place.path, plan=plan, evaluation=evaluation, results=results, reference=beside, missing=missing
    )


def read_results(place: BenchmarkFolder, plan: LifeChoicePlan) -> list[Result]:
    """One result for every question.

    Raises:
        StoreError: there are no answers, or the folder is damaged
    """
    path = place.path / UNASKED
    unasked: list[Record] = list(read_records(path)) if path.is_file() else []
    cases = masked_cases(plan, place, stored_items(place))
    results = results_of(plan, cases, place.answers() if not unasked or _has_answers(place) else [], unasked)
    if all(result.status == NOT_ASKED for result in results):
        raise StoreError(f"{place.path} holds answers to other items: ask the agent with mmrole bench lifechoice run")
    return results


def _has_answers(place: BenchmarkFolder) -> bool:
    path = place.path / "answers.jsonl"
    return path.is_file() and path.stat().st_size > 0


def _write(path: Path, records: Iterable[Record]) -> None:
    write_atomically(path, "".join(f"{to_json(record)}\n" for record in records).encode())
