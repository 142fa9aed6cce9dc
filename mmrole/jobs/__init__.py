"""Long-running work behind the command line and the Python API."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from mmrole.core.errors import ShadowedPackageError

_OURS = ("emotion", "extractors", "textbench")


def _refuse_strangers() -> None:
    """`extractors` is a generic name: a folder or distribution that is called so may lie before ours on the path."""
    home = Path(__file__).resolve().parents[2]
    for name in _OURS:
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).resolve().parent if spec is not None and spec.origin else None
        if place is None or place.parent != home:
            raise ShadowedPackageError(
                f"Python finds {place or 'no package'} instead of mmrole's own package {name!r}; "
                f"rename or uninstall it, or start mmrole from another folder"
            )


_refuse_strangers()
