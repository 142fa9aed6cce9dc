"""What the stages that begin with the data read: personas, and tables of role options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from textbench.rolecde.persona_files import EXAMPLE, read_personas
from textbench.rolecde.personas import LEVELS, Level, Option, Persona
from textbench.rolecde.plan import chosen_personas
from textbench.rolecde.role_options import Key, read_role_options


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What was read.

    Attributes:
        personas: those that were chosen, with the dilemmas of the levels that were
        tables: name of a table of role options, and what it says
        skipped: ``{path, reason}`` of personas that were left out
    """

    personas: tuple[Persona, ...]
    tables: Sequence[tuple[str, Mapping[Key, Option | None]]]
    skipped: Sequence[Record]


def read_inputs(
    personas: Sequence[str | Path] | str | Path = (EXAMPLE,),
    *,
    only: Sequence[str] = (),
    levels: Sequence[Level] = LEVELS,
    role_option_files: Sequence[str | Path] = (),
    skip_invalid: bool = False,
) -> Inputs:
    """Reads personas and tables of role options.

    Args:
        personas: folders of ``persona_<id>.json``, such files, JSONL files; ``example`` for the packaged ones
        only: ids of personas, all when empty
        levels: which dilemmas
        role_option_files: tables, see `textbench.rolecde.role_options.read_role_options`; ``example`` for the packaged one
        skip_invalid: leave out personas that cannot be used, and list them

    Raises:
        UsageError: there is no persona of an id
        InputError: a file cannot be understood, or there is nothing to use
    """
    read = read_personas(personas, skip_invalid=skip_invalid)
    wanted = [_of_levels(each, levels) for each in chosen_personas(read.personas, only)]
    chosen = tuple(each for each in wanted if each.dilemmas)
    reason = f"it has no dilemma of the levels {', '.join(levels)}"
    if not chosen:
        raise InputError(f"persona {wanted[0].persona_id}: {reason}; nor has any other")
    without = [{"path": f"persona {each.persona_id}", "reason": reason} for each in wanted if not each.dilemmas]
    known = {(each.persona_id, level) for each in read.personas for level in each.dilemmas}
    tables = []
    for path in role_option_files:
        table = _packaged_options() if str(path) == EXAMPLE else read_role_options(path)
        unknown = [key for key in table if key not in known]
        if unknown and len(unknown) == len(table):
            raise InputError(
                f"{path}: none of its dilemmas is one of these personas; the first is persona {unknown[0][0]}, {unknown[0][1]}"
            )
        tables.append((Path(path).stem, table))
    return Inputs(personas=chosen, tables=tables, skipped=[*read.skipped, *without])


def _of_levels(persona: Persona, levels: Sequence[Level]) -> Persona:
    """The persona with the dilemmas that are asked alone: nobody looks at the others."""
    return replace(persona, dilemmas={level: each for level, each in persona.dilemmas.items() if level in levels})


def _packaged_options() -> dict[Key, Option | None]:
    with as_file(files("textbench.rolecde").joinpath("data", "example", "role_option.csv")) as path:
        return read_role_options(path)
