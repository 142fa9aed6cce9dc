"""Who voted: the votes of a file, counted by expert while they are read."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from emotion.experts.expert import BASELINE_NOTE
from mmrole.core.canonical import Record
from mmrole.core.counting import counted, noun
from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines
from mmrole.llm.items import ERROR


@dataclass(frozen=True, kw_only=True)
class Electors:
    """Whose votes count.

    Attributes:
        experts: of these only; of all when empty
        baselines: those of baselines as well
    """

    experts: tuple[str, ...] = ()
    baselines: bool = True

    @property
    def everybody(self) -> bool:
        """Whether no vote is left out."""
        return self.baselines and not self.experts

    def take(self, record: Mapping[str, Any]) -> bool:
        """Whether a vote counts."""
        if not self.baselines and record.get("note") == BASELINE_NOTE:
            return False
        return not self.experts or record.get("expert") in self.experts

    def require(self, there: Collection[str], taken: int, path: object) -> None:
        """Refuses names that are not there, and a choice that leaves no vote.

        Args:
            there: experts in the file
            taken: votes that count
            path: of the file, for the message

        Raises:
            InputError: an expert has no vote in it, or no vote is left
        """
        strange = [name for name in self.experts if name not in there]
        if strange:
            known = ", ".join(sorted(there))
            raise InputError(f"{path}: no vote of the expert {strange[0]!r}; there are experts {known}")
        if not taken and there and not self.everybody:
            raise InputError(f"{path}: all votes that were chosen are of baselines: nothing is left to score")

    def to_record(self) -> Record:
        """For the settings of a manifest."""
        return {"experts": list(self.experts) or None, "baselines": self.baselines}


ALL: Final = Electors()


class CountedVotes:
    """The records of a file of votes; reading them counts who voted.

    Args:
        path: votes.jsonl
        electors: whose votes count; the others are left out as if they were not there

    Attributes:
        experts: expert -> its votes, in the order in which they first appear
        baselines: the same, of the votes that say they are not for reporting
        failed: votes with an error, or that were never asked for because the run ended early
        left_out: votes that do not count
    """

    def __init__(self, path: str | os.PathLike[str], electors: Electors = ALL) -> None:
        self._lines = JsonLines(Path(path), "votes")
        self._electors = electors
        self._numbers = array("q")
        self.left_out = 0
        self.experts: Counter[str] = Counter()
        self.baselines: Counter[str] = Counter()
        self.failed = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The records in the order of the file.

        Raises:
            InputError: see `JsonLines`
        """
        self.experts, self.baselines, self.failed, self.left_out = Counter(), Counter(), 0, 0
        self._numbers = array("q")
        there: set[str] = set()
        for number, record in enumerate(self._lines):
            expert = record.get("expert")
            if isinstance(expert, str):
                there.add(expert)
            if not self._electors.take(record):
                self.left_out += 1
                continue
            if not self._electors.everybody:
                self._numbers.append(number)
            if isinstance(expert, str):
                self.experts[expert] += 1
                if record.get("note") == BASELINE_NOTE:
                    self.baselines[expert] += 1
            if record.get("status") == ERROR:
                self.failed += 1
            yield record
        self._electors.require(there, self.experts.total(), self._lines.path)

    def place(self, number: int) -> str:
        """File and line of a vote that counts.

        Args:
            number: of the vote, from 0
        """
        return self._lines.place(number if self._electors.everybody else self._numbers[number])

    @property
    def notes(self) -> list[str]:
        """What has to be said beside scores of these votes."""
        notes = []
        if self.left_out:
            notes.append(
                f"{counted(self.left_out, 'vote')} of other experts or of baselines {noun(self.left_out, 'was', 'were')} left out, "
                "as asked for"
            )
        if self.failed:
            notes.append(
                f"{self.failed:,} of the {self.experts.total():,} votes failed or were not asked for: mmrole recognize is not through"
            )
        if self.baselines:
            notes.append(
                f"{self.baselines.total():,} of the {self.experts.total():,} votes are of baselines, not for reporting: "
                f"{', '.join(self.baselines)}"
            )
        if len(self.experts) == 1:
            notes.append(
                f"all votes are of one expert, {next(iter(self.experts))}: ED cannot say how far experts disagree"
            )
        return notes
