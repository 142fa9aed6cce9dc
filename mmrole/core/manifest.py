"""The manifest: what a run was, so that its numbers can be defended later."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import StoreError
from mmrole.core.files import write_atomically


@dataclass(kw_only=True)
class Manifest:
    """What a run was.

    Attributes:
        command: the kind of work, such as ``extract``
        settings: everything that decides the results
        counts: ``inputs = done + failed + skipped``; ``reused`` is part of done
        skipped: ``{path, reason}`` of every input that is no item of work
        models: model files by name, each with ``sha256`` and ``licence``
        libraries: versions by name
        extra: further fields of this kind of run
    """

    command: str
    settings: Record
    counts: dict[str, int]
    skipped: list[Record] = field(default_factory=list)
    models: Record = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)
    extra: Record = field(default_factory=dict)
    began: datetime = field(default_factory=lambda: datetime.now(UTC))

    def write(self, path: Path) -> None:
        """Writes the manifest.

        Raises:
            ValueError: the counts do not add up, which would mean that an input was lost
            DiskError: it cannot be written
        """
        counts = self.counts
        if counts["inputs"] != counts["done"] + counts["failed"] + counts["skipped"]:
            raise ValueError(f"inputs = done + failed + skipped does not hold: {counts}")
        ended = datetime.now(UTC)
        record = {
            "command": self.command,
            "settings": self.settings,
            "counts": counts,
            "skipped": self.skipped,
            "models": self.models,
            "libraries": {"python": platform.python_version(), **self.libraries},
            "platform": platform.platform(),
            "began": self.began.isoformat(timespec="seconds"),
            "ended": ended.isoformat(timespec="seconds"),
            "wall_s": round((ended - self.began).total_seconds(), 3),
            **self.extra,
        }
        pretty = json.dumps(json.loads(to_json(record)), sort_keys=True, ensure_ascii=False, indent=1)
        write_atomically(path, (pretty + "\n").encode())


def library_versions(*names: str) -> dict[str, str]:
    """Installed versions of distributions by name; those that are not installed are left out."""
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def read_manifest(path: Path) -> Record:
    """The manifest of a finished run.

    Raises:
        StoreError: it is missing or damaged
    """
    try:
        record = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise StoreError(
            f"{path} is missing: the run that fills {path.parent} has not ended; run the same command again"
        ) from None
    except ValueError as error:
        raise StoreError(f"{path} is damaged: {error}; run the same command again") from None
    if not isinstance(record, dict):
        raise StoreError(f"{path} is damaged: it holds no JSON object; run the same command again")
    return record
