"""The workers and the writer behind `mmrole.llm.batch.run_batch`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError, UsageError
from mmrole.core.journal import Journal
from mmrole.llm.asking import Asker, OverBudgetError
from mmrole.llm.cost import Spent
from mmrole.llm.items import ERROR, HALFWAY, BatchItem, checked_item, is_stored, record_key
from mmrole.llm.outcome import ErrorKind
from mmrole.llm.progress import BatchProgress, Meter
from mmrole.llm.result import BatchResult, Stop

_BACKLOG = 1024
"""So many records may wait for the disk before no further ones are made."""
_TURN = 64
"""After so many reused records the event loop gets a turn, so that Ctrl-C and progress come through."""
_GRACE_S = 5.0
"""For what is in flight when the model has failed for good."""
_PATIENCE = {ErrorKind.UNREACHABLE: 3, ErrorKind.NO_API: 3, ErrorKind.CONNECTION: 10, ErrorKind.TIMEOUT: 20}
_PATIENCE_OTHERWISE = 100
"""So many errors one after another, with not one reply between them, mean that the rest would fail as well."""


class Runner:
    """One run; its arguments are those of `mmrole.llm.batch.run_batch`.

    Results are handed from the workers to the writer without a wait in between: whatever came back is stored, also when the run is
    interrupted right then.
    """

    def __init__(
        self,
        items: Iterable[BatchItem],
        asker: Asker,
        journal: Journal,
        *,
        rounds: int,
        in_flight: int,
        total: int | None,
        progress: Callable[[BatchProgress], object] | None,
        currency: str | None,
    ) -> None:
        self._jobs = self._each(items, rounds)
        self._asker = asker
        self._journal = journal
        self._in_flight = in_flight
        self._progress = progress
        self._meter = Meter(total, currency)
        self._failures: list[Record] = []
        self._finished: list[Record] = []
        self._handed_over: list[Record] = []
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closing = False
        self._writing = threading.Lock()
        self._stop: Stop | None = None
        self._stopping = asyncio.Event()
        self._errors_in_a_row = 0
        self._last_reason = ""

    def _each(self, items: Iterable[BatchItem], rounds: int) -> Iterator[tuple[BatchItem, int]]:
        seen: set[str] = set()
        for item in items:
            if item.item_id in seen:
                raise UsageError(f"two items have the id {item.item_id!r}: give each its own")
            seen.add(item.item_id)
            checked_item(item)
            for number in range(rounds):
                self._meter.seen += 1
                yield item, number

    async def run(self) -> BatchResult:
        """Runs until everything is asked, or until nothing more can be."""
        writer = asyncio.create_task(self._write())
        workers = [asyncio.create_task(self._work()) for _ in range(self._in_flight)]
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await self._until_done(workers, writer, stopping)
        finally:
            stopping.cancel()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self._closing = True
            self._wake.set()
            await asyncio.gather(writer, return_exceptions=True)
            self._flush()
        for task in (writer, *workers):
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise task.exception() or AssertionError
        return self._result()

    async def _until_done(
        self, workers: list[asyncio.Task[None]], writer: asyncio.Task[None], stopping: asyncio.Task[bool]
    ) -> None:
        running: set[asyncio.Task[None]] = set(workers)
        while running:
            ended, _ = await asyncio.wait(
                {*running, writer, *({stopping} if not stopping.done() else ())}, return_when=asyncio.FIRST_COMPLETED
            )
            if writer in ended or any(task.exception() for task in ended if task is not stopping):
                return
            running -= {task for task in ended if task is not stopping}
            if stopping in ended and self._stop is not None and self._stop.kind == "model":
                await asyncio.wait(running, timeout=_GRACE_S) if running else None
                return

    async def _work(self) -> None:
        reused = 0
        while self._stop is None:
            job = next(self._jobs, None)
            if job is None:
                return
            item, number = job
            request_hash = self._asker.request_hash(item, number)
            before = self._journal.get(record_key(item.item_id, number))
            if before is not None:
                self._meter.spent_before += Spent.from_record(before["spent"])
            if before is not None and is_stored(before, request_hash):
                self._count(before, reused=True)
                reused += 1
                if reused % _TURN == 0:
                    await asyncio.sleep(0)
                continue
            try:
                record = await self._asker.record(item, number, request_hash, before, keep=self._keep)
            except OverBudgetError as error:
                self._end(Stop(kind="max_cost", message=f"{error}: raise it and run again to go on"))
                return
            except ModelError as error:
                self._end(Stop(kind="model", message=str(error)))
                return
            self._keep(record)
            self._notice(record)
            if len(self._finished) >= _BACKLOG:
                self._room.clear()
            await self._room.wait()

    def _keep(self, record: Record) -> None:
        self._finished.append(record)
        self._wake.set()

    def _end(self, stop: Stop) -> None:
        if self._stop is None or stop.kind == "model":
            self._stop = stop
        self._stopping.set()

    async def _write(self) -> None:
        while not self._closing or self._finished:
            await self._wake.wait()
            self._wake.clear()
            if self._finished:
                batch, self._finished = self._finished, []
                self._handed_over = batch
                await asyncio.to_thread(self._append_handed_over)
                self._room.set()
                for record in batch:
                    self._count(record)
                self._tell()

    def _append_handed_over(self) -> None:
        with self._writing:  # the flush below may come while a thread is at it, or before a thread has begun
            if self._handed_over:
                self._journal.append_many(self._handed_over)
                self._handed_over = []

    def _flush(self) -> None:
        """Stores what the writer could not any more, because it was cancelled with everything else."""
        self._append_handed_over()
        self._handed_over, self._finished = self._finished, []
        self._append_handed_over()

    def _tell(self) -> None:
        self._meter.spent = self._asker.spent
        if self._progress is not None:
            self._progress(self._meter.state())

    def _count(self, record: Record, *, reused: bool = False) -> None:
        if record["reason"] == HALFWAY:
            return
        meter = self._meter
        meter.statuses[record["status"]] += 1
        if record["status"] == ERROR:
            meter.failed += 1
            self._failures.append({name: record[name] for name in ("item", "round", "reason")})
        else:
            meter.done += 1
            meter.reused += int(reused)

    def _notice(self, record: Record) -> None:
        """Ends the run when error follows error."""
        if record["status"] != ERROR:
            self._errors_in_a_row = 0
            return
        kind, _, detail = str(record["reason"]).partition(": ")
        self._errors_in_a_row += 1
        self._last_reason = detail or kind
        patience = (
            _PATIENCE.get(ErrorKind(kind), _PATIENCE_OTHERWISE) if kind in set(ErrorKind) else _PATIENCE_OTHERWISE
        )
        if self._errors_in_a_row >= patience:
            many = f"{self._errors_in_a_row} errors one after another, the last: " if patience > 3 else ""
            self._end(Stop(kind="model", message=many + self._last_reason))

    def _hopeless(self) -> bool:
        """Whether everything failed for a reason that is the same for each request; few items do not reach the patience."""
        kinds = {str(failure["reason"]).partition(": ")[0] for failure in self._failures}
        return kinds <= {ErrorKind.UNREACHABLE, ErrorKind.NO_API}

    def _result(self) -> BatchResult:
        meter = self._meter
        if self._stop is None:
            total = meter.seen
        elif meter.total is not None:
            total = max(meter.total, meter.seen)
        else:
            for _ in self._jobs:  # what was not asked is counted all the same
                pass
            total = meter.seen
        self._tell()
        if self._stop is None and not meter.done and self._failures and self._hopeless():
            self._stop = Stop(kind="model", message=self._last_reason)
        return BatchResult(
            total=total,
            done=meter.done,
            failed=meter.failed,
            pending=total - meter.done - meter.failed,
            reused=meter.reused,
            statuses=meter.statuses,
            failures=self._failures,
            spent=meter.spent,
            spent_before=meter.spent_before,
            currency=meter.currency,
            stopped=self._stop,
        )
