"""Cuts a long text into chunks of at most so many tokens, at the ends of paragraphs and sentences where that can be done."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mmrole.core.errors import UsageError
from textbench.tokens import TokenCounter, approximate

_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n\s*|(?<=[。！？…”」』.!?\"])[^\S\n]*\n(?=\s*[\u3000\t])\s*")
_SENTENCE: Final = re.compile(
    r"""
      [。！？…]+ [”’」』）)\]"']* \s*             # in Chinese nothing has to follow
    | (?<! \b [A-Z]) (?<! \b(?:Mr|Ms|Dr|St|No) ) (?<! \b(?:Mrs|Rev|Col|Gen|Sir|Esq|vol|Vol) ) (?<! \b(?:Prof|Capt) )
      [.!?]+ ["'”’)\]]* \s++ (?![a-z])          # not in “Who is there?” she asked
    """,
    re.VERBOSE,
)
_SPACE: Final = re.compile(r"\s+")
_FULL_ENOUGH: Final = 0.75
"""A paragraph's end is chosen before a later sentence's end when the chunk is so full by then."""


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A part of a text.

    Attributes:
        number: place among the chunks, from 0
        start: first character in the text
        stop: the character after the last
        text: the characters from start to stop
        tokens: how many the counter found in it
    """

    number: int
    start: int
    stop: int
    text: str = field(repr=False)
    tokens: int


def chunks(text: str, size: int, counter: TokenCounter = approximate) -> list[Chunk]:
    """Cuts a text; its chunks put together are the text, character by character.

    Each chunk is as long as it can be and ends, in this order of preference, with a paragraph (when it is three quarters full by
    then), a sentence, a word, a character. White space belongs to what stands before it. The last chunk is what remains.

    Args:
        text: the whole text
        size: most tokens in a chunk, 1 or more
        counter: of the tokens

    Returns:
        the chunks in order; none of an empty text

    Raises:
        UsageError: the size makes no sense, or a single character has more tokens than that

    >>> [chunk.text for chunk in chunks("It rained. We stayed in. He left.", 7)]
    ['It rained. We stayed in. ', 'He left.']
    """
    if size < 1:
        raise UsageError(f"a chunk has 1 token or more, not {size}")
    paragraphs, sentences = _ends(_PARAGRAPH, text), sentence_ends(text)
    words = _ends(_SPACE, text)
    found: list[Chunk] = []
    start, guess = 0, 4 * size
    while start < len(text):
        limit = _longest(text, start, size, counter, guess)
        stop = _cut(text, start, limit, paragraphs, sentences, words)
        # a beginning may have more tokens than the whole, where a counter knows long words
        while (held := counter(text[start:stop])) > size and stop > start + 1:
            stop = _cut(text, start, stop - 1, paragraphs, sentences, words)
        found.append(Chunk(number=len(found), start=start, stop=stop, text=text[start:stop], tokens=held))
        start, guess = stop, limit - start
    return found


def sentence_ends(text: str) -> list[int]:
    """Where the sentences and paragraphs of a text end, white space behind them included, in order."""
    return sorted({*_ends(_PARAGRAPH, text), *_ends(_SENTENCE, text)})


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    return [match.end() for match in pattern.finditer(text)]


def _longest(text: str, start: int, size: int, counter: TokenCounter, guess: int) -> int:
    """The last place at which a chunk from `start` may stop; found by trying, beginning with a guess of its length."""
    fits, step = start, max(1, guess)
    too_far = len(text) + 1
    while fits < len(text) and too_far > len(text):  # doubles its step until it has gone too far
        place = min(len(text), fits + step)
        if counter(text[start:place]) <= size:
            fits, step = place, max(1, step // 8) if fits == start else 2 * step
        else:
            too_far = place
    while too_far - fits > 1:
        place = (fits + too_far) // 2
        if counter(text[start:place]) <= size:
            fits = place
        else:
            too_far = place
    if fits == start:
        raise UsageError(f"the character {text[start]!r} alone has more than {size} tokens: give larger chunks")
    return fits


def _cut(
    text: str, start: int, limit: int, paragraphs: Sequence[int], sentences: Sequence[int], words: Sequence[int]
) -> int:
    if limit == len(text):
        return limit
    paragraph = _last(paragraphs, start + 1 + int(_FULL_ENOUGH * (limit - start)), limit)
    return paragraph or _last(sentences, start + 1, limit) or _last(words, start + 1, limit) or limit


def _last(ends: Sequence[int], low: int, high: int) -> int | None:
    """The last of the ends from low to high."""
    place = bisect_right(ends, high)
    return ends[place - 1] if place > bisect_left(ends, low) else None
