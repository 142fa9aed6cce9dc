"""`mmrole bench rolecde mini`: corpora for training, from a teacher's answers that a judge and rules have let through.

The judge is asked the benchmark's own question, and the rules use the concession markers that cross-check it: what an agent gains on
RoleCDE by this training is partly circular.

Files of the folder::

    teacher.jsonl       the journal of the teacher's replies
    verdicts.jsonl      the journal of the judge's replies
    sft.jsonl           {"messages": [system, user, assistant]}, from RF and RC
    dpo.jsonl           {"prompt": [system, user], "chosen": [assistant], "rejected": [assistant]}
    accepted.jsonl      the answers that passed, one per dilemma and decision type
    rejected.jsonl      those that did not, each with every reason
    unpaired.jsonl      role answers without an alignment answer to stand against
    training.toml       the documented settings of the training
    manifest.json
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256, file_sha256
from mmrole.core.files import write_atomically
from mmrole.core.lock import RunLock
from mmrole.core.manifest import Manifest, library_versions
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.rolecde.mini_plan import MiniPlan, MiniWork, mini_work
from mmrole.jobs.bench.rolecde.stages import persona_lines
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, lines
from mmrole.llm import BatchItem, ChatModel, Estimate, Prices, batch_journal, estimate_batch, run_batch
from mmrole.llm.batch import current_records
from mmrole.llm.items import ERROR, OK
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal
from textbench.regeneration import ask_until_read, attempts_of, estimate_repeated
from textbench.rolecde.judging import read_judgement
from textbench.rolecde.mini import Corpora, TeacherAnswer, build_corpora, read_answers
from textbench.rolecde.mini.answers import verification_calls
from textbench.rolecde.plan import BENCHMARK

TEACHER, VERDICTS = "teacher.jsonl", "verdicts.jsonl"
TRAINING: Final = "training.toml"
REGENERATIONS: Final = 3


@dataclass(frozen=True, kw_only=True)
class MiniResult:
    """What was made.

    Attributes:
        out: the folder
        corpora: rows, rejects and counts; None when a stage ended early and left earlier files as they were
        teacher: the teacher's calls
        judge: the judge's calls; None when the teacher's ended early
        left_out: ``{path, reason}`` of dilemmas and personas that nobody was asked about
    """

    out: Path
    corpora: Corpora | None
    teacher: StageResult
    judge: StageResult | None
    left_out: Sequence[Record] = ()


def mini(
    plan: MiniPlan,
    teacher: ChatModel | str,
    judge: ChatModel | str,
    *,
    out: str | Path,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> MiniResult:
    """Asks the teacher, has the judge verify, filters, and writes the corpora. What is answered is never asked again.

    Args:
        plan: what is asked for
        teacher: a model, or the name of an endpoint
        judge: the same; another model than the teacher, or it verifies itself
        out: the folder
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of both together
        on_progress: see there

    Raises:
        UsageError: no such endpoint, or the folder holds the replies of another teacher or judge
        InputError: a file cannot be understood, or no role option is known for sure
        ModelError: a model cannot answer at all; what was answered is stored
        StoreError: the folder is in use, damaged, or cannot be written
    """
    work = mini_work(plan)
    asked = {
        "config": config,
        "cache": cache,
        "prices": prices,
        "max_cost": max_cost,
        "on_progress": on_progress,
    }
    teaching, judging = (asking_of(each, **asked) for each in (teacher, judge))  # type: ignore[arg-type]
    home = Path(out)
    with RunLock(home):
        keep_to(home / "teacher.json", teaching.model, "teacher")
        keep_to(home / "judge.json", judging.model, "judge")
        manifest = _manifest(plan, work, teaching, judging)
        taught, answers = _teach(work, plan, teaching, home)
        judged: StageResult | None = None
        corpora: Corpora | None = None
        if taught.stopped is None:
            calls = list(verification_calls(work.personas, answers))
            judged = ask_until_read(
                calls, judging.after(taught.spent), home / VERDICTS, parse=read_judgement, most=REGENERATIONS
            )
        if judged is not None and judged.stopped is None:
            corpora = build_corpora(work.personas, answers, _verdicts(home, calls), rules=plan.rules)
            manifest.extra["files"] = _write(home, corpora)
            manifest.extra["corpora"] = corpora.counts
        _count(manifest, plan, work, taught, judged)
        manifest.write(home / MANIFEST)
    for stage in (taught, judged):
        if stage is not None:
            stage.raise_if_stopped()
    return MiniResult(out=home, corpora=corpora, teacher=taught, judge=judged, left_out=work.left_out)


def estimate_mini(
    plan: MiniPlan,
    teacher: ChatModel | str,
    judge: ChatModel | str,
    *,
    out: str | Path,
    **asked: Any,
) -> dict[str, Estimate]:
    """What is left for teacher and judge; the judge's is of the answers that are there. Asks nothing, needs no key, writes nothing."""
    work = mini_work(plan)
    home = Path(out)
    teaching, judging = (asking_of(each, **asked, asks=False) for each in (teacher, judge))
    keep_to(home / "teacher.json", teaching.model, "teacher", write=False)
    keep_to(home / "judge.json", judging.model, "judge", write=False)
    with opened_journal(home / TEACHER) as journal:
        first = estimate_batch(
            work.items, teaching.model, journal, rounds=plan.samples, cache=teaching.cache, prices=teaching.prices
        )
        stored = [] if journal is None else current_records(work.items, teaching.model, journal, rounds=plan.samples)
        answers = read_answers(work.personas, [record for record in stored if record is not None])
    calls = list(verification_calls(work.personas, answers))
    verdicts = estimate_repeated(calls, judging, home / VERDICTS, parse=read_judgement, most=REGENERATIONS)
    return {"teacher": first, "judge": verdicts}


def _teach(work: MiniWork, plan: MiniPlan, asking: Asking, home: Path) -> tuple[StageResult, list[TeacherAnswer]]:
    with batch_journal(home / TEACHER) as journal:
        batch = run_batch(
            work.items,
            asking.model,
            journal,
            rounds=plan.samples,
            cache=asking.cache,
            prices=asking.prices,
            max_cost=asking.max_cost,
            total=len(work.items),
            progress=asking.progress,
        )
        records = list(current_records(work.items, asking.model, journal, rounds=plan.samples))
    return StageResult.of(batch), read_answers(work.personas, [each for each in records if each is not None])


def _verdicts(home: Path, calls: Sequence[BatchItem]) -> dict[str, str | None]:
    """Key of an answer -> the verdict, None where it could not be read; an answer whose call failed is not there."""
    found: dict[str, str | None] = {}
    with batch_journal(home / VERDICTS) as journal:
        for call in calls:
            replies = attempts_of(journal, call.item_id)
            if replies and replies[-1]["status"] != ERROR:
                found[call.item_id] = replies[-1]["value"] if replies[-1]["status"] == OK else None
    return found


def _write(home: Path, corpora: Corpora) -> Record:
    for name in ("sft", "dpo", "accepted", "rejected", "unpaired"):
        write_atomically(home / f"{name}.jsonl", lines(getattr(corpora, name)))
    write_atomically(home / TRAINING, files("textbench.rolecde").joinpath("data", TRAINING).read_bytes())
    return {
        path.name: file_sha256(path) for path in sorted(home.glob("*.jsonl")) if path.name not in (TEACHER, VERDICTS)
    }


def _manifest(plan: MiniPlan, work: MiniWork, teaching: Asking, judging: Asking) -> Manifest:
    manifest = Manifest(
        command=f"bench {BENCHMARK} mini",
        settings={
            "personas": list(work.personas),
            "personas_sha256": bytes_sha256(persona_lines(work.personas.values())),
            "role_option_files": list(map(str, plan.role_option_files)),
            "levels": list(plan.levels),
            "samples": plan.samples,
            "seed": plan.seed,
            "temperature": plan.temperature,
            "include_doubtful": plan.include_doubtful,
            "rules": plan.rules.to_record(),
            "regenerations": REGENERATIONS,
        },
        counts={},
        libraries=library_versions("mmrole", "openai", "pydantic"),
        skipped=list(work.left_out),
    )
    manifest.extra = {
        "teacher": {"model": dict(teaching.model.identity)},
        "judge": {"model": dict(judging.model.identity)},
        "dilemmas": work.dilemmas,
        "left_out": dict(Counter(each["reason"] for each in work.left_out)),
    }
    return manifest


def _count(manifest: Manifest, plan: MiniPlan, work: MiniWork, taught: StageResult, judged: StageResult | None) -> None:
    """An answer is done when both models have said what they had to say of it, whatever that was."""
    total = len(work.items) * plan.samples
    open_still = taught.failed + taught.pending + (0 if judged is None else judged.failed + judged.pending)
    failed = total if judged is None else open_still
    skipped = len(work.left_out)
    manifest.counts = {
        "inputs": total + skipped, "done": total - failed, "failed": failed, "skipped": skipped,
    }  # fmt: skip
    for name, stage in (("teacher", taught), ("judge", judged)):
        if stage is not None:
            manifest.extra[name] |= {
                "counts": stage.counts, "statuses": dict(stage.statuses), "spent": stage.spent.to_record(),
                "stopped": None if stage.stopped is None else stage.stopped.message,
            }  # fmt: skip
