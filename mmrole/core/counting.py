"""A number of things, in English."""

from __future__ import annotations


def noun(number: int, one: str, many: str | None = None) -> str:
    """The word for so many things.

    Args:
        number: of things
        one: the word for one of them
        many: for more of them; `one` with an s when None

    >>> noun(1, "turn"), noun(0, "turn"), noun(2, "reply", "replies")
    ('turn', 'turns', 'replies')
    """
    return one if number == 1 else f"{one}s" if many is None else many


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and the word for so many things.

    >>> counted(1, "clip"), counted(0, "clip"), counted(1234, "vote")
    ('1 clip', '0 clips', '1,234 votes')
    """
    return f"{number:,} {noun(number, one, many)}"
