"""How many tokens a text has: counters that can be exchanged, and one that needs nothing.

Sizes of chunks and budgets are in the tokens of one counter, whose name is stored with every result.
"""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

import numpy as np

_CHINESE_JAPANESE_KOREAN: Final = (
    (0x2E80, 0x303F),  # radicals, punctuation
    (0x3040, 0x31FF),  # kana, bopomofo
    (0x3200, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),  # full-width forms
    (0x20000, 0x3FFFF),
)


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of a text. A longer text never has fewer tokens than its beginning."""

    @property
    def name(self) -> str:
        """Names it in results: two counters that count differently have different names."""

    def __call__(self, text: str, /) -> int:
        """Number of tokens, 0 for an empty text."""


class ApproximateCounter:
    """Chinese, Japanese and Korean characters x 1.3 plus other characters / 4, rounded up.

    Of two texts put together it never gives more than the sum of both.

    >>> approximate("Reader, I married him."), approximate("读者，我嫁给了他。"), approximate("")
    (6, 12, 0)
    """

    name: Final = "approximate/v1"

    def __call__(self, text: str, /) -> int:
        """Number of tokens."""
        wide = 0 if text.isascii() else _wide(text)
        return -(-(26 * wide + 5 * (len(text) - wide)) // 20)  # in twentieths, so that nothing is lost in rounding

    def __repr__(self) -> str:
        return "approximate"


approximate: Final = ApproximateCounter()
"""The counter that is used when no other is given."""


def _wide(text: str) -> int:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    inside = np.zeros(len(codes), dtype=bool)
    for low, high in _CHINESE_JAPANESE_KOREAN:
        inside |= (codes >= low) & (codes <= high)
    return int(np.count_nonzero(inside))
