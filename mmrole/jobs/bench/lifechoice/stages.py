"""What the stages of LIFECHOICE share: the cases of a folder, manifests, one limit of cost for several steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.manifest import Manifest
from mmrole.jobs.bench import stages
from mmrole.llm.stage import StageResult
from textbench.benchmark import ITEMS, PLAN, BenchmarkFolder
from textbench.lifechoice.item_store import read_stored
from textbench.lifechoice.items import Item
from textbench.lifechoice.plan import BENCHMARK, LifeChoicePlan, plan_from

_LIBRARIES: Final = ("mmrole", "numpy", "scipy", "bm25s", "sentence-transformers", "openai", "pydantic")
_KINDS: Final = {"run": PLAN, "construction": "author.json", "leak test": "continuations.jsonl"}
"""Kind of work -> the file by which its folder is known."""

StoredItem = tuple[Item, str]
"""An item and the hash of its content."""


def opened_folder(folder: str | Path) -> tuple[BenchmarkFolder, LifeChoicePlan]:
    """The folder of a run and its plan.

    Raises:
        StoreError: there is none, or it is damaged
    """
    place = BenchmarkFolder(folder, BENCHMARK)
    return place, plan_from(place.plan())


def stored_items(place: BenchmarkFolder) -> list[StoredItem]:
    """The items of a folder.

    Raises:
        StoreError: they are missing or damaged
    """
    return read_stored(place.path / ITEMS, place.path)


def new_manifest(command: str, plan: LifeChoicePlan, extra: Record) -> Manifest:
    """The manifest of a stage that begins now."""
    settings = plan.to_record()
    settings["entities"] = None if plan.entities is None else {"books": len(plan.entities)}
    return manifest_of(command, settings, extra)


def manifest_of(command: str, settings: Record, extra: Record) -> Manifest:
    """The manifest of work that begins now, of a folder without a plan."""
    return stages.manifest_of(BENCHMARK, command, settings, extra, libraries=_LIBRARIES)


def stage_fields(result: StageResult) -> dict[str, Any]:
    """What a stage or a step of it did, for a manifest."""
    return {
        "counts": result.counts,
        "statuses": dict(result.statuses),
        "spent": result.spent.to_record(),
        "currency": result.currency,
        "stopped": None if result.stopped is None else result.stopped.message,
    }


def keep_apart(place: Path, kind: str) -> None:
    """Refuses a folder that holds work of another kind: its files would be written over.

    Args:
        place: the folder, which need not be there
        kind: of the work that is to be done in it, one of `_KINDS`

    Raises:
        UsageError: it holds other work
    """
    for other, mark in _KINDS.items():
        if other != kind and (place / mark).exists():
            raise UsageError(f"{place} is the folder of a {other} ({mark} is in it): choose another one for a {kind}")
