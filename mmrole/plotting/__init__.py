"""Displays and functions that draw on matplotlib Axes.

Nothing is imported until it is asked for: matplotlib takes longer to import than most commands to run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmrole.plotting.accuracy import AccuracyDisplay as AccuracyDisplay
    from mmrole.plotting.accuracy_grid import AccuracyGridDisplay as AccuracyGridDisplay
    from mmrole.plotting.accuracy_time import AccuracyTimeDisplay as AccuracyTimeDisplay
    from mmrole.plotting.classes import ClassesDisplay as ClassesDisplay
    from mmrole.plotting.confusion import ConfusionMatrixDisplay as ConfusionMatrixDisplay
    from mmrole.plotting.decisions import DecisionsDisplay as DecisionsDisplay
    from mmrole.plotting.episodes import EpisodesDisplay as EpisodesDisplay
    from mmrole.plotting.keyframes import KeyframesDisplay as KeyframesDisplay
    from mmrole.plotting.personality import RadarDisplay as RadarDisplay
    from mmrole.plotting.personality_map import PersonalityMapDisplay as PersonalityMapDisplay
    from mmrole.plotting.prosody import ProsodyDisplay as ProsodyDisplay
    from mmrole.plotting.scores import ScoresDisplay as ScoresDisplay
    from mmrole.plotting.timeline import TimelineDisplay as TimelineDisplay
    from mmrole.plotting.transitions import TransitionMatrixDisplay as TransitionMatrixDisplay

_PLACES = {
    "AccuracyDisplay": "mmrole.plotting.accuracy",
    "AccuracyGridDisplay": "mmrole.plotting.accuracy_grid",
    "AccuracyTimeDisplay": "mmrole.plotting.accuracy_time",
    "ClassesDisplay": "mmrole.plotting.classes",
    "ConfusionMatrixDisplay": "mmrole.plotting.confusion",
    "EpisodesDisplay": "mmrole.plotting.episodes",
    "DecisionsDisplay": "mmrole.plotting.decisions",
    "KeyframesDisplay": "mmrole.plotting.keyframes",
    "PersonalityMapDisplay": "mmrole.plotting.personality_map",
    "ProsodyDisplay": "mmrole.plotting.prosody",
    "RadarDisplay": "mmrole.plotting.personality",
    "ScoresDisplay": "mmrole.plotting.scores",
    "TimelineDisplay": "mmrole.plotting.timeline",
    "TransitionMatrixDisplay": "mmrole.plotting.transitions",
}
__all__ = [  # the keys of _PLACES
    "AccuracyDisplay", "AccuracyGridDisplay", "AccuracyTimeDisplay",
    "ClassesDisplay", "ConfusionMatrixDisplay", "DecisionsDisplay", "EpisodesDisplay", "KeyframesDisplay",
    "PersonalityMapDisplay", "ProsodyDisplay",
    "RadarDisplay", "ScoresDisplay", "TimelineDisplay", "TransitionMatrixDisplay",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'mmrole.plotting' has no attribute {name!r}; it has {', '.join(sorted(_PLACES))}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
