"""Who voted: the votes of a file, counted by expert while they are read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from emotion.experts.expert import BASELINE_NOTE
from mmrole.core.records import JsonLines
from mmrole.llm.items import ERROR


class CountedVotes:
    """The records of a file of votes; reading them counts who voted.

    Args:
        path: votes.jsonl

    Attributes:
        experts: expert -> its votes, in the order in which they first appear
        baselines: the same, of the votes that say they are not for reporting
        failed: votes with an error, or that were never asked for because the run ended early
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lines = JsonLines(Path(path), "votes")
        self.place = self._lines.place
        self.experts: Counter[str] = Counter()
        self.baselines: Counter[str] = Counter()
        self.failed = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The records in the order of the file.

        Raises:
            InputError: see `JsonLines`
        """
        self.experts, self.baselines, self.failed = Counter(), Counter(), 0
        for record in self._lines:
            expert = record.get("expert")
            if isinstance(expert, str):
                self.experts[expert] += 1
                if record.get("note") == BASELINE_NOTE:
                    self.baselines[expert] += 1
            if record.get("status") == ERROR:
                self.failed += 1
            yield record

    @property
    def notes(self) -> list[str]:
        """What has to be said beside scores of these votes."""
        notes = []
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
