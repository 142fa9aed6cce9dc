"""Files that are either whole or not there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mmrole.core.errors import DiskError

_UNFINISHED = ".unfinished-"


def disk_error(path: str | Path, error: OSError) -> DiskError:
    """The one line that says why a file could not be written, and what to do."""
    what = error.strerror or str(error)
    return DiskError(
        f"{path}: cannot be written: {what}; make room or choose another folder, then run the same command again"
    )


@contextlib.contextmanager
def explained(path: str | Path) -> Iterator[None]:
    """Turns an `OSError` while writing `path` into a `DiskError` of one line."""
    try:
        yield
    except DiskError:
        raise
    except OSError as error:
        raise disk_error(path, error) from error


def make_folder(path: Path) -> None:
    """Makes a folder and those above it.

    Raises:
        DiskError: it cannot be made; the message names the path
    """
    with explained(path):
        path.mkdir(parents=True, exist_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file beside its place, flushes it to the disk and puts it there in one step.

    Whoever looks sees the old file or the new one, never a part.

    Raises:
        DiskError: no space, no permission; nothing is left behind
    """
    with open_atomically(path) as file:
        file.write(data)


@contextlib.contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """`write_atomically` for what is written piece by piece: the file is in its place when the block has ended.

    Raises:
        DiskError: no space, no permission; nothing is left behind, as after any other error in the block
    """
    make_folder(path.parent)
    unfinished = path.with_name(f"{_UNFINISHED}{os.getpid()}-{path.name[-40:]}")
    with explained(path):
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise


def remove_unfinished(folder: Path, *, below: bool = True) -> int:
    """Removes what a killed run left half-written; returns how many files that were.

    Args:
        folder: the folder
        below: in the folders below it, too
    """
    pattern = f"{_UNFINISHED}*"
    leftovers = list(folder.rglob(pattern) if below else folder.glob(pattern))
    for path in leftovers:
        path.unlink(missing_ok=True)
    return len(leftovers)
