"""Finds a quotation in a passage, and where the story has to stop before it."""

from __future__ import annotations

import unicodedata
from typing import Final

from textbench.chunks import sentence_ends
from textbench.stepwise import RejectedError

_IGNORED: Final = frozenset("\"'“”„«»‘’‚-—–‐‑‒―−_*")
"""Quotation marks, dashes, and the marks of italics in plain text."""
_BEYOND: Final = 40
_SHORTEST: Final = {"en": 20, "zh": 8}


def locate(quote: str, passage: str, *, language: str) -> tuple[int, int]:
    """Where a quotation is in a passage.

    White space, quotation marks, dashes and marks of italics may differ, and marks or dots around it are dropped; every letter has to
    be there.

    Args:
        quote: what the model quotes
        passage: where it has to be
        language: ``en`` or ``zh``

    Returns:
        first character, and the one after the last

    Raises:
        RejectedError: ``quote_too_short``, ``quote_not_found``, ``quote_ambiguous`` (it is there several times)

    >>> locate("'I will not  go,' she said", "Rain. “I will not go,” she said. Sun.", language="en")
    (6, 31)
    """
    wanted, _ = _folded(quote.strip().strip("\"'“”‘’«»… ."))
    if len(wanted) < _SHORTEST.get(language, 20):
        raise RejectedError("quote_too_short", f"{quote[:60]!r}")
    text, places = _folded(passage)
    first = text.find(wanted)
    if first < 0:
        raise RejectedError("quote_not_found", f"{quote[:60]!r} is not in the passage")
    if text.find(wanted, first + 1) >= 0:
        raise RejectedError("quote_ambiguous", f"{quote[:60]!r} is there several times")
    start = places[first]
    while start and passage[start - 1] in "\"'“‘「『«":  # the mark that opens the quotation belongs to it
        start -= 1
    return start, places[first + len(wanted) - 1] + 1


def _folded(text: str) -> tuple[str, list[int]]:
    """A text without what may differ, and the place of each of its characters."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        # decomposed, so that a letter with an accent is the same in one character and in two
        for each in unicodedata.normalize("NFKD", character).casefold():
            if not each.isspace() and each not in _IGNORED:
                letters.append(each)
                places.append(place)
    return "".join(letters), places


def sentence_start(text: str, start: int, stop: int) -> int:
    """Where the sentence begins that holds the character at `stop`.

    Args:
        text: the whole text
        start: not further back than this
        stop: where to look back from
    """
    # some text beyond `stop` tells whether what ends there is a sentence
    ends = [start + end for end in sentence_ends(text[start : stop + _BEYOND])]
    return max((end for end in ends if end <= stop), default=start)
