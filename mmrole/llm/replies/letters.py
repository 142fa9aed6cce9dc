"""The keys of options in a text: which marks are one, and when "A" and "I" are only words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mmrole.core.errors import UsageError
from mmrole.llm.replies.folding import fold

_BEFORE: Final = r"(?<![A-Za-z0-9À-ɏ_])"
_AFTER: Final = r"(?![A-Za-z0-9À-ɏ_]|-[A-Za-z0-9]|'[a-z]|[.,]\d)"
_GOES_ON: Final = re.compile(
    r"[\"')\]}>]{0,3}\s?(?:\Z|[\n.,;:!?)\]}>\"'—–\-(/|<{\\=&+。，；：！？、…~]|[^\x00-\u024f]"
    r"|(?:because|since|as|for|which|given|based|due|and|but|so|or|rather|instead|over|not|in|if|unless|is|was|would|seems|fits"
    r"|here|then|with|from|by|although|though|where|it|he|she|they|this|that)(?![A-Za-z-]))",
    re.IGNORECASE,
)
"""What may follow a letter in a sentence, so that it is no article, pronoun or initial."""
_REASON: Final = re.compile(r"[\"')\]}>]{0,3} (?:because|since|as|given|due)(?![A-Za-z])")
_ARTICLES: Final = frozenset("ai")
_CIRCLED: Final = {chr(0x2460 + n): str(n + 1) for n in range(9)} | {chr(0x24B6 + n): chr(65 + n) for n in range(26)}


class Letters:
    """The keys of one set of options.

    Args:
        keys: as the options have them

    Raises:
        UsageError: an empty key, or two keys that differ in width only
    """

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._exact: dict[str, str] = {}
        for key in keys:
            name = " ".join(fold(key).split())
            if not name or self._exact.setdefault(name, key) is not key:
                raise UsageError(f"options {list(keys)}: {key!r} is empty or cannot be told from another key")
        cases: dict[str, set[str]] = {}
        for name, key in self._exact.items():
            cases.setdefault(name.casefold(), set()).add(key)
        self._any_case = {name: found.pop() for name, found in cases.items() if len(found) == 1}
        names = "|".join(map(re.escape, sorted(self._exact, key=len, reverse=True)))
        self._at = re.compile(rf"(?:{names}){_AFTER}", re.IGNORECASE)
        self._anywhere = re.compile(rf"{_BEFORE}(?:{names}){_AFTER}")
        self.pattern = names
        self.digits = any(key[:1].isdigit() for key in keys)

    def key(self, text: str) -> str | None:
        """The key that a bare text is."""
        if len(text) == 1:
            text = _CIRCLED.get(text, text)
        return self._exact.get(text) or self._any_case.get(text.casefold())

    def match(self, text: str, position: int, *, strict: bool = False) -> tuple[str, int] | None:
        """The key at a position and the position after it.

        Args:
            text: plain text
            position: where it has to begin
            strict: what follows has to be an end, a mark, or a word that cannot follow an article
        """
        if text[position : position + 1] in _CIRCLED:
            key = self.key(text[position])
            return None if key is None else (key, position + 1)
        match = self._at.match(text, position)
        if match is None or (key := self.key(match[0])) is None:
            return None
        article = match[0].casefold() in _ARTICLES
        if article or (strict and len(match[0]) == 1):
            if _GOES_ON.match(text, match.end()) is None:
                return None
            rest = text[match.end() : match.end() + 8].lstrip("\"')]}> ")[:1]
            word = rest.isalpha() and rest.isascii() and not _REASON.match(text, match.end())
            if article and match[0] != "A" and (word or (rest == "," and match[0] in "iI")):
                return None  # "a rather hard one", "I would", "I, for one"
        return key, match.end()

    def inside(self, text: str) -> bool:
        """Whether a key occurs in a short text; an article does not count."""
        return any(
            match[0] not in ("a", "i", "I") and (match[0] != "A" or _GOES_ON.match(text, match.end()))
            for match in self._anywhere.finditer(text)
        )


@lru_cache(maxsize=256)
def letters_of(keys: tuple[str, ...]) -> Letters:
    """The keys, read once for each set."""
    return Letters(keys)
