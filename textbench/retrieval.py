"""Finds the passages of a memory that bear on a question: Okapi BM25 over English words and Chinese character pairs.

Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond", section 3.4; the weight of a term is
ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

_RUN = re.compile(r"[a-z0-9\u00c0-\u024f]+(?:['’][a-z]+)?|[\u3400-\u9fff\U00020000-\U0003ffff]+")


def tokens(text: str) -> list[str]:
    """Words in lower case; of Chinese, every pair of neighbouring characters, a lone character as itself.

    >>> tokens("Holmes's 侦探小说 好")
    ['holmes', '侦探', '探小', '小说', '好']
    """
    found: list[str] = []
    for run in _RUN.findall(text.lower()):
        if run[0] < "\u3400":
            found.append(re.sub(r"['’]s$", "", run))
        elif len(run) == 1:
            found.append(run)
        else:
            found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found


class Retriever:
    """BM25 over passages.

    Args:
        passages: the memory
        k1: how soon further occurrences of a term stop to count
        b: how much long passages are marked down, 0 to 1
    """

    def __init__(self, passages: Sequence[str], *, k1: float = 1.5, b: float = 0.75) -> None:
        self._size = len(passages)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        counts = [Counter(tokens(passage)) for passage in passages]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        for number, (count, length) in enumerate(zip(counts, lengths, strict=True)):
            for term, times in count.items():
                saturated = times * (k1 + 1) / (times + k1 * (1 - b + b * length / mean))
                self._postings[term].append((number, saturated))

    def scores(self, query: str) -> dict[int, float]:
        """Number of a passage -> its score, for those that share a term with the query."""
        found: dict[int, float] = defaultdict(float)
        for term, times in Counter(tokens(query)).items():
            holders = self._postings.get(term, ())
            weight = math.log(1 + (self._size - len(holders) + 0.5) / (len(holders) + 0.5))
            for number, saturated in holders:
                found[number] += times * weight * saturated
        return dict(found)

    def best(self, query: str, count: int) -> list[int]:
        """Numbers of the best passages, the best first; equal ones in their order.

        Where fewer than `count` share a term with the query, the first of the others fill up, so that every question finds
        equally many.
        """
        scores = self.scores(query)
        return sorted(range(self._size), key=lambda number: (-scores.get(number, 0.0), number))[:count]
