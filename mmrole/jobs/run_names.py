"""What runs are called in tables: by the caller, or by their folders."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mmrole.core.errors import UsageError


def run_names(folders: Sequence[str | os.PathLike[str]], names: Sequence[str] | None = None) -> list[str]:
    """One name for each folder, no two alike.

    Args:
        folders: of the runs
        names: chosen by the caller; the names of the folders when None, with as much of the folders above them as tells them apart

    Raises:
        UsageError: a folder is named twice, another number of names than folders, or two names that are alike
    """
    paths = [Path(folder).resolve().parts for folder in folders]
    if repeated_path := [path for path, count in Counter(paths).items() if count > 1]:
        raise UsageError(f"{Path(*repeated_path[0])} is named twice")
    if names is None:
        depth = 1
        while len({path[-depth:] for path in paths}) < len(paths):
            depth += 1
        return ["/".join(path[-depth:]) for path in paths]
    if len(names) != len(folders):
        raise UsageError(f"{len(names)} names were given for {len(folders)} folders")
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise UsageError(f"two runs are called {repeated[0]!r}: give each a name of its own with --names")
    return list(names)
