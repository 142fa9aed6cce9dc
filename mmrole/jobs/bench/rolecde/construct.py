"""`mmrole bench rolecde construct`: an author model makes personas with dilemmas out of lines about people.

Files of the folder::

    seeds.jsonl               what it was made of
    steps/NUMBER-NAME.jsonl   the journal of the author's replies in each step
    personas.jsonl            the finished personas, which `mmrole bench rolecde build` reads
    rejected.jsonl            seeds whose replies could not be used, with step and reason
    report.json               the validity report
    sheets/annotator-N.csv    for people to verify the dilemmas, see `mmrole.jobs.bench.rolecde.verify`
    manifest.json
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256, file_sha256
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.lock import RunLock
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.blank_sheets import write_blank
from mmrole.jobs.bench.rolecde.stages import PERSONAS, persona_lines
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, lines, manifest_of, write_manifest
from mmrole.llm import ChatModel, Estimate, Prices
from mmrole.llm.stage import StageResult
from textbench.rolecde.construction import Constructed, Draft, Seed, read_seeds, sheet_rows
from textbench.rolecde.construction import construct as construct_personas
from textbench.rolecde.construction.pipeline import construction_steps
from textbench.rolecde.construction.report import validity_report
from textbench.rolecde.construction.verification import COLUMNS, FILL
from textbench.rolecde.persona_files import EXAMPLE, read_personas
from textbench.rolecde.personas import Persona
from textbench.rolecde.plan import BENCHMARK
from textbench.stepwise import estimate_steps

SEEDS: Final = "seeds.jsonl"
STEPS_FOLDER: Final = "steps"
REJECTED: Final = "rejected.jsonl"
REPORT: Final = "report.json"
SHEETS: Final = "sheets"
AUTHOR: Final = "author.json"
MOST_SHEETS: Final = 26


@dataclass(frozen=True, kw_only=True)
class ConstructResult:
    """What was made.

    Attributes:
        out: the folder
        personas: the finished ones
        rejected: ``{draft, step, status, reason}`` of seeds whose replies could not be used
        report: the validity report
        stage: the calls
        sheets: those of the annotators
        kept: of these, which somebody has changed, and which were left as they are
    """

    out: Path
    personas: Sequence[Persona] = field(repr=False)
    rejected: Sequence[Record] = field(repr=False)
    report: Record
    stage: StageResult
    sheets: Sequence[Path] = ()
    kept: Sequence[Path] = ()

    @property
    def complete(self) -> bool:
        """Whether every seed became a persona."""
        return bool(self.report["counts"]["seeds"] == self.report["counts"]["personas"])


def construct(
    seeds: str | Path,
    author: ChatModel | str,
    *,
    out: str | Path,
    temperature: float | None = None,
    seed: int = 0,
    sheets: int = 4,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> ConstructResult:
    """Makes personas of seeds. What the author has answered is never asked again.

    Args:
        seeds: see `textbench.rolecde.construction.read_seeds`; ``example`` for those of the packaged personas
        author: a model, or the name of an endpoint
        out: the folder
        temperature: of the author; None for the endpoint's own
        seed: of the letters of the options: which one is the role's is drawn
        sheets: sheets to write, one per annotator, 0 to 26
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: see there

    Raises:
        UsageError: an argument makes no sense, or the folder holds the replies of another author
        InputError: the seeds cannot be understood
        ModelError: the author cannot answer at all; what was answered is stored
        StoreError: the folder is in use, damaged, or cannot be written
    """
    _require(temperature, sheets)
    asking = asking_of(author, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    given = _seeds(seeds)
    home = Path(out)
    with RunLock(home):
        keep_to(home / AUTHOR, asking.model, "author")
        settings = {"temperature": temperature, "seed": seed, "sheets": sheets, "seeds": len(given)}
        manifest = manifest_of(BENCHMARK, "construct", settings, {}, libraries=("mmrole", "openai", "pydantic"))
        records = lines({"id": each.seed_id, "persona": each.text, "language": each.language} for each in given)
        write_atomically(home / SEEDS, records)
        made = construct_personas(given, asking, home / STEPS_FOLDER, temperature=temperature, seed=seed)
        report = validity_report(made)
        there, kept = _write(home, made, report, sheets) if made.steps.stage.stopped is None else ([], [])
        files = {name: file_sha256(home / name) for name in (PERSONAS, REJECTED, REPORT) if (home / name).is_file()}
        manifest.extra = {
            "author": dict(asking.model.identity),
            "inputs": {SEEDS: bytes_sha256(records)},
            "files": files,
            "seeds": made.counts,
        }
        write_manifest(manifest, home / MANIFEST, made.steps.stage)
    made.steps.stage.raise_if_stopped()
    return ConstructResult(
        out=home, personas=made.personas, rejected=made.rejected, report=report, stage=made.steps.stage, sheets=there,
        kept=kept,
    )  # fmt: skip


def estimate_construct(
    seeds: str | Path,
    author: ChatModel | str,
    *,
    out: str | Path,
    temperature: float | None = None,
    **asked: Any,
) -> dict[str, Estimate]:
    """Step -> what it would take, for the seeds that have come so far; asks nothing, needs no key, and writes nothing."""
    _require(temperature, 0)
    asking = asking_of(author, **asked, asks=False)
    given = _seeds(seeds)
    keep_to(Path(out) / AUTHOR, asking.model, "author", write=False)
    drafts = [Draft(seed=each) for each in given]
    return estimate_steps(drafts, construction_steps(temperature), asking, Path(out) / STEPS_FOLDER)


def _require(temperature: float | None, sheets: int) -> None:
    if temperature is not None and not 0 <= temperature <= 2:
        raise UsageError(f"a temperature of {temperature} makes no sense: give 0 to 2")
    if not 0 <= sheets <= MOST_SHEETS:
        raise UsageError(f"{sheets} sheets make no sense: give one per annotator, 0 to {MOST_SHEETS}")


def _seeds(path: str | Path) -> list[Seed]:
    if str(path) != EXAMPLE:
        return read_seeds(path)
    return [
        Seed(seed_id=each.persona_id, text=each.description, language=each.language)
        for each in read_personas(EXAMPLE).personas
    ]


def _write(home: Path, made: Constructed, report: Record, sheets: int) -> tuple[list[Path], list[Path]]:
    write_atomically(home / PERSONAS, persona_lines(made.personas))
    write_atomically(home / REJECTED, lines([*made.rejected, *made.steps.failed]))
    write_atomically(home / REPORT, f"{json.dumps(report, ensure_ascii=False, indent=1)}\n".encode())
    if not made.personas:
        return [], []
    paths = [home / SHEETS / f"annotator-{number}.csv" for number in range(1, sheets + 1)]
    kept = [path for path in paths if not write_blank(path, COLUMNS, list(sheet_rows(made.personas)), fill=FILL)]
    return paths, kept


def constructed_personas(folder: str | Path) -> tuple[Persona, ...]:
    """The personas of a folder.

    Raises:
        InputError: there are none
    """
    path = Path(folder) / PERSONAS
    if not path.is_file():
        raise InputError(f"{path} is missing: make it with mmrole bench {BENCHMARK} construct")
    if not path.stat().st_size:
        raise InputError(f"{path} is empty: no seed became a persona, see {REJECTED} beside it")
    return read_personas(path).personas
