"""`mmrole bench incharacter score`: every number, from what is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, to_json
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from mmrole.jobs.bench.incharacter.grade import INTERVIEWER, read_ratings
from mmrole.jobs.bench.incharacter.run import AGENT
from mmrole.jobs.bench.incharacter.score_page import score_page
from mmrole.jobs.bench.stages import lines
from textbench.benchmark import BenchmarkFolder
from textbench.incharacter.evaluation import Choosing, Evaluation, answer_problems, evaluate
from textbench.incharacter.labels import read_labels
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan, plan_from

SCORES: Final = "scores.jsonl"
MEASURED: Final = "measured.json"


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """What was scored.

    Attributes:
        folder: where the files are
        evaluation: the numbers
        problems: common problems of the answers, a record per character
        missing: sittings without ratings
    """

    folder: Path
    evaluation: Evaluation
    problems: list[Record] = field(repr=False)
    missing: int


def score(
    folder: str | Path,
    *,
    grades: str | None = None,
    labels: str | Path | None = None,
    choosing: Choosing | None = None,
) -> ScoreResult:
    """Computes the scores and writes them beside the ratings.

    Files: scores.jsonl, scores.md, scores.tex, measured.json, counts.jsonl, problems.jsonl.

    Args:
        folder: with grades
        grades: name of the grades; needed when there are several
        labels: labels file; those of the characters file when None
        choosing: options of the metrics

    Raises:
        UsageError: an option that makes no sense
        InputError: the labels cannot be understood
        StoreError: there are no ratings, or the folder is damaged or in use
    """
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    home = place.grades(grades)
    found = labels_of(plan, labels)
    with place.locked():
        ratings = read_ratings(home)
        choosing = choosing or Choosing()
        evaluation = evaluate(plan, ratings, found, choosing=choosing)
        problems = answer_problems(plan, place.answers())
        methods = {record["method"] for record in ratings}
        missing = len(plan.characters) * len(plan.questionnaires) * plan.runs * len(methods) - len(ratings)
        page = score_page(
            plan, evaluation, choosing, agent=_model(place.path / AGENT), interviewer=_model(home / INTERVIEWER),
            missing=missing,
        )  # fmt: skip
        _write_scores(home, evaluation, problems, page)
    return ScoreResult(folder=home, evaluation=evaluation, problems=problems, missing=missing)


def _model(path: Path) -> str:
    """Name of the model whose identity is kept in a file; that it is not known, where there is none."""
    identity = next(iter(read_records(path)), {}) if path.is_file() else {}
    return str(identity.get("model") or "not known")


def labels_of(plan: InCharacterPlan, path: str | Path | None) -> dict[str, Any]:
    """The labels of a file, or those of the characters file when there is none.

    Raises:
        InputError: the file cannot be understood
    """
    if path is not None:
        return dict(read_labels(path, [each.scale for each in plan.questionnaires]))
    return {"annotation": plan.labels()} if plan.labels() else {}


def _write_scores(home: Path, evaluation: Evaluation, problems: list[Record], page: str) -> None:
    write_atomically(home / SCORES, lines(evaluation.score_records()))
    write_atomically(home / "counts.jsonl", lines(evaluation.counts))
    write_atomically(home / "problems.jsonl", lines(problems))
    write_atomically(home / MEASURED, f"{to_json(evaluation.measured)}\n".encode())
    write_atomically(home / "scores.md", page.encode())
    if evaluation.results:
        tables = evaluation.tables()
        write_atomically(home / "scores.tex", "\n".join(table.to_latex() for table in tables).encode())
