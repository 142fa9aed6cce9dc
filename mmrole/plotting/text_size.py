"""How much room texts take, before they are drawn."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import matplotlib as mpl
from matplotlib import font_manager

POINTS = 72.0
"""Points in an inch."""


def width_in(text: str, size_pt: float) -> float:
    """Width of a line of text in inches, in the font of the session; a character that it lacks is as wide as high."""
    family = tuple(str(name) for name in mpl.rcParams["font.family"])
    return sum(_advance_em(character, family) for character in text) * size_pt / POINTS


def widest_in(texts: Iterable[str], size_pt: float) -> float:
    """Width of the widest of some lines in inches; 0 without any."""
    return max((width_in(text, size_pt) for text in texts), default=0.0)


@functools.cache
def _advance_em(character: str, family: tuple[str, ...]) -> float:
    font = font_manager.get_font(font_manager.findfont(font_manager.FontProperties(family=list(family))))
    if not font.get_char_index(ord(character)):
        return 1.0
    font.set_size(100, POINTS)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 65536 / 100
