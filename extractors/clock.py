"""The clock of one stream: it only goes on, whatever the file's time stamps do."""

from __future__ import annotations

_RESET_S = 0.5
"""A step back by more than this is a clock that was set anew, not a frame that comes a little early."""
LONGEST_JUMP_S = 600.0
"""A step ahead by more than this is a damaged time stamp: one wrong number would stand for hours of nothing."""


class Clock:
    """Turns time stamps into times of the clip.

    Where the stamps start anew (files put one behind the other, a recorder that was restarted) or jump beyond belief, the
    stream goes on without a break, and later stamps count from there, unless they come back to the clock of before.

    Args:
        begin_s: where the stream is expected to begin
    """

    def __init__(self, begin_s: float = 0.0) -> None:
        self._begin_s = begin_s
        self._shift_s = 0.0

    def read(self, stamp_s: float, reached_s: float | None, step_s: float) -> tuple[float, bool]:
        """The time of a frame, and whether its stamp was overruled.

        Args:
            stamp_s: what the file says
            reached_s: the time at which the stream has arrived, None before its first frame
            step_s: how long a frame lasts, about

        Returns:
            the time in seconds, and whether it is not what the file says on the clock that it kept so far
        """
        slack_s = max(_RESET_S, 2 * step_s)
        if reached_s is None:
            moved = stamp_s - self._begin_s > LONGEST_JUMP_S
            self._shift_s = self._begin_s - stamp_s if moved else 0.0
            return stamp_s + self._shift_s, moved
        if self._shift_s and abs(stamp_s - reached_s) <= slack_s:
            self._shift_s = 0.0
        time_s = stamp_s + self._shift_s
        if reached_s - slack_s <= time_s <= reached_s + LONGEST_JUMP_S:
            return time_s, False
        self._shift_s = reached_s - stamp_s
        return reached_s, True
