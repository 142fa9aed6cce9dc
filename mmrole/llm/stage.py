"""How a stage asks its model, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mmrole.core.canonical import Record
from mmrole.llm import BatchProgress, BatchResult, ChatModel, Prices, ReplyCache, Spent, Stop
from mmrole.llm.result import manifest_counts, raise_if_model_ended


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How a stage asks its model.

    Attributes:
        model: is asked
        cache: gives replies that were paid for before
        prices: price list
        max_cost: the stage ends before it costs more
        progress: is told how far the stage is
    """

    model: ChatModel
    cache: ReplyCache | None = None
    prices: Prices | None = None
    max_cost: float | None = None
    progress: Callable[[BatchProgress], object] | None = None

    def after(self, spent: Spent) -> Asking:
        """The same when so much was spent already: several steps, or several models, share one limit."""
        return self if self.max_cost is None else replace(self, max_cost=spent.left_of(self.max_cost))


@dataclass(frozen=True, kw_only=True)
class StageResult:
    """What a stage did. ``total = done + failed + pending``.

    Attributes:
        total: items times runs, or calls of the judge
        done: with a reply that is no error, whatever could be read in it
        failed: with an error; the next run asks them again
        pending: not asked, or not often enough, because the stage ended early
        reused: part of `done`: finished before
        unread: part of `pending`: with replies that are stored, none of which could be read, so that the next run asks again
        replies: that this run has stored, where an item may have more than one; None where it has one
        statuses: how many last replies have which status
        failures: ``{item, round, reason}`` of what failed
        spent: in this run
        currency: of the money
        stopped: why the stage ended early
    """

    total: int
    done: int
    failed: int
    pending: int
    reused: int
    unread: int = 0
    replies: int | None = None
    statuses: Counter[str] = field(default_factory=Counter)
    failures: Sequence[Record] = ()
    spent: Spent = field(default_factory=Spent)
    currency: str | None = None
    stopped: Stop | None = None

    @property
    def counts(self) -> dict[str, int]:
        """For the manifest; what is pending counts as failed there."""
        return manifest_counts(
            total=self.total, done=self.done, failed=self.failed, pending=self.pending, reused=self.reused
        )

    def raise_if_stopped(self) -> None:
        """Turns an early end that is an error into one.

        Raises:
            ModelError: the model could not answer any further request
        """
        raise_if_model_ended(self.stopped)

    @classmethod
    def of(cls, batch: BatchResult) -> StageResult:
        """The result of one batch."""
        return cls(
            total=batch.total,
            done=batch.done,
            failed=batch.failed,
            pending=batch.pending,
            reused=batch.reused,
            statuses=batch.statuses,
            failures=batch.failures,
            spent=batch.spent,
            currency=batch.currency,
            stopped=batch.stopped,
        )
