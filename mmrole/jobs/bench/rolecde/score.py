"""`mmrole bench rolecde score`: every number, from what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import Record, file_sha256
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from mmrole.core.manifest import Manifest, library_versions
from mmrole.core.scores import Score
from mmrole.jobs.bench.rolecde.grade import read_ratings
from mmrole.jobs.bench.rolecde.score_page import score_page
from mmrole.jobs.bench.rolecde.similarity import SIMILARITY, Similarities, Similarity, similarities
from mmrole.jobs.bench.rolecde.similarity_page import similarity_lines
from mmrole.jobs.bench.rolecde.stages import AUDIT, Place, place_of
from mmrole.jobs.bench.stages import lines
from textbench.benchmark import ANSWERS, GRADES, RATINGS
from textbench.rolecde.agreement import judge_agreement
from textbench.rolecde.dbr_metrics import DECISIONS
from textbench.rolecde.deciding import decisions_of
from textbench.rolecde.evaluation import Rated, decision_records, evaluate, outcomes
from textbench.rolecde.judging import FORMS
from textbench.rolecde.plan import BENCHMARK
from textbench.rolecde.role_options import audit_counts

SCORES: Final = "scores.jsonl"
DECISIONS_FILE: Final = "decisions.jsonl"
OUTCOMES: Final = "outcomes.jsonl"
PAGE: Final = "scores.md"
AGREEMENT: Final = "agreement.jsonl"
SCORED: Final = "scored.json"
"""The manifest of this stage."""
_OVERLAP_LIBRARIES: Final = ("rouge-score", "sacrebleu", "bert-score")


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """What was scored.

    Attributes:
        folder: where the files of this judge are; the folder of the run when there are no grades
        scores: the numbers
        decisions: one record per dilemma, order and run
        agreement: of the judges with one another; empty with one judge
        audit: how many role options are from where, and in which doubt
        similarity: one record per dilemma, order and run, when similarity was asked for
    """

    folder: Path
    scores: list[Rated] = field(repr=False)
    decisions: list[Record] = field(repr=False)
    agreement: list[tuple[str, Score]] = field(repr=False)
    audit: Record
    similarity: list[Record] = field(default_factory=list, repr=False)

    @property
    def graded(self) -> bool:
        """Whether there are decisions; without grades there is similarity alone."""
        return bool(self.decisions)

    @property
    def undecided(self) -> int:
        """Dilemmas without a decision, whatever the reason."""
        return sum(each["decision"] is None for each in self.decisions)

    def score(self, metric: str, part: str = "all", items: str = "all") -> Score:
        """One of the scores.

        Raises:
            KeyError: there is none
        """
        for each in self.scores:
            if (each.score.metric, each.score.part, each.items) == (metric, part, items):
                return each.score
        raise KeyError(f"{metric} {part} {items}")


def score(
    folder: str | Path,
    *,
    grades: str | None = None,
    similarity: Similarity | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> list[ScoreResult]:
    """Computes the scores of each judge and writes them beside its ratings, and the agreement of the judges into the folder.

    Files: scores.jsonl, scores.md, decisions.jsonl, outcomes.jsonl, similarity.jsonl when it is asked for, scored.json (the manifest of
    this stage); agreement.jsonl. Similarity needs no judge: without grades its files are written into the folder itself.

    Args:
        folder: with grades; with answers, for similarity alone
        grades: name of one judge; all when None
        similarity: how the reasons are compared with the personal values; None for not at all
        bootstrap: draws of the intervals (personas are drawn); 0 for none
        seed: of the draws

    Raises:
        UsageError: there are no grades of that name
        StoreError: the folder is damaged or in use, or a judge graded answers that have changed since
        MissingExtraError: similarity needs an extra that is not installed
        InputError: there is no such model for BERTScore
    """
    require_draws(bootstrap)
    place = place_of(folder)
    with place.folder.locked():
        options = place.role_options()
        alone = similarity is not None and grades is None and not _are_graded(place)
        homes = [] if alone else graded_by(place, grades)
        similar = None if similarity is None else similarities(place, similarity)
        flagged = frozenset((each.persona, each.level) for each in options if each.flagged)
        categories = {each.persona_id: each.category for each in place.personas.values()}
        languages = {each.persona_id: each.language for each in place.personas.values()}
        ratings = {home.name: read_ratings(home) for home in homes}
        if ratings:
            _require_current(place, ratings)
        decisions = {name: decision_records(each, options, categories, languages) for name, each in ratings.items()}
        agreement = _agreement(ratings, decisions) if len(ratings) > 1 else []
        audit = audit_counts(options)
        for name in (
            () if alone else (SCORES, PAGE, SIMILARITY, SCORED)
        ):  # of similarity alone, before there were grades
            (place.folder.path / name).unlink(missing_ok=True)
        out = []
        for home in [place.folder.path] if alone else homes:
            named = () if alone else decisions[home.name]
            scores = [] if alone else evaluate(named, ratings[home.name], bootstrap=bootstrap, seed=seed)
            types = {_item(each): each["decision"] for each in named}
            if similar is not None:
                scores += similar.scores(types, flagged, bootstrap=bootstrap, seed=seed)
            result = ScoreResult(
                folder=home, scores=scores, decisions=list(named), agreement=agreement, audit=audit,
                similarity=[] if similar is None else list(similar.records(types)),
            )  # fmt: skip
            _write(place, result, similar, bootstrap=bootstrap, seed=seed)
            out.append(result)
        if agreement:
            records = [{**score.to_record(), "of": of} for of, score in agreement]
            write_atomically(place.folder.path / AGREEMENT, lines(records))
    return out


def _require_current(place: Place, ratings: Mapping[str, Sequence[Record]]) -> None:
    """Refuses grades of answers that are no longer those of the folder: judges would be compared on different answers.

    Raises:
        StoreError: a judge has graded other answers
    """
    now = {
        (each.persona, each.level, each.order, each.run): (each.status, each.option)
        for each in decisions_of(place.plan, place.personas.values(), place.folder.answers())
    }
    for name, records in ratings.items():
        known = [((each["persona"], each["level"], each["order"], each["run"]), each) for each in records]
        changed = sum(now.get(key) != (each["status"], each["option"]) for key, each in known)
        if changed:
            raise StoreError(
                f"{place.folder.path}: {changed} of {len(known)} decisions that {name} graded were answered anew since: "
                f"run mmrole bench {BENCHMARK} grade again, which asks only for what is new"
            )


def graded_by(place: Place, name: str | None) -> list[Path]:
    """The folders of the judges whose grades are there: of one by name, or of all.

    Raises:
        UsageError: there are none
    """
    there = sorted(path.parent for path in (place.folder.path / GRADES).glob(f"*/{RATINGS}"))
    if name is not None:
        if place.folder.grades(name) not in there:
            known = f"it holds grades of {', '.join(path.name for path in there)}" if there else "it holds no grades"
            raise UsageError(f"{place.folder.path} holds no grades of {name}: {known}")
        return [place.folder.grades(name)]
    if not there:
        raise UsageError(f"{place.folder.path} holds no grades: make them with mmrole bench rolecde grade")
    return there


def _agreement(
    ratings: Mapping[str, Sequence[Record]], decisions: Mapping[str, Sequence[Record]]
) -> list[tuple[str, Score]]:
    """Of the forms, which the judges decide on; and of the decisions, whose direction all judges share."""
    forms = {judge: {_item(each): each["form"] for each in records} for judge, records in ratings.items()}
    whole = {judge: {_item(each): each["decision"] for each in records} for judge, records in decisions.items()}
    return [("form", score) for score in judge_agreement(forms, labels=FORMS)] + [
        ("decision", score) for score in judge_agreement(whole, labels=DECISIONS)
    ]


def _item(record: Mapping[str, Any]) -> str:
    return "/".join(str(record[name]) for name in ("persona", "level", "order", "run"))


def _are_graded(place: Place) -> bool:
    return any((place.folder.path / GRADES).glob(f"*/{RATINGS}"))


def _write(place: Place, result: ScoreResult, similar: Similarities | None, *, bootstrap: int, seed: int) -> None:
    home = result.folder
    files = {SCORES: lines(each.to_record() for each in result.scores)}
    if result.graded:
        page = score_page(place.plan, result.scores, result.agreement, result.audit)
        files |= {DECISIONS_FILE: lines(result.decisions), OUTCOMES: lines(outcomes(result.decisions))}
    else:
        page = "\n".join(["# RoleCDE", "", "Nobody has graded the decisions.", *similarity_lines(result.scores), ""])
    files[PAGE] = page.encode()
    if similar is None:
        (home / SIMILARITY).unlink(missing_ok=True)  # of another score
    else:
        files[SIMILARITY] = lines(result.similarity)
    for name, data in files.items():
        write_atomically(home / name, data)
    records = result.decisions or result.similarity
    undecided = result.undecided if result.graded else sum(each["reason"] is not None for each in records)
    bert = None if similar is None or similar.bert is None else similar.bert.signature
    inputs = [AUDIT] if similar is None else [AUDIT, ANSWERS]
    manifest = Manifest(
        command=f"bench {BENCHMARK} score",
        settings={**place.plan.to_record(), "bootstrap": bootstrap, "seed": seed},
        counts={
            "inputs": len(records),
            "done": len(records) - undecided,
            "failed": 0,
            "skipped": undecided,
        },
        libraries=library_versions("mmrole", "numpy", "pydantic", *(() if similar is None else _OVERLAP_LIBRARIES)),
        extra={
            "judge": home.name if result.graded else None,
            "bertscore": bert,
            "audit": result.audit,
            "inputs": {
                **{name: file_sha256(place.folder.path / name) for name in inputs},
                **({RATINGS: file_sha256(home / RATINGS)} if result.graded else {}),
            },
            "files": {name: file_sha256(home / name) for name in files},
        },
    )
    manifest.write(home / SCORED)


def read_decisions(home: Path) -> list[Record]:
    """The records of ``decisions.jsonl``.

    Raises:
        UsageError: there are none
    """
    if not (home / DECISIONS_FILE).is_file():
        raise UsageError(f"{home} holds no scores: make them with mmrole bench rolecde score")
    return list(read_records(home / DECISIONS_FILE))
