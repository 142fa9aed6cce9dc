"""The folder that a scoring command fills: one run at a time, never over another kind of results, sealed by its manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, file_sha256, printable_path
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.core.files import explained, remove_unfinished
from mmrole.core.lock import RunLock
from mmrole.core.manifest import Manifest, library_versions, read_manifest

MANIFEST: Final = "manifest.json"
LIBRARIES: Final = ("mmrole", "numpy", "scipy")


@contextmanager
def result_folder(out: str | os.PathLike[str], command: str) -> Iterator[Path]:
    """Holds a folder while a command fills it.

    Args:
        out: the folder; made when it is not there
        command: the command; a folder with the results of another one is refused

    Raises:
        UsageError: it holds other results
        LockedError: another run is working on it
        DiskError: it cannot be made
    """
    folder = Path(out)
    with RunLock(folder):
        try:
            there = read_manifest(folder / MANIFEST).get("command")
        except StoreError:  # none yet, or one that a crash of an old run damaged: it is replaced
            there = command
        if there != command:
            raise UsageError(f"{out} holds the results of mmrole {there}: choose another folder for --out")
        remove_unfinished(folder, below=False)
        yield folder


def unseal(folder: Path) -> None:
    """Takes the manifest away before the first file is written, so that no old manifest vouches for new files."""
    with explained(folder / MANIFEST):
        (folder / MANIFEST).unlink(missing_ok=True)


def seal(folder: Path, manifest: Manifest, names: Sequence[str]) -> None:
    """Writes the manifest, with the hashes of the files that it vouches for.

    Args:
        folder: the folder
        manifest: what the run was
        names: of its files
    """
    manifest.libraries = {**manifest.libraries, **library_versions(*LIBRARIES)}
    manifest.extra = {**manifest.extra, "files": {name: file_sha256(folder / name) for name in names}}
    manifest.write(folder / MANIFEST)


def file_of(path: str | os.PathLike[str], name: str, command: str) -> Path:
    """A file that a command made, given as such or by the folder that holds it.

    Args:
        path: the file, or the ``--out`` folder of the command
        name: of the file in that folder
        command: that makes it, for the message

    Raises:
        InputError: a folder without that file
    """
    if not (found := Path(path)).is_dir():
        return found
    if not (found / name).is_file():
        raise InputError(
            f"{printable_path(found / name)} is missing: make it with mmrole {command} --out {printable_path(path)}, or name a file"
        )
    return found / name


def input_record(path: str | os.PathLike[str]) -> Record:
    """What a manifest says of an input: name, absolute path, size in bytes and SHA-256.

    Raises:
        InputError: it cannot be read
    """
    try:
        size, sha256 = Path(path).stat().st_size, file_sha256(Path(path))
    except OSError as error:
        raise InputError(f"{printable_path(path)}: cannot be read ({error.strerror})") from None
    place = Path(path).absolute()
    return {"name": printable_path(place.name), "path": printable_path(place), "bytes": size, "sha256": sha256}


def input_records(files: Mapping[str, str | os.PathLike[str] | None]) -> dict[str, Record]:
    """The records of the inputs that were given.

    Args:
        files: name of the option -> file
    """
    return {name: input_record(path) for name, path in files.items() if path is not None}


def check_counts(found: int, kept: int) -> dict[str, Any]:
    """The counts of a manifest where nothing can fail: inputs = done + failed + skipped.

    Args:
        found: what was there
        kept: what was used
    """
    return {"inputs": found, "done": kept, "failed": 0, "skipped": found - kept}
