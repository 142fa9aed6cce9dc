"""Playing a role: which turns an agent has to produce, what it is told and shown, and how its reply is read.

MERRY (arXiv 2602.21941): a role is played on its turns under one of four conditions; an answer has one or more utterances, each
with text, facial expression, body movement and speech prompt.
"""

from __future__ import annotations

from emotion.playing.history import HISTORY_SOURCES, Clips, History, Shown
from emotion.playing.items import Stage, item_of, parameters_for, repair_for
from emotion.playing.material import CONDITIONS, Condition, Lack, Material, Materials
from emotion.playing.outcome import NOT_ASKED, blocked, response_of, unplayed
from emotion.playing.reply import read_answer
from emotion.playing.targets import Target, Targets, targets_of
from emotion.playing.wording import language_of

__all__ = [
    "CONDITIONS",
    "HISTORY_SOURCES",
    "NOT_ASKED",
    "Clips",
    "Condition",
    "History",
    "Lack",
    "Material",
    "Materials",
    "Shown",
    "Stage",
    "Target",
    "Targets",
    "blocked",
    "item_of",
    "language_of",
    "parameters_for",
    "read_answer",
    "repair_for",
    "response_of",
    "targets_of",
    "unplayed",
]
