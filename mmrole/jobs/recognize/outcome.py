"""What `mmrole recognize` did, and how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.llm import Spent


@dataclass(frozen=True, kw_only=True)
class RecognizeProgress:
    """How far the experts are.

    Attributes:
        total: votes that are asked for
        finished: of these, done or failed
        failed: of these, with an error
        reused: of these, stored by an earlier run
        expert: whose turn it is
    """

    total: int
    finished: int
    failed: int
    reused: int
    expert: str


_LISTED: Final = 10
"""So many different errors are listed, the most frequent ones."""


@dataclass(frozen=True, kw_only=True)
class ExpertOutcome:
    """What one expert did. ``wanted = asked + absent``, ``asked = done + failed + pending``.

    Attributes:
        name: of the expert
        kind: what it is
        baseline: its votes are not for reporting
        wanted: utterances times streams times rounds
        absent: of these, on streams that show nothing of the utterance; nobody was asked
        done: with a vote or a reply that is no error, whatever could be read in it
        failed: with an error; the next run tries them again
        pending: not asked, because the expert ended early
        reused: part of `done`: stored by an earlier run
        statuses: how many votes have which status
        reasons: reason -> number of votes without anything to show
        errors: what went wrong -> number of votes that failed with it
        spent: in this run
        stopped: why it ended early; None when it did not
        money: whether the limit on cost ended it
    """

    name: str
    kind: str
    baseline: bool
    wanted: int
    absent: int
    done: int
    failed: int
    pending: int
    reused: int
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    spent: Spent = field(default_factory=Spent)
    stopped: str | None = None
    money: bool = False

    @property
    def asked(self) -> int:
        """Votes that there was something to go by for."""
        return self.wanted - self.absent

    @property
    def valid(self) -> int:
        """Votes with a label."""
        return self.statuses["ok"]

    def to_record(self) -> Record:
        """As JSON values, without what was spent."""
        return {
            "name": self.name,
            "kind": self.kind,
            "baseline": self.baseline,
            "wanted": self.wanted,
            "asked": self.asked,
            "valid": self.valid,
            "absent": self.absent,
            "done": self.done,
            "failed": self.failed,
            "pending": self.pending,
            "reused": self.reused,
            "statuses": dict(sorted(self.statuses.items())),
            "reasons": dict(sorted(self.reasons.items())),
            "errors": dict(self.errors.most_common(_LISTED)),
            "stopped": self.stopped,
        }


@dataclass(frozen=True, kw_only=True)
class RecognizeResult:
    """What the panel did.

    Attributes:
        out: the folder
        utterances: that were voted on
        experts: one per expert, in the order of the panel
        responses_without: status -> responses that have no utterance to vote on
        notes: what has to be said beside the votes
        currency: of the money
    """

    out: Path
    utterances: int
    experts: Sequence[ExpertOutcome]
    responses_without: Counter[str] = field(default_factory=Counter)
    notes: Sequence[str] = ()
    currency: str | None = None

    @property
    def votes(self) -> Path:
        """The file of votes."""
        return self.out / "votes.jsonl"

    @property
    def counts(self) -> dict[str, int]:
        """Of votes, for the manifest: ``inputs = done + failed + skipped``; what is pending counts as failed there."""
        pending, failed = self._sum("pending"), self._sum("failed")
        return {
            "inputs": self._sum("wanted"),
            "done": self._sum("done"),
            "failed": failed + pending,
            "skipped": self._sum("absent"),
            "pending": pending,
            "reused": self._sum("reused"),
        }

    @property
    def skipped(self) -> Iterator[Record]:
        """Why votes were skipped, for the manifest."""
        reasons: Counter[str] = Counter()
        for each in self.experts:
            reasons.update(each.reasons)
        for reason, count in sorted(reasons.items()):
            yield {"reason": reason, "votes": count}
        for status, count in sorted(self.responses_without.items()):
            yield {"reason": f"response_{status}", "responses": count}

    @property
    def spent(self) -> Spent:
        """By all experts in this run."""
        return sum((each.spent for each in self.experts), start=Spent())

    def _sum(self, name: str) -> int:
        return sum(int(getattr(each, name)) for each in self.experts)
