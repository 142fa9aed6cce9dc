"""Parallel work that loses nothing: one outcome for every item, whatever happens to the worker that had it.

`run_tasks` sends items to an `Engine`. An engine is a number of lanes; a lane is a `concurrent.futures.Executor` that
takes its items one after the other, so that when a worker dies it is known which item it had. The next item already
waits in the lane while the results of the last one are stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED as FIRST
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_Queue = deque[tuple[Item, "Future[Result]"]]

_POLL_S = 1.0


@dataclass(frozen=True, kw_only=True)
class Outcome(Generic[Item, Result]):
    """What became of one item: exactly one of `result`, `error` and `crash` is set.

    Attributes:
        result: what the function returned
        error: what the function raised
        crash: in words, how the worker that had the item ended
    """

    item: Item
    result: Result | None = None
    error: Exception | None = None
    crash: str | None = None


class Lane(Protocol):
    """A queue of work that ends up in one executor.

    Attributes:
        depth: how many items may be under way or waiting in it
        ordered: whether items are taken one after the other, so that a dead worker had the oldest one
    """

    depth: int
    ordered: bool

    def executor(self) -> Executor:
        """The executor; a new one after `restart`."""

    def stalled(self) -> str | None:
        """In words, why the item under way must be given up; the worker has been ended then."""

    def lost(self, error: Exception) -> str | None:
        """In words, how the worker was lost, when `error` says that; None when the function itself raised it."""

    def restart(self) -> None:
        """Replaces a broken executor."""

    def close(self) -> None:
        """Ends the workers at once; what was under way is dropped."""


class Engine(Protocol):
    """Where work is done: here, in processes, or on other machines."""

    def lanes(self) -> list[Lane]:
        """New lanes; whoever asks closes them."""


def run_tasks(
    function: Callable[[Item], Result], items: Iterable[Item], engine: Engine
) -> Iterator[Outcome[Item, Result]]:
    """Runs a function over items and yields one outcome for each, as they come.

    Items are drawn as they are needed, so an endless iterable takes no memory. Closing the iterator ends the workers.

    Args:
        function: importable by name in another process
        items: picklable values
        engine: where to run
    """
    source = iter(items)
    lanes = engine.lanes()
    queues: list[_Queue[Item, Result]] = [deque() for _ in lanes]
    try:
        while True:
            _fill(function, source, lanes, queues)
            futures = [future for queue in queues for _, future in queue]
            if not futures:
                return
            wait(futures, timeout=_POLL_S, return_when=FIRST)
            for lane, queue in zip(lanes, queues, strict=True):
                yield from _finished(function, lane, queue)
    finally:
        for lane in lanes:
            lane.close()


def _fill(
    function: Callable[[Item], Result], source: Iterator[Item], lanes: list[Lane], queues: list[_Queue[Item, Result]]
) -> None:
    """Gives every lane its next items: first one each, then the second."""
    for level in range(max(lane.depth for lane in lanes)):
        for lane, queue in zip(lanes, queues, strict=True):
            if level < lane.depth and len(queue) <= level:
                for item in source:
                    queue.append((item, _submit(function, lane, item)))
                    break


def _submit(function: Callable[[Item], Result], lane: Lane, item: Item) -> Future[Result]:
    try:
        return lane.executor().submit(function, item)
    except BrokenExecutor as error:  # the worker died while it was idle: no item is to blame
        lane.restart()
        try:
            return lane.executor().submit(function, item)
        except BrokenExecutor:
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed


def _finished(
    function: Callable[[Item], Result], lane: Lane, queue: _Queue[Item, Result]
) -> Iterator[Outcome[Item, Result]]:
    stalled = None if not queue or queue[0][1].done() else lane.stalled()
    if stalled:
        yield from _give_up(function, lane, queue, stalled)
        return
    for _ in range(len(queue)):
        item, future = queue[0]
        if not future.done():
            if lane.ordered:
                return
            queue.rotate(-1)
            continue
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            queue.popleft()
            yield Outcome(item=item, result=future.result())
        elif not isinstance(error, Exception):
            raise error
        elif isinstance(error, BrokenExecutor | CancelledError):
            yield from _give_up(function, lane, queue, lane.lost(error) or "its worker process died")
            return
        else:
            queue.popleft()
            crash = lane.lost(error)
            yield Outcome(item=item, crash=crash) if crash else Outcome(item=item, error=error)


def _give_up(
    function: Callable[[Item], Result], lane: Lane, queue: _Queue[Item, Result], crash: str
) -> Iterator[Outcome[Item, Result]]:
    """The oldest item is lost with its worker; those that waited behind it go to the next worker."""
    item, _ = queue.popleft()
    waiting = [item for item, _ in queue]
    queue.clear()
    lane.restart()
    queue.extend((later, _submit(function, lane, later)) for later in waiting)
    yield Outcome(item=item, crash=crash)


class SerialEngine:
    """Work in this process, one item at a time: for debugging, and where a crash may end everything."""

    def lanes(self) -> list[Lane]:
        """One lane of depth 1."""
        return [_SerialLane()]


class _SerialLane:
    depth = 1
    ordered = True

    def executor(self) -> Executor:
        return _SerialExecutor()

    def stalled(self) -> str | None:
        return None

    def lost(self, error: Exception) -> str | None:  # noqa: ARG002  nothing is lost without a worker
        return None

    def restart(self) -> None:
        return None

    def close(self) -> None:
        return None


class _SerialExecutor(Executor):
    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # the base class's signature is not expressible
        future = Future()  # type: ignore[var-annotated]
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
