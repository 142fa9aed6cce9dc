"""Multiple choice, shared by the benchmarks: options in an order that favours none, answers put back, and what they come to."""

from textbench.choices.answers import Answer, read_answer
from textbench.choices.position_bias import position_bias
from textbench.choices.questions import LETTERS, Question, Shown, show, shown_of, shuffle, unshuffle
from textbench.choices.shares import accuracy, share, wilson_interval

__all__ = [
    "LETTERS",
    "Answer",
    "Question",
    "Shown",
    "accuracy",
    "position_bias",
    "read_answer",
    "share",
    "show",
    "shown_of",
    "shuffle",
    "unshuffle",
    "wilson_interval",
]
