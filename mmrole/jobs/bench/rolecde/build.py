"""`mmrole bench rolecde build`: personas become questions to the agent, and it is settled which option serves the role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256
from mmrole.core.files import write_atomically
from mmrole.core.scores import Score
from mmrole.jobs.asking import keep_to
from mmrole.jobs.bench.rolecde.audit_page import audit_page
from mmrole.jobs.bench.rolecde.inputs import read_inputs
from mmrole.jobs.bench.rolecde.stages import AUDIT, PERSONAS, new_manifest, opened, persona_lines
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, lines
from mmrole.llm import ChatModel, Estimate, Prices, Spent, batch_journal
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import REPLIES, BenchmarkFolder
from textbench.regeneration import ask_until_read, attempts_of, estimate_repeated
from textbench.rolecde.auditing import audit_calls, auditor_verdicts, read_audit
from textbench.rolecde.deciding import decide_items
from textbench.rolecde.persona_files import EXAMPLE
from textbench.rolecde.personas import LEVELS, Level, Persona
from textbench.rolecde.plan import BENCHMARK, Order, RoleCDEPlan, Style
from textbench.rolecde.role_options import (
    Key,
    RoleOption,
    Verdict,
    audit_agreement,
    audit_counts,
    file_verdicts,
    settle_role_options,
)

AUDITS: Final = "audit"
AUDITOR: Final = "auditor.json"
AUDIT_PAGE: Final = "audit.md"
MOST_REGENERATIONS: Final = 3


@dataclass(frozen=True, kw_only=True)
class BuildResult:
    """What was prepared.

    Attributes:
        out: the folder
        personas: ids
        items: questions to the agent in one run
        runs: how often they are asked
        options: the role option of every dilemma; empty while the audit has not come to its end
        agreement: of every two sources of role options
        audits: what each auditor was asked
        skipped: ``{path, reason}`` of personas that were left out on request
    """

    out: Path
    personas: list[str]
    items: int
    runs: int
    options: list[RoleOption] = field(repr=False)
    agreement: list[Score] = field(default_factory=list, repr=False)
    audits: Mapping[str, StageResult] = field(default_factory=dict)
    skipped: Sequence[Record] = ()

    @property
    def counts(self) -> Record:
        """How many role options are from where, and in which doubt."""
        return audit_counts(self.options)

    @property
    def audited(self) -> bool:
        """Whether the audit has come to its end."""
        return bool(self.options)


def build(
    out: str | Path,
    *,
    personas: Sequence[str | Path] | str | Path = (EXAMPLE,),
    only: Sequence[str] = (),
    levels: Sequence[Level] = LEVELS,
    style: Style = "neutral",
    orders: Sequence[Order] = ("AB",),
    with_values: bool = False,
    runs: int = 1,
    temperature: float = 0.0,
    role_option_files: Sequence[str | Path] = (),
    auditors: Sequence[ChatModel | str] = (),
    skip_invalid: bool = False,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> BuildResult:
    """Prepares what the agent will be asked, and settles which option of each dilemma serves the personal value.

    It can be called again on a folder with answers, for another audit; the questions have to stay the same.

    Args:
        out: the folder; one agent under one condition
        personas: folders of ``persona_<id>.json``, such files, JSONL files; ``example`` for the packaged ones
        only: ids of personas, all when empty
        levels: which dilemmas are asked: ``easy mid hard``
        style: ``neutral``, ``cot`` (reasoning first), ``upstream`` (the data set's own prompt)
        orders: ``AB`` as in the data, ``BA`` the other way round, or both
        with_values: name the values in the prompt, never which option serves which
        runs: how often everything is repeated
        temperature: of the agent
        role_option_files: tables of role options, see `textbench.rolecde.read_role_options`; ``example`` for the packaged one
        auditors: models, or names of endpoints, that are asked which option serves the personal value
        skip_invalid: leave out personas that cannot be used, and list them
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of all auditors together
        on_progress: see there

    Raises:
        UsageError: an argument makes no sense, or the folder holds answers to another plan
        InputError: a file cannot be understood
        ModelError: an auditor cannot answer at all; what was answered is stored
        StoreError: the folder is in use or cannot be written
    """
    read = read_inputs(
        personas, only=only, levels=levels, role_option_files=role_option_files, skip_invalid=skip_invalid
    )
    skipped, chosen = read.skipped, read.personas
    content = persona_lines(chosen)
    plan = RoleCDEPlan(
        personas=tuple(each.persona_id for each in chosen), personas_sha256=bytes_sha256(content), levels=tuple(levels),
        style=style, orders=tuple(orders), with_values=with_values, runs=runs, temperature=temperature,
    )  # fmt: skip
    askings = opened(auditors, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    folder = BenchmarkFolder(out, BENCHMARK)
    with folder.locked():
        items = folder.write_plan(plan.to_record(), decide_items(plan, chosen))
        if not (folder.path / PERSONAS).is_file() or (folder.path / PERSONAS).read_bytes() != content:
            (folder.path / AUDIT).unlink(missing_ok=True)  # of other personas
            write_atomically(folder.path / PERSONAS, content)
        audits: dict[str, StageResult] = {}
        spent = Spent()
        verdicts = file_verdicts(read.tables)
        for name, asking in askings.items():
            home = folder.path / AUDITS / name
            keep_to(home / AUDITOR, asking.model, "auditor")
            audits[name] = _audit(home, name, chosen, asking.after(spent), verdicts)
            spent += audits[name].spent
            if audits[name].stopped is not None:
                break
        whole = all(not (each.failed or each.pending) for each in audits.values()) and len(audits) == len(askings)
        options = settle_role_options(chosen, verdicts) if whole else []
        agreement = audit_agreement(options)
        if whole:
            write_atomically(folder.path / AUDIT, lines(each.to_record() for each in options))
            write_atomically(folder.path / AUDIT_PAGE, audit_page(options, chosen, agreement).encode())
        _write_manifest(folder.path / AUDITS, plan, skipped, audits, options, list(map(str, role_option_files)))
    for each in audits.values():
        each.raise_if_stopped()
    return BuildResult(
        out=Path(out), personas=list(plan.personas), items=items, runs=runs, options=options, agreement=agreement,
        audits=audits, skipped=skipped,
    )  # fmt: skip


def estimate_audit(
    out: str | Path,
    *,
    personas: Sequence[str | Path] | str | Path = (EXAMPLE,),
    only: Sequence[str] = (),
    levels: Sequence[Level] = LEVELS,
    auditors: Sequence[ChatModel | str],
    skip_invalid: bool = False,
    **asked: Any,
) -> dict[str, Estimate]:
    """What the first calls of each auditor would take, and what all may. Asks nothing and writes nothing."""
    read = read_inputs(personas, only=only, levels=levels, skip_invalid=skip_invalid)
    calls = list(audit_calls(read.personas))
    return {
        name: estimate_repeated(
            calls, asking, Path(out) / AUDITS / name / REPLIES, parse=read_audit, most=MOST_REGENERATIONS
        )
        for name, asking in opened(auditors, **asked, asks=False).items()
    }


def _audit(
    home: Path, name: str, personas: Sequence[Persona], asking: Asking, verdicts: dict[Key, list[Verdict]]
) -> StageResult:
    result = ask_until_read(
        list(audit_calls(personas)), asking, home / REPLIES, parse=read_audit, most=MOST_REGENERATIONS
    )
    with batch_journal(home / REPLIES) as journal:
        found = auditor_verdicts(name, personas, lambda call: attempts_of(journal, call))
    for key, verdict in found.items():
        verdicts.setdefault(key, []).append(verdict)
    return result


def _write_manifest(
    home: Path,
    plan: RoleCDEPlan,
    skipped: Sequence[Record],
    audits: Mapping[str, StageResult],
    options: Sequence[RoleOption],
    role_option_files: list[str],
) -> None:
    extra: Record = {
        "audit": audit_counts(options) if options else None,
        "role_option_files": role_option_files,
        "auditors": {
            name: {"counts": result.counts, "statuses": dict(result.statuses), "spent": result.spent.to_record()}
            for name, result in audits.items()
        },
    }
    manifest = new_manifest("build", plan, extra)
    used, left_out = len(plan.personas), len(skipped)
    manifest.counts = {"inputs": used + left_out, "done": used, "failed": 0, "skipped": left_out}
    manifest.skipped = list(skipped)
    manifest.write(home / MANIFEST)
