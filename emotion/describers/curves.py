"""The shape of a curve of 20 points, in a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Shape = Literal["steady", "rises", "falls", "rises_then_falls", "falls_then_rises", "varies", "unknown"]

DEFINITION: Final = "describe/speech/v1"
"""Changes whenever other shapes come out of the same curves."""

FEWEST_POINTS: Final = 6
"""Two for each third: fewer say nothing of a shape."""
STEP: Final = 0.5
"""z between two thirds that counts as a change: half a standard deviation, the width of the middle level's half (ours)."""
VARIES: Final = 0.8
"""Mean absolute step between neighbouring points, in z, from which a curve that turns round at every other point or more goes up and
down, whatever its thirds say (ours)."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """What a curve does.

    Attributes:
        shape: see `Shape`; ``unknown`` with fewer than `FEWEST_POINTS` measured points
        pauses: number of gaps between the first measured point and the last
    """

    shape: Shape
    pauses: int


def curve_of(points: Sequence[float | None] | None) -> Curve:
    """The shape of a curve: its thirds against one another, each by its median, so that a single wrong octave changes nothing.

    Args:
        points: z in the order of time, None where not measured

    >>> curve_of([-1.0, -0.9, -0.2, 0.0, 0.8, 1.0]).shape
    'rises'
    """
    known = [] if points is None else [value for value in points if value is not None]
    pauses = _gaps(points or ())
    if len(known) < FEWEST_POINTS:
        return Curve(shape="unknown", pauses=pauses)
    first, middle, last = (float(np.median(part)) for part in np.array_split(np.array(known), 3))
    if _zigzag(np.array(known)):
        shape: Shape = "varies"
    elif middle - max(first, last) >= STEP:
        shape = "rises_then_falls"
    elif min(first, last) - middle >= STEP:
        shape = "falls_then_rises"
    elif last - first >= STEP:
        shape = "rises"
    elif first - last >= STEP:
        shape = "falls"
    else:
        shape = "steady"
    return Curve(shape=shape, pauses=pauses)


def _zigzag(values: NDArray[np.float64]) -> bool:
    steps = np.diff(values)
    turns = int(np.count_nonzero(steps[1:] * steps[:-1] < 0))
    return float(np.mean(np.abs(steps))) >= VARIES and turns >= (len(steps) - 1) / 2


def _gaps(points: Sequence[float | None]) -> int:
    measured = [number for number, value in enumerate(points) if value is not None]
    return sum(1 for before, after in pairwise(measured) if after - before > 1)
