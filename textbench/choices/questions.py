"""Questions with options, and the order in which an agent sees these."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any, Final, TypeVar

from mmrole.core.errors import UsageError
from mmrole.llm.replies import Reply, parse_choice

LETTERS: Final = ascii_uppercase
"""What options are called, in the order in which they are shown."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with options.

    Attributes:
        item_id: names it in records, and decides its shuffle
        options: texts of the options, in the order of the data set
        correct: place of the right one, from 0; None where there is none
        text: what is asked, for a prompt that has one place for it
        cluster: what the item shares with others that are not independent of it, such as its book

    Raises:
        UsageError: fewer than two options or more than letters, or a right one that is not there
    """

    item_id: str
    options: tuple[str, ...]
    correct: int | None = None
    text: str = field(default="", repr=False)
    cluster: str | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.options) <= len(LETTERS):
            raise UsageError(f"{self.item_id}: a question has 2 to {len(LETTERS)} options, not {len(self.options)}")
        if self.correct is not None and not 0 <= self.correct < len(self.options):
            raise UsageError(f"{self.item_id}: option {self.correct} is not one of {len(self.options)}, from 0")


def shuffle(item_id: str, count: int, seed: int | str | None) -> tuple[int, ...]:
    """An order of options that depends on the seed and the item alone, not on the other items or on the version of Python.

    Args:
        item_id: of the item
        count: number of options
        seed: of the run; None leaves the order of the data set

    Returns:
        for each shown place the option's place in the data set, from 0; every order is equally likely
    """
    if seed is None:
        return tuple(range(count))
    keys = [
        hashlib.sha256(f"{seed}\n{place}\n{item_id}".encode("utf-8", "surrogatepass")).digest()
        for place in range(count)
    ]
    return tuple(sorted(range(count), key=lambda place: keys[place]))


def unshuffle(values: Sequence[T], order: Sequence[int]) -> list[T]:
    """Values by shown place -> values by the option's place in the data set.

    >>> unshuffle(["c", "a", "b"], (2, 0, 1))
    ['a', 'b', 'c']
    """
    back: dict[int, T] = dict(zip(order, values, strict=True))
    return [back[place] for place in range(len(back))]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A question as an agent sees it; made by `show`.

    Attributes:
        question: the question
        order: for each shown place the option's place in the data set
    """

    question: Question
    order: tuple[int, ...]

    @property
    def options(self) -> dict[str, str]:
        """Letter -> text, as shown."""
        return {LETTERS[place]: self.question.options[original] for place, original in enumerate(self.order)}

    @property
    def correct_letter(self) -> str | None:
        """Under which letter the right option is shown; None where there is none."""
        return None if self.question.correct is None else self.letter(self.question.correct)

    def letter(self, option: int) -> str:
        """Under which letter an option of the data set is shown."""
        return LETTERS[self.order.index(option)]

    def option(self, letter: str) -> int:
        """Place in the data set of the option that is shown under a letter.

        Raises:
            UsageError: there is no such letter
        """
        place = LETTERS.find(letter) if len(letter) == 1 else -1
        if not 0 <= place < len(self.order):
            raise UsageError(f"{self.question.item_id}: {letter!r} is none of the letters {', '.join(self.options)}")
        return self.order[place]

    def render(self, mark: str = ". ") -> str:
        """The options, one on a line: ``A. ...``; line breaks inside an option become spaces.

        Args:
            mark: stands between letter and text
        """
        return "\n".join(f"{letter}{mark}{' '.join(text.split())}" for letter, text in self.options.items())

    def read(self, reply: str | None, finish_reason: str | None = "stop", fields: Sequence[str] = ()) -> Reply[str]:
        """The letter in a reply; see `mmrole.llm.replies.parse_choice`.

        Args:
            reply: content of the message
            finish_reason: as the endpoint said it
            fields: further names of the answer's field
        """
        return parse_choice(reply, self.options, finish_reason, fields)

    def to_record(self) -> dict[str, Any]:
        """As JSON values; `shown_of` makes it again from these and the question."""
        return {"order": list(self.order), "letters": "".join(self.options), "correct_letter": self.correct_letter}


def show(question: Question, *, seed: int | str | None = None, order: Sequence[int] | None = None) -> Shown:
    """A question with its options in an order.

    Args:
        question: the question
        seed: shuffles, see `shuffle`; None leaves the order of the data set
        order: the order itself, instead of a seed

    Raises:
        UsageError: a seed and an order, or no order of these options
    """
    count = len(question.options)
    if order is None:
        return Shown(question=question, order=shuffle(question.item_id, count, seed))
    if seed is not None:
        raise UsageError("give a seed or an order, not both")
    if sorted(order) != list(range(count)):
        raise UsageError(f"{question.item_id}: {list(order)} is no order of {count} options, from 0")
    return Shown(question=question, order=tuple(order))


def shown_of(question: Question, record: Mapping[str, Any]) -> Shown:
    """What `Shown.to_record` stood for."""
    return show(question, order=record["order"])
