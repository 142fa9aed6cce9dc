"""Places for the names of points in a scatter plot, so that they cover neither points nor one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

_DIRECTIONS: Final = 16
_DISTANCES: Final = (1.0, 1.6, 2.4, 3.4, 4.6, 6.0, 8.0)
"""From a point to its name, in heights of a line."""
_OVERLAP, _CROSSING, _POINT, _PASSING = 60.0, 12.0, 25.0, 8.0
"""Costs: of an overlap of two names, of a line through a name, of a point under a name, of a line that passes another point."""
_ROUNDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a name goes.

    Attributes:
        middle: its middle
        far: whether a line has to lead from the point to it
    """

    middle: tuple[float, float]
    far: bool


def places(points: Floats, widths: Sequence[float], height: float, area: Box, taken: Sequence[Box] = ()) -> list[Place]:
    """Chooses a place for each name, one after another, and then again, now that the others are known.

    Args:
        points: shape (n, 2)
        widths: of the names
        height: of a line of letters
        area: where names may be
        taken: boxes of other words

    Returns:
        a place for each point, the same for the same input
    """
    count = len(points)
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) if count else np.zeros((0, 0))
    crowd = (apart < 5 * height).sum(axis=1)
    order = sorted(range(count), key=lambda number: (-int(crowd[number]), number))
    boxes = np.full((count, 4), np.nan)  # NaN overlaps nothing
    ends = np.full((count, 2), np.nan)
    chosen: dict[int, Place] = {}
    fixed = np.array(taken, dtype=np.float64).reshape(-1, 4)
    for _ in range(_ROUNDS):
        for number in order:
            boxes[number], ends[number] = np.nan, np.nan
            others = np.concatenate([boxes, fixed])
            distances, middles = _candidates(points[number], widths[number], height)
            tried = _boxes(middles, widths[number], height)
            inside = (tried[:, :2] >= area[:2]).all(axis=1) & (tried[:, 2:] <= area[2:]).all(axis=1)
            cost = distances + np.where(inside, 0.0, 1e6)  # an area that is too small still gives a place
            cost += _of_overlaps(tried, others, height) + _POINT * _points_in(tried, points, height).sum(axis=1)
            far = distances > _DISTANCES[0]
            start = np.broadcast_to(points[number], middles.shape)
            through = _crossings(start, middles, others).sum(axis=1) * _CROSSING
            passing = (_points_near(points[number], middles, points, 0.5 * height).sum(axis=1) - 1) * _PASSING
            cost += np.where(far, through + passing, 0.0) + _crossings(points, ends, tried).sum(axis=0) * _CROSSING
            best = int(np.argmin(cost))
            x, y = (float(value) for value in middles[best])
            chosen[number] = Place(middle=(x, y), far=bool(far[best]))
            boxes[number] = tried[best]
            if far[best]:
                ends[number] = middles[best]
    return [chosen[number] for number in range(count)]


def _candidates(point: Floats, width: float, height: float) -> tuple[Floats, Floats]:
    """Distances (m,) and middles (m, 2) to try: nearer ones first, of these right and left first."""
    order = sorted(range(_DIRECTIONS), key=lambda k: (round(abs(math.sin(2 * math.pi * k / _DIRECTIONS)), 9), k))
    angles = 2 * math.pi * np.array(order) / _DIRECTIONS
    distances = np.repeat(_DISTANCES, _DIRECTIONS)
    across, up = np.tile(np.cos(angles), len(_DISTANCES)), np.tile(np.sin(angles), len(_DISTANCES))
    reach = np.column_stack([across * (0.5 * width + 0.8 * height * distances), up * 0.95 * height * distances])
    return distances, point + reach


def _boxes(middles: Floats, width: float, height: float) -> Floats:
    half = np.array([width, height]) / 2
    return np.concatenate([middles - half, middles + half], axis=1)


def _of_overlaps(tried: Floats, others: Floats, height: float) -> Floats:
    """Cost of the overlaps of each box (m, 4) with others (n, 4), shape (m,)."""
    low = np.maximum(tried[:, None, :2], others[None, :, :2])
    sides = np.minimum(tried[:, None, 2:], others[None, :, 2:]) - low
    there = (sides > 0).all(axis=2)
    area = np.where(there, sides.prod(axis=2), 0.0)
    cost: Floats = _OVERLAP * (there + area / height**2).sum(axis=1)
    return cost


def _points_in(tried: Floats, points: Floats, height: float) -> NDArray[np.bool_]:
    """Whether each box (m, 4) covers each point (n, 2) or nearly, shape (m, n)."""
    around = 0.35 * height
    low, high = tried[:, None, :2] - around, tried[:, None, 2:] + around
    return np.asarray(((points > low) & (points < high)).all(axis=2))


def _points_near(start: Floats, ends: Floats, points: Floats, reach: float) -> NDArray[np.bool_]:
    """Whether each line from a point to an end (m, 2) passes each point (n, 2) nearer than a distance, shape (m, n)."""
    line = ends - start
    along = ((points - start)[None] * line[:, None]).sum(axis=2) / (line**2).sum(axis=1)[:, None]
    nearest = start + np.clip(along, 0, 1)[:, :, None] * line[:, None]
    return np.asarray(np.hypot(*(points - nearest).transpose(2, 0, 1)) < reach)


def _crossings(starts: Floats, ends: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Whether each straight line (m, 2 and m, 2) goes through each box (n, 4), shape (m, n); Liang and Barsky's clipping."""
    step = (ends - starts)[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = ((boxes[None, :, side] - starts[:, None, :]) / step for side in (slice(0, 2), slice(2, 4)))
        low, high = np.minimum(first, second).max(axis=2), np.maximum(first, second).min(axis=2)
        return np.asarray(np.maximum(low, 0) < np.minimum(high, 1))
