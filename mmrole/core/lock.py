"""One run at a time on one output folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from mmrole.core.errors import LockedError
from mmrole.core.files import explained, make_folder


class RunLock:
    """Holds an output folder until the process ends or the lock is left.

    The operating system releases the lock when its process dies, however it dies: no lock has to be removed by hand.

    Args:
        folder: the output folder; made when it is not there

    Raises:
        LockedError: another run holds it; the message names that run
        DiskError: the folder cannot be made or written
    """

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        path = folder / ".lock"
        with explained(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = _holder(os.pread(self._file, 4096, 0))
            os.close(self._file)
            raise LockedError(
                f"{folder} is in use by another run ({holder}): wait until it ends, or choose another folder"
            ) from None
        with explained(path):
            me = {
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "since": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, json.dumps(me).encode(), 0)

    def release(self) -> None:
        """Lets other runs in. The file stays: removing it would let two runs lock two files of one name."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _holder(content: bytes) -> str:
    try:
        run = json.loads(content)
        return f"process {run['pid']} on {run['host']} since {run['since']}"
    except (ValueError, KeyError, TypeError):  # it has locked, but not yet written its name
        return "it has just begun"
