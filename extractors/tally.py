"""What a pass over a file saw of one of its streams."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(kw_only=True)
class StreamTally:
    """What a pass saw of one stream.

    Attributes:
        frames: frames handed out
        errors_s: times of the packets or frames that did not decode, or of the frame before where they have none
        dropped_s: times of the pictures that were dropped because they were built on broken data
        repaired_s: times of the frames that had no usable time stamp
        resized_s: times of the pictures that were brought to the size of the first
        first_s: time of the first frame, None when there was none
        last_s: time of the last frame
        end_s: end of the last frame
        intervals_s: times between neighbouring pictures
    """

    frames: int = 0
    errors_s: list[float] = field(default_factory=list)
    dropped_s: list[float] = field(default_factory=list)
    repaired_s: list[float] = field(default_factory=list)
    resized_s: list[float] = field(default_factory=list)
    first_s: float | None = None
    last_s: float | None = None
    end_s: float | None = None
    intervals_s: list[float] = field(default_factory=list)

    @property
    def broken_s(self) -> list[float]:
        """Times of all that did not decode, or was dropped; empty when all is well."""
        return self.errors_s + self.dropped_s

    def saw(self, time_s: float, duration_s: float, *, decoded: bool = True) -> None:
        """Counts one frame; one that was spared the decoder counts for the stretch only."""
        self.frames += decoded
        self.first_s = time_s if self.first_s is None else min(self.first_s, time_s)
        # the others end where the next one begins, whatever duration the file gives them
        if self.last_s is None or time_s >= self.last_s:
            self.last_s, self.end_s = time_s, time_s + duration_s

    def failed(self, time_s: float | None) -> None:
        """Counts what did not decode."""
        self.errors_s.append(time_s if time_s is not None else self.last_s if self.last_s is not None else 0.0)

    def variable(self) -> bool:
        """Whether the frame rate varies: more than 2 % of the intervals are off their median by more than a quarter.

        Two more are allowed: where a file was cut, pictures between the last ones are missing.
        """
        if len(self.intervals_s) < 3:
            return False
        middle = sorted(self.intervals_s)[len(self.intervals_s) // 2]
        off = sum(abs(interval - middle) > 0.25 * middle + 0.002 for interval in self.intervals_s)
        return off > 2 + 0.02 * len(self.intervals_s)
