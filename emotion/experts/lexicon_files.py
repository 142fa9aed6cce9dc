"""Lexicons of emotion words: a TOML file per language, and finding their words in a text.

The longest entry wins where several begin at one place (leftmost longest match). Chinese entries match anywhere, English ones whole words;
a star at the end of an English entry stands for any letters. A denied word counts for nothing: it is not turned into its opposite,
because who is not happy need not be sad.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import InputError
from mmrole.core.records import validated

SEED: Final = ("zh", "en", "punctuation")
"""The packaged lexicons."""

_WORDS_BEFORE: Final = 4
"""A negator among so many words before an English word denies it."""
_FILLERS: Final = 3
"""So many of `between` may stand between a Chinese negator and the word."""
_LONGEST_REACH: Final = 16
_LOOKED_BACK: Final = 256
"""So many characters before a word can deny it; a bound keeps very long texts from taking the square of their length."""
_CLAUSE: Final = re.compile(r"[.,;:!?()\n]|\bbut\b")


class _Cue(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    label: str = Field(min_length=1)
    weight: float = Field(gt=0, le=10, allow_inf_nan=False)
    alone: bool


class _LexiconFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    language: Literal["zh", "en", "any"]
    version: int
    negators: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    words: dict[str, tuple[str, ...]] = {}
    cues: tuple[_Cue, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A word or mark of a lexicon in a text.

    Attributes:
        entry: as the lexicon has it
        label: its label
        weight: what it counts
        denied: a negation stands before it
        mark: it is punctuation
        alone: counts even when no word names its label
    """

    entry: str
    label: str
    weight: float = 1.0
    denied: bool = False
    mark: bool = False
    alone: bool = True


def folded(text: str) -> str:
    """The text as entries are written: NFKC, lower case, straight apostrophes, ellipses as three full stops, ``~`` and others kept."""
    plain = unicodedata.normalize("NFKC", text.replace("…", "...")).casefold()
    return re.sub(r"\.{3,}|。{2,}", "...", plain.replace("\u2019", "'").replace("\u2018", "'"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Lexicon:
    """The entries of one language.

    Attributes:
        name: of the lexicon
        language: zh, en or any
        sha256: of its file
        entries: folded entry -> label; a star at the end stands for any letters
        negators: what denies a word after it
        between: what may stand between (zh)
        exempt: where a negator denies nothing
        ignored: expressions in which no emotion word is meant
        cues: marks of punctuation
    """

    name: str
    language: str
    sha256: str
    entries: dict[str, str]
    negators: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    ignored: frozenset[str] = frozenset()
    cues: tuple[_Cue, ...] = ()

    @property
    def own_labels(self) -> tuple[str, ...]:
        """The labels of its entries and cues."""
        return tuple(dict.fromkeys([*self.entries.values(), *(cue.label for cue in self.cues)]))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        entries = sorted([*self.entries, *self.ignored], key=lambda entry: (-len(entry), entry))
        if self.language != "en":
            return re.compile("|".join(map(re.escape, entries)) or r"(?!)")
        words = [re.escape(entry.removesuffix("*")) + ("[a-z]*" if entry.endswith("*") else "") for entry in entries]
        return re.compile(rf"(?<![a-z'])(?:{'|'.join(words) or '(?!)'})(?![a-z])")

    @cached_property
    def _stems(self) -> list[str]:
        return sorted((entry[:-1] for entry in self.entries if entry.endswith("*")), key=len, reverse=True)

    def _entry(self, found: str) -> str:
        if found in self.entries or found in self.ignored:
            return found
        return next(f"{stem}*" for stem in self._stems if found.startswith(stem))

    @cached_property
    def _denial(self) -> re.Pattern[str]:
        negators, between = (
            "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
            for words in (self.negators, self.between)
        )
        return re.compile(rf"(?:{negators})(?P<between>(?:{between}){{0,{_FILLERS}}})$")

    def _denied(self, before: str) -> bool:
        """Whether the text before a word denies it."""
        if self.language != "en":
            found = self._denial.search(before[-_LONGEST_REACH:])
            if found is None:
                return False
            return not before[: len(before) - len(found["between"])].endswith(self.exempt)
        clause = _CLAUSE.split(before)[-1]
        near = " ".join(re.findall(r"[a-z']+", clause)[-_WORDS_BEFORE:])
        for phrase in self.exempt:
            near = re.sub(rf"\b{re.escape(phrase)}\b", " ", near)
        return any(re.search(rf"(?<![a-z']){re.escape(word)}(?![a-z'])", near) for word in self.negators)

    def hits(self, text: str) -> Iterator[Hit]:
        """What a text has of the lexicon, in its order; cues last.

        Args:
            text: `folded`
        """
        for found in self._pattern.finditer(text):
            entry = self._entry(found[0])
            if entry not in self.ignored:
                yield Hit(entry=entry, label=self.entries[entry], denied=self._denied(_before(text, found.start())))
        for cue in self.cues:
            if cue.text in text:
                yield Hit(entry=cue.text, label=cue.label, weight=cue.weight, mark=True, alone=cue.alone)


def _before(text: str, place: int) -> str:
    """What stands near before a place; a word that the bound would cut in two is left out."""
    if place <= _LOOKED_BACK:
        return text[:place]
    near = text[place - _LOOKED_BACK : place]
    return near if not text[place - _LOOKED_BACK - 1].isascii() else re.sub(r"^[a-z']+", "", near)


@lru_cache
def seed_lexicon(name: str) -> Lexicon:
    """A packaged lexicon.

    Args:
        name: one of `SEED`
    """
    data = files("emotion.experts").joinpath("data", "lexicon", f"{name}.toml").read_bytes()
    return _parsed(data, f"seed lexicon {name}")


def read_lexicon(path: str | Path) -> Lexicon:
    """A lexicon of one's own, of the form of the packaged ones (``emotion/experts/data/lexicon``).

    Raises:
        InputError: it cannot be read, is not of that form, or an entry stands twice
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # a path with a NUL in it is a ValueError
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise InputError(f"{path}: cannot be read as a lexicon ({why})") from None
    return _parsed(data, str(path))


def _parsed(data: bytes, place: str) -> Lexicon:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{place}: no lexicon in TOML ({error})") from None
    given = validated(_LexiconFile, content, place)
    entries: dict[str, str] = {}
    for label, words in given.words.items():
        for word in words:
            entry = folded(word).strip()
            if not entry.strip("*"):
                raise InputError(f"{place}: an entry of {label!r} is empty: {word!r}")
            if entry in entries:
                raise InputError(f"{place}: {word!r} stands twice, under {entries[entry]!r} and {label!r}")
            entries[entry] = label
    if not entries and not given.cues:
        raise InputError(f"{place}: the lexicon has neither words nor cues")
    return Lexicon(
        name=given.name,
        language=given.language,
        sha256=bytes_sha256(data),
        entries=entries,
        negators=tuple(map(folded, given.negators)),
        between=tuple(map(folded, given.between)),
        exempt=tuple(map(folded, given.exempt)),
        ignored=frozenset(map(folded, given.ignored)) - entries.keys(),
        cues=given.cues,
    )
