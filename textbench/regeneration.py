"""A judge is asked, and asked again while its reply cannot be read; each reply is kept.

InCharacter, released code: temperature 0 first, 0.2 for at most 12 regenerations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.journal import Journal
from mmrole.llm import BatchItem, Estimate, Spent, Stop, batch_journal, estimate_batch, run_batch
from mmrole.llm.items import ERROR, OK, Parse, record_key
from textbench.benchmark import opened_journal
from textbench.stage import Asking, StageResult

MOST_REGENERATIONS: Final = 12
REGENERATION_TEMPERATURE: Final = 0.2


def attempts_of(journal: Journal, call_id: str) -> list[Record]:
    """The stored replies to a call, from the first one to the first that could be read."""
    found: list[Record] = []
    for attempt in range(MOST_REGENERATIONS + 1):
        record = journal.get(_key(call_id, attempt))
        if record is None:
            break
        found.append(record)
        if record["status"] in (OK, ERROR):
            break
    return found


def ask_until_read(
    calls: Sequence[BatchItem], asking: Asking, path: Path, *, parse: Parse, most: int = MOST_REGENERATIONS
) -> StageResult:
    """Asks every call until a reply can be read, an error ends it, or it has been asked often enough.

    Args:
        calls: what is asked; the records get the fields ``call`` and ``attempt``
        asking: how
        path: the journal
        parse: reads a reply; any status but ``ok`` has it asked again
        most: regenerations, 0 to 12
    """
    spent, currency = Spent(), None
    stopped: Stop | None = None
    open_calls, reused, new = list(calls), 0, set[str]()
    with batch_journal(path) as journal:
        for attempt in range(most + 1):
            if not open_calls or stopped is not None:
                break
            before = {call.item_id: journal.get(_key(call.item_id, attempt)) for call in open_calls}
            left = None if asking.max_cost is None else max(asking.max_cost - (spent.cost or 0.0), 0.0)
            batch = run_batch(
                [_attempt(call, attempt) for call in open_calls],
                asking.model,
                journal,
                parse=parse,
                cache=asking.cache,
                prices=asking.prices,
                max_cost=left,
                progress=asking.progress,
            )
            spent, stopped, currency = spent + batch.spent, batch.stopped, batch.currency
            records = {call.item_id: journal.get(_key(call.item_id, attempt)) for call in open_calls}
            new |= {name for name, record in records.items() if record is not before[name]}
            open_calls = [call for call in open_calls if _is_unread(records[call.item_id])]
        waiting = {call.item_id for call in open_calls} if stopped is not None else set()
        result = _result(calls, journal, waiting)
        reused = sum(
            1 for call in calls if call.item_id not in new and call.item_id not in waiting and _is_done(journal, call)
        )
    return replace(result, reused=reused, spent=spent, currency=currency, stopped=stopped)


def _result(calls: Sequence[BatchItem], journal: Journal, waiting: set[str]) -> StageResult:
    statuses: Counter[str] = Counter()
    failures: list[Record] = []
    pending = 0
    for call in calls:
        records = attempts_of(journal, call.item_id)
        if not records or call.item_id in waiting:
            pending += 1
            continue
        statuses[records[-1]["status"]] += 1
        if records[-1]["status"] == ERROR:
            failures.append({"item": call.item_id, "round": 0, "reason": records[-1]["reason"]})
    failed = len(failures)
    done = len(calls) - failed - pending
    return StageResult(
        total=len(calls), done=done, failed=failed, pending=pending, reused=0, statuses=statuses, failures=failures
    )


def estimate_first(calls: Sequence[BatchItem], asking: Asking, path: Path, *, parse: Parse) -> Estimate:
    """What the first attempts of `ask_until_read` would take; regenerations come on top. Asks nothing."""
    with opened_journal(path) as journal:
        return estimate_batch(
            [_attempt(call, 0) for call in calls],
            asking.model,
            journal,
            parse=parse,
            cache=asking.cache,
            prices=asking.prices,
        )


def _attempt(call: BatchItem, attempt: int) -> BatchItem:
    request = call.request
    if attempt:
        request = replace(request, parameters=replace(request.parameters, temperature=REGENERATION_TEMPERATURE))
    fields = {**call.fields, "call": call.item_id, "attempt": attempt}
    return BatchItem(item_id=_attempt_id(call.item_id, attempt), request=request, fields=fields)


def _attempt_id(call_id: str, attempt: int) -> str:
    return f"{call_id}~{attempt}"


def _key(call_id: str, attempt: int) -> str:
    return record_key(_attempt_id(call_id, attempt), 0)


def _is_unread(record: Record | None) -> bool:
    return record is None or record["status"] not in (OK, ERROR)


def _is_done(journal: Journal, call: BatchItem) -> bool:
    records = attempts_of(journal, call.item_id)
    return bool(records) and records[-1]["status"] != ERROR
