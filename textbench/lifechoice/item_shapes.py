"""Finds the items in a file of any shape: books that are lists of characters (upstream), a flat list, JSON lines, names as keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines
from textbench.json_files import no_constant_in, text_of

# the field's name here -> the names that it goes by, compared without case, spaces and marks; upstream's first
ALIASES: Final[Mapping[str, tuple[str, ...]]] = {
    "item_id": ("item_id", "id", "question_id"),
    "book": ("book", "book_name", "book_title", "novel", "title"),
    "character": ("character_name", "character", "role", "name"),
    "text": ("input_text", "text", "context", "history"),
    "scenario": ("Scenario",),
    "question": ("Question",),
    "options": ("Options", "choices"),
    "correct": ("Correct Answer", "correct", "answer", "correct_option", "correct_letter", "correct_index", "gold"),
    "motivation": ("motivation",),
    "genres": ("genres", "genre"),
    "description": ("description", "expert_description", "character_description"),
    "language": ("language",),
}
_QUESTION_BLOCK: Final = ("multiplechoicequestion", "multiplechoicequestions", "mcq")
_HOLDS_MORE: Final = ("books", "characters", "items", "decisions", "data")
_LINES: Final = (".jsonl", ".ndjson")


def bare(key: str) -> str:
    """A key without case, spaces and marks."""
    return re.sub(r"[\W_]+", "", key.casefold())


_FIELD_OF: Final = {bare(alias): name for name, aliases in ALIASES.items() for alias in aliases}
_TELLS_AN_ITEM: Final = {
    bare(alias)
    for name in ("character", "text", "scenario", "question", "options", "correct")
    for alias in ALIASES[name]
}


@dataclass(frozen=True, kw_only=True)
class RawItem:
    """One item as it was found.

    Attributes:
        place: file and where in it, for messages
        fields: the project's name of a field -> its value
        extra: keys that mean nothing here -> their value; those of the block of the question as ``BLOCK.KEY``
        spelled: the project's name of a field -> the key that it had
    """

    place: str
    fields: Mapping[str, Any]
    extra: Mapping[str, Any]
    spelled: Mapping[str, str] = field(default_factory=dict)


def raw_items(path: str | Path) -> Iterator[RawItem]:
    """The items of a file in its order.

    Raises:
        InputError: it cannot be read, or something in it is neither an item nor holds items; names the place
    """
    file = Path(path)
    if file.suffix.lower() in _LINES:
        yield from _of_lines(file)
        return
    value = _value(file)
    if value is None:
        yield from _of_lines(file)
    else:
        yield from _inside(value, str(file), {}, depth=0)


def _of_lines(file: Path) -> Iterator[RawItem]:
    lines = JsonLines(file, "items")
    for number, record in enumerate(lines):
        yield from _inside(record, lines.place(number), {}, depth=2)


def _value(file: Path) -> Any:
    """What a JSON file holds; None when it is JSON lines under another name."""
    text = text_of(file)
    if not text.strip():
        raise InputError(f"{file}: the file is empty, there are no items in it")
    try:
        value = json.loads(text, parse_constant=no_constant_in(file))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text.lstrip().startswith("{"):
            return None
        raise InputError(f"{file}, line {error.lineno}: no JSON ({error.msg})") from None
    except RecursionError:
        raise InputError(f"{file}: is nested too deeply") from None
    if not isinstance(value, list | dict):
        raise InputError(f"{file}: holds {_kind(value)}, not items")
    return value


def _inside(value: Any, place: str, given: Mapping[str, Any], *, depth: int) -> Iterator[RawItem]:
    """The items in a value.

    Args:
        value: a list, an object that holds more, or an item
        place: of the value
        given: fields that stand above it and hold for all in it
        depth: 0 where books are, 1 where characters are, 2 below
    """
    if isinstance(value, list):
        for number, part in enumerate(value, start=1):
            if depth == 0 and _is_book(part):  # upstream's are lists and have no title
                inner = 1 if isinstance(part, list) else 0
                yield from _inside(part, f"{place}, book {number}", {"book": f"book {number}", **given}, depth=inner)
            else:
                yield from _inside(part, f"{place}, item {number}", given, depth=depth)
        return
    if not isinstance(value, dict):
        raise InputError(f"{place}: {_kind(value)} where an item should be")
    keys = {bare(key): key for key in value}
    holders = [keys[name] for name in _HOLDS_MORE if name in keys and isinstance(value[keys[name]], list | dict)]
    if holders:
        above = {key: part for key, part in value.items() if key not in holders}
        if "characters" in (bare(holder) for holder in holders) and "name" in keys:
            above = {("book" if key == keys["name"] else key): part for key, part in above.items()}
        found, _, extra = _sorted(above)
        for holder in holders:
            yield from _inside(value[holder], place, {**given, **found, **extra}, depth=depth + 1)
    elif keys.keys() & (_TELLS_AN_ITEM | set(_QUESTION_BLOCK)):
        yield from _item(value, place, given)
    elif value and all(isinstance(part, list | dict) for part in value.values()) and depth < 2:
        level = "book" if depth == 0 else "character"
        for name, part in value.items():
            yield from _inside(part, f"{place}, {level} {name!r}", {**given, level: name}, depth=depth + 1)
    else:
        shown = ", ".join(sorted(map(repr, value))[:6]) or "nothing"
        raise InputError(f"{place}: no item: it has {shown}, but no options and nothing that holds items")


def _is_book(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and "characters" in map(bare, value))


def _item(value: Mapping[str, Any], place: str, given: Mapping[str, Any]) -> Iterator[RawItem]:
    block = next((key for key in value if bare(key) in _QUESTION_BLOCK), None)
    own, spelled, extra = _sorted({key: part for key, part in value.items() if key != block})
    above = {name: part for name, part in given.items() if name in ALIASES}
    extra = {**{name: part for name, part in given.items() if name not in ALIASES}, **extra}
    if block is None:
        yield RawItem(place=place, fields={**above, **own}, extra=extra, spelled=spelled)
        return
    questions = value[block] if isinstance(value[block], list) else [value[block]]
    for number, question in enumerate(questions, start=1):
        where = place if len(questions) == 1 else f"{place}, question {number}"
        if not isinstance(question, dict):
            raise InputError(f"{where}: field {block}: {_kind(question)}, not an object with options")
        asked, asked_spelled, more = _sorted(question)
        yield RawItem(
            place=where,
            fields={**above, **own, **asked},
            extra={**extra, **{f"{block}.{key}": part for key, part in more.items()}},
            spelled={**spelled, **{name: f"{block}.{key}" for name, key in asked_spelled.items()}},
        )


def _sorted(value: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str], dict[str, Any]]:
    """Fields that are known, their spelling, and the rest; of several names of a field the first in `ALIASES` is taken."""
    keys = {bare(key): key for key in reversed(list(value))}
    taken = {
        name: next(keys[bare(alias)] for alias in aliases if bare(alias) in keys)
        for name, aliases in ALIASES.items()
        if any(bare(alias) in keys for alias in aliases)
    }
    chosen = set(taken.values())
    rest = {key: part for key, part in value.items() if key not in chosen}
    return {name: value[key] for name, key in taken.items()}, taken, rest


def _kind(value: Any) -> str:
    return "null" if value is None else f"a {type(value).__name__}"
