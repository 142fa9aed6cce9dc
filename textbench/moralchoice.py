"""MoralChoice's dilemmas as questions with two options: what an agent without a role chooses, and whether it minds the order.

Scherrer, Shi, Feder & Blei (2023), "Evaluating the Moral Beliefs Encoded in LLMs" (arXiv 2307.14324), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError
from textbench.choices import Question

COLUMNS: Final = ("scenario_id", "ambiguity", "generation_rule", "context", "action1", "action2")
"""What is read; the other columns tell which rules an action breaks."""

AMBIGUITIES: Final = ("low", "high")
_PREFERRED: Final = 0
"""Where ambiguity is low one action is clearly preferred (section 3.1), and the files have it first: of 687 scenarios it breaks a rule
in 4, the second action in 672."""


@dataclass(frozen=True, kw_only=True)
class MoralChoice:
    """What a file holds.

    Attributes:
        questions: in the order of the file. Where ambiguity is low the right option is the first action; where it is high there is none.
            The cluster is the moral rule that the scenario was written for
        refused: ``FILE, line N: why`` of scenarios that ask for no choice
    """

    questions: tuple[Question, ...]
    refused: tuple[str, ...]


def read_moralchoice(path: str | Path) -> MoralChoice:
    """The scenarios of ``moralchoice_low.csv`` or ``moralchoice_high.csv``.

    Raises:
        InputError: the file cannot be read or is no such table, or a scenario is there twice; names file and line
    """
    report = DefectReport(source=str(path))
    table = Table(read_clean(path, report), str(path))
    table.require(COLUMNS, COLUMNS, report)
    places = [table.header.index(name) for name in COLUMNS]
    questions: list[Question] = []
    refused: list[str] = []
    seen: dict[str, int] = {}
    for row in table.rows(report, strict=True):
        item_id, ambiguity, rule, context, first, second = (row[place].strip() for place in places)
        where = f"{path}, line {table.line}"
        if not item_id:
            raise InputError(f"{where}: no scenario_id")
        if item_id in seen:
            raise InputError(f"{where}: the scenario {item_id} is there already, in line {seen[item_id]}")
        seen[item_id] = table.line
        if ambiguity not in AMBIGUITIES:
            raise InputError(f"{where}: ambiguity is {' or '.join(AMBIGUITIES)}, not {ambiguity!r}")
        if not (context and first and second):
            refused.append(f"{where}: {item_id}: no {'context' if not context else 'action'}")
        elif first == second:
            refused.append(f"{where}: {item_id}: both actions are the same")
        else:
            questions.append(
                Question(
                    item_id=item_id,
                    options=(first, second),
                    correct=_PREFERRED if ambiguity == "low" else None,
                    text=context,
                    cluster=rule or None,
                )
            )
    return MoralChoice(questions=tuple(questions), refused=tuple(refused))
