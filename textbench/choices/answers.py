"""Answers to questions with options: what was chosen, in the order of the data set, and where it stood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mmrole.core.errors import UsageError
from mmrole.llm.replies import Reply, ReplyStatus
from textbench.choices.questions import LETTERS, Shown

NO_REPLY: Final = "error"
"""Status of an item for which no reply came: nothing was answered, so that it counts nowhere. Any other word that is no
`mmrole.llm.replies.ReplyStatus` is such a status too, and says why, such as ``not_asked``."""
REPLIES: Final = frozenset(map(str, ReplyStatus))
"""Statuses of items for which a reply came."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An agent's answer to one item.

    Attributes:
        item_id: of the item
        status: ``ok``, a status of `mmrole.llm.replies.ReplyStatus` that has no value, or why no reply came, see `NO_REPLY`
        count: number of options
        chosen: place of the chosen option in the data set, from 0; None unless the status is ``ok``
        position: place where it was shown, from 0; None likewise
        correct: place of the right option in the data set; None where there is none
        correct_position: place where that was shown
        cluster: see `textbench.choices.Question`

    Raises:
        UsageError: a choice without the status ``ok`` or the other way round, or a place that is not there
    """

    item_id: str
    status: str
    count: int
    chosen: int | None = None
    position: int | None = None
    correct: int | None = None
    correct_position: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        there = self.status == ReplyStatus.OK
        if (self.chosen is not None) != there or (self.position is not None) != there:
            raise UsageError(f"{self.item_id}: status {self.status} with choice {self.chosen} at {self.position}")
        if (self.correct is None) != (self.correct_position is None):
            raise UsageError(f"{self.item_id}: the right option and its shown place go together")
        for place in (self.chosen, self.position, self.correct, self.correct_position):
            if place is not None and not 0 <= place < self.count:
                raise UsageError(f"{self.item_id}: place {place} is not one of {self.count} options, from 0")

    @property
    def answered(self) -> bool:
        """Whether a reply came, read or not."""
        return self.status in REPLIES

    @property
    def right(self) -> bool | None:
        """Whether the right option was chosen; None where that cannot be said: no right option, or no choice."""
        return None if self.chosen is None or self.correct is None else self.chosen == self.correct

    def to_record(self) -> dict[str, Any]:
        """As JSON values, keys sorted."""
        return {
            "chosen": self.chosen,
            "chosen_letter": None if self.position is None else LETTERS[self.position],
            "cluster": self.cluster,
            "correct": self.correct,
            "correct_letter": None if self.correct_position is None else LETTERS[self.correct_position],
            "item_id": self.item_id,
            "options": self.count,
            "right": self.right,
            "status": self.status,
        }


def read_answer(shown: Shown, reply: Reply[str] | str | None, *, without: str = NO_REPLY) -> Answer:
    """The answer of an agent, put back into the order of the data set.

    Args:
        shown: what the agent saw
        reply: what `Shown.read` gave; a letter that was read before; None when no reply came
        without: why no reply came

    Raises:
        UsageError: a letter that was not shown
    """
    if isinstance(reply, Reply):
        status, letter = str(reply.status), reply.value
    else:
        status, letter = (without if reply is None else str(ReplyStatus.OK)), reply
    question = shown.question
    chosen = None if letter is None else shown.option(letter)
    return Answer(
        item_id=question.item_id,
        status=status,
        count=len(question.options),
        chosen=chosen,
        position=None if chosen is None else shown.order.index(chosen),
        correct=question.correct,
        correct_position=None if question.correct is None else shown.order.index(question.correct),
        cluster=question.cluster,
    )
