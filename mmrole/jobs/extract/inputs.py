"""From what the user names to clips: every file below it becomes a clip or is skipped with a reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from extractors.container import MEDIA_EXTENSIONS
from mmrole.core.canonical import bytes_sha256, printable_path
from mmrole.core.errors import UsageError

_PICTURES = frozenset(["jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "svg", "ico", "raw"])
_SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini", "icon\r"})


@dataclass(frozen=True, kw_only=True)
class FoundFile:
    """A file that is taken for a clip.

    Attributes:
        clip_id: path below the input folder without extension
        path: the file, as the operating system names it
        shown: the path as it is stored and printed
    """

    clip_id: str
    path: str
    shown: str


@dataclass(kw_only=True)
class Inputs:
    """All that was found: clips, and what is clearly no clip with the reason."""

    files: list[FoundFile] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)


def find_inputs(named: Sequence[str | os.PathLike[str]], *, out: str | os.PathLike[str] | None = None) -> Inputs:
    """Looks through files and folders, in sorted order, links followed.

    Args:
        named: files and folders
        out: the features folder, which is left alone where it lies inside an input

    Raises:
        UsageError: something that was named is not there, or there is no clip in it
    """
    if not named:
        raise UsageError("no input was named: give a folder of clips or some files")
    candidates: list[tuple[str, str, bool]] = []  # path, path below its input, whether it was named itself
    seen: set[str] = set()
    inputs = Inputs()
    for item in named:
        top = os.fspath(item)
        if not top:
            raise UsageError("the name of an input is empty: check the variable that it comes from")
        if out is not None and os.path.realpath(top) == os.path.realpath(out):
            # results among the clips: the next run would look at them, and --fresh refuses to delete
            raise UsageError(f"the output folder {printable_path(out)} is an input too: choose a folder of its own")
        if not os.path.lexists(top):
            raise UsageError(f"{printable_path(top)} does not exist: check the path")
        before = len(candidates)
        if os.path.isdir(top):
            _check_readable(top)
            candidates += [(path, below, False) for path, below in _walk(top, inputs, out)]
        else:
            candidates.append((top, os.path.basename(top), True))
        clips = [c for c in candidates[before:] if _why_no_clip(c[0], c[2]) is None]
        if not clips:
            raise UsageError(f"{printable_path(top)} holds no clip: no file in it has one of the endings {_endings()}")
    for path, below, alone in candidates:
        real = os.path.realpath(path) if not os.path.islink(path) else os.path.abspath(path)
        if real in seen:  # named twice, or a folder inside a folder that was named too
            continue
        seen.add(real)
        reason = _why_no_clip(path, alone)
        if reason is None and any(part.startswith(".") and part not in (".", "..") for part in Path(below).parts[:-1]):
            reason = "in a hidden folder (its name begins with a dot)"
        if reason is None:
            inputs.files.append(FoundFile(clip_id=below, path=path, shown=printable_path(path)))
        else:
            inputs.skipped.append({"path": printable_path(path), "reason": reason})
    inputs.files = _named(inputs.files)
    return inputs


def _check_readable(folder: str) -> None:
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise UsageError(f"{printable_path(folder)} cannot be read: {error.strerror}; check its permissions") from None


def _walk(top: str, inputs: Inputs, out: str | os.PathLike[str] | None) -> Iterator[tuple[str, str]]:
    """Files below a folder with their path below it; folders named like media are noted as skipped."""
    visited: set[tuple[int, int]] = set()

    def unreadable(error: OSError) -> None:
        inputs.skipped.append(
            {"path": printable_path(str(error.filename)), "reason": f"the folder cannot be read: {error.strerror}"}
        )

    for folder, folders, names in os.walk(top, followlinks=True, onerror=unreadable):
        status = os.stat(folder)
        if (status.st_dev, status.st_ino) in visited:  # a link that leads back up
            folders.clear()
            continue
        visited.add((status.st_dev, status.st_ino))
        folders[:] = sorted(
            name
            for name in folders
            if out is None or os.path.realpath(os.path.join(folder, name)) != os.path.realpath(out)
        )
        for name in folders:
            if _extension(name) in MEDIA_EXTENSIONS:
                path = os.path.join(folder, name)
                reason = "a folder that is named like media; the files in it are looked at"
                inputs.skipped.append({"path": printable_path(path), "reason": reason})
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield path, os.path.relpath(path, top)


def _why_no_clip(path: str, alone: bool) -> str | None:
    """Why a file is clearly no clip; None when it is one. A file that was named itself is always tried, unless it is a picture."""
    name = os.path.basename(path)
    extension = _extension(name)
    if name.lower() in _SYSTEM_FILES:
        return "a system file"
    if extension in _PICTURES:
        return "a picture (image file)"
    try:
        mode = os.stat(path).st_mode
    except OSError:
        mode = stat.S_IFREG  # a broken link: a clip that cannot be read
    if not stat.S_ISREG(mode):
        return "no regular file (pipe, socket or device)"
    if alone:
        return None
    if name.startswith("."):
        return "a hidden file (its name begins with a dot)"
    if extension not in MEDIA_EXTENSIONS:
        return (
            f"its ending .{extension} is none of audio or video"
            if extension
            else "it has no ending that says audio or video"
        )
    return None


def _named(files: list[FoundFile]) -> list[FoundFile]:
    """Gives each file the shortest clip id that no other has.

    Tried are its path below the input without extension, with extension, its whole path, and that with a hash. Of files
    that would have the same, those that still have a shorter form take the next.
    """
    forms = [_forms(file) for file in files]
    levels = [0] * len(files)
    while True:
        sharing: dict[str, list[int]] = {}
        for number, (names, level) in enumerate(zip(forms, levels, strict=True)):
            sharing.setdefault(names[level], []).append(number)
        clashes = [numbers for numbers in sharing.values() if len(numbers) > 1]
        if not clashes:
            break
        for numbers in clashes:
            lowest = min(levels[number] for number in numbers)
            for number in numbers:
                levels[number] += levels[number] == lowest
    return [
        FoundFile(clip_id=names[level], path=file.path, shown=file.shown)
        for file, names, level in zip(files, forms, levels, strict=True)
    ]


def _forms(file: FoundFile) -> tuple[str, str, str, str]:
    whole = str(PurePosixPath(*[part for part in Path(file.path).parts if part not in ("/", "..", ".")]))
    known = f"{whole}~{bytes_sha256(os.fsencode(file.path))[:12]}"
    below = file.clip_id
    names = (_without_extension(below), below, whole, known)
    return printable_path(names[0]), printable_path(names[1]), printable_path(names[2]), printable_path(names[3])


def _without_extension(path: str) -> str:
    stem, extension = os.path.splitext(path)
    return stem if extension else path


def _extension(name: str) -> str:
    return os.path.splitext(name)[1].lower().lstrip(".")


def _endings() -> str:
    return " ".join(f".{e}" for e in sorted(MEDIA_EXTENSIONS))
