"""What the stages of the benchmarks share: manifests, names of judges, lines of records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.core.manifest import Manifest, library_versions
from mmrole.llm import BatchProgress, ChatModel, ReplyCache
from mmrole.llm.stage import StageResult

MANIFEST: Final = "manifest.json"
LIBRARIES: Final = ("mmrole", "numpy", "openai", "pydantic")
"""Whose versions a manifest holds."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._-]+")

Progress = Callable[[BatchProgress], object]
Cache = ReplyCache | str | Path | bool | None


def manifest_of(
    benchmark: str, command: str, settings: Record, extra: Record, *, libraries: Iterable[str] = LIBRARIES
) -> Manifest:
    """The manifest of a stage that begins now.

    Args:
        benchmark: name of the benchmark
        command: name of the stage
        settings: what decides what it does
        extra: more fields
        libraries: whose versions it holds
    """
    return Manifest(
        command=f"bench {benchmark} {command}",
        settings=settings,
        counts={},
        libraries=library_versions(*libraries),
        extra=extra,
    )


def write_manifest(manifest: Manifest, path: Path, result: StageResult) -> None:
    """Writes what a stage did."""
    manifest.counts = result.counts
    spent = result.spent.to_record()
    manifest.extra |= {"statuses": dict(result.statuses), "spent": spent, "currency": result.currency}
    manifest.extra["stopped"] = None if result.stopped is None else result.stopped.message
    manifest.write(path)


def judge_name(model: ChatModel | str, opened: ChatModel, name: str | None = None) -> str:
    """The name of the folder of a judge's replies: that of its endpoint, or of the model.

    Args:
        model: as it was given
        opened: the model itself
        name: chosen by the caller; None for none

    Raises:
        UsageError: a name that is none
    """
    if name is not None:
        return checked_name(name)
    chosen = model if isinstance(model, str) else str(opened.identity.get("model", "model"))
    return checked_name(_UNFIT.sub("-", chosen).strip("-.") or "model")


def checked_name(name: str) -> str:
    """A name that the folder of a judge's replies can have.

    Raises:
        UsageError: it is none
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for the grades of a judge: use letters, digits, dots, - and _")
    return name


def lines(records: Iterable[Record]) -> bytes:
    """Records as the bytes of a JSONL file."""
    return "".join(f"{to_json(record)}\n" for record in records).encode()
