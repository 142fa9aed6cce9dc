"""What is said of a stretch of frames: a finding, when in the clip it holds and how strong it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

When = Literal["throughout", "beginning", "at_first", "middle", "end", "onwards", "at_times"]
WHENS: Final[tuple[When, ...]] = ("throughout", "beginning", "at_first", "middle", "onwards", "end", "at_times")
"""In which order they are told. ``at_first``: until `Finding.end_s`; ``onwards``: from `Finding.onset_s` on."""

THROUGHOUT, NEARLY_ALL = 0.7, 0.9
"""A finding that holds in so large a share of the frames is said to hold throughout (ours); below the second only where it does not
simply begin late or end early."""
SPREAD: Final = 0.6
"""Frames that reach over more than this share of the clip are no part of it (ours): they go on to its end, come from its beginning, or
are ``at_times``."""
FILLED: Final = 0.8
"""What holds in so large a share of the frames between its first and its last goes on without a break (ours)."""
MARGIN: Final = 0.15
"""So near to the beginning or end of the clip, 0 to 1, is at it (ours)."""
FIRST, LAST = 0.38, 0.62
"""Where in the clip, 0 to 1, the middle of a finding has to lie to be in its beginning or its end (ours)."""
SHORTEST_S: Final = 0.3
"""A finding lasts at least so long (ours): two frames at the usual 5 frames a second. A whole blink takes 0.1 to 0.4 s (Schiffman,
Sensation and Perception, 2001), and the lids are down for a part of it: at 5 frames a second it is one frame."""
FEW_FRAMES: Final = 4
"""With fewer frames than this no duration can be asked for: each frame counts."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that can be seen in a clip.

    Attributes:
        code: what it is, a key of the word tables
        when: in which part of the clip
        strong: whether the stronger word is right
        share: share of the frames in which it holds, 0 to 1
        onset_s: when it begins, seconds from the container's start
        end_s: when it was last seen
        peak: its largest value, in the unit of what was measured
        peak_s: when that is
    """

    code: str
    when: When
    strong: bool = False
    share: float = 1.0
    onset_s: float = 0.0
    end_s: float = 0.0
    peak: float | None = None
    peak_s: float | None = None


def finding(
    code: str,
    time_s: NDArray[np.float64],
    active: NDArray[np.bool_],
    strength: NDArray[np.float64] | None = None,
    strong: float = np.inf,
) -> Finding | None:
    """The finding that holds in the active frames; None when it never lasts.

    Args:
        code: what it is
        time_s: (n,) times of the frames in which it could have been seen
        active: (n,) in which of them it is
        strength: (n,) how strongly
        strong: it is called strong where the upper quartile of the active frames reaches this
    """
    if not active.any():  # most are not there, and what follows takes time
        return None
    kept = _lasting(time_s, active)
    if not kept.any():
        return None
    share = float(kept.mean())
    chosen = np.flatnonzero(kept)
    peak = None if strength is None else int(chosen[np.argmax(strength[chosen])])
    return Finding(
        code=code,
        when=_when(time_s, chosen, share),
        strong=strength is not None and bool(np.percentile(strength[chosen], 75) >= strong),
        share=share,
        onset_s=float(time_s[chosen[0]]),
        end_s=float(time_s[chosen[-1]]),
        peak=None if strength is None or peak is None else float(strength[peak]),
        peak_s=None if peak is None else float(time_s[peak]),
    )


def moment(
    code: str, time_s: NDArray[np.float64], place: int, strength: NDArray[np.float64], strong: float = np.inf
) -> Finding:
    """The finding of a single frame.

    Args:
        code: what it is
        time_s: (n,) times of the frames
        place: which frame
        strength: (n,) how strong it is
        strong: from here on with the stronger word
    """
    at, peak = float(time_s[place]), float(strength[place])
    when = _when(time_s, np.array([place]), 0.0)
    return Finding(
        code=code, when=when, strong=peak >= strong, share=1 / len(time_s), onset_s=at, end_s=at, peak=peak, peak_s=at
    )


def interval_s(time_s: NDArray[np.float64]) -> float:
    """The usual time between two frames, 0 where there is only one."""
    return float(np.median(np.diff(time_s))) if len(time_s) > 1 else 0.0


def _lasting(time_s: NDArray[np.float64], active: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The active frames without runs that are too short."""
    if len(active) < FEW_FRAMES:
        return active
    step = interval_s(time_s)
    kept = np.zeros(len(active), np.bool_)
    for first, last in runs(active):
        if time_s[last] - time_s[first] + step >= SHORTEST_S:
            kept[first : last + 1] = True
    return kept


def runs(active: NDArray[np.bool_]) -> Sequence[tuple[int, int]]:
    """First and last position of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], active, [False]))))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def _when(time_s: NDArray[np.float64], chosen: NDArray[np.intp], share: float) -> When:
    if share >= NEARLY_ALL:
        return "throughout"
    begin, length = time_s[0], max(time_s[-1] - time_s[0], 1e-9)
    places = (time_s[chosen] - begin) / length
    if places[-1] - places[0] > SPREAD:
        late, whole = bool(places[0] > MARGIN), bool(places[-1] >= 1 - MARGIN)
        if late == whole and len(chosen) >= FILLED * (chosen[-1] - chosen[0] + 1):
            return "onwards" if late else "at_first"
        return "throughout" if share >= THROUGHOUT else "at_times"
    middle = (places[0] + places[-1]) / 2
    return "beginning" if middle < FIRST else "end" if middle > LAST else "middle"


def swings(values: NDArray[np.float64], least: float) -> int:
    """How often a curve turns round after having gone at least so far; once up and once down is one turn.

    >>> swings(np.array([0.0, 10.0, 0.0, 10.0]), 5.0)
    2
    """
    turns, direction, extreme = 0, 0, float(values[0])
    low = high = extreme
    for value in map(float, values[1:]):
        low, high = min(low, value), max(high, value)
        if direction == 0:
            if value - low >= least or high - value >= least:
                direction = 1 if value - low >= least else -1
                extreme = value
        elif (value - extreme) * direction > 0:
            extreme = value
        elif (extreme - value) * direction >= least:
            turns, direction, extreme = turns + 1, -direction, value
    return turns
