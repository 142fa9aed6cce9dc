"""How far a run is."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from mmrole.llm.cost import Spent


@dataclass(frozen=True, kw_only=True)
class BatchProgress:
    """How far a run is.

    Attributes:
        total: items times rounds; as many as are known so far when the end is not known
        done: with a record that is no error
        failed: with an error
        reused: part of `done`: finished in an earlier run
        statuses: how many records have which status
        spent: in this run
        currency: of the money, None when there is no price list
        rate_per_s: records a second, without the reused ones
        remaining_s: None when it cannot be said
    """

    total: int
    done: int
    failed: int
    reused: int
    statuses: Counter[str]
    spent: Spent
    currency: str | None
    rate_per_s: float
    remaining_s: float | None

    @property
    def finished(self) -> int:
        """Done or failed."""
        return self.done + self.failed

    @property
    def unparsed(self) -> int:
        """Replies that could not be read."""
        return self.statuses["unparsed"] + self.statuses["ambiguous"]

    def __str__(self) -> str:
        words = [f"{self.finished}/{self.total}", f"{self.failed} failed", f"{self.unparsed} unparsed"]
        words += [f"{self.reused} reused", f"{self.rate_per_s:.2f} a second"]
        if self.remaining_s is not None:
            words.append(f"{self.remaining_s:.0f} s left")
        if self.spent.cost is not None:
            words.append(f"{self.spent.cost:.4f} {self.currency} so far")
        return ", ".join(words)


class Meter:
    """Counts what a run does.

    Args:
        total: None when it is not known
        currency: of the money
    """

    def __init__(self, total: int | None, currency: str | None) -> None:
        self.total = total
        self.currency = currency
        self.seen = 0
        self.failed = 0
        self.done = 0
        self.reused = 0
        self.statuses: Counter[str] = Counter()
        self.spent = Spent()
        self.spent_before = Spent()
        self._began = time.monotonic()

    def state(self) -> BatchProgress:
        """The state now."""
        asked = self.done + self.failed - self.reused
        elapsed = time.monotonic() - self._began
        rate = asked / elapsed if elapsed > 0 else 0.0
        total = self.seen if self.total is None else max(self.total, self.seen)
        left = total - self.done - self.failed
        return BatchProgress(
            total=total,
            done=self.done,
            failed=self.failed,
            reused=self.reused,
            statuses=Counter(self.statuses),
            spent=self.spent,
            currency=self.currency,
            rate_per_s=rate,
            remaining_s=left / rate if rate > 0 and self.total is not None else None,
        )
