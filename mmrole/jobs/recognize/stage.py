"""What came of one expert's votes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from emotion.experts.expert import Case, ExpertVote
from mmrole.llm import Spent
from mmrole.llm.items import ERROR

Ballot = Callable[[Case, str, int], ExpertVote]
"""Case, stream and round -> the vote."""


NOT_ASKED: Final = "not asked: "
"""So begins the reason of a vote that was not made, because its expert ended early."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What came of one expert's votes.

    Attributes:
        ballot: gives each vote
        fresh: votes that this run made and that are no error
        spent: in this run
        stopped: why it ended early; None when it did not
        money: whether the limit on cost ended it
    """

    ballot: Ballot
    fresh: int
    spent: Spent = field(default_factory=Spent)
    stopped: str | None = None
    money: bool = False


def not_asked(stopped: str | None) -> ExpertVote:
    """The vote that stands for one that was not made.

    Args:
        stopped: why its expert ended early
    """
    return ExpertVote(label=None, status=ERROR, reason=f"{NOT_ASKED}{stopped}")
