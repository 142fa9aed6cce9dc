"""Why characters decide, and what books they are in: the types, classes and genres of LifeChoice.

Source: "Character is Destiny" (arXiv 2404.12138), section 3 and appendix. Values that are not in these lists are kept as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

MotivationClass = Literal["character-driven", "plot-driven"]

MOTIVATION_CLASSES: Final[Mapping[MotivationClass, tuple[str, ...]]] = MappingProxyType(
    {
        "character-driven": (
            "Personality and Traits",
            "Emotions and Psychological State",
            "Social Relationships",
            "Values and Beliefs",
            "Desires and Goals",
        ),
        "plot-driven": (
            "External Conflicts",
            "Tasks and Goals",
            "Puzzles and Secrets",
            "Pursuits and Escapes",
            "Exploration and Discovery",
            "Power and Control",
            "Intrigue and Betrayal",
        ),
    }
)
"""Class -> its types, in the paper's order."""

MOTIVATION_TYPES: Final = tuple(name for names in MOTIVATION_CLASSES.values() for name in names)
"""All types."""

GENRES: Final = (
    "Mystery",
    "Thriller",
    "Science Fiction",
    "Romance",
    "Fantasy",
    "Action Adventure",
    "Speculative",
    "Mystery Thriller",
    "Young Adult",
    "New Adult",
    "Horror and Supernatural",
    "Crime Mystery",
    "Detective",
    "Historical",
    "Western",
    "Family Saga",
    "Women's",
    "Magical Realism",
)
"""A book may have several."""

_MARKED: Final = re.compile(r"\s*[\[【]\s*(?P<type>[^\]】]*?)\s*[\]】]\s*[:：,，.\-–—]*\s*(?P<text>.*)", re.DOTALL)
_NAMED: Final = re.compile(r"\s*(?P<type>[^:：\n]{3,60}?)\s*[:：]\s*(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Motivation:
    """Why a character decided as it did.

    Attributes:
        type: one of `MOTIVATION_TYPES`, or what stood there instead; None when none was named
        text: the motivation in words, may be empty
        known: whether the type is one of the list
    """

    type: str | None
    text: str
    known: bool

    @property
    def motivation_class(self) -> MotivationClass | None:
        """``character-driven`` or ``plot-driven``; None for an unknown type."""
        return class_of(self.type)

    @property
    def full(self) -> str:
        """Type and text as upstream writes them: ``[Values and Beliefs] ...``."""
        return self.text if self.type is None else f"[{self.type}] {self.text}".strip()


def _key(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold().replace("’", "'").replace("&", " and ")
    return " ".join(re.sub(r"[-–—/_,]+", " ", plain).split())


_TYPES: Final = {_key(name): name for name in MOTIVATION_TYPES}
_GENRES: Final = {_key(name): name for name in GENRES}


def motivation_type(name: str) -> str | None:
    """The type that a name stands for, whatever its case, ``&`` and hyphens; None when it is none.

    >>> motivation_type("values & beliefs")
    'Values and Beliefs'
    """
    return _TYPES.get(_key(name))


def class_of(name: str | None) -> MotivationClass | None:
    """The class of a motivation type; None when it is unknown."""
    for motivation_class, names in MOTIVATION_CLASSES.items():
        if name in names:
            return motivation_class
    return None


def genre(name: str) -> str | None:
    """The genre that a name stands for; None when it is none of `GENRES`. ``Historical Fiction`` is ``Historical``."""
    key = _key(name)
    return _GENRES.get(key) or _GENRES.get(key.removesuffix(" fiction").removesuffix(" novel"))


def parse_motivation(text: str) -> Motivation:
    """The type in brackets and what follows.

    Without brackets the text begins with a type and a colon, or is a type, or has none.

    >>> parse_motivation("[Values and Beliefs] He cannot lie.")
    Motivation(type='Values and Beliefs', text='He cannot lie.', known=True)
    """
    marked = _MARKED.fullmatch(text)
    if marked and marked["type"]:
        known = motivation_type(marked["type"])
        return Motivation(type=known or marked["type"], text=marked["text"].strip(), known=known is not None)
    named = _NAMED.fullmatch(text)
    if named and (known := motivation_type(named["type"])):
        return Motivation(type=known, text=named["text"].strip(), known=True)
    if known := motivation_type(text):
        return Motivation(type=known, text="", known=True)
    return Motivation(type=None, text=text.strip(), known=False)
