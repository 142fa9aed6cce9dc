"""Displays and functions that draw on matplotlib Axes.

Nothing is imported until it is asked for: matplotlib takes longer to import than most commands to run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmrole.plotting.keyframes import KeyframesDisplay as KeyframesDisplay
    from mmrole.plotting.prosody import ProsodyDisplay as ProsodyDisplay

_PLACES = {
    "KeyframesDisplay": "mmrole.plotting.keyframes",
    "ProsodyDisplay": "mmrole.plotting.prosody",
}
__all__ = ["KeyframesDisplay", "ProsodyDisplay"]  # the keys of _PLACES


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'mmrole.plotting' has no attribute {name!r}; it has {', '.join(sorted(_PLACES))}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
