"""`mmrole bench rolecde review`: a spot check of the judges by people.

The sheet shows what the judges were shown and nothing of what they said. Each annotator fills a copy; the agreement is that of
judges and annotators, item by item.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, field_validator

from mmrole.core.canonical import content_key
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.review import read_sheet, write_sheet
from mmrole.core.scores import Score
from mmrole.jobs.bench.rolecde.grade import read_ratings
from mmrole.jobs.bench.rolecde.score import graded_by
from mmrole.jobs.bench.rolecde.stages import Place, place_of
from mmrole.jobs.bench.stages import lines
from textbench.rolecde.agreement import judge_agreement
from textbench.rolecde.deciding import Decision, decisions_of, shown
from textbench.rolecde.judging import FORMS, Form

COLUMNS: Final = ("item", "description", "option_A", "option_B", "chosen", "reasoning")
FILL: Final = "form"
AGREEMENT: Final = "review_agreement.jsonl"


class _Row(BaseModel):
    item: str
    form: Form | None = None

    @field_validator("form", mode="before")
    @classmethod
    def _any_case(cls, cell: str) -> str:
        return cell.lower()


def write_review(folder: str | Path, sheet: str | os.PathLike[str], *, sample: int = 100, seed: int = 0) -> int:
    """Writes a sheet with a random sample of the decisions that have reasons.

    Args:
        folder: with answers
        sheet: the CSV file to write
        sample: number of decisions; all when there are no more
        seed: of the sample

    Returns:
        number of decisions in the sheet

    Raises:
        UsageError: a sample that makes no sense
        StoreError: there are no answers
        InputError: no decision has reasons
    """
    if sample < 1:
        raise UsageError(f"a sample of {sample} makes no sense: give 1 or more")
    place = place_of(folder)
    there = [each for each in _decisions(place) if each.option is not None and each.reasoning.strip()]
    if not there:
        raise InputError(f"{folder}: no decision has reasons that could be checked")
    drawn = sorted(there, key=lambda each: content_key(seed=seed, item=each.key))[:sample]
    return write_sheet(sheet, COLUMNS, [_row(place, each) for each in drawn], fill=(FILL,))


def compare_reviews(folder: str | Path, sheets: Sequence[str | os.PathLike[str]]) -> list[Score]:
    """Reads filled sheets and compares them with the judges, and with one another.

    Writes review_agreement.jsonl.

    Args:
        folder: with grades
        sheets: one per annotator, whose name is that of the file

    Returns:
        see `textbench.rolecde.agreement`; items that somebody left empty are counted as missing there

    Raises:
        InputError: a sheet cannot be understood, or holds an item twice or one that is none of the folder's
        UsageError: two sheets of one name, or there are no grades
    """
    place = place_of(folder)
    raters: dict[str, dict[str, str | None]] = {}
    with place.folder.locked():
        known = {each.key for each in _decisions(place)}
        for path in sheets:
            name = Path(path).stem
            if name in raters:
                raise UsageError(f"two sheets are called {name}: name each after its annotator")
            raters[name] = _read(path, known)
        items = {item for given in raters.values() for item in given}
        for home in graded_by(place, None):
            name = home.name if home.name not in raters else f"judge {home.name}"
            keyed = {f"{r['persona']}/{r['level']}/{r['order']}/{r['run']}": r["form"] for r in read_ratings(home)}
            raters[name] = {item: form for item, form in keyed.items() if item in items}
        scores = judge_agreement(raters, labels=FORMS)
        write_atomically(place.folder.path / AGREEMENT, lines(score.to_record() for score in scores))
    return scores


def _read(path: str | os.PathLike[str], known: set[str]) -> dict[str, str | None]:
    sheet = read_sheet(path, _Row)
    found: dict[str, str | None] = {}
    for number, row in enumerate(sheet):
        if row.item not in known:
            raise InputError(f"{sheet.place(number, 'item')}: {row.item!r} is no decision of this folder")
        if row.item in found:
            raise InputError(f"{sheet.place(number, 'item')}: {row.item!r} is there twice")
        found[row.item] = row.form
    if not any(found.values()):
        raise InputError(f"{os.fspath(path)}: the column form is empty: fill in compromise or following")
    return found


def _decisions(place: Place) -> list[Decision]:
    return list(decisions_of(place.plan, place.personas.values(), place.folder.answers()))


def _row(place: Place, decision: Decision) -> dict[str, object]:
    dilemma = place.personas[decision.persona].dilemmas[decision.level]
    options = shown(dilemma, decision.order)
    return {
        "item": decision.key,
        "description": dilemma.description,
        "option_A": options.options["A"],
        "option_B": options.options["B"],
        "chosen": options.letter(0 if decision.option == "A" else 1),
        "reasoning": decision.reasoning,
    }
