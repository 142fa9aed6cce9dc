"""Each expert in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from emotion.experts.cases import Cases
from emotion.experts.llm import LlmExpert
from mmrole.jobs.recognize.asked import ask, count_absent
from mmrole.jobs.recognize.computed import compute
from mmrole.jobs.recognize.members import Member
from mmrole.jobs.recognize.outcome import RecognizeProgress
from mmrole.jobs.recognize.stage import Stage
from mmrole.llm import Spent

Progress = Callable[[RecognizeProgress], object]


class Counted(Protocol):
    """How far an expert is, as `mmrole.llm.BatchProgress` says it too."""

    @property
    def total(self) -> int:
        """Votes that are asked for."""

    @property
    def finished(self) -> int:
        """Done or failed."""

    @property
    def failed(self) -> int:
        """With an error."""

    @property
    def reused(self) -> int:
        """Stored by an earlier run."""


def vote(
    members: Sequence[Member], cases: Cases, folder: Path, max_cost: float | None, on_progress: Progress | None
) -> list[Stage]:
    """Has each expert vote, those that cost nothing first; one that ends early takes no other with it.

    Args:
        members: the experts
        cases: what is voted on
        folder: of the run
        max_cost: limit on the cost of all of them together
        on_progress: is told how far all of them together are

    Returns:
        what came of each, in the order of `members`
    """
    stages: dict[str, Stage] = {}
    spent = Spent()
    wanted = {member.name: len(cases) * len(member.streams) * member.rounds for member in members}
    told = None if on_progress is None else _Together(on_progress, wanted)
    for member in sorted(members, key=lambda member: member.asking is not None):
        tell = None if told is None else told.turn_of(member.name)
        if not isinstance(member.expert, LlmExpert):
            stage = compute(member, member.expert, cases, folder, progress=tell)
        elif member.asking is not None:
            absent = sum(count_absent(member.expert, member.streams, cases).values())
            stage = ask(
                member,
                member.expert,
                member.asking,
                cases,
                folder,
                absent=absent,
                max_cost=spent.left_of(max_cost),
                progress=tell,
            )
            spent += stage.spent
        stages[member.name] = stage
    return [stages[member.name] for member in members]


class _Together:
    """From the progress of one expert to that of all.

    Args:
        on_progress: is told
        wanted: expert -> votes, as far as is known before its turn
    """

    def __init__(self, on_progress: Progress, wanted: dict[str, int]) -> None:
        self._on_progress = on_progress
        self._later = dict(wanted)
        self._latest: dict[str, Counted] = {}

    def turn_of(self, name: str) -> Callable[[Counted], None]:
        """What the expert tells in its turn."""
        self._later.pop(name)

        def tell(counted: Counted) -> None:
            self._latest[name] = counted
            now = self._latest.values()
            self._on_progress(
                RecognizeProgress(
                    total=sum(each.total for each in now) + sum(self._later.values()),
                    finished=sum(each.finished for each in now),
                    failed=sum(each.failed for each in now),
                    reused=sum(each.reused for each in now),
                    expert=name,
                )
            )

        return tell
