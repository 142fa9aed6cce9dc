"""Outputs of the published scripts of RoleCDE: decisions of an agent, and what a judge said of them.

A file ``persona_<id>.json`` holds the persona and beside it ``chosen_option`` and ``reasoning``; after the judge also ``RF``, ``RC``,
``AC``, ``AF`` and ``judge_reason`` (judge over an API), or the same with ``scaffold_`` in front (models that run locally). One folder
is one level, which no field names: its name does (``S4_results_hard_...``), or the caller.

The published judge is told that B is the role's option, so that its direction is wrong where that does not hold. Only whether it
saw a compromise is taken over; the direction follows from the option.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from textbench.rolecde.dbr_metrics import DECISIONS
from textbench.rolecde.persona_files import records_in
from textbench.rolecde.personas import LEVELS, Level, Option, Persona, persona_of

PREFIXES: Final = ("", "scaffold_")
"""In front of the judge's fields."""
_LEVEL: Final = re.compile(r"(?:^|[_\W])(easy|mid|hard)(?:[_\W]|$)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Output:
    """One persona's output.

    Attributes:
        persona: the persona
        level: of the dilemma that was decided
        option: that was chosen; None when there is none
        reasoning: the reasons; empty when there are none
        decision: RF, RC, AC or AF as the published judge had it; None when it was not judged, or not with exactly one
        judge_reason: what it gave as its reason
        problem: why there is no option or no decision; None when both are there or it was not judged
    """

    persona: Persona
    level: Level
    option: Option | None
    reasoning: str
    decision: str | None = None
    judge_reason: str = ""
    problem: str | None = None


def read_outputs(path: str | Path, level: str | None = None) -> list[Output]:
    """The outputs in a folder of ``persona_<id>.json``, such a file, or a JSONL file.

    Args:
        path: folder or file
        level: of all of them; when None that of the field ``difficulty`` or ``level``, else the one that the folder's name holds

    Raises:
        InputError: a file that is no output, two of one persona and level, a level that nobody names
    """
    found: dict[tuple[str, Level], Output] = {}
    for place, record in records_in(path):
        if isinstance(record, InputError):
            raise record
        output = _output(record, place, _level(level, record, Path(path), place))
        key = (output.persona.persona_id, output.level)
        if key in found:
            raise InputError(f"{place}: a second output of persona {key[0]}, {key[1]}")
        found[key] = output
    return list(found.values())


def _output(record: Mapping[str, Any], place: str, level: Level) -> Output:
    persona = persona_of(record, place)
    if level not in persona.dilemmas:
        raise InputError(f"{place}: persona {persona.persona_id} has no dilemma of the level {level}")
    if "chosen_option" not in record:
        raise InputError(f"{place}: field chosen_option: is missing: this is no output of a run")
    said = str(record["chosen_option"] or "").strip().strip("\"'.").upper().removeprefix("OPTION").strip()
    option: Option | None = "A" if said == "A" else "B" if said == "B" else None
    reasoning = record.get("reasoning")
    decision, judge_reason, problem = _judged(record)
    if option is None:
        problem = f"chosen_option is {record['chosen_option']!r}"
    return Output(
        persona=persona,
        level=level,
        option=option,
        reasoning=reasoning.strip() if isinstance(reasoning, str) else "",
        decision=decision,
        judge_reason=judge_reason,
        problem=problem,
    )


def _judged(record: Mapping[str, Any]) -> tuple[str | None, str, str | None]:
    for prefix in PREFIXES:
        if any(f"{prefix}{name}" in record for name in DECISIONS):
            marked = [name for name in DECISIONS if record.get(f"{prefix}{name}") in (1, True, "1", 1.0)]
            reason = str(record.get(f"{prefix}judge_reason") or "")
            if len(marked) == 1:
                return marked[0], reason, None
            return None, reason, f"the judge marked {', '.join(marked) or 'none'} of {', '.join(DECISIONS)}"
    return None, "", None


def _level(given: str | None, record: Record, path: Path, place: str) -> Level:
    named = given or record.get("difficulty") or record.get("level")
    if named is None:
        folder = path if path.is_dir() else path.parent
        names = {match.lower() for match in _LEVEL.findall(folder.name)}
        if len(names) != 1:
            raise InputError(
                f"{place}: nothing says which dilemma was decided: name the level, one of {', '.join(LEVELS)}"
            )
        named = names.pop()
    for level in LEVELS:
        if str(named).strip().lower() == level:
            return level
    raise InputError(f"{place}: the level {named!r} is none of {', '.join(LEVELS)}")
