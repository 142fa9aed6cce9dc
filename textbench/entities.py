"""Who and where a story is about, under names that tell nothing: ``[character A]``, ``[place B]``, ``[phrase C]``.

LifeChoice (arXiv 2404.12138), data leakage: a model that knows the book must not recognise it. What is to be replaced is given, or
found by a model; rules replace it, by one map for everything that is shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.canonical import Record, content_key, to_json
from mmrole.core.errors import InputError
from mmrole.core.files import write_atomically
from mmrole.core.records import validated
from textbench.masking import Mention, Name, Names, pieces_of

EntityKind = Literal["character", "place", "phrase"]
KINDS: Final[tuple[EntityKind, ...]] = get_args(EntityKind)

KEPT: Final = rf"\[(?:{'|'.join(KINDS)}) [A-Z]+\]"
"""What a placeholder looks like; it is never looked into."""

# fmt: off
TOO_COMMON: Final = frozenset({
    "a", "an", "and", "he", "her", "hers", "him", "his", "i", "it", "its", "me", "my", "of", "our", "she", "the", "their", "them",
    "they", "us", "we", "who", "you", "your", "mr", "mrs", "miss", "ms", "dr", "sir", "lady", "lord", "man", "woman", "boy", "girl",
    "mother", "father", "brother", "sister", "son", "daughter", "wife", "husband", "aunt", "uncle", "narrator", "protagonist", "unknown",
    "none", "他", "她", "它", "我", "你", "您", "我们", "他们", "她们", "男人", "女人", "母亲", "父亲", "妈妈", "爸爸", "主人公", "无",
})
# fmt: on
"""Never names, though models give them as such: replacing them would leave no text."""


class _Found(BaseModel):
    model_config = ConfigDict(extra="ignore")
    characters: list[str | list[str]] = Field(default_factory=list)
    places: list[str | list[str]] = Field(default_factory=list)
    phrases: list[str | list[str]] = Field(default_factory=list)


class _EntityRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: EntityKind
    placeholder: str = Field(pattern=rf"^{KEPT}$")
    names: list[str] = Field(min_length=1)


class _DroppedRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    reason: str


class _MapRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")
    entities: list[_EntityRecord]
    dropped: list[_DroppedRecord] = Field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Entity:
    """One character, place or phrase.

    Attributes:
        kind: what it is
        placeholder: ``[character A]``
        names: the name and its aliases, the first is the one to show to people
    """

    kind: EntityKind
    placeholder: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """A name that was given and is not replaced.

    Attributes:
        name: the name
        reason: ``taken by NAME``, ``too common`` or ``no letters``
    """

    name: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class EntityMap:
    """What is replaced by what; made by `entity_map`.

    The longest name at a place is replaced (``Thornfield Hall`` before ``Thornfield``); aliases share a placeholder; a possessive
    keeps its ending; masking a masked text changes nothing. Names of characters and places count as they are written or all in
    capitals, phrases in any case. See `textbench.masking.Names` for the rest.

    Attributes:
        entities: in the order in which placeholders were given out
        dropped: names that were given and are not replaced
    """

    entities: tuple[Entity, ...]
    dropped: tuple[Dropped, ...] = ()

    def mask(self, text: str) -> str:
        """The text with placeholders."""
        return self._names.replace(text)[0]

    def replaced(self, text: str) -> tuple[str, list[Mention]]:
        """The text with placeholders, and what was replaced."""
        return self._names.replace(text)

    @cached_property
    def _names(self) -> Names:
        return Names(
            (
                Name(text=name, stand_in=entity.placeholder, any_case=entity.kind == "phrase")
                for entity in self.entities
                for name in entity.names
            ),
            kept=KEPT,
        )

    @cached_property
    def sha256(self) -> str:
        """Stands for everything that decides what is replaced; belongs into the records of what was masked."""
        return content_key(entities=self.to_record()["entities"])

    def placeholder(self, name: str) -> str | None:
        """What a name is replaced by, a placeholder by itself; None when it is not replaced."""
        if any(name == entity.placeholder for entity in self.entities):
            return name
        masked, done = self._names.replace(name)
        return masked if len(done) == 1 and masked == done[0].name.stand_in else None

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "entities": [
                {"kind": entity.kind, "placeholder": entity.placeholder, "names": list(entity.names)}
                for entity in self.entities
            ],
            "dropped": [{"name": dropped.name, "reason": dropped.reason} for dropped in self.dropped],
        }

    def write(self, path: Path) -> None:
        """Stores the map; `read_entity_map` reads it.

        Raises:
            DiskError: it cannot be written
        """
        write_atomically(path, (to_json(self.to_record()) + "\n").encode())


def letters(number: int) -> str:
    """The letters of the placeholder of a number from 0: A, ..., Z, AA, AB, ..., ZZ, AAA.

    >>> [letters(number) for number in (0, 25, 26, 51, 52, 701, 702)]
    ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']
    """
    found = ""
    left = number + 1
    while left:
        left, place = divmod(left - 1, len(ascii_uppercase))
        found = ascii_uppercase[place] + found
    return found


def entity_map(
    *,
    characters: Iterable[str | Sequence[str]] = (),
    places: Iterable[str | Sequence[str]] = (),
    phrases: Iterable[str | Sequence[str]] = (),
    strict: bool = True,
) -> EntityMap:
    """A map from names; placeholders are given out in the order in which the entities stand.

    Args:
        characters: each a name, or a name with its aliases
        places: the same
        phrases: the same: turns of phrase by which the book would be recognised
        strict: a name that cannot be replaced is an error; else it is listed in `EntityMap.dropped`, as one wants it for names that a
            model found. Of a name that two entities share the first keeps it

    Raises:
        InputError: strict, and a name has no letters, is one of `TOO_COMMON`, or belongs to two entities

    >>> entity_map(characters=[["Jane Eyre", "Jane"], "Adèle"], places=["Gateshead"]).mask("Jane Eyre's Gateshead, ADÈLE")
    "[character A]'s [place A], [character B]"
    """
    entities: list[Entity] = []
    dropped: list[Dropped] = []
    owners: dict[str, str] = {}
    for kind, given in zip(KINDS, (characters, places, phrases), strict=True):
        number = 0
        for one in given:
            names: list[str] = []
            for name in [one] if isinstance(one, str) else one:
                plain = " ".join(name.split())
                key = plain.casefold() if kind == "phrase" else plain
                reason = _why_not(plain, owners.get(key))
                if reason is None:
                    names.append(plain)
                    owners[key] = names[0]
                elif owners.get(key) is None or owners[key] not in names:
                    dropped.append(Dropped(name=plain, reason=reason))
            if names:
                entities.append(Entity(kind=kind, placeholder=f"[{kind} {letters(number)}]", names=tuple(names)))
                number += 1
    if strict and dropped:
        first = dropped[0]
        raise InputError(f"the name {first.name!r} cannot be replaced: {first.reason}; take it out of the names")
    return EntityMap(entities=tuple(entities), dropped=tuple(dropped))


def _why_not(name: str, owner: str | None) -> str | None:
    if owner is not None:
        return f"taken by {owner}"
    if not any(character.isalnum() for character in name):
        return "no letters"
    pieces = [piece.casefold().rstrip(".") for piece in pieces_of(name)]
    if all(piece in TOO_COMMON for piece in pieces) or (len(name) == 1 and name.isascii()):
        return "too common"
    return None


def entity_map_from(record: object, place: str, *, strict: bool = True) -> EntityMap:
    """A map from JSON values: what `EntityMap.to_record` gave, or names: ``{"characters": [["Jane Eyre", "Jane"], ...], "places":
    [...], "phrases": [...]}``.

    Args:
        record: the values
        place: where they stand, for messages
        strict: see `entity_map`

    Raises:
        InputError: they are something else, or see `entity_map`
    """  # noqa: D205  the form belongs into the first sentence
    if isinstance(record, Mapping) and "entities" in record:
        read = validated(_MapRecord, record, place)
        made = EntityMap(
            entities=tuple(
                Entity(kind=entity.kind, placeholder=entity.placeholder, names=tuple(entity.names))
                for entity in read.entities
            ),
            dropped=tuple(Dropped(name=entry.name, reason=entry.reason) for entry in read.dropped),
        )
        twice = [name for name, count in Counter(entity.placeholder for entity in made.entities).items() if count > 1]
        if twice:
            raise InputError(f"{place}: {twice[0]} stands for two entities")
        return made
    found = validated(_Found, record, place)
    if not (found.characters or found.places or found.phrases):
        raise InputError(f"{place}: no entities: give characters, places or phrases, each a list of names")
    try:
        return entity_map(characters=found.characters, places=found.places, phrases=found.phrases, strict=strict)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def read_entity_map(path: str | Path, *, strict: bool = True) -> EntityMap:
    """A map from a JSON file; see `entity_map_from`.

    Raises:
        InputError: the file cannot be read or is no such map
    """
    file = Path(path)
    try:
        record: Any = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        raise InputError(f"{file}: no JSON ({error})") from None
    return entity_map_from(record, str(file), strict=strict)
