"""Measures how consistent a role-playing agent is with the character it plays.

Nothing is imported until it is asked for: ``import mmrole`` and ``mmrole --help`` stay fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emotion.evaluate import score as score
    from mmrole.core.dialogue_readers import read_dialogues as read_dialogues
    from mmrole.core.features import FeatureStore as FeatureStore
    from mmrole.core.features import read_features as read_features
    from mmrole.jobs.describe.run import describe as describe
    from mmrole.jobs.extract.run import ExtractResult as ExtractResult
    from mmrole.jobs.extract.run import extract as extract
    from mmrole.jobs.judge import judge as judge
    from mmrole.jobs.recognize.run import recognize as recognize
    from mmrole.jobs.respond.entry import respond as respond

_PLACES = {
    "ExtractResult": "mmrole.jobs.extract.run",
    "FeatureStore": "mmrole.core.features",
    "describe": "mmrole.jobs.describe.run",
    "extract": "mmrole.jobs.extract.run",
    "judge": "mmrole.jobs.judge",
    "read_dialogues": "mmrole.core.dialogue_readers",
    "read_features": "mmrole.core.features",
    "recognize": "mmrole.jobs.recognize.run",
    "respond": "mmrole.jobs.respond.entry",
    "score": "emotion.evaluate",
}
__all__ = [
    "ExtractResult",
    "FeatureStore",
    "describe",
    "extract",
    "judge",
    "read_dialogues",
    "read_features",
    "recognize",
    "respond",
    "score",
]  # the keys of _PLACES


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'mmrole' has no attribute {name!r}; it has {', '.join(sorted(_PLACES))}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
