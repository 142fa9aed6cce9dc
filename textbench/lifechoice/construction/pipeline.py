"""The steps from a passage of a novel to an item."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.llm import BatchItem, ChatRequest, Parameters, user
from mmrole.llm.stage import Asking
from textbench.benchmark import prompt_hashes
from textbench.choices import shuffle
from textbench.chunks import chunks
from textbench.entities import TOO_COMMON
from textbench.lifechoice.construction.drafts import (
    DISTRACTORS,
    ClassifyGiven,
    DecisionDraft,
    DistractorsGiven,
    FindGiven,
    MotivationGiven,
    QuestionGiven,
)
from textbench.lifechoice.construction.locating import locate, sentence_start
from textbench.lifechoice.construction.novels import Novel
from textbench.lifechoice.items import Item
from textbench.lifechoice.motivations import MOTIVATION_TYPES, Motivation, motivation_type
from textbench.lifechoice.summaries import prompt
from textbench.stepwise import RejectedError, Step, Stepped, run_steps
from textbench.tokens import TokenCounter, approximate

_FEWEST_MENTIONS: Final = 3
_TITLES: Final = TOO_COMMON | {"st", "rev", "col", "gen", "capt", "prof", "madame", "monsieur", "mlle", "mme"}
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class Where:
    """Where decisions are looked for, and how long the story before them has to be.

    Attributes:
        passages: so many per novel, at equal distances
        passage_tokens: length of a passage
        first: share of the novel before the first passage, 0 to 1
        last: share of the novel before which the last passage begins, 0 to 1
        min_story: fewest tokens before a decision
        max_story: most tokens before a decision; the paper's items have 150,000 at most
    """

    passages: int = 20
    passage_tokens: int = 1500
    first: float = 0.2
    last: float = 0.95
    min_story: int = 2000
    max_story: int = 150_000

    def __post_init__(self) -> None:
        if self.passages < 1 or self.passage_tokens < 50:
            raise UsageError("passages are 1 or more, of 50 tokens or more")
        if not 0 <= self.first <= self.last <= 1:
            raise UsageError(
                f"passages from {self.first} to {self.last} of a novel make no sense: give shares, the smaller first"
            )
        if not 0 <= self.min_story <= self.max_story:
            raise UsageError(
                f"a story of {self.min_story} to {self.max_story} tokens: the first has to be the smaller number"
            )

    def to_record(self) -> Record:
        """As JSON values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class ItemsBuilt:
    """What came of the novels; passages = items + rejected + failed + pending.

    Attributes:
        items: finished, in the order of the novels
        rejected: see `textbench.stepwise.Stepped`
        steps: how the steps went
    """

    items: tuple[Item, ...]
    rejected: tuple[Record, ...]
    steps: Stepped[DecisionDraft]

    @property
    def counts(self) -> Record:
        """Passages = items + rejected + failed + pending."""
        counts = self.steps.counts
        return {
            "passages": counts["drafts"],
            "items": len(self.items),
            "rejected": len(self.rejected),
            "failed": counts["failed"],
            "pending": counts["pending"],
        }


def passages(novels: Iterable[Novel], where: Where, counter: TokenCounter = approximate) -> Iterator[DecisionDraft]:
    """Where decisions are looked for: passages with so much of a story before them that an item can come of it."""
    for novel in novels:
        inside, before = [], 0
        for part in chunks(novel.text, where.passage_tokens, counter):
            in_share = where.first * len(novel.text) <= part.start <= where.last * len(novel.text)
            if in_share and before <= where.max_story and before + part.tokens >= where.min_story:
                inside.append(part)
            before += part.tokens
        count = min(where.passages, len(inside))
        for number in range(count):
            yield DecisionDraft(novel=novel, passage=inside[number * len(inside) // count])


def construction_steps(
    where: Where, *, counter: TokenCounter = approximate, temperature: float | None = None
) -> list[Step[DecisionDraft]]:
    """The five steps: find, question, distractors, motivation, classify."""

    def step(
        name: str, schema: type[Any], values: Callable[[DecisionDraft], Mapping[str, str]], take: Any
    ) -> Step[DecisionDraft]:
        return Step(name=name, schema=schema, ask=partial(_item, name, values, temperature), take=take)

    return [
        step("find", FindGiven, lambda d: {"passage": d.passage.text}, partial(_found, where, counter)),
        step("question", QuestionGiven, lambda d: {**_who(d), "passage": d.through}, _question),
        step("distractors", DistractorsGiven, lambda d: {**_asked(d), "passage": d.before}, _distractors),
        step("motivation", MotivationGiven, lambda d: {**_asked(d), "passage": d.through}, _take("motivation")),
        step(
            "classify",
            ClassifyGiven,
            lambda d: {
                **_asked(d),
                "motivation": d.said("motivation", "motivation"),
                "types": "\n".join(f"- {name}" for name in MOTIVATION_TYPES),
            },
            _classified,
        ),
    ]


def build_items(
    novels: Sequence[Novel],
    asking: Asking,
    folder: Path,
    *,
    where: Where | None = None,
    counter: TokenCounter = approximate,
    temperature: float | None = None,
    seed: int = 0,
) -> ItemsBuilt:
    """Makes items of novels.

    Args:
        novels: see `choose_novels`
        asking: how the author model is asked
        folder: gets a journal for each step
        where: decisions are looked for
        counter: of the tokens
        temperature: of the author; None for the endpoint's own
        seed: of the order of the options

    Raises:
        DiskError: the folder cannot be written
    """
    looked = where or Where()
    steps = run_steps(
        list(passages(novels, looked, counter)),
        construction_steps(looked, counter=counter, temperature=temperature),
        asking,
        folder,
    )
    items = tuple(item_of(draft, seed) for draft in steps.finished)
    return ItemsBuilt(items=items, rejected=steps.rejected, steps=steps)


def item_of(draft: DecisionDraft, seed: int) -> Item:
    """The item of a finished draft; D is the novel up to the cut, word by word."""
    texts = [draft.said("question", "answer"), *draft.given["distractors"]["distractors"]]
    order = shuffle(draft.draft_id, len(texts), f"construction-{seed}")
    return Item(
        item_id=draft.draft_id,
        book=draft.novel.book,
        character=draft.said("find", "character"),
        text=draft.novel.text[: draft.cut],
        scenario=draft.said("question", "scenario"),
        question=draft.said("question", "question"),
        options=tuple(texts[place] for place in order),
        correct=order.index(0),
        motivation=Motivation(
            type=draft.said("classify", "type"), text=draft.said("motivation", "motivation"), known=True
        ),
        language=draft.novel.language,
        extra={"decision_at": draft.start, "novel_sha256": draft.novel.sha256},
    )


def _item(
    step: str, values: Callable[[DecisionDraft], Mapping[str, str]], temperature: float | None, draft: DecisionDraft
) -> BatchItem:
    template = prompt(f"construct-{step}", draft.novel.language)
    return BatchItem(
        item_id=draft.draft_id,
        request=ChatRequest(
            messages=(user(template.fill(**values(draft))),), parameters=Parameters(temperature=temperature)
        ),
        fields={
            "book": draft.novel.book,
            "chunk": draft.passage.number,
            "step": step,
            "prompts": prompt_hashes([template]),
        },
    )


def _who(draft: DecisionDraft) -> dict[str, str]:
    return {"character": draft.said("find", "character"), "decision": draft.said("find", "decision")}


def _asked(draft: DecisionDraft) -> dict[str, str]:
    names = ("scenario", "question", "answer")
    return {"character": draft.said("find", "character"), **{name: draft.said("question", name) for name in names}}


def _take(step: str) -> Callable[[DecisionDraft, Any], DecisionDraft]:
    return lambda draft, value: draft.with_step(step, value)


def _found(where: Where, counter: TokenCounter, draft: DecisionDraft, value: Any) -> DecisionDraft:
    if not value["found"]:
        raise RejectedError("no_decision")
    language, passage, novel = draft.novel.language, draft.passage, draft.novel
    start, stop = (passage.start + place for place in locate(value["quote"], passage.text, language=language))
    cut = sentence_start(novel.text, passage.start, start)
    story = novel.text[:cut]
    tokens = counter(story)
    if tokens < where.min_story:
        raise RejectedError("too_early", f"{tokens:,} tokens before it")
    if tokens > where.max_story:
        raise RejectedError("too_late", f"{tokens:,} tokens before it")
    if _mentions(value["character"], story) < _FEWEST_MENTIONS:
        raise RejectedError("character_unknown", f"{value['character']!r} is hardly in the story before it")
    return replace(draft.with_step("find", value), start=start, stop=stop, cut=cut)


def _mentions(character: str, story: str) -> int:
    """How often a character is named: by its whole name, or by the one part that is named most."""
    parts = [
        part
        for part in re.split(r"[\s·•]+", character)
        if len(part) > 1 and part[0].isupper() and part.casefold().rstrip(".") not in _TITLES
    ]
    return max(len(re.findall(_as_word(part), story)) for part in {*parts, character})


def _as_word(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)


def _question(draft: DecisionDraft, value: Any) -> DecisionDraft:
    told = _plain(f"{value['scenario']} {value['question']}")
    if _plain(value["answer"]) in told or _plain(draft.novel.text[draft.start : draft.stop]) in told:
        raise RejectedError("scenario_tells", "the scenario or the question has the decision in it")
    return draft.with_step("question", value)


def _distractors(draft: DecisionDraft, value: Any) -> DecisionDraft:
    texts = {_plain(text) for text in (*value["distractors"], draft.said("question", "answer"))}
    if len(texts) <= DISTRACTORS:
        raise RejectedError("options_alike", "two options are the same")
    return draft.with_step("distractors", value)


def _classified(draft: DecisionDraft, value: Any) -> DecisionDraft:
    known = motivation_type(value["type"])
    if known is None:
        raise RejectedError("unknown_type", f"{value['type'][:60]!r}")
    return draft.with_step("classify", {"type": known})


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" .。!！?？\"'“”‘’").casefold()
