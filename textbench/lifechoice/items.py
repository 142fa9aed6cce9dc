"""Reads the items of LifeChoice: a decision of a character, the story up to it, and why it was taken.

"Character is Destiny" (arXiv 2404.12138), section 3; upstream's ``data.json`` is a list of books, each a list of characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, content_key
from mmrole.core.errors import InputError, UsageError
from mmrole.core.languages import Language
from textbench.choices import LETTERS, Question
from textbench.lifechoice.item_fields import (
    Correct,
    FieldError,
    IndexBase,
    Options,
    counted_from,
    folded,
    place_of,
    read_correct,
    read_language,
    read_options,
    require_one,
    require_whole,
    shown,
)
from textbench.lifechoice.item_shapes import ALIASES, RawItem, raw_items
from textbench.lifechoice.motivations import Motivation, genre, parse_motivation

_NOT_IN_SLUG: Final = re.compile(r"[\W_]+")
_USUAL_OPTIONS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Item:
    """One decision.

    Attributes:
        item_id: the data set's own, else made of the content: the same whatever the order or shape of the file
        book: title; ``book N`` where the file groups books without titles; None where nothing tells books apart
        character: who decides
        text: the story before the decision (D), exactly as it is in the file
        scenario: S
        question: Q
        options: texts without letters, in the data set's order
        correct: place of the option that the character chose, from 0; None only where no option is right, see
            `textbench.lifechoice.moral_items`
        motivation: why; None where the data set does not say
        genres: of the book; those of `textbench.lifechoice.motivations.GENRES` spelled so, others as they were
        description: of the character, by an expert; None where there is none
        language: ``en`` or ``zh``: the data set's, else that of most letters
        extra: keys of the data set that mean nothing here
    """

    item_id: str
    book: str | None
    character: str
    text: str = field(repr=False)
    scenario: str = field(repr=False)
    question: str
    options: tuple[str, ...]
    correct: int | None
    motivation: Motivation | None = None
    genres: tuple[str, ...] = ()
    description: str | None = field(default=None, repr=False)
    language: Language = "en"
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def choice(self) -> Question:
        """The item as a question of `textbench.choices`; its cluster is the book."""
        return Question(
            item_id=self.item_id,
            options=self.options,
            correct=self.correct,
            text=f"{self.scenario}\n\n{self.question}",
            cluster=self.book,
        )

    def to_record(self) -> Record:
        """As JSON values; `read_items` reads them again."""
        return {
            **self.extra,
            "item_id": self.item_id,
            "book": self.book,
            "character": self.character,
            "text": self.text,
            "scenario": self.scenario,
            "question": self.question,
            "options": dict(zip(LETTERS, self.options, strict=False)),
            "correct": None if self.correct is None else LETTERS[self.correct],
            "motivation": None if self.motivation is None else self.motivation.full,
            "genres": list(self.genres),
            "description": self.description,
            "language": self.language,
        }


@dataclass(frozen=True, kw_only=True)
class Refused:
    """An item that cannot be used.

    Attributes:
        place: file and where in it
        name: the character, or nothing where that is what is missing
        field: which field is malformed
        reason: what is wrong with it
    """

    place: str
    name: str
    field: str
    reason: str

    def __str__(self) -> str:
        who = f" ({self.name})" if self.name else ""
        return f"{self.place}{who}: field {self.field}: {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Items:
    """What was read; found = len(items) + len(refused).

    Attributes:
        items: in the order of the file
        refused: what cannot be used and why; always empty where the reader was strict
        unknown: what was kept though it is in no list: ``motivation type`` | ``genre`` | ``key`` -> value -> items
        counts: ``no_motivation``, ``no_genre``, ``no_book``, ``no_description``, ``not_4_options`` -> items, where there are any
    """

    items: tuple[Item, ...]
    refused: tuple[Refused, ...] = ()
    unknown: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.items)


def read_items(path: str | Path, *, strict: bool = True, index_base: IndexBase | None = None) -> Items:
    """The items of a file.

    Args:
        path: JSON (upstream's nested lists, a flat list, objects with titles or names as keys) or JSON lines
        strict: an item that cannot be used is an error; else it is listed in `Items.refused`
        index_base: whether right answers given as bare numbers count from 0 or from 1. When it is not given, the file has to
            tell: a 0, or a number as large as the number of options; a file with neither, or both, is refused

    Raises:
        InputError: the file cannot be understood; or, when strict, an item is malformed: names place, character, field and value
    """
    if index_base not in (None, 0, 1):
        raise UsageError(f"numbers count from 0 or from 1, not from {index_base!r}")
    made: list[Item] = []
    refused: list[Refused] = []
    half_read: list[tuple[RawItem, Options, Correct] | Refused] = []
    for raw in raw_items(path):
        try:
            require_whole(raw.fields, raw.extra)
            require_one(raw.spelled.get("correct"), raw.extra, ALIASES["correct"])
            options = read_options(_required(raw, "options"))
            half_read.append((raw, options, read_correct(_required(raw, "correct"), options)))
        except FieldError as error:
            half_read.append(_refusal(raw, error))
    if not half_read:
        raise InputError(f"{path}: there are no items in it")
    read = [entry for entry in half_read if not isinstance(entry, Refused)]
    base = index_base if index_base is not None else counted_from([(entry[2], len(entry[1].texts)) for entry in read])
    seen: dict[str, str] = {}
    for entry in half_read:
        if isinstance(entry, Refused):
            refused.append(entry)
            continue
        raw, options, correct = entry
        try:
            item = _item(raw, options, place_of(correct, base, len(options.texts)))
            if item.item_id in seen:
                raise FieldError("item_id", f"{item.item_id!r} is there already, at {seen[item.item_id]}")
            seen[item.item_id] = raw.place
            made.append(item)
        except FieldError as error:
            refused.append(_refusal(raw, error))
    if strict and refused:
        more = f" (and {len(refused) - 1} more items)" if len(refused) > 1 else ""
        raise InputError(f"{refused[0]}{more}")
    return _with_report(made, refused)


def _item(raw: RawItem, options: Options, correct: int) -> Item:
    character, story = _text(raw, "character"), _text(raw, "text", strip=False)
    scenario, question = _text(raw, "scenario"), _text(raw, "question")
    motivation = raw.fields.get("motivation")
    if motivation is not None and not isinstance(motivation, str):
        raise FieldError("motivation", f"a text is needed, got {shown(motivation)}")
    return Item(
        item_id=_item_id(raw, character, story, scenario, question, options),
        book=_optional(raw, "book"),
        character=character,
        text=story,
        scenario=scenario,
        question=question,
        options=options.texts,
        correct=correct,
        motivation=parse_motivation(motivation) if motivation and motivation.strip() else None,
        genres=_genres(raw.fields.get("genres")),
        description=_optional(raw, "description"),
        language=read_language(raw.fields.get("language"), scenario + question + story[-4000:]),
        extra=dict(raw.extra),
    )


def _item_id(raw: RawItem, character: str, story: str, scenario: str, question: str, options: Options) -> str:
    own = raw.fields.get("item_id")
    if own is not None and own != "":
        if isinstance(own, bool) or not isinstance(own, str | int) or not str(own).strip():
            raise FieldError("item_id", f"a text or a whole number is needed, got {shown(own)}")
        return str(own).strip()
    content = [character, story.strip(), scenario, question, *sorted(map(folded, options.texts))]
    slug = _NOT_IN_SLUG.sub("-", character.casefold()).strip("-")[:40]
    return f"{slug or 'item'}-{content_key(content=content)[:12]}"


def _genres(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        # "Horror and Supernatural" is one; commas, semicolons and strokes part several
        parts = [value] if genre(value) else re.split(r"[,;/|，；、]", value)
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        parts = value
    else:
        raise FieldError("genres", f"a text or a list of texts is needed, got {shown(value)}")
    return tuple(dict.fromkeys(genre(part) or part.strip() for part in parts if part.strip()))


def _required(raw: RawItem, name: str) -> Any:
    if raw.fields.get(name) is None:
        raise FieldError(name, f"is missing; it may be called {', '.join(ALIASES[name])}")
    return raw.fields[name]


def _text(raw: RawItem, name: str, *, strip: bool = True) -> str:
    value = _required(raw, name)
    if not isinstance(value, str) or not value.strip():
        raise FieldError(name, f"a text is needed, got {shown(value)}")
    return value.strip() if strip else value


def _optional(raw: RawItem, name: str) -> str | None:
    value = raw.fields.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if not isinstance(value, str):
        raise FieldError(name, f"a text is needed, got {shown(value)}")
    return value.strip()


def _refusal(raw: RawItem, error: FieldError) -> Refused:
    name = raw.fields.get("character")
    field_name = raw.spelled.get(error.field, error.field)
    return Refused(place=raw.place, name=name if isinstance(name, str) else "", field=field_name, reason=error.reason)


def _with_report(items: list[Item], refused: list[Refused]) -> Items:
    unknown: dict[str, Counter[str]] = {"motivation type": Counter(), "genre": Counter(), "key": Counter()}
    counts: Counter[str] = Counter()
    for item in items:
        if item.motivation is not None and not item.motivation.known:
            unknown["motivation type"][item.motivation.type or "(none named)"] += 1
        unknown["genre"].update(name for name in item.genres if genre(name) is None)
        unknown["key"].update(list(item.extra))
        counts["no_motivation"] += item.motivation is None
        counts["no_genre"] += not item.genres
        counts["no_book"] += item.book is None
        counts["no_description"] += item.description is None
        counts["not_4_options"] += len(item.options) != _USUAL_OPTIONS
    return Items(
        items=tuple(items),
        refused=tuple(refused),
        unknown={what: dict(sorted(values.items())) for what, values in unknown.items() if values},
        counts={what: count for what, count in sorted(counts.items()) if count},
    )
