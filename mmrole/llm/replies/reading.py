"""What a kind of answer has to know about itself: the seam between the one cascade and labels, letters and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from mmrole.llm.replies.anchors import Anchors
from mmrole.llm.replies.reply import Reply, Rule

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Reading(Generic[T_co]):
    """An answer at one place of a text.

    Attributes:
        value: the answer; None when there is a problem
        end: position after it
        problem: why a place that holds an answer gives no value, such as two answers joined by "or"
        rule: how it was read, where the place alone does not say
        spelling: as it was written
    """

    value: T_co | None
    end: int
    problem: Rule | None = None
    rule: Rule | None = None
    spelling: str = ""


class Reader(Protocol[T]):
    """Reads answers of one kind out of plain text (`folding.plain`)."""

    anchors: Anchors
    fields: frozenset[str]
    own_fields: tuple[str, ...]
    many_sided: bool

    def whole(self, line: str) -> Reading[T] | None:
        """The answer that a line is, with nothing else but marks around it."""

    def at(self, text: str, position: int, *, strict: bool) -> Reading[T] | None:
        """The answer that begins at a position; `strict` where a sentence leads there: what follows must not go on."""

    def scalar(self, value: Any, /) -> Reading[T] | None:
        """The answer that a JSON number or truth value is."""

    def prose(self, text: str, quoted: list[tuple[int, int]], /) -> Reply[T] | None:
        """The answer that a text holds without an anchor, where the kind has a rule for it."""

    def leading(self, text: str, /) -> Reading[T] | None:
        """The answer that a text opens with, where the kind has a rule for it."""

    def mentioned(self, text: str) -> bool:
        """Whether an answer of this kind occurs in a short text."""

    def clause(self, line: str) -> Reading[T]:
        """The answer in what follows ``Answer:`` on its line, when it does not begin with one."""
