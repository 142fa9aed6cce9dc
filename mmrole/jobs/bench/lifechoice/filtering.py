"""`mmrole bench lifechoice filter`: reads the reviewers' sheets and keeps the items that they find good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mmrole.core.canonical import file_sha256
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.lock import RunLock
from mmrole.core.review import read_sheet
from mmrole.jobs.bench.lifechoice.stages import manifest_of
from mmrole.jobs.bench.stages import MANIFEST, lines
from textbench.benchmark import ITEMS
from textbench.lifechoice.construction import CRITERIA, Filtered, filter_items
from textbench.lifechoice.construction.filtering import KEPT_ABOVE, ReviewRow
from textbench.lifechoice.items import read_items

FILTERED: Final = "filtered"
MARKS: Final = "marks.jsonl"
AGREEMENT: Final = "agreement.jsonl"


@dataclass(frozen=True, kw_only=True)
class FilterResult:
    """What was kept.

    Attributes:
        items: the file, for ``build --data``
        found: items, marks and agreement
    """

    items: Path
    found: Filtered = field(repr=False)


def filter_reviewed(folder: str | Path, sheets: Sequence[str | Path]) -> FilterResult:
    """Keeps the items whose mean total is above 6 of 8 points.

    Writes items.jsonl (what is kept), marks.jsonl (a line for every item), agreement.jsonl and manifest.json below ``filtered``.

    Args:
        folder: with items, from `construct`
        sheets: one for each reviewer, each with a mark for every item

    Raises:
        UsageError: there is no sheet, or one is named twice
        InputError: a sheet cannot be understood, lacks an item or has one twice, or is of other items
        StoreError: there are no items
        LockedError: another run works on the folder
        DiskError: it cannot be written
    """
    place = Path(folder)
    if len({Path(sheet).resolve() for sheet in sheets}) < len(sheets):
        raise UsageError("a sheet is named twice: give one for each reviewer")
    if not (place / ITEMS).is_file() or not (place / ITEMS).stat().st_size:
        raise StoreError(f"{place / ITEMS} is missing or empty: make it with mmrole bench lifechoice construct")
    with RunLock(place):
        items = read_items(place / ITEMS).items
        found = filter_items(items, [read_sheet(sheet, ReviewRow) for sheet in sheets])
        out = place / FILTERED
        settings = {"kept_above": KEPT_ABOVE, "criteria": dict(CRITERIA)}
        manifest = manifest_of("filter", settings, {})
        kept = len(found.kept)
        manifest.counts = {"inputs": len(items), "done": len(items), "failed": 0, "skipped": 0, "kept": kept}
        manifest.extra["inputs"] = {
            "items": {"path": str(place / ITEMS), "sha256": file_sha256(place / ITEMS)},
            "sheets": [{"path": str(sheet), "sha256": file_sha256(sheet)} for sheet in sheets],
        }
        write_atomically(out / ITEMS, lines(item.to_record() for item in found.kept))
        write_atomically(out / MARKS, lines(found.marks))
        write_atomically(out / AGREEMENT, lines(score.to_record() for score in found.agreement))
        manifest.write(out / MANIFEST)
    return FilterResult(items=out / ITEMS, found=found)
