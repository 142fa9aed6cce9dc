"""Writing the features folder: files first, then the journal line that vouches for them."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from types import TracebackType
from typing import Self

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.features import JOURNAL, KEYFRAMES, MANIFEST, PROSODY, TRACKS, UTTERANCES
from mmrole.core.files import remove_unfinished, write_atomically
from mmrole.core.journal import Journal
from mmrole.core.lock import RunLock
from mmrole.jobs.extract.work import ClipResult, Stored

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
        except BaseException:
            self._lock.release()
            raise

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
        for name, data in result.files.items():
            write_atomically(self.folder / name, data)
        self.journal.append(result.record)
        for name in set((before or {}).get("files", {})) - set(result.files):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        return result.record

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
