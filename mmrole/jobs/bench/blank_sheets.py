"""Blank sheets that are written again only while nobody has worked on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mmrole.core.canonical import file_sha256
from mmrole.core.files import explained, write_atomically
from mmrole.core.review import write_sheet

MARK: Final = ".sha256"
"""Ending of the file beside a sheet that holds the hashes of what was written."""


def write_blank(
    path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, object]], *, fill: Sequence[str]
) -> bool:
    """Writes a sheet, unless somebody has changed the one that is there.

    Args:
        path: the sheet
        columns: see `mmrole.core.review.write_sheet`
        rows: see there
        fill: see there

    Returns:
        whether it was written; False when what is there is not what was written, and was left alone

    Raises:
        DiskError: it cannot be written
    """
    mark = path.with_name(f".{path.name}{MARK}")
    with explained(path):
        known = mark.read_text().split() if mark.is_file() else []
        before = file_sha256(path) if path.exists() else None
        if before is not None and before not in known:
            return False
        fresh = path.with_name(f".new-{path.name}")
        write_sheet(fresh, columns, rows, fill=fill)
        # known before it is in its place: interrupted in between, either sheet is one of ours
        hashes = dict.fromkeys([*filter(None, [before]), file_sha256(fresh)])
        write_atomically(mark, "\n".join(hashes).encode())
        fresh.replace(path)
    return True
