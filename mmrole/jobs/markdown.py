"""Markdown for people: numbers in few digits, tables that survive any name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

NOTHING: Final = "–"
"""What stands where there is no value."""

_SPECIAL: Final = re.compile(r"([\\`*\[\]<>|~]|(?<!\w)_|_(?!\w))")


def number(value: float | None, digits: int = 3) -> str:
    """A value in a fixed number of decimals; a rounded zero has no sign.

    >>> number(0.66666), number(-0.0001), number(None)
    ('0.667', '0.000', '–')
    """
    if value is None:
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if text.strip("-0.") == "" else text


def interval(ci: tuple[float, float] | None, digits: int = 3) -> str:
    """The ends of an interval in brackets; nothing without one."""
    return "" if ci is None else f"[{number(ci[0], digits)}, {number(ci[1], digits)}]"


def escaped(text: object) -> str:
    """A text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> list[str]:
    """Lines of a table.

    Args:
        header: names of the columns
        rows: cells, escaped already
        align: a letter per column: ``l`` or ``r``; all to the left when empty
    """
    rules = ["---:" if letter == "r" else "---" for letter in align or "l" * len(header)]
    return [f"| {' | '.join(cells)} |" for cells in (header, rules, *rows)]
