"""A model finds what would tell which book it is: one call for each part of a book, and one map of all that was found.

LIFECHOICE (arXiv 2404.12138), data leakage: names are found by a model and replaced by rules (see `textbench.entities`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import BaseModel, ConfigDict, StrictStr

from mmrole.core.canonical import content_key
from mmrole.core.languages import Language
from mmrole.llm import BatchItem, ChatReply
from mmrole.llm.items import OK
from mmrole.llm.replies import Reply, parse_json
from textbench.chunks import chunks
from textbench.entities import EntityMap, entity_map
from textbench.lifechoice.items import Item
from textbench.lifechoice.rounds import Answer, Caller, call_of
from textbench.lifechoice.summaries import prompt
from textbench.tokens import TokenCounter

PART: Final = 4000
"""Tokens that the model looks through at once."""

Groups = list[list[str]]


class _Names(BaseModel):
    model_config = ConfigDict(extra="ignore")

    characters: list[list[StrictStr] | StrictStr]
    places: list[list[StrictStr] | StrictStr]
    phrases: list[list[StrictStr] | StrictStr]


@dataclass(frozen=True, kw_only=True)
class FoundNames:
    """What was found.

    Attributes:
        maps: book -> map; None while an answer is missing that the next run may have
        unread: parts whose reply could not be read: names that stand nowhere else are not replaced
        parts: how many parts there were
    """

    maps: Mapping[str, EntityMap] | None = field(repr=False)
    unread: int
    parts: int


def find_names(items: Sequence[Item], caller: Caller, counter: TokenCounter, *, nameless: str) -> FoundNames:
    """Maps of the names of every book.

    Args:
        items: of the run; a name that stands only in an option is looked for, too
        caller: looks through the parts
        counter: of tokens
        nameless: what a book without a title is called
    """
    calls = {book: _calls(of_book, counter) for book, of_book in _by_book(items, nameless).items()}
    answers = caller.answers(list({call.item_id: call for of in calls.values() for call in of}.values()))
    got = [answers[call.item_id] for of in calls.values() for call in of]
    unread = sum(answer.status != OK for answer in got)
    if any(answer.again for answer in got):
        return FoundNames(maps=None, unread=unread, parts=len(got))
    maps = {
        book: _map([answers[call.item_id] for call in calls[book]], of_book)
        for book, of_book in _by_book(items, nameless).items()
    }
    return FoundNames(maps=maps, unread=unread, parts=len(got))


def read_names(_call: BatchItem, reply: ChatReply) -> Reply[dict[str, Groups]]:
    """Reads the reply; see `mmrole.llm.items.Parse`."""
    found = parse_json(reply.text, _Names, finish_reason=reply.finish_reason)
    value = None
    if found.value is not None:
        value = {
            kind: [[one] if isinstance(one, str) else list(one) for one in getattr(found.value, kind)]
            for kind in ("characters", "places", "phrases")
        }
    return Reply(
        status=found.status, value=value, rule=found.rule, raw=found.raw, notes=found.notes, detail=found.detail
    )


def _by_book(items: Sequence[Item], nameless: str) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.book or nameless, []).append(item)
    return found


def _calls(items: Sequence[Item], counter: TokenCounter) -> list[BatchItem]:
    """The parts of the texts of a book, those that begin another one left out, and what is asked about them."""
    texts: list[str] = []
    for text in sorted({item.text for item in items}, key=lambda each: (-len(each), each)):
        if not any(other.startswith(text) for other in texts):
            texts.append(text)
    asked = [
        "\n".join([item.character, item.scenario, item.question, *item.options, item.description or ""])
        for item in items
    ]
    language = items[0].language
    parts = [part.text for text in [*texts, "\n\n".join(asked)] for part in chunks(text, PART, counter)]
    calls = [_call(part, language) for part in parts if part.strip()]
    return list({call.item_id: call for call in calls}.values())


def _call(text: str, language: Language) -> BatchItem:
    template = prompt("names", language)
    return call_of("names", template.fill(text=text.strip(), mark=f"text-{content_key(text=text)[:8]}"), template)


def _map(answers: Sequence[Answer], items: Sequence[Item]) -> EntityMap:
    kinds: dict[str, Groups] = {"characters": [], "places": [], "phrases": []}
    for answer in answers:
        for kind, groups in (answer.value or {}).items():
            for group in groups:
                _add(kinds[kind], group)
    for name in dict.fromkeys(item.character for item in items):
        _add(kinds["characters"], [name])
    return entity_map(**kinds, strict=False)


def _add(groups: Groups, names: Sequence[str]) -> None:
    """Adds the forms of a name to the group that has the first of them; a form that another group has stays with that one.

    Only the first form decides: brothers who share a surname as a form stay two.
    """
    names = [" ".join(name.split()) for name in names if name.strip()]
    if not names:
        return
    owner = next((group for group in groups if names[0] in group), None)
    if owner is None:
        owner = []
        groups.append(owner)
    taken = {name for group in groups for name in group}
    owner += [name for name in dict.fromkeys(names) if name not in taken]
    if not owner:
        groups.remove(owner)
