"""Takes names out of a text, so that a model judges or decides by what is said and not by what it knows about somebody.

InCharacter, section 3.3 (every alias of the character, the longest first); LifeChoice, data leakage (see `textbench.entities`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

STAND_IN: Final = {"en": "<the participant>", "zh": "<受试者>"}
"""What takes the place of a name, by language."""

# word characters but those of scripts that put no spaces between words
_LETTER: Final = r"[^\W_\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
_LETTERS: Final = re.compile(f"{_LETTER}+")
_JOINT: Final = re.compile(r"[\s·•‧・∙\u2010-\u2015\-]+")
_ANY_JOINT: Final = r"(?:\s+|\s*[·•‧・∙\u2010-\u2015\-]\s*)"
_APOSTROPHE: Final = re.compile("['’‘]")
_NEVER: Final = "(?!)"


@dataclass(frozen=True, kw_only=True)
class Name:
    """A name and what takes its place.

    Attributes:
        text: the name
        stand_in: takes its place
        any_case: it counts in whatever case; else as it is written or all in capitals
    """

    text: str
    stand_in: str
    any_case: bool = False

    @property
    def can_be_found(self) -> bool:
        """Whether there is anything to look for in it."""
        return bool(_JOINT.sub("", self.text))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text: its place and the name."""

    start: int
    stop: int
    name: Name


class _Shape:
    """A name with its regular expression, which is made when the name's first word is met: most names of a book are in few texts."""

    def __init__(self, plain: str, name: Name) -> None:
        self._plain = plain
        self.name = name

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        any_case = self.name.any_case
        shapes = [self._plain] if any_case else list(dict.fromkeys([self._plain, self._plain.upper()]))
        either = "|".join(_ANY_JOINT.join(map(_piece, shape.split(" "))) for shape in shapes)
        return re.compile(either, re.IGNORECASE if any_case else 0)

    def end(self, text: str, start: int) -> int | None:
        """Where the name ends that begins at a place; None when it does not stand there."""
        match = self._pattern.match(text, start)
        if match is None:
            return None
        stop = match.end()
        # beside the expression, not in it: this class of letters takes milliseconds to compile
        if start and _LETTERS.match(self._plain) and _LETTERS.match(text, start - 1):
            return None
        return None if _LETTERS.match(self._plain[-1]) and _LETTERS.match(text, stop) else stop


class Names:
    """Finds and replaces names; of several at one place the longest.

    A name in letters counts only as a whole word (``Ann`` is not in ``Annex``; ``Ann's`` keeps its ``'s``); one in Chinese
    characters counts anywhere. Spaces, hyphens and middle dots inside a name stand for one another, as do straight and curly
    apostrophes; the dot of ``Mr.`` may be missing. Texts are put into Unicode's form NFC.

    Args:
        names: in any order; of two that are spelled alike the first counts
        kept: regular expression of what is never looked into: the stand-ins
    """

    def __init__(self, names: Iterable[Name], *, kept: str) -> None:
        found: dict[tuple[str, bool], Name] = {}
        for name in names:
            if name.can_be_found:
                found.setdefault((_plain(name.text), name.any_case), name)
        by_start: dict[str, list[_Shape]] = defaultdict(list)
        for (plain, _), name in sorted(found.items(), key=lambda entry: (-len(entry[0][0]), entry[0])):
            by_start[_start(plain).casefold()].append(_Shape(plain, name))
        self._by_start = dict(by_start)
        others = "".join(re.escape(start) for start in self._by_start if not _LETTERS.match(start))
        single = f"[{others}]" if others else _NEVER
        self._places = re.compile(f"(?P<kept>{kept})|(?<!{_LETTER}){_LETTER}+|{single}", re.IGNORECASE)

    def mentions(self, text: str) -> Iterator[Mention]:
        """The names in a text in NFC, in order; they do not overlap."""
        position = 0
        while (place := self._places.search(text, position)) is not None:
            position = place.end()
            if place["kept"] is not None:
                continue
            for shape in self._by_start.get(place[0].casefold(), ()):
                stop = shape.end(text, place.start())
                if stop is not None:
                    position = stop
                    yield Mention(place.start(), stop, shape.name)
                    break

    def replace(self, text: str) -> tuple[str, list[Mention]]:
        """The text with stand-ins, and what was replaced (places in the text in NFC)."""
        plain = normal(text)
        pieces: list[str] = []
        done: list[Mention] = []
        last = 0
        for mention in self.mentions(plain):
            pieces += [plain[last : mention.start], mention.name.stand_in]
            last = mention.stop
            done.append(mention)
        return "".join([*pieces, plain[last:]]), done


class Masker:
    """Replaces the names of one character; masking a masked text changes nothing. See `Names` for what counts as a name.

    Args:
        names: name and aliases, in any order; those without a letter are ignored
        stand_in: takes their place

    >>> mask = Masker(["Lizzy", "Elizabeth Bennet", "Elizabeth"], stand_in="<P>").mask
    >>> mask("Elizabeth  Bennet's wit: Lizzy laughs, Elizabethan or not.")
    "<P>'s wit: <P> laughs, Elizabethan or not."
    """

    def __init__(self, names: Iterable[str], *, stand_in: str) -> None:
        self.stand_in = stand_in
        self._names = Names((Name(text=name, stand_in=stand_in) for name in names), kept=re.escape(stand_in))

    def mask(self, text: str) -> str:
        """The text with the stand-in for every name."""
        return self._names.replace(text)[0]


def normal(text: str) -> str:
    """A text in NFC, so that é is one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def pieces_of(name: str) -> list[str]:
    """The words of a name."""
    return [piece for piece in _JOINT.split(normal(name)) if piece]


def in_letters(text: str) -> bool:
    """Whether a text begins with a letter of a script that puts spaces between words."""
    return _LETTERS.match(text) is not None


def _plain(name: str) -> str:
    return " ".join(pieces_of(_APOSTROPHE.sub("'", name)))


def _start(plain: str) -> str:
    """What a name is looked up by: its first run of letters, else its first character."""
    run = _LETTERS.match(plain)
    return run[0] if run else plain[0]


def _piece(piece: str) -> str:
    escaped = re.escape(piece).replace("'", "['’‘]")
    # "Mr." is also written "Mr"
    return f"{escaped[:-2]}\\.?" if len(piece) > 2 and piece.endswith(".") else escaped
