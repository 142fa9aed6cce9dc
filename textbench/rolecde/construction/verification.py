"""People verify the dilemmas: a sheet for each annotator, arbitration by a leader where they differ, and how well they agree.

RoleCDE, section on human verification: four annotators and a leader; what all annotators say alike stands, everything else goes to
arbitration. Reported are the pairwise Pearson correlations of the annotators and the share of arbitration (the paper: .59-.72 with
31.77 % for validity, .53-.58 with 7.79 % for salience). That annotators also name the role's option is ours: it becomes the
``role_option`` of the dilemma.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, Literal

from pydantic import BaseModel, field_validator

from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.canonical import Record
from mmrole.core.correlation import pearson
from mmrole.core.errors import InputError, UsageError
from mmrole.core.review import Sheet
from mmrole.core.scores import Score, definition
from textbench.rolecde.personas import Level, Persona

Question = Literal["valid", "role_option", "salience"]
QUESTIONS: Final[tuple[Question, ...]] = ("valid", "role_option", "salience")
FILL: Final = (*QUESTIONS, "remark")
"""Columns that people fill in: 1 or 0, A or B, 0 to 2, anything."""
COLUMNS: Final = (
    "persona", "level", "profile", "scenario", "alignment_values", "personal_value", "description", "option_A", "option_B",
)  # fmt: skip
_SCALE: Final[Mapping[Question, Literal["nominal", "ordinal"]]] = {
    "valid": "nominal",
    "role_option": "nominal",
    "salience": "ordinal",
}
_EMPTY: Final = "the cell is empty: fill it in, or say that the dilemma is not usable (valid 0)"
_YES: Final = {"1": 1, "yes": 1, "y": 1, "true": 1, "是": 1, "0": 0, "no": 0, "n": 0, "false": 0, "否": 0}

Unit = tuple[str, Level]
"""Id of the persona, level."""


class SheetRow(BaseModel):
    """What comes back of a sheet."""

    persona: str
    level: Level
    valid: int
    role_option: Literal["A", "B"] | None = None
    salience: Literal[0, 1, 2] | None = None
    remark: str = ""

    @field_validator("valid", mode="before")
    @classmethod
    def _yes_or_no(cls, value: Any) -> Any:
        if (said := _YES.get(str(value).strip().casefold())) is None:
            raise ValueError("write 1 for usable, 0 for not")
        return said

    @field_validator("role_option", mode="before")
    @classmethod
    def _letter(cls, value: Any) -> Any:
        return value.strip().upper() if isinstance(value, str) else value

    @field_validator("salience", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:
        return int(value) if isinstance(value, str) and value.strip() in ("0", "1", "2") else value


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What the annotators, and the leader, say.

    Attributes:
        decisions: one record per dilemma: what each annotator and the leader say, what stands, and whether by all, by the leader, or
            not yet; ``author`` is the role's option as it was constructed
        disputed: rows of the leader's sheet: dilemmas that still have to be decided
        accepted: personas with the dilemmas that stand, role options as decided
        rejected: ``{persona, level, reason}`` of dilemmas that do not: ``invalid``, ``undecided``
        scores: per question the share of arbitration, the smallest, mean and largest Pearson correlation, and alpha
    """

    decisions: tuple[Record, ...]
    disputed: tuple[Record, ...]
    accepted: tuple[Persona, ...]
    rejected: tuple[Record, ...]
    scores: tuple[Score, ...]


def sheet_rows(personas: Iterable[Persona]) -> Iterator[Record]:
    """The rows of an annotator's sheet, see `mmrole.core.review.write_sheet`. Which option is the role's is not shown."""
    for persona in personas:
        for level, dilemma in persona.dilemmas.items():
            yield {
                "persona": persona.persona_id,
                "level": level,
                "profile": persona.profile,
                "scenario": persona.scenario,
                "alignment_values": "\n".join(persona.alignment_values),
                "personal_value": persona.personal_value,
                "description": dilemma.description,
                "option_A": dilemma.options["A"],
                "option_B": dilemma.options["B"],
            }


def verify(
    personas: Sequence[Persona], sheets: Sequence[Sheet[SheetRow]], leader: Sheet[SheetRow] | None = None
) -> Verification:
    """What stands after verification.

    Args:
        personas: those of the sheets
        sheets: one per annotator, two or more (four in the paper)
        leader: the leader's sheet, which may hold the disputed dilemmas only; None as long as there is none

    Raises:
        UsageError: fewer than two annotators
        InputError: a sheet has a dilemma twice, one that is not there, or lacks one; a usable dilemma lacks an answer
    """
    if len(sheets) < 2:
        raise UsageError(f"{len(sheets)} sheet of annotators: agreement takes two or more")
    units = [(persona.persona_id, level) for persona in personas for level in persona.dilemmas]
    tables = [_by_unit(sheet, units, whole=True) for sheet in sheets]
    judged = {} if leader is None else _by_unit(leader, units, whole=False)
    author = {(each.persona_id, level): one.role_option for each in personas for level, one in each.dilemmas.items()}
    decisions = [
        {**_decision(unit, [table[unit] for table in tables], judged.get(unit)), "author": author[unit]}
        for unit in units
    ]
    if leader is not None:
        _require_answers(leader, {(one["persona"], one["level"]): one for one in decisions})
    shown = {(row["persona"], row["level"]): row for row in sheet_rows(personas)}
    disputed = [
        {**shown[one["persona"], one["level"]], "remark": _said(one)} for one in decisions if one["by"] == "undecided"
    ]
    accepted, rejected = _standing(personas, decisions)
    scores = [score for question in QUESTIONS for score in _scores(question, tables, units)]
    return Verification(
        decisions=tuple(decisions),
        disputed=tuple(disputed),
        accepted=tuple(accepted),
        rejected=tuple(rejected),
        scores=tuple(scores),
    )


def _by_unit(sheet: Sheet[SheetRow], units: Sequence[Unit], *, whole: bool) -> dict[Unit, SheetRow]:
    known, found = set(units), dict[Unit, SheetRow]()
    for number, row in enumerate(sheet):
        unit = (row.persona, row.level)
        if unit not in known:
            raise InputError(f"{sheet.place(number)}: there is no dilemma {row.level} of persona {row.persona!r}")
        if unit in found:
            raise InputError(f"{sheet.place(number)}: {row.persona} {row.level} is there a second time")
        if whole and row.valid:
            for question in QUESTIONS:
                if getattr(row, question) is None:
                    raise InputError(f"{sheet.place(number, question)}: {_EMPTY}")
        found[unit] = row
    if whole and (missing := [unit for unit in units if unit not in found]):
        raise InputError(
            f"{sheet.path}: {' '.join(missing[0])} is missing (and {len(missing) - 1} more): fill in every row"
        )
    return found


def _require_answers(leader: Sheet[SheetRow], decisions: Mapping[Unit, Record]) -> None:
    """Refuses a leader's sheet that leaves open what it was to decide."""
    for number, row in enumerate(leader):
        decision = decisions[row.persona, row.level]
        if decision["by"] == "leader" and decision["valid"]:
            for question in QUESTIONS:
                if decision[question] is None:
                    raise InputError(f"{leader.place(number, question)}: {_EMPTY}")


def _decision(unit: Unit, rows: Sequence[SheetRow], leader: SheetRow | None) -> Record:
    """What stands for a dilemma. That it is not usable needs no further answers, and the leader may say so in any dispute."""
    stands: dict[str, Any] = {}
    by = "all"
    disputed = any(len({getattr(row, question) for row in rows}) > 1 for question in QUESTIONS)
    refused = disputed and leader is not None and not leader.valid
    for question in QUESTIONS:
        answers = [getattr(row, question) for row in rows]
        if len(set(answers)) == 1 and not refused:
            stands[question] = answers[0]
        elif leader is not None:
            stands[question], by = getattr(leader, question), "leader"
        else:
            stands[question], by = None, "undecided"
        if question == "valid" and not stands["valid"]:
            stands |= {"role_option": None, "salience": None}
            break
    return {
        "persona": unit[0],
        "level": unit[1],
        "by": by,
        **stands,
        "answers": [_answers(row) for row in rows],
        "leader": None if leader is None else _answers(leader),
    }


def _answers(row: SheetRow) -> Record:
    return {question: getattr(row, question) for question in QUESTIONS}


def _said(decision: Record) -> str:
    """What the annotators say, for the leader."""
    return "; ".join(
        f"{question}: {', '.join('-' if one[question] is None else str(one[question]) for one in decision['answers'])}"
        for question in QUESTIONS
    )


def _standing(personas: Sequence[Persona], decisions: Sequence[Record]) -> tuple[list[Persona], list[Record]]:
    of = {(one["persona"], one["level"]): one for one in decisions}
    accepted, rejected = [], list[Record]()
    for persona in personas:
        kept = {}
        for level, dilemma in persona.dilemmas.items():
            decision = of[persona.persona_id, level]
            if decision["by"] == "undecided" or not decision["valid"]:
                reason = "undecided" if decision["by"] == "undecided" else "invalid"
                rejected.append({"persona": persona.persona_id, "level": level, "reason": reason})
                continue
            kept[level] = replace(dilemma, role_option=decision["role_option"] or dilemma.role_option)
        if kept:
            accepted.append(replace(persona, dilemmas=kept))
    return accepted, rejected


def _scores(question: Question, tables: Sequence[Mapping[Unit, SheetRow]], units: Sequence[Unit]) -> Iterator[Score]:
    answers = [[getattr(table[unit], question) for unit in units] for table in tables]
    whole = [column for column in zip(*answers, strict=True) if None not in column]
    left_out = {"not_answered_by_all": len(units) - len(whole)}
    arbitrated = sum(len(set(column)) > 1 for column in whole)
    yield Score(
        metric="arbitration",
        part=question,
        value=arbitrated / len(whole) if whole else None,
        n=len(whole),
        excluded=left_out,
        definition=definition("rolecde/arbitration/v1", annotators=len(tables)),
        bounds=(0.0, 1.0),
        direction="down",
        reason=None if whole else "no_items",
    )
    numbers = [[_number(value) for value in row] for row in answers]
    pairs = [pearson(first, second) for first, second in combinations(numbers, 2)]
    values = [pair.value for pair in pairs if pair.value is not None]
    yield Score(
        metric="pairwise_pearson",
        part=question,
        value=sum(values) / len(values) if values else None,
        n=len(values),
        excluded={"no_variation": len(pairs) - len(values)},
        definition=definition("rolecde/pairwise-pearson/v1", annotators=len(tables)),
        bounds=(-1.0, 1.0),
        direction="up",
        reason=None if values else "no_variation",
        details={
            "low": min(values, default=None),
            "high": max(values, default=None),
            "pairs": [pair.value for pair in pairs],
        },
    )
    yield replace(krippendorff_alpha(answers, level=_SCALE[question]), part=question)


def _number(value: str | int | None) -> float | None:
    return float("AB".index(value)) if isinstance(value, str) else None if value is None else float(value)
