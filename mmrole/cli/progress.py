"""Progress of long work on standard error: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_EVERY_S = 15.0


class Counted(Protocol):
    """What a job tells after each item."""

    @property
    def total(self) -> int:
        """Number of items."""

    @property
    def finished(self) -> int:
        """Items that are done or failed."""

    @property
    def failed(self) -> int:
        """Items that failed."""

    @property
    def reused(self) -> int:
        """Items that were stored already."""


class Silent:
    """Shows nothing but lines for people."""

    def show(self, progress: Counted) -> None:
        """Takes the state after an item."""

    def say(self, line: str) -> None:
        """Prints a line for people."""
        print(line, file=sys.stderr, flush=True)


class _Lines(Silent):
    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._began = self._told = time.monotonic()
        self._last: tuple[int | str, ...] = ()
        self._part = ""

    def show(self, progress: Counted) -> None:
        now, part = time.monotonic(), _part(progress)
        if part != self._part:  # another round of work, with a rate of its own
            self._part, self._began = part, now
        if now - self._told < _EVERY_S and progress.finished < progress.total:
            return
        state = (progress.finished, progress.total, progress.failed, progress.reused, part)
        if state == self._last:  # the end is often told more than once
            return
        self._told, self._last = now, state
        rate = _rate(progress, now - self._began)
        left = (progress.total - progress.finished) / rate if rate else 0.0
        self.say(
            f"{progress.finished}/{progress.total} {self._unit}{f' ({part})' if part else ''}, {progress.failed} failed, "
            f"{progress.reused} reused, "
            f"{rate:.2f} a second, {_span(left)} left"
        )


class _Bar(Silent):
    def __init__(self, unit: str, bar: RichProgress) -> None:
        self._bar = bar
        self._unit = unit
        self._task = bar.add_task(unit, total=None, failed=0, rate="")
        self._began = time.monotonic()
        self._part = ""

    def show(self, progress: Counted) -> None:
        part = _part(progress)
        if part != self._part:
            self._part, self._began = part, time.monotonic()
        rate = _rate(progress, time.monotonic() - self._began)
        self._bar.update(
            self._task, total=progress.total, completed=progress.finished, failed=progress.failed, rate=f"{rate:.2f}/s",
            description=f"{self._unit}, {part}" if part else self._unit,
        )  # fmt: skip

    def say(self, line: str) -> None:
        self._bar.console.print(line, highlight=False, markup=False, soft_wrap=True)


def _part(progress: Counted) -> str:
    """Which round of several this is, where a job says it; what is counted begins anew in each."""
    return str(getattr(progress, "part", ""))


def _rate(progress: Counted, seconds: float) -> float:
    """Items a second, without those that were only looked up."""
    return (progress.finished - progress.reused) / seconds if seconds > 0 else 0.0


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


@contextlib.contextmanager
def progress_of(unit: str, *, quiet: bool = False) -> Iterator[Silent]:
    """Shows progress while the block runs.

    Args:
        unit: what is counted, such as ``clips``
        quiet: show no progress, only lines for people
    """
    if quiet:
        yield Silent()
    elif not sys.stderr.isatty():
        yield _Lines(unit)
    else:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        columns: list[Any] = [
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[failed]} failed"),
            TextColumn("{task.fields[rate]}"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
        ]  # fmt: skip
        with Progress(*columns, console=Console(stderr=True)) as bar:
            yield _Bar(unit, bar)
