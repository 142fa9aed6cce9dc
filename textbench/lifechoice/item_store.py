"""Items in the folder of a run.

A text that begins another one is stored once, in the longer one: the decisions of a character are cut out of one book at rising points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256, content_key
from mmrole.core.errors import StoreError
from mmrole.core.files import write_atomically
from mmrole.core.journal import read_records
from textbench.lifechoice.items import Item
from textbench.lifechoice.motivations import parse_motivation

TEXTS: Final = "texts"
_ALIKE: Final = (
    200  # characters that two texts share at least for one to begin the other; a shorter text is stored for itself
)


def content_of(item: Item) -> str:
    """SHA-256 of everything of an item that decides what is asked and what is right."""
    record = item.to_record()
    return content_key(**{name: record[name] for name in record if name not in item.extra})


def item_records(items: Sequence[Item], folder: Path) -> Iterator[Record]:
    """The lines of ``items.jsonl``; the texts are written below `folder` first.

    Args:
        items: with ids that are all different
        folder: of the run
    """
    holders = _holders([item.text for item in items])
    names: dict[str, str] = {}
    for text in dict.fromkeys(holders.values()):
        data = text.encode("utf-8", "surrogatepass")
        names[text] = bytes_sha256(data)
        write_atomically(folder / TEXTS / f"{names[text]}.txt", data)
    for item in items:
        record = item.to_record()
        record["text"] = {"file": names[holders[item.text]], "characters": len(item.text)}
        yield {"item_id": item.item_id, "content": content_of(item), "item": record}


def read_stored(path: Path, folder: Path) -> list[tuple[Item, str]]:
    """The items and the hashes of their contents.

    Args:
        path: ``items.jsonl``
        folder: of the run

    Raises:
        StoreError: it is missing or damaged
    """
    if not path.is_file():
        raise StoreError(f"{path} is missing: make it with mmrole bench lifechoice build")
    texts: dict[str, str] = {}
    found = []
    for number, record in enumerate(read_records(path), 1):
        try:
            item = _item(record["item"], folder, texts)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(
                f"{path} line {number} is damaged ({type(error).__name__}: {error}): build it anew"
            ) from None
        if content_of(item) != record["content"]:
            raise StoreError(
                f"{path} line {number}: item or text was changed after build: build it anew in another folder"
            )
        found.append((item, record["content"]))
    return found


def _item(record: dict[str, Any], folder: Path, texts: dict[str, str]) -> Item:
    name, length = record["text"]["file"], record["text"]["characters"]
    if name not in texts:
        path = folder / TEXTS / f"{name}.txt"
        try:
            texts[name] = path.read_bytes().decode("utf-8", "surrogatepass")
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} is missing or damaged ({error}): build it anew") from None
    known = set(Item.__dataclass_fields__)
    motivation = record["motivation"]
    return replace(
        Item(
            item_id=record["item_id"],
            book=record["book"],
            character=record["character"],
            text=texts[name][:length],
            scenario=record["scenario"],
            question=record["question"],
            options=tuple(record["options"].values()),
            correct=None if record["correct"] is None else list(record["options"]).index(record["correct"]),
            genres=tuple(record["genres"]),
            description=record["description"],
            language=record["language"],
        ),
        motivation=None if motivation is None else parse_motivation(motivation),
        extra={key: value for key, value in record.items() if key not in known},
    )


def _holders(texts: Sequence[str]) -> dict[str, str]:
    """Text -> the longest one that begins with it."""
    holders: dict[str, str] = {}
    longest: dict[str, list[str]] = {}
    for text in sorted(dict.fromkeys(texts), key=lambda each: -len(each)):
        near = longest.setdefault(text[:_ALIKE], [])
        holder = next((other for other in near if other.startswith(text)), None)
        if holder is None:
            near.append(text)
        holders[text] = holder or text
    return holders
