"""What RoleCDE-mini asks for, and what that comes to: personas, questions to the teacher, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde.inputs import read_inputs
from mmrole.llm import BatchItem
from textbench.rolecde.mini import Rules, teacher_items
from textbench.rolecde.mini.answers import DECISIONS, doubt
from textbench.rolecde.persona_files import EXAMPLE
from textbench.rolecde.personas import LEVELS, Level, Persona
from textbench.rolecde.role_options import Key, RoleOption, file_verdicts, settle_role_options


@dataclass(frozen=True, kw_only=True)
class MiniPlan:
    """What is asked for.

    Attributes:
        personas: folders of ``persona_<id>.json``, such files, JSONL files; ``example`` for the packaged ones
        role_option_files: tables of role options; ``example`` for the packaged one
        only: ids of personas, all when empty
        levels: which dilemmas
        samples: answers of the teacher per dilemma and decision type; the first that passes is used
        seed: of the orders in which the options are shown
        temperature: of the teacher
        include_doubtful: use dilemmas whose role option is assumed or in doubt, too
        rules: how strict the rules are
        skip_invalid: leave out personas that cannot be used, and list them
    """

    personas: Sequence[str | Path] | str | Path = (EXAMPLE,)
    role_option_files: Sequence[str | Path] = ()
    only: Sequence[str] = ()
    levels: Sequence[Level] = LEVELS
    samples: int = 1
    seed: int = 0
    temperature: float = 0.7
    include_doubtful: bool = False
    rules: Rules = field(default_factory=Rules)
    skip_invalid: bool = False

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise UsageError(f"{self.samples} samples make no sense: give 1 or more")
        if not 0 <= self.temperature <= 2:
            raise UsageError(f"a temperature of {self.temperature} makes no sense: give 0 to 2")


@dataclass(frozen=True, kw_only=True)
class MiniWork:
    """What a plan comes to.

    Attributes:
        personas: by id
        items: questions to the teacher
        left_out: ``{path, reason}`` of dilemmas and personas that nobody is asked about
        dilemmas: number of those that the teacher is asked about
    """

    personas: Mapping[str, Persona]
    items: Sequence[BatchItem]
    left_out: Sequence[Record]
    dilemmas: int


def mini_work(plan: MiniPlan) -> MiniWork:
    """Reads what a plan names.

    Raises:
        UsageError: there is no persona of an id
        InputError: a file cannot be understood, or no role option is known for sure
    """
    read = read_inputs(
        plan.personas,
        only=plan.only,
        levels=plan.levels,
        role_option_files=plan.role_option_files,
        skip_invalid=plan.skip_invalid,
    )
    options: dict[Key, RoleOption] = {
        (each.persona, each.level): each for each in settle_role_options(read.personas, file_verdicts(read.tables))
    }
    items = list(
        teacher_items(
            read.personas,
            options,
            seed=plan.seed,
            temperature=plan.temperature,
            include_doubtful=plan.include_doubtful,
        )
    )
    if not items:
        raise InputError(
            f"of {len(options):,} dilemmas none has a role option that is known for sure: give a table with --role-options, "
            "or take assumed ones, too, with --include-doubtful"
        )
    left_out = [
        {"path": f"persona {each.persona}, {each.level}", "reason": f"role option: {reason}"}
        for each in options.values()
        if not plan.include_doubtful and (reason := doubt(each)) is not None
    ]
    return MiniWork(
        personas={each.persona_id: each for each in read.personas},
        items=items,
        left_out=[*read.skipped, *left_out],
        dilemmas=len(items) // len(DECISIONS),
    )
