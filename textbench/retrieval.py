"""Finds the passages of a memory that bear on a question: BM25 over English words and Chinese character pairs.

Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.4, in Lucene's form (Kamphuis et al.
2020, "Which BM25 Do You Mean?"): the weight of a term is ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative, times
f / (f + k1 (1 - b + b L / mean L)). The library bm25s does the sums.
"""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np

from mmrole.core.errors import UsageError
from textbench.chunks import Chunk
from textbench.tokens import TokenCounter, approximate

_WIDE: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_RUN: Final = re.compile(rf"[{_WIDE}]+|[^\W_{_WIDE}]+(?:['’][^\W\d_{_WIDE}]+)?")
_POSSESSIVE: Final = re.compile(r"['’]s$")
NO_HIT: Final = 0.0
"""A passage of this score or less has nothing to do with the query."""
NEXT: Final = "\n\n[...]\n\n"
"""Stands between passages that are not neighbours in the story."""

Ranked = list[tuple[int, float]]
"""Number of a passage with its score, the best first; only hits, that is, passages with a score above 0."""


class Memory(Protocol):
    """What can be searched."""

    def ranked(self, query: str, /) -> Ranked:
        """The passages that bear on a query, the best first, equal ones in story order."""


def tokens(text: str) -> list[str]:
    """Words in lower case; of Chinese, every pair of neighbouring characters, a lone character as itself.

    >>> tokens("Holmes's 侦探小说 好")
    ['holmes', '侦探', '探小', '小说', '好']
    """
    found: list[str] = []
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    for run in _RUN.findall(plain.lower()):
        if run[0] < "\u3040" or not _is_wide(run[0]):
            found.append(_POSSESSIVE.sub("", run))
        elif len(run) == 1:
            found.append(run)
        else:
            found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found


def _is_wide(character: str) -> bool:
    return re.match(f"[{_WIDE}]", character) is not None


class Retriever:
    """BM25 over passages, a `Memory`.

    Args:
        passages: the memory
        k1: how soon further occurrences of a term stop to count
        b: how much long passages are marked down, 0 to 1
    """

    def __init__(self, passages: Sequence[str], *, k1: float = 1.5, b: float = 0.75) -> None:
        self._size = len(passages)
        self._vocabulary: dict[str, int] = {}
        numbered = [
            [self._vocabulary.setdefault(term, len(self._vocabulary)) for term in tokens(passage)]
            for passage in passages
        ]
        self._index = _index(numbered, self._vocabulary, k1, b) if self._vocabulary else None

    def ranked(self, query: str, /) -> Ranked:
        """See `Memory.ranked`: the passages that share a term with the query; a term that is asked twice counts twice."""
        known = [self._vocabulary[term] for term in tokens(query) if term in self._vocabulary]
        if self._index is None or not known:
            return []
        return in_order(self._index.get_scores_from_ids(known))

    def best(self, query: str, count: int) -> list[int]:
        """Numbers of the best passages, the best first; equal ones in their order.

        Where fewer than `count` share a term with the query, the first of the others fill up, so that every question finds
        equally many.
        """
        hits = [number for number, _ in self.ranked(query)]
        found = set(hits)
        return [*hits, *(number for number in range(self._size) if number not in found)][:count]


def _index(numbered: list[list[int]], vocabulary: dict[str, int], k1: float, b: float) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook it warns of a progress bar that is never drawn
        import bm25s  # a fifth of a second, and most commands never search

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # its import turns its own debugging on
    index = bm25s.BM25(k1=k1, b=b, method="lucene", dtype="float64")
    index.index((numbered, vocabulary), show_progress=False, create_empty_token=False)
    return index


def in_order(scores: Any) -> Ranked:
    """The hits among the scores of all passages.

    Args:
        scores: one per passage, shape (passages,)
    """
    values = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    return [(int(number), float(values[number])) for number in order if values[number] > NO_HIT]


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What of a memory goes into a prompt.

    Attributes:
        numbers: of the chunks, in story order
        text: the chunks as they are put into the prompt: neighbours as they stand in the story, else with `NEXT` between them
        tokens: of `text`; never more than the budget
        budget: most tokens allowed
        hits: how many chunks bear on the queries
    """

    numbers: tuple[int, ...]
    text: str = field(repr=False)
    tokens: int
    budget: int
    hits: int

    @cached_property
    def left_out(self) -> int:
        """Hits for which there was no room."""
        return self.hits - len(self.numbers)


def fill(
    ranked: Sequence[Ranked], chunks: Sequence[Chunk], budget: int, counter: TokenCounter = approximate
) -> Selection:
    """Takes chunks by rank until the budget is full, and puts them into story order.

    With several queries, the best chunk of each comes first, then the second of each, and so on, since scores of different
    queries cannot be compared; a chunk that several find counts once. The first chunk that does not fit ends it: if
    smaller ones of a lower rank could slip in, size would decide, and the short last chunk, which stands right before the
    end of the text, would nearly always be there.

    Args:
        ranked: what `Memory.ranked` gave for each query; a score of 0 or less is no hit
        chunks: of the memory, in story order
        budget: most tokens of the selected text, 0 or more
        counter: of the tokens

    Raises:
        UsageError: the budget is below 0, or a list names a chunk that is not there
    """
    if budget < 0:
        raise UsageError(f"a budget has 0 tokens or more, not {budget}")
    hits = _interleaved(ranked)
    if beyond := [number for number in hits if not 0 <= number < len(chunks)]:
        raise UsageError(f"chunk {beyond[0]} was found, but there are {len(chunks)}")
    taken: list[int] = []
    text, used = "", 0
    for number in hits:
        tried = _joined(sorted([*taken, number]), chunks)
        needed = counter(tried)
        if needed > budget:
            break
        taken.append(number)
        text, used = tried, needed
    return Selection(numbers=tuple(sorted(taken)), text=text, tokens=used, budget=budget, hits=len(hits))


def _interleaved(ranked: Sequence[Ranked]) -> list[int]:
    lists = [[number for number, score in of_query if score > NO_HIT] for of_query in ranked]
    longest = max(map(len, lists), default=0)
    return list(dict.fromkeys(of[rank] for rank in range(longest) for of in lists if rank < len(of)))


def _joined(numbers: Sequence[int], chunks: Sequence[Chunk]) -> str:
    pieces: list[str] = []
    for place, number in enumerate(numbers):
        if place and number != numbers[place - 1] + 1:
            pieces[-1] = pieces[-1].rstrip()
            pieces.append(NEXT)
        pieces.append(chunks[number].text)
    return "".join(pieces).strip()
