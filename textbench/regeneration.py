"""A judge is asked, and asked again while its reply cannot be read; each reply is kept.

InCharacter, released code: temperature 0 first, 0.2 for at most 12 regenerations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.journal import Journal
from mmrole.llm import (
    BatchItem,
    BatchProgress,
    Estimate,
    ReplyCache,
    Spent,
    Stop,
    batch_journal,
    estimate_batch,
    run_batch,
)
from mmrole.llm.batch import current_records
from mmrole.llm.cache import request_key
from mmrole.llm.items import ERROR, OK, Parse, record_key
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal

MOST_REGENERATIONS: Final = 12
REGENERATION_TEMPERATURE: Final = 0.2


@dataclass(frozen=True, kw_only=True)
class AttemptProgress(BatchProgress):
    """How far one attempt is; the next one is of the calls that could not be read in it.

    Attributes:
        attempt: its number, from 1
        attempts: as many as there will be at most
    """

    attempt: int
    attempts: int

    @property
    def part(self) -> str:
        """What of the work it is, for people; nothing for the first attempt, which may be the only one."""
        return f"attempt {self.attempt} of at most {self.attempts}" if self.attempt > 1 else ""


@dataclass(frozen=True, kw_only=True)
class RepeatedEstimate(Estimate):
    """What the first attempts will take, and what all of them may.

    Attributes:
        regenerations: how often an unreadable reply is asked for again
        at_most: the same when no reply can be read at all
    """

    regenerations: int
    at_most: Estimate

    def __str__(self) -> str:
        most = self.at_most
        words = [f"{most.calls:,} calls, about {most.prompt_tokens:,} prompt tokens"]
        if most.most_cost is not None:
            words.append(f"{most.most_cost:.4f} {most.currency}")
        elif most.least_cost is not None:
            words.append(f"{most.least_cost:.4f} {most.currency} for the prompts alone")
        return (
            f"{super().__str__()}\nwhat cannot be read is asked for again, {self.regenerations} times at most: "
            f"in all at most {', '.join(words)}"
        )


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
    open_calls, new = list(calls), Counter[str]()
    last: dict[str, Record] = {}  # replies to the very request: an answer that changed is another one
    with batch_journal(path) as journal:
        for attempt in range(most + 1):
            if not open_calls or stopped is not None:
                break
            items = [_attempt(call, attempt) for call in open_calls]
            before = list(current_records(items, asking.model, journal, parse=parse))
            batch = run_batch(
                items,
                asking.model,
                journal,
                parse=parse,
                cache=asking.cache,
                prices=asking.prices,
                max_cost=spent.left_of(asking.max_cost),
                progress=_progress(asking.progress, attempt, most),
            )
            spent, stopped, currency = spent + batch.spent, batch.stopped, batch.currency
            still_open = []
            records = current_records(items, asking.model, journal, parse=parse)
            for call, earlier, record in zip(open_calls, before, records, strict=True):
                if record is not None:
                    last[call.item_id] = record
                    new[call.item_id] += record is not earlier
                if _is_unread(record):
                    still_open.append(call)
            open_calls = still_open
        if stopped is None:  # an earlier run may have asked more often
            for call in open_calls:
                last |= _beyond(call, most, asking, journal, parse)
    waiting = {call.item_id for call in open_calls} if stopped is not None else set()
    result = _result(calls, last, waiting)
    reused = sum(not new[name] and name not in waiting and record["status"] != ERROR for name, record in last.items())
    return replace(result, reused=reused, replies=new.total(), spent=spent, currency=currency, stopped=stopped)


def _beyond(call: BatchItem, most: int, asking: Asking, journal: Journal, parse: Parse) -> dict[str, Record]:
    """The last stored attempt after those that were asked for, if there is one."""
    items = [_attempt(call, attempt) for attempt in range(most + 1, MOST_REGENERATIONS + 1)]
    found: dict[str, Record] = {}
    for record in current_records(items, asking.model, journal, parse=parse):
        if record is None:
            break
        found[call.item_id] = record
        if not _is_unread(record):
            break
    return found


def _progress(
    told: Callable[[BatchProgress], object] | None, attempt: int, most: int
) -> Callable[[BatchProgress], object] | None:
    """Progress that says which attempt it is of."""
    if told is None:
        return None

    def tell(progress: BatchProgress) -> None:
        told(AttemptProgress(**_fields_of(progress), attempt=attempt + 1, attempts=most + 1))

    return tell


def _fields_of(record: BatchProgress | Estimate) -> dict[str, Any]:
    return {each.name: getattr(record, each.name) for each in fields(record)}


def _result(calls: Sequence[BatchItem], last: Mapping[str, Record], waiting: set[str]) -> StageResult:
    statuses: Counter[str] = Counter()
    failures: list[Record] = []
    pending = 0
    for call in calls:
        record = last.get(call.item_id)
        pending += record is None or call.item_id in waiting
        if record is None:
            continue
        statuses[record["status"]] += 1
        if record["status"] == ERROR:
            failures.append({"item": call.item_id, "round": 0, "reason": record["reason"]})
    failed = len(failures)
    return StageResult(
        total=len(calls),
        done=len(calls) - failed - pending,
        failed=failed,
        pending=pending,
        reused=0,
        unread=len(waiting & last.keys()),
        statuses=statuses,
        failures=failures,
    )


def require_regenerations(most: int) -> None:
    """Refuses a number of regenerations that is none.

    Raises:
        UsageError: it is not from 0 to 12
    """
    if not 0 <= most <= MOST_REGENERATIONS:
        raise UsageError(f"{most} regenerations make no sense: give 0 to {MOST_REGENERATIONS}")


def estimate_repeated(
    calls: Sequence[BatchItem], asking: Asking, path: Path, *, parse: Parse, most: int = MOST_REGENERATIONS
) -> RepeatedEstimate:
    """What `ask_until_read` with the same arguments would take: its first attempts, and at most all of them. Asks nothing."""
    with opened_journal(path) as journal:
        first = _estimate([_attempt(call, 0) for call in calls], asking, journal, asking.cache, parse)
        ahead = [item for call in calls for item in _ahead(call, asking, journal, parse, most)]
    at_most = _estimate(ahead, asking, None, None, parse)
    return RepeatedEstimate(**_fields_of(first), regenerations=most, at_most=at_most)


def _estimate(
    items: Sequence[BatchItem], asking: Asking, journal: Journal | None, cache: ReplyCache | None, parse: Parse
) -> Estimate:
    return estimate_batch(items, asking.model, journal, parse=parse, cache=cache, prices=asking.prices)


def _ahead(call: BatchItem, asking: Asking, journal: Journal | None, parse: Parse, most: int) -> Iterator[BatchItem]:
    """The attempts at a call that are left when none can be read; a reply in the cache is one that could."""
    for attempt in range(most + 1):
        item = _attempt(call, attempt)
        stored = None if journal is None else next(current_records([item], asking.model, journal, parse=parse))
        if stored is not None and stored["status"] == OK:
            return
        if stored is not None and stored["status"] != ERROR:
            continue
        if asking.cache is not None and asking.cache.get(request_key(asking.model.identity, item.request)) is not None:
            return
        yield item


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
