"""What masking left behind: mentions by a part of a name, in another case, or in the plural."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.scores import Score, definition
from textbench.entities import KEPT, TOO_COMMON, EntityMap
from textbench.masking import Name, Names, in_letters, pieces_of

# words of place names that are words elsewhere, too
# fmt: off
_GENERIC: Final = frozenset({
    "abbey", "avenue", "bay", "bridge", "castle", "church", "city", "court", "east", "farm", "garden", "great", "hall", "hill",
    "house", "island", "lake", "lane", "manor", "mount", "mountain", "new", "north", "old", "park", "place", "river", "road",
    "saint", "school", "sea", "square", "st", "street", "south", "station", "tower", "town", "village", "west", "wood", "woods",
})
# fmt: on
_SHORTEST_PIECE: Final = 3
_AROUND: Final = 30
_MOST_EXAMPLES: Final = 10


@dataclass(frozen=True, kw_only=True)
class Residual:
    """Mentions that are still in masked texts. It errs on the side of too many: two characters may share a surname.

    Attributes:
        replaced: mentions that were replaced
        remaining: ``fragment`` (a capitalised word of a name of several words, such as the surname alone; of a Chinese name of three
            characters or more the last two, of a foreign one each part), ``other_case`` (a name in a case in which it is not
            replaced), ``plural`` (``the Reeds``) -> mentions
        examples: placeholder and surroundings of the first ones
    """

    replaced: int
    remaining: Mapping[str, int]
    examples: tuple[str, ...] = field(default=(), repr=False)

    @property
    def rate(self) -> float | None:
        """Remaining / (replaced + remaining); None without any mention."""
        left = sum(self.remaining.values())
        return left / (self.replaced + left) if self.replaced + left else None

    def __add__(self, other: Residual) -> Residual:
        counts = Counter(self.remaining) + Counter(other.remaining)
        return Residual(
            replaced=self.replaced + other.replaced,
            remaining=dict(sorted(counts.items())),
            examples=(self.examples + other.examples)[:_MOST_EXAMPLES],
        )

    def score(self, part: str = "all") -> Score:
        """The rate as a score, with the counts."""
        n = self.replaced + sum(self.remaining.values())
        return Score(
            metric="residual_mentions",
            part=part,
            value=self.rate,
            n=n,
            definition=definition("masking/residual-mentions/v1"),
            bounds=(0.0, 1.0),
            direction="down",
            reason=None if n else "no_mentions",
            details={"replaced": self.replaced, **self.remaining},
        )

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "replaced": self.replaced,
            "remaining": dict(self.remaining),
            "rate": self.rate,
            "examples": list(self.examples),
        }


class ResidualFinder:
    """Looks for what a map leaves behind.

    Args:
        entities: the map
    """

    def __init__(self, entities: EntityMap) -> None:
        self._entities = entities
        fragments: dict[str, str] = {}
        for entity in entities.entities:
            if entity.kind == "phrase":
                continue
            for name in entity.names:
                for piece in _fragments(name):
                    fragments.setdefault(piece, entity.placeholder)
        whole = [
            (name, entity.placeholder)
            for entity in entities.entities
            if entity.kind != "phrase"
            for name in entity.names
            if in_letters(name)
        ]
        self._rules: tuple[tuple[str, Names], ...] = (
            ("plural", _names(((f"{name}{end}", to) for name, to in whole for end in ("s", "es")), any_case=False)),
            ("fragment", _names(fragments.items(), any_case=False)),
            ("other_case", _names(whole, any_case=True)),
        )

    def mask(self, text: str) -> tuple[str, Residual]:
        """A text with placeholders, and what is left in it."""
        masked, done = self._entities.replaced(text)
        return masked, self.look(masked, replaced=len(done))

    def look(self, masked: str, *, replaced: int) -> Residual:
        """What is left in a masked text; no mention counts twice.

        Args:
            masked: the text
            replaced: how many mentions were replaced in it
        """
        counts: dict[str, int] = {}
        examples: list[str] = []
        left = masked
        for rule, names in self._rules:
            found = list(names.mentions(left))
            if not found:
                continue
            counts[rule] = len(found)
            for mention in found[: _MOST_EXAMPLES - len(examples)]:
                around = left[max(0, mention.start - _AROUND) : mention.stop + _AROUND]
                examples.append(f"{mention.name.stand_in} {rule}: {' '.join(around.split())}")
            left = names.replace(left)[0]
        return Residual(replaced=replaced, remaining=dict(sorted(counts.items())), examples=tuple(examples))


def _names(pairs: Iterable[tuple[str, str]], *, any_case: bool) -> Names:
    return Names((Name(text=name, stand_in=to, any_case=any_case) for name, to in pairs), kept=KEPT)


def _fragments(name: str) -> list[str]:
    pieces = pieces_of(name)
    if not in_letters(name):
        plain = "".join(pieces)
        if len(pieces) > 1:
            return [piece for piece in pieces if len(piece) > 1]
        return [plain[-2:]] if len(plain) > 2 and not re.search(r"[A-Za-z]", plain) else []
    if len(pieces) == 1:
        return []
    return [piece for piece in map(_bare, pieces) if _tells(piece)]


def _bare(piece: str) -> str:
    return piece.strip(".,'’\"")


def _tells(piece: str) -> bool:
    word = piece.casefold()
    return len(piece) >= _SHORTEST_PIECE and piece[0].isupper() and word not in TOO_COMMON and word not in _GENERIC
