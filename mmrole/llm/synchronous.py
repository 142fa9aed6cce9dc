"""The way from ordinary code into the asynchronous part and back; it also works inside a notebook's running event loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from mmrole.llm.chat import ChatModel, ChatRequest
from mmrole.llm.outcome import ChatReply

T = TypeVar("T")


def run_here(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs a coroutine to its end and returns its result.

    Inside a running event loop the work is done in a thread with a loop of its own, since a loop cannot wait for itself.

    Args:
        work: makes the coroutine
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with _termination_as_interrupt():
            return asyncio.run(work())
    return _run_beside(work)


@contextlib.contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Lets SIGTERM take the way of Ctrl-C, which asyncio turns into an orderly end.

    Only where a handler of Python is set, as the command line does: that one would raise its error in the middle of the loop.
    """
    before = signal.getsignal(signal.SIGTERM)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_beside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    outcome: list[T] = []
    failure: list[BaseException] = []
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    started = threading.Event()

    async def watched() -> T:
        task = asyncio.current_task()
        if task is not None:
            running.append((asyncio.get_running_loop(), task))
        started.set()
        return await work()

    def in_thread() -> None:
        try:
            outcome.append(asyncio.run(watched()))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=in_thread, name="mmrole-llm")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        started.wait()
        for loop, task in running:
            loop.call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def ask(model: ChatModel, request: ChatRequest) -> ChatReply:
    """Asks a model one request and waits for the reply.

    For many requests use `mmrole.llm.batch.run_batch`, which asks them side by side and stores what comes back.

    Raises:
        ModelError: the model cannot answer any request
    """

    async def once() -> ChatReply:
        try:
            return await model.complete(request)
        finally:
            await model.close()

    return run_here(once)
