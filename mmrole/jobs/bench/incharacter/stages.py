"""What the stages share: manifests, and how a stage that its model ended is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError
from mmrole.core.manifest import Manifest, library_versions
from mmrole.llm import BatchProgress, ReplyCache
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan
from textbench.stage import StageResult

MANIFEST: Final = "manifest.json"
_LIBRARIES: Final = ("mmrole", "numpy", "openai", "pydantic")

Progress = Callable[[BatchProgress], object]
Cache = ReplyCache | str | Path | bool | None


def new_manifest(command: str, plan: InCharacterPlan, extra: Record) -> Manifest:
    """The manifest of a stage that begins now."""
    settings = {key: value for key, value in plan.to_record().items() if key not in ("characters", "questionnaires")}
    settings["characters"] = [each.character_id for each in plan.characters]
    settings["questionnaires"] = {each.name: each.sha256 for each in plan.questionnaires}
    manifest = Manifest(command=f"bench {BENCHMARK} {command}", settings=settings, counts={})
    manifest.extra = extra
    manifest.libraries = library_versions(*_LIBRARIES)
    return manifest


def write_manifest(manifest: Manifest, path: Path, result: StageResult) -> None:
    """Writes what a stage did."""
    manifest.counts = result.counts
    spent = result.spent.to_record()
    manifest.extra |= {"statuses": dict(result.statuses), "spent": spent, "currency": result.currency}
    manifest.extra["stopped"] = None if result.stopped is None else result.stopped.message
    manifest.write(path)


def raise_if_ended(result: StageResult) -> None:
    """Turns an early end that is an error into one.

    Raises:
        ModelError: the model could not answer any further request
    """
    if result.stopped is not None and result.stopped.kind == "model":
        raise ModelError(result.stopped.message)
