"""The leak test: can the agent continue the book after the decision point, because it knows it by heart?

The agent is shown the end of the story and asked to go on; a judge compares what it writes with the book's own continuation in three
levels. It is done with the plain text and with names masked: what a model knows by heart it mostly knows by its names. LIFECHOICE,
section on leakage; the wording of the levels is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.canonical import Record, bytes_sha256, content_key
from mmrole.core.languages import Language
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, user
from mmrole.llm.items import OK
from mmrole.llm.replies import Reply, parse_json
from textbench.benchmark import prompt_hashes
from textbench.chunks import chunks
from textbench.entities import EntityMap
from textbench.lifechoice.construction.novels import title_key
from textbench.lifechoice.items import Item
from textbench.lifechoice.summaries import prompt
from textbench.tokens import TokenCounter, approximate

Condition = Literal["plain", "masked"]
LEVELS: Final = {
    0: "nothing of the continuation that the text before it does not suggest to anybody",
    1: "some of its events, or turns of phrase, that the text before it does not suggest",
    2: "its very events in their order with their details, or whole sentences of it",
}
"""Level -> what a continuation of it has."""
LEAK: Final = 2
"""The level that counts as a leak."""


@dataclass(frozen=True, kw_only=True)
class LeakCase:
    """An end of a story, and how the book goes on.

    Attributes:
        item_id: of the item
        book: its title
        condition: ``plain`` or ``masked``
        language: of the prompts
        end: the end of the story as the agent sees it
        continuation: the book's own, masked alike
    """

    item_id: str
    book: str
    condition: Condition
    language: Language
    end: str = field(repr=False)
    continuation: str = field(repr=False)

    @property
    def key(self) -> str:
        """Names it in the journals."""
        return f"{self.item_id}/{self.condition}"


@dataclass(frozen=True, kw_only=True)
class LeakCases:
    """What can be tested.

    Attributes:
        cases: in the order of the items, plain before masked
        excluded: reason -> items: ``no_novel`` (no novel of the book's name), ``story_not_in_novel``, ``no_continuation``, and, of the
            masked ones only, ``no_map``
    """

    cases: tuple[LeakCase, ...]
    excluded: Mapping[str, int]


def leak_cases(
    items: Iterable[Item],
    novels: Mapping[str, str],
    *,
    maps: Mapping[str, EntityMap] | None = None,
    tokens: int = 400,
    counter: TokenCounter = approximate,
) -> LeakCases:
    """The ends of the items' stories, with what follows them in the novels.

    Args:
        items: whose stories are beginnings of novels
        novels: title -> text; titles are compared without case and marks
        maps: title -> the names to mask; None to test the plain text only
        tokens: length of the end and of the continuation
        counter: of the tokens
    """
    found: list[LeakCase] = []
    excluded: dict[str, int] = {}
    shelf = {title_key(title): text for title, text in novels.items()}
    for item in items:
        novel = shelf.get(title_key(item.book)) if item.book is not None else None
        reason = None
        start = -1 if novel is None else _end_of(item.text, novel)
        if novel is None:
            reason = "no_novel"
        elif start < 0:
            reason = "story_not_in_novel"
        elif not novel[start:].strip():
            reason = "no_continuation"
        if novel is None or reason is not None:
            excluded[str(reason)] = excluded.get(str(reason), 0) + 1
            continue
        end = _last(item.text, tokens, counter)
        continuation = chunks(novel[start : start + 40 * tokens].lstrip(), tokens, counter)[0].text.rstrip()
        common: dict[str, Any] = {"item_id": item.item_id, "book": item.book, "language": item.language}
        found.append(LeakCase(**common, condition="plain", end=end, continuation=continuation))
        if maps is None:
            continue
        if (mask := maps.get(item.book or "")) is None:
            excluded["no_map"] = excluded.get("no_map", 0) + 1
            continue
        found.append(LeakCase(**common, condition="masked", end=mask.mask(end), continuation=mask.mask(continuation)))
    return LeakCases(cases=tuple(found), excluded=excluded)


def _end_of(story: str, novel: str) -> int:
    """Where the story ends in the novel; -1 where it is no part of it, or its last words are there several times."""
    if novel.startswith(story):
        return len(story)
    tail = story.rstrip()[-2000:]
    place = novel.find(tail)
    if not tail or place < 0 or novel.find(tail, place + 1) >= 0:
        return -1
    return place + len(tail)


def _last(text: str, tokens: int, counter: TokenCounter) -> str:
    """The last part of a text that is not longer than so many tokens, from the beginning of a word on."""
    tail = text[-40 * tokens :]
    low, high = 0, len(tail)
    while low < high:
        place = (low + high) // 2
        if counter(tail[place:]) <= tokens:
            high = place
        else:
            low = place + 1
    kept = tail[low:]
    if low and kept[:1].isascii() and not kept[:1].isspace():
        kept = kept[kept.find(" ") + 1 :]
    return kept.strip()


def continue_call(case: LeakCase) -> BatchItem:
    """What the agent is asked."""
    template = prompt("leak-continue", case.language)
    return BatchItem(
        item_id=case.key,
        request=ChatRequest(messages=(user(template.fill(end=case.end)),), parameters=Parameters(temperature=0.0)),
        fields=_fields(case, template),
    )


class _Level(BaseModel):
    model_config = ConfigDict(extra="ignore")

    reason: str = ""
    level: int = Field(ge=0, le=2)


def judge_calls(cases: Iterable[LeakCase], answers: Mapping[str, Record]) -> Iterator[BatchItem]:
    """What the judge is asked: one call for every continuation that the agent wrote.

    Args:
        cases: what was tested
        answers: key of the case -> the record of the agent's reply
    """
    for case in cases:
        record = answers.get(case.key)
        if record is None or record["status"] != OK or not str(record["value"] or "").strip():
            continue
        written = str(record["value"])
        template = prompt("leak-judge", case.language)
        mark = f"text-{content_key(written=written, key=case.key)[:8]}"
        text = template.fill(end=case.end, continuation=case.continuation, written=written, mark=mark)
        yield BatchItem(
            item_id=case.key,
            request=ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0)),
            fields={**_fields(case, template), "asked": bytes_sha256(text.encode("utf-8", "surrogatepass"))},
        )


def read_level(_: BatchItem, reply: ChatReply) -> Reply[int]:
    """Reads the judge's level; see `mmrole.llm.items.Parse`."""
    found = parse_json(reply.text, _Level, reply.finish_reason)
    value = None if found.value is None else found.value.level
    return Reply(
        status=found.status, value=value, rule=found.rule, raw=found.raw, notes=found.notes, detail=found.detail
    )


def _fields(case: LeakCase, template: Any) -> Record:
    return {"case": case.item_id, "book": case.book, "condition": case.condition, "prompts": prompt_hashes([template])}
