"""The manual filter: reviewers mark each item on four criteria from 0 to 2, and it is kept when the mean of their totals is above 6.

LifeChoice, section 3 (filtering). The paper gives the marks and the limit; the wording of the criteria is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel, field_validator

from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, UsageError
from mmrole.core.review import Sheet
from mmrole.core.scores import Score
from textbench.choices import LETTERS
from textbench.lifechoice.items import Item

CRITERIA: Final[Mapping[str, str]] = {
    "significance": "the decision matters for the character's life",
    "evidence": "the story before it lets a reader foresee the choice, and nothing told in scenario or question gives it away",
    "alternatives": "all options are possible for the character, and exactly one is what it did",
    "reason": "the motivation is true to the story and of the type given",
}
"""Criterion -> what two points mean."""
KEPT_ABOVE: Final = 6.0
COLUMNS: Final = (
    "item_id", "book", "character", "end_of_story", "scenario", "question", "options", "correct", "motivation",
)  # fmt: skip
FILL: Final = (*CRITERIA, "remark")
_SHOWN: Final = ("scenario", "question", "options")
_END_OF_STORY: Final = 600


class ReviewRow(BaseModel):
    """What comes back of a reviewer's sheet."""

    item_id: str
    significance: int
    evidence: int
    alternatives: int
    reason: int
    scenario: str | None = None
    question: str | None = None
    options: str | None = None

    @field_validator(*CRITERIA, mode="before")
    @classmethod
    def _points(cls, value: Any) -> Any:
        if str(value).strip() not in ("0", "1", "2"):
            raise ValueError("give 0, 1 or 2 points")
        return int(str(value))

    @property
    def total(self) -> int:
        """0 to 8."""
        return sum(getattr(self, name) for name in CRITERIA)


@dataclass(frozen=True, kw_only=True)
class Filtered:
    """What the reviewers let through.

    Attributes:
        kept: items whose mean total is above `KEPT_ABOVE`
        dropped: the ids of the others
        marks: one record per item: total of each reviewer, mean, points by criterion, kept
        agreement: ordinal alpha between the reviewers, by criterion
    """

    kept: tuple[Item, ...]
    dropped: tuple[str, ...]
    marks: tuple[Record, ...]
    agreement: tuple[Score, ...]


def review_rows(items: Iterable[Item]) -> Iterator[Record]:
    """The rows of a reviewer's sheet, see `mmrole.core.review.write_sheet`."""
    for item in items:
        yield {
            "item_id": item.item_id,
            "book": item.book,
            "character": item.character,
            "end_of_story": _end(item.text),
            "scenario": item.scenario,
            "question": item.question,
            "options": "\n".join(f"{letter}: {text}" for letter, text in zip(LETTERS, item.options, strict=False)),
            "correct": None if item.correct is None else LETTERS[item.correct],
            "motivation": "" if item.motivation is None else item.motivation.full,
        }


def filter_items(items: Sequence[Item], sheets: Sequence[Sheet[ReviewRow]]) -> Filtered:
    """Keeps the items that the reviewers find good enough.

    Args:
        items: those of the sheets
        sheets: one per reviewer, each with every item

    Raises:
        UsageError: there is no sheet
        InputError: a sheet has an item twice, one that is not there or was another when the sheet was written, or lacks one
    """
    if not sheets:
        raise UsageError("the filter takes the sheet of at least one reviewer")
    tables = [_by_item(sheet, items) for sheet in sheets]
    kept: list[Item] = []
    marks: list[Record] = []
    for item in items:
        rows = [table[item.item_id] for table in tables]
        mean = sum(row.total for row in rows) / len(rows)
        marks.append(
            {
                "item_id": item.item_id,
                "totals": [row.total for row in rows],
                "mean": mean,
                "points": {name: [getattr(row, name) for row in rows] for name in CRITERIA},
                "kept": mean > KEPT_ABOVE,
            }
        )
        if mean > KEPT_ABOVE:
            kept.append(item)
    ratings = {name: [[getattr(table[item.item_id], name) for item in items] for table in tables] for name in CRITERIA}
    return Filtered(
        kept=tuple(kept),
        dropped=tuple(one["item_id"] for one in marks if not one["kept"]),
        marks=tuple(marks),
        agreement=tuple(
            replace(krippendorff_alpha(rows, level="ordinal"), part=name) for name, rows in ratings.items()
        ),
    )


def _by_item(sheet: Sheet[ReviewRow], items: Sequence[Item]) -> dict[str, ReviewRow]:
    known = {row["item_id"]: row for row in review_rows(items)}
    found: dict[str, ReviewRow] = {}
    for number, row in enumerate(sheet):
        if row.item_id not in known:
            raise InputError(f"{sheet.place(number)}: there is no item {row.item_id!r}")
        if row.item_id in found:
            raise InputError(f"{sheet.place(number)}: item {row.item_id!r} is there a second time")
        for column in _SHOWN:
            seen = getattr(row, column)
            if seen is not None and _letters(seen) != _letters(str(known[row.item_id][column])):
                raise InputError(
                    f"{sheet.place(number, column)}: item {row.item_id!r} was another one when this sheet was written: fill in a new sheet"
                )
        found[row.item_id] = row
    if missing := [item.item_id for item in items if item.item_id not in found]:
        raise InputError(f"{sheet.path}: item {missing[0]!r} is missing (and {len(missing) - 1} more): mark every item")
    return found


def _end(text: str) -> str:
    """The last characters of a text, from the beginning of a word on."""
    end = text[-_END_OF_STORY:]
    if len(text) > _END_OF_STORY and end[0].isascii() and end[0].isalnum():
        end = end[end.find(" ") + 1 :]
    return end.strip()


def _letters(text: str) -> str:
    """What no spreadsheet changes."""
    return "".join(character for character in text if character.isalnum())
