"""Worker processes, each in a lane of its own: a decoder that crashes or hangs costs its item and nothing else."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import wait as wait_for
from types import ModuleType
from typing import Any

from mmrole.core.parallel import Lane

STALL_S = 180.0
"""A worker that shows no sign of life for so long is ended. Workers show one at every step (see `beat`)."""

_heart: Any = None


def beat() -> None:
    """Shows that the item under way makes progress; costs nothing outside a worker."""
    if _heart is not None:
        _heart[1] = time.monotonic()


class ProcessEngine:
    """Worker processes on this machine.

    Args:
        jobs: number of processes
        stall_s: seconds without a `beat` after which a worker counts as hanging
    """

    def __init__(self, jobs: int, *, stall_s: float = STALL_S) -> None:
        self.jobs = jobs
        self.stall_s = stall_s

    def lanes(self) -> list[Lane]:
        """One lane per process."""
        return [_ProcessLane(self.stall_s) for _ in range(self.jobs)]


class _ProcessLane:
    depth = 2
    ordered = True

    def __init__(self, stall_s: float) -> None:
        self._stall_s = stall_s
        self._executor: ProcessPoolExecutor | None = None
        # spawn: a forked copy of a process with threads (OpenCV, TFLite) may deadlock
        self._context = multiprocessing.get_context("spawn")
        self._heart = self._context.Array("d", 2, lock=False)  # process id, time of the last beat

    def executor(self) -> Executor:
        if self._executor is None:
            self._heart[0] = 0.0
            self._executor = _WorkerPool(1, self._context, initializer=_begin, initargs=(self._heart,))
        self._heart[1] = time.monotonic()  # an idle worker does not beat: the clock starts with the item
        return self._executor

    def stalled(self) -> str | None:
        quiet_s = time.monotonic() - self._heart[1]
        if quiet_s < self._stall_s:
            return None
        self._kill()
        return f"its worker process showed no sign of life for {quiet_s:.0f} s and was ended"

    def lost(self, error: Exception) -> str | None:
        return "its worker process died" if type(error).__name__ == "BrokenProcessPool" else None

    def restart(self) -> None:
        self.close()

    def close(self) -> None:
        if self._executor is not None:
            self._kill()
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _kill(self) -> None:
        process = int(self._heart[0])
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


class _WorkerPool(ProcessPoolExecutor):
    """A pool whose workers do not run the caller's script again.

    A spawned process imports the main module of its parent: a script that calls mmrole without a
    ``if __name__ == "__main__"`` guard would start itself over in every worker.
    """

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # as in the base class
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        # a process inherits what is blocked: Ctrl-C must not hit it before it can say that it does not listen
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(function, *args, **kwargs)  # starts the process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            sys.modules["__main__"] = main


def _begin(heart: Any) -> None:
    """Runs first in each worker."""
    global _heart
    _heart = heart
    heart[:] = [float(os.getpid()), time.monotonic()]
    # Ctrl-C goes to the whole process group; only the parent answers it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
