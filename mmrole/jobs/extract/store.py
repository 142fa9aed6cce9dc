"""Writing the features folder: files first, then the journal line that vouches for them."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from types import TracebackType
from typing import Self

from extractors.audio.prosody_table import prosody_table
from mmrole.core.canonical import Record, bytes_sha256
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.features import (
    JOURNAL,
    KEYFRAMES,
    MANIFEST,
    PROSODY,
    TRACKS,
    UTTERANCES,
    keyframe_folder,
    prosody_file,
    track_file,
)
from mmrole.core.files import remove_unfinished, write_atomically
from mmrole.core.journal import Journal
from mmrole.core.lock import RunLock
from mmrole.core.tables import table_bytes
from mmrole.jobs.extract.work import ClipResult, Stored

_FIELDS = frozenset({"audio", "files", "key", "path", "status", "video", "warnings"})
_OURS = frozenset({JOURNAL, f"{JOURNAL}.bad", MANIFEST, UTTERANCES, PROSODY, TRACKS, KEYFRAMES, ".lock"})


class FeatureWriter:
    """The features folder of a run, held against other runs until it is closed.

    Args:
        folder: the ``--out`` folder; made when it is not there
        fresh: throw away what earlier runs left in it

    Raises:
        LockedError: another run works on it
        UsageError: ``fresh`` on a folder with things in it that extraction did not make
        StoreError: its journal is damaged
        DiskError: it cannot be written
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self.folder = folder
        self._lock = RunLock(folder)
        try:
            if fresh:
                self._empty()
            remove_unfinished(folder)
            self.journal = Journal(folder / JOURNAL, key="clip_id")
            self._check_records()
        except BaseException:
            self._lock.release()
            raise

    def _check_records(self) -> None:
        for record in self.journal.records():
            lacking = sorted(_FIELDS - record.keys())
            if lacking:
                raise StoreError(
                    f"{self.journal.path}: the record of {record['clip_id']!r} has no {lacking[0]}, so extraction did not write "
                    "it; use another folder, or --fresh to throw it away"
                )

    def _empty(self) -> None:
        strange = sorted(path.name for path in self.folder.iterdir() if path.name not in _OURS)
        if strange:
            raise UsageError(
                f"--fresh: {self.folder} also holds {strange[0]!r}, which extraction did not make; use another folder"
            )
        for name in _OURS - {".lock"}:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def stored(self, clip_id: str) -> Stored | None:
        """What can be reused of a clip: nothing when it is new or failed before."""
        record = self.journal.get(clip_id)
        if record is None or record["status"] == "failed" or not record.get("key"):
            return None
        return Stored(key=record["key"], files=record["files"])

    def store(self, result: ClipResult) -> Record:
        """Stores the result of a clip and returns its record."""
        before = self.journal.get(result.clip_id)
        if result.record is None:
            if before is None:
                raise ValueError(f"{result.clip_id} cannot be reused: nothing is stored of it")
            return before
        files = _files(result)
        for name, data in files.items():
            write_atomically(self.folder / name, data)
        record = {**result.record, "files": {name: bytes_sha256(data) for name, data in files.items()}}
        self.journal.append(record)
        for name in set((before or {}).get("files", {})) - set(files):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        return record

    def update(self, record: Record, **changes: object) -> Record:
        """Stores a record again where something that was not measured has changed, such as the speaker's name."""
        if all(record.get(name) == value for name, value in changes.items()):
            return record
        changed = {**record, **changes}
        self.journal.append(changed)
        return changed

    def close(self) -> None:
        """Closes the journal and lets other runs in."""
        self.journal.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _files(result: ClipResult) -> dict[str, bytes]:
    """The files of a clip by name. Tables are made here and not by the workers, which so do without pyarrow's 60 MB."""
    clip_id = result.clip_id
    files = {f"{keyframe_folder(clip_id)}/{name}": data for name, data in result.keyframes.items()}
    if result.prosody is not None:
        files[prosody_file(clip_id)] = table_bytes(prosody_table(result.prosody))
    if result.track is not None:
        files[track_file(clip_id)] = table_bytes(result.track.table())
    return files
