"""One decision as the agent is to meet it, after names were replaced and the text was cut; and every way in which it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mmrole.core.languages import Language
from textbench.choices import Question, Shown, show
from textbench.lifechoice.methods import Method
from textbench.lifechoice.motivations import Motivation
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.profiles import prefix_of
from textbench.lifechoice.summaries import Source


@dataclass(frozen=True, kw_only=True)
class Case:
    """A decision.

    Attributes:
        item_id: of the item
        content: SHA-256 of all that was read of the item, before names were replaced: two runs are compared on equal content only
        book: title; None where nothing tells books apart
        character: who decides, as the text calls them
        language: of the text and of the prompts
        text: everything before the decision
        scenario: the situation
        question: what is asked
        options: in the order of the data set
        correct: place of the right one, from 0; None where there is none
        motivation: why the character chose as it did
        genres: of the book
        description: the supplied one
    """

    item_id: str
    content: str
    book: str | None
    character: str
    language: Language
    text: str = field(repr=False)
    scenario: str = field(repr=False)
    question: str
    options: tuple[str, ...]
    correct: int | None
    motivation: Motivation | None = None
    genres: tuple[str, ...] = ()
    description: str | None = field(default=None, repr=False)

    def shown(self, plan: LifeChoicePlan, run: int) -> Shown:
        """The question with its options in the order of one run; the same for every method, so that they can be compared."""
        question = Question(item_id=self.item_id, options=self.options, correct=self.correct, cluster=self.book)
        return show(question, seed=None if plan.seed is None else f"{plan.seed}/{run}")


@dataclass(frozen=True, kw_only=True)
class Told:
    """A case up to a point of its text.

    Attributes:
        case: the case
        prefix: how many of the parts of the text are told, from 1
        text: what is told
    """

    case: Case
    prefix: int
    text: str = field(repr=False)

    @property
    def source(self) -> Source:
        """What a description is written from."""
        return Source(name=self.case.character, language=self.case.language, text=self.text)


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One question to the agent.

    Attributes:
        told: the case
        method: how the profile is built
        run: from 0
        key: its id in the journal of answers
    """

    told: Told
    method: Method
    run: int
    key: str


def told(plan: LifeChoicePlan, case: Case) -> Iterator[Told]:
    """A case with each of its prefixes."""
    for number in range(1, plan.prefixes + 1):
        yield Told(case=case, prefix=number, text=prefix_of(case.text, number, plan.prefixes))


def unit_key(plan: LifeChoicePlan, item_id: str, method: str, prefix: int, run: int) -> str:
    """The id of a question to the agent in the journal of answers."""
    parts = [item_id, method]
    if plan.prefixes > 1:
        parts.append(f"part{prefix}of{plan.prefixes}")
    if plan.runs > 1:
        parts.append(f"run{run}")
    return "/".join(parts)


def units(plan: LifeChoicePlan, cases: Sequence[Case]) -> Iterator[Unit]:
    """Every question to the agent, those of one text together."""
    for case in cases:
        for each in told(plan, case):
            for method in plan.parsed:
                for run in range(plan.runs):
                    key = unit_key(plan, case.item_id, method.name, each.prefix, run)
                    yield Unit(told=each, method=method, run=run, key=key)
