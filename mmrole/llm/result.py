"""What a run over many items did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError
from mmrole.llm.cost import Spent


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Why a run ended before its last item.

    Attributes:
        kind: ``max_cost``, or ``model``: no further request could have been answered
        message: one line that says what happened and what to do
    """

    kind: Literal["max_cost", "model"]
    message: str


def raise_if_model_ended(stopped: Stop | None, who: str = "") -> None:
    """Turns an early end that is an error into one.

    Args:
        stopped: why a run ended early, None when it did not
        who: said before the message, where several models are asked

    Raises:
        ModelError: the model could not answer any further request
    """
    if stopped is not None and stopped.kind == "model":
        raise ModelError(f"{who}: {stopped.message}" if who else stopped.message)


def manifest_counts(*, total: int, done: int, failed: int, pending: int, reused: int) -> dict[str, int]:
    """Counts for a manifest; what is pending counts as failed there."""
    return {
        "inputs": total,
        "done": done,
        "failed": failed + pending,
        "skipped": 0,
        "pending": pending,
        "reused": reused,
    }


@dataclass(frozen=True, kw_only=True)
class BatchResult:
    """What a run did. ``total = done + failed + pending``.

    Attributes:
        total: items times rounds
        done: with a record that is no error
        failed: with an error; the next run asks them again
        pending: not asked, because the run ended early
        reused: part of `done`: finished in an earlier run
        statuses: how many records have which status
        failures: ``{item, round, reason}`` of what failed
        spent: in this run
        spent_before: what the stored records of these items had cost when the run began
        currency: of the money, None when there is no price list
        stopped: why the run ended early, None when it did not
    """

    total: int
    done: int
    failed: int
    pending: int
    reused: int
    statuses: Counter[str]
    failures: list[Record] = field(repr=False)
    spent: Spent
    spent_before: Spent
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
