"""Many requests side by side: items in rounds, from their requests to one record each in a journal.

Each record is on the disk before it counts as done. An item whose record is an error is asked again by the next run, every other
one is left alone as long as its request stays the same. See `mmrole.llm.items` for the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from pathlib import Path

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.journal import Journal
from mmrole.llm.asking import Asker
from mmrole.llm.cache import ReplyCache, request_key
from mmrole.llm.chat import ChatModel
from mmrole.llm.cost import Budget, Prices
from mmrole.llm.estimate import Estimate, estimate_tokens
from mmrole.llm.items import BatchItem, Parse, checked_item, is_stored, record_key
from mmrole.llm.progress import BatchProgress
from mmrole.llm.repair import Repair
from mmrole.llm.result import BatchResult
from mmrole.llm.runner import Runner
from mmrole.llm.synchronous import run_here

MOST_IN_FLIGHT = 256


def batch_journal(path: str | Path) -> Journal:
    """The journal of a run, with the key that `run_batch` needs.

    Raises:
        StoreError: it is damaged
        DiskError: it cannot be opened
    """
    return Journal(Path(path), key="key")


def run_batch(
    items: Iterable[BatchItem],
    model: ChatModel,
    journal: Journal,
    *,
    rounds: int = 1,
    parse: Parse | None = None,
    repair: Repair | None = None,
    cache: ReplyCache | None = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    in_flight: int = MOST_IN_FLIGHT,
    total: int | None = None,
    progress: Callable[[BatchProgress], object] | None = None,
) -> BatchResult:
    """Asks the model every item in every round and stores the records.

    Interrupted (Ctrl-C), it gives up what is in flight, stores what has come back, and raises `KeyboardInterrupt`; the same call
    goes on from there.

    Args:
        items: what to ask; read as needed, so a generator keeps memory small
        model: is asked
        journal: see `batch_journal`; nobody else may write to it meanwhile
        rounds: how often each item is asked, independently
        parse: reads a whole reply of an item; see `mmrole.llm.replies`
        repair: what is said, once, after a reply that `parse` finds unparsed; None for nothing
        cache: gives replies that were paid for before; keeps those that can be read
        prices: see `mmrole.llm.cost.read_prices`
        max_cost: the run ends before it costs more, in the currency of `prices`
        in_flight: at most so many requests at once, 1 to 256; the model may have a lower limit of its own
        total: number of items, for progress, when `items` does not know it
        progress: is told how far the run is, after each time that records were stored

    Returns:
        the counts; the records are in the journal

    Raises:
        UsageError: two items with one id, numbers that make no sense, a cost limit without a price
        DiskError: the journal cannot be written
    """
    if rounds < 1:
        raise UsageError(f"{rounds} rounds make no sense: give 1 or more")
    if not 1 <= in_flight <= MOST_IN_FLIGHT:
        raise UsageError(f"{in_flight} requests in flight make no sense: give 1 to {MOST_IN_FLIGHT}")
    if total is None and isinstance(items, Sized):
        total = len(items)

    async def work() -> BatchResult:
        name = str(model.identity.get("model", "the model"))
        price = prices.of(name) if prices is not None else None
        budget = Budget(max_cost, price, model=name)
        asker = Asker(model, parse=parse, repair=repair, cache=cache, budget=budget, price=price)
        runner = Runner(
            items,
            asker,
            journal,
            rounds=rounds,
            in_flight=min(in_flight, getattr(model, "concurrency", in_flight)),
            total=None if total is None else total * rounds,
            progress=progress,
            currency=prices.currency if prices is not None else None,
        )
        try:
            return await runner.run()
        finally:
            await model.close()

    return run_here(work)


def estimate_batch(
    items: Iterable[BatchItem],
    model: ChatModel,
    journal: Journal | None = None,
    *,
    rounds: int = 1,
    parse: Parse | None = None,
    repair: Repair | None = None,
    cache: ReplyCache | None = None,
    prices: Prices | None = None,
) -> Estimate:
    """What `run_batch` would take with the same arguments; asks nothing.

    Args:
        items: see `run_batch`, as everything else
        model: see there
        journal: None when there is none yet
        rounds: see there
        parse: see there
        repair: see there
        cache: see there
        prices: see there
    """
    name = str(model.identity.get("model", "the model"))
    price = prices.of(name) if prices is not None else None
    asker = Asker(model, parse=parse, repair=repair, cache=cache, budget=Budget(None, None), price=price)
    defaults = model.identity.get("parameters") or {}
    total = stored = cached = calls = prompt = completion = 0
    unlimited = False
    for item in items:
        checked_item(item)
        for number in range(rounds):
            total += 1
            request = item.request.in_round(number)
            before = None if journal is None else journal.get(record_key(item.item_id, number))
            if is_stored(before, asker.request_hash(item, number)):
                stored += 1
            elif cache is not None and cache.get(request_key(model.identity, request)) is not None:
                cached += 1
            else:
                calls += 1
                prompt += estimate_tokens(request)
                limit = request.parameters.max_tokens or defaults.get("max_tokens")
                completion += limit or 0
                unlimited = unlimited or not limit
    return Estimate(
        total=total,
        stored=stored,
        cached=cached,
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=None if unlimited else completion,
        price=price,
        currency=prices.currency if prices is not None else "USD",
    )


def current_records(
    items: Iterable[BatchItem],
    model: ChatModel,
    journal: Journal,
    *,
    rounds: int = 1,
    parse: Parse | None = None,
    repair: Repair | None = None,
) -> Iterator[Record | None]:
    """What `run_batch` with the same arguments has stored: the record of each item in each round, round by round within the item.

    A record that answers another request, because the item or the model has changed since, is none: None stands in its place, as for
    what was not asked.

    Args:
        items: see `run_batch`, as everything else
        model: see there
        journal: see there
        rounds: see there
        parse: see there
        repair: see there
    """
    asker = Asker(model, parse=parse, repair=repair, cache=None, budget=Budget(None, None), price=None)
    for item in items:
        for number in range(rounds):
            record = journal.get(record_key(item.item_id, number))
            yield record if record is not None and record["request"] == asker.request_hash(item, number) else None
