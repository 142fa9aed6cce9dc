"""Data that models make step by step: each step a call with a schema, with its own journal; what does not fit drops out with its reason.

A construction goes through drafts one step at a time, all drafts side by side within a step. An interrupted one repeats no finished
call; a reply that could not be used is not asked for again, a call that failed is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from mmrole.core.canonical import Record
from mmrole.core.files import make_folder
from mmrole.core.journal import Journal
from mmrole.llm import BatchItem, ChatReply, Estimate, Repair, batch_journal, estimate_batch, run_batch
from mmrole.llm.batch import current_records
from mmrole.llm.items import ERROR, OK
from mmrole.llm.replies import Reply, parse_json
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal


class Draft(Protocol):
    """What grows from step to step."""

    @property
    def draft_id(self) -> str:
        """Unlike that of every other draft."""


DraftT = TypeVar("DraftT", bound=Draft)


class RejectedError(Exception):
    """A reply that has the right form and still cannot be used.

    Args:
        reason: a code
        detail: for people
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, kw_only=True)
class Step(Generic[DraftT]):
    """One step.

    Attributes:
        name: of the step and its journal
        schema: what the reply has to be; pydantic checks it
        ask: from a draft to the call; its item id is the draft's id
        take: from a draft and the reply, as JSON values, to the draft with the step; raises `RejectedError`
    """

    name: str
    schema: type[Any]
    ask: Callable[[DraftT], BatchItem]
    take: Callable[[DraftT, Any], DraftT]


@dataclass(frozen=True, kw_only=True)
class Stepped(Generic[DraftT]):
    """What came of the drafts: each is finished, rejected, failed, or waits because the run ended early.

    Attributes:
        finished: those that went through all steps, in order
        rejected: ``{draft, step, status, reason}`` of replies that could not be used: ``status`` is that of the reply (unparsed, refusal,
            truncated) or ``rejected``, with the code of the step before the colon of ``reason``
        failed: the same of calls that failed; the next run asks them again
        report: ``drafts``, and per step how many were asked and how they ended
        stage: all calls together
    """

    finished: tuple[DraftT, ...]
    rejected: tuple[Record, ...]
    failed: tuple[Record, ...]
    report: Record
    stage: StageResult

    @property
    def counts(self) -> Record:
        """Drafts = finished + rejected + failed + pending."""
        known = len(self.finished) + len(self.rejected) + len(self.failed)
        return {
            "drafts": self.report["drafts"],
            "finished": len(self.finished),
            "rejected": len(self.rejected),
            "failed": len(self.failed),
            "pending": self.report["drafts"] - known,
        }


def run_steps(drafts: Iterable[DraftT], steps: Sequence[Step[DraftT]], asking: Asking, folder: Path) -> Stepped[DraftT]:
    """Takes drafts through steps.

    Args:
        drafts: where to begin
        steps: in order
        asking: how the model is asked
        folder: gets a journal ``NUMBER-NAME.jsonl`` for each step

    Raises:
        DiskError: the folder cannot be written
        StoreError: a journal is damaged
    """
    going = list(drafts)
    report: Record = {"drafts": len(going), "steps": {}}
    dropped: list[Record] = []
    total = _NOTHING
    make_folder(folder)
    for number, step in enumerate(steps, start=1):
        items = [step.ask(draft) for draft in going]
        with batch_journal(_journal_path(folder, number, step.name)) as journal:
            if total.stopped is None:
                total = _together(total, _asked(items, step, asking.after(total.spent), journal))
            # after an early end there may be records of what a draft was before: not of this request
            records = list(current_records(items, asking.model, journal, parse=_reader(step), repair=Repair()))
        statuses: Counter[str] = Counter()
        next_round: list[DraftT] = []
        for draft, record in zip(going, records, strict=True):
            status, reason, taken = _outcome(draft, step, record)
            statuses[status] += 1
            if taken is not None:
                next_round.append(taken)
            elif record is not None:
                dropped.append({"draft": draft.draft_id, "step": step.name, "status": status, "reason": reason})
        report["steps"][step.name] = {"asked": len(items), **dict(sorted(statuses.items()))}
        going = next_round
    return Stepped(
        finished=tuple(going),
        rejected=tuple(one for one in dropped if one["status"] != ERROR),
        failed=tuple(one for one in dropped if one["status"] == ERROR),
        report=report,
        stage=total,
    )


def estimate_steps(
    drafts: Iterable[DraftT], steps: Sequence[Step[DraftT]], asking: Asking, folder: Path
) -> dict[str, Estimate]:
    """Step -> what `run_steps` would take in it, for the drafts that have come so far; asks nothing.

    How many drafts reach the later steps, only the replies tell: what is not stored yet is estimated in its next step alone.
    """
    going, found = list(drafts), dict[str, Estimate]()
    for number, step in enumerate(steps, start=1):
        if not going:
            break
        items = [step.ask(draft) for draft in going]
        with opened_journal(_journal_path(folder, number, step.name)) as journal:
            found[step.name] = estimate_batch(
                items,
                asking.model,
                journal,
                parse=_reader(step),
                repair=Repair(),
                cache=asking.cache,
                prices=asking.prices,
            )
            records = (
                [None] * len(items)
                if journal is None
                else list(current_records(items, asking.model, journal, parse=_reader(step), repair=Repair()))
            )
        taken = [_outcome(draft, step, record)[2] for draft, record in zip(going, records, strict=True)]
        going = [draft for draft in taken if draft is not None]
    return found


def _journal_path(folder: Path, number: int, name: str) -> Path:
    return folder / f"{number}-{name}.jsonl"


def _asked(items: Sequence[BatchItem], step: Step[Any], asking: Asking, journal: Journal) -> StageResult:
    batch = run_batch(
        items,
        asking.model,
        journal,
        parse=_reader(step),
        repair=Repair(),
        cache=asking.cache,
        prices=asking.prices,
        max_cost=asking.max_cost,
        total=len(items),
        progress=asking.progress,
    )
    return StageResult.of(batch)


def _reader(step: Step[Any]) -> Callable[[BatchItem, ChatReply], Reply[Any]]:
    return lambda _, reply: parse_json(reply.text, step.schema, reply.finish_reason)


def _outcome(draft: DraftT, step: Step[DraftT], record: Record | None) -> tuple[str, str | None, DraftT | None]:
    """Status, reason, and the draft with the step where it has one."""
    if record is None:
        return "pending", None, None
    if record["status"] != OK:
        return record["status"], record["reason"], None
    try:
        return OK, None, step.take(draft, record["value"])
    except RejectedError as error:
        return "rejected", str(error), None


_NOTHING: Final = StageResult(total=0, done=0, failed=0, pending=0, reused=0)


def _together(before: StageResult, now: StageResult) -> StageResult:
    return replace(
        now,
        total=before.total + now.total,
        done=before.done + now.done,
        failed=before.failed + now.failed,
        pending=before.pending + now.pending,
        reused=before.reused + now.reused,
        statuses=before.statuses + now.statuses,
        failures=[*before.failures, *now.failures],
        spent=before.spent + now.spent,
        currency=now.currency or before.currency,
    )
