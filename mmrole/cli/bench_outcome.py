"""Prints what a stage of a benchmark did, or would take."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from mmrole.cli.lines import one_line

if TYPE_CHECKING:
    from mmrole.llm import Estimate
    from mmrole.llm.stage import StageResult

EXIT_SOME_FAILED = 3


def print_json(**values: Any) -> None:
    """Prints an outcome as one line of JSON."""
    print(json.dumps(values, ensure_ascii=False))


def print_estimate(estimate: Estimate, as_json: bool) -> int:
    """Prints what a stage would take; returns the exit code."""
    if as_json:
        print_json(**estimate_record(estimate))
    else:
        print(estimate)
    return 0


def print_together(estimates: Collection[Estimate]) -> None:
    """Prints what several models would take together; nothing for one alone."""
    if len(estimates) < 2:
        return
    known = [each.least_cost for each in estimates if each.least_cost is not None]
    currency = next(iter(estimates)).currency
    money = f"at least {sum(known):.4f} {currency}" if len(known) == len(estimates) else "cost not wholly known"
    print(f"together: {sum(each.calls for each in estimates):,} calls to make, {money}")


def estimate_record(estimate: Estimate) -> dict[str, Any]:
    """What a stage would take, as JSON values."""
    names = (
        "total", "stored", "cached", "calls", "prompt_tokens", "completion_tokens", "least_cost", "most_cost", "currency",
    )  # fmt: skip
    record = {name: getattr(estimate, name) for name in names}
    at_most = getattr(estimate, "at_most", None)  # where what cannot be read is asked for again
    return record if at_most is None else {**record, "at_most": estimate_record(at_most)}


def stage_record(result: StageResult) -> dict[str, Any]:
    """What a stage did, as JSON values."""
    return {
        "counts": result.counts,
        "unread": result.unread,
        "replies": result.replies,
        "statuses": dict(result.statuses),
        "failed": list(result.failures),
        "spent": result.spent.to_record(),
        "currency": result.currency,
        "stopped": None if result.stopped is None else result.stopped.message,
    }


def print_stage(result: StageResult, what: str) -> None:
    """Prints what a stage did."""
    pending = f" + {result.pending:,} pending" if result.pending else ""
    print(
        f"{result.total:,} {what} = {result.done:,} done + {result.failed:,} failed{pending}; {result.reused:,} of them reused"
    )
    statuses = ", ".join(f"{name} {count:,}" for name, count in sorted(result.statuses.items()))
    if statuses:
        print(f"  {statuses}")
    if result.unread:
        print(
            f"  {result.unread:,} of those pending have replies that are stored but cannot be read: they are asked again"
        )
    if result.spent.cost is not None:
        what = "" if result.replies is None else f" for {result.replies:,} new replies"
        print(f"  spent: {result.spent.cost:.4f} {result.currency}{what}")
    for failure in list(result.failures)[:10]:
        item = str(failure["item"])
        run = (
            "" if "/run" in item else f" in run {failure['round']}"
        )  # where the item's name says it, the round is always 0
        print(one_line(f"  failed: {item}{run}: {failure['reason']}"))
    if len(result.failures) > 10:
        print(f"  and {len(result.failures) - 10} more")
    if result.stopped is not None:
        print(one_line(f"  ended early: {result.stopped.message}"))


def exit_code(result: StageResult) -> int:
    """3 when something is not done."""
    return EXIT_SOME_FAILED if result.failed or result.pending else 0
