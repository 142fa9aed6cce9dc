"""The parts of a radar chart: rings and spokes, outlines, names with numbers, the lines over it.

All are drawn on a sheet whose unit is an inch, y downwards (`mmrole.plotting.panels.blank`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from matplotlib.patches import Circle, Polygon

from mmrole.plotting.fonts import Lettering
from mmrole.plotting.panels import FAINT, fitted
from mmrole.plotting.text_size import POINTS, width_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = npt.NDArray[np.float64]

LONGEST_NAME_IN: Final = 1.75

_GRID: Final = "0.82"
_HALF: Final = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Wheel:
    """Where a radar chart is on its sheet.

    Attributes:
        middle: of the chart, in inches
        radius_in: of the rim
        low: score in the middle
        high: score on the rim
        spokes: a direction per dimension, shape (dimensions, 2)
        scale: how much smaller than its own size it is drawn
    """

    middle: tuple[float, float]
    radius_in: float
    low: float
    high: float
    spokes: FloatArray
    scale: float

    def points(self, values: FloatArray) -> FloatArray:
        """Where scores are on their spokes, shape (dimensions, 2)."""
        reach = (values - self.low) / (self.high - self.low) * self.radius_in
        return np.array(self.middle) + self.spokes * reach[:, None]

    def towards(self, angle: float, distance_in: float) -> tuple[float, float]:
        """A place at an angle from the top, clockwise, and a distance from the middle."""
        return self.middle[0] + math.sin(angle) * distance_in, self.middle[1] - math.cos(angle) * distance_in


def spokes_of(count: int) -> FloatArray:
    """Directions of some spokes, the first upwards, then clockwise, shape (count, 2); y goes down the sheet."""
    angles = 2 * math.pi * np.arange(count) / count
    return np.column_stack([np.sin(angles), -np.cos(angles)])


def draw_rings(ax: Axes, wheel: Wheel) -> None:
    """Rings at each quarter, the midpoint dashed, and the spokes."""
    for share in (0.25, _HALF, 0.75, 1.0):
        half = share == _HALF
        style: dict[str, Any] = {"linestyle": (0, (4, 3))} if half else {}
        ring = Circle(
            wheel.middle, share * wheel.radius_in, fill=False, edgecolor="0.45" if half else _GRID,
            linewidth=(0.9 if half else 0.7) * wheel.scale, zorder=1, **style,
        )  # fmt: skip
        ax.add_patch(ring)
    for x, y in wheel.points(np.full(len(wheel.spokes), wheel.high)):
        ax.plot([wheel.middle[0], x], [wheel.middle[1], y], color=_GRID, linewidth=0.7 * wheel.scale, zorder=1)
    for share in (0.0, _HALF, 1.0):
        at = wheel.towards(math.pi / len(wheel.spokes), share * wheel.radius_in)
        text = f"{wheel.low + share * (wheel.high - wheel.low):g}"
        back = {"facecolor": "white", "edgecolor": "none", "pad": 0.6 * wheel.scale, "alpha": 0.75}
        ax.text(*at, text, fontsize=6.5 * wheel.scale, color=FAINT, ha="center", va="center", zorder=3.5, bbox=back)


def draw_outline(ax: Axes, wheel: Wheel, values: FloatArray, colour: str, hollow: Sequence[bool] | None = None) -> None:
    """Scores joined by lines, open where one is missing.

    Args:
        ax: the sheet
        wheel: the chart
        values: a score per dimension, NaN where there is none
        colour: of lines and marks
        hollow: which marks are open; squares and dashes when given, discs and a full line when None
    """
    points, there = wheel.points(values), ~np.isnan(values)
    line: dict[str, Any] = {"color": colour, "linewidth": 1.6 * wheel.scale, "zorder": 3}
    if hollow is not None:
        line["linestyle"] = (0, (4, 1.6))
    if there.all():
        ax.add_patch(Polygon(points, closed=True, facecolor=colour, edgecolor="none", alpha=0.12, zorder=2))
    for first in range(len(values)):
        pair = [first, (first + 1) % len(values)]
        if there[pair].all():
            ax.plot(points[pair, 0], points[pair, 1], **line)
    for number in np.flatnonzero(there).tolist():
        ax.plot(
            *points[number], marker="o" if hollow is None else "s", markersize=5 * wheel.scale, color=colour, linestyle="none",
            markerfacecolor="white" if hollow is not None and hollow[number] else colour, markeredgewidth=1.2 * wheel.scale,
            zorder=4,
        )  # fmt: skip


def draw_ranges(ax: Axes, wheel: Wheel, runs: FloatArray, colour: str) -> None:
    """A broad line from the smallest to the largest run, shape (dimensions, 2), NaN where there is none."""
    ends = [wheel.points(runs[:, side]) for side in (0, 1)]
    for number in np.flatnonzero(~np.isnan(runs).any(axis=1)).tolist():
        (x, y), (u, v) = ends[0][number], ends[1][number]
        ax.plot([x, u], [y, v], color=colour, linewidth=3.2 * wheel.scale, alpha=0.45, zorder=3)


def draw_names(
    ax: Axes,
    wheel: Wheel,
    names: Sequence[str],
    numbers: Sequence[Sequence[tuple[str, str]]],
    size_pt: float,
    letters: Lettering,
) -> None:
    """Names around the rim, each with its numbers below.

    Args:
        ax: the sheet
        wheel: the chart
        names: of the dimensions
        numbers: for each dimension texts with their colours; empty when there is no room, then names follow their spokes
        size_pt: of the letters
        letters: fonts
    """
    line_in = 1.25 * size_pt / POINTS
    style: dict[str, Any] = {"va": "center_baseline", "zorder": 5, **letters.style}
    for number, name in enumerate(names):
        across, down = (float(part) for part in wheel.spokes[number])
        shown = fitted(letters.shown(name), size_pt, LONGEST_NAME_IN)
        x, y = (wheel.middle[side] + wheel.spokes[number][side] * (wheel.radius_in + 0.13) for side in (0, 1))
        if not numbers:
            turn = math.degrees(math.atan2(-down, across))
            right = across > -1e-9
            ax.text(
                x, y, shown, fontsize=size_pt * wheel.scale, rotation=turn if right else turn + 180, rotation_mode="anchor",
                ha="left" if right else "right", **{**style, "va": "center"},
            )  # fmt: skip
            continue
        side = "center" if abs(across) < 0.15 else "left" if across > 0 else "right"
        top = (
            y + (down - 1) * line_in
        )  # two lines around the end of the spoke: above it at the top, below it at the bottom
        ax.text(x, top + 0.5 * line_in, shown, ha=side, fontsize=size_pt * wheel.scale, **style)
        small = 0.92 * size_pt
        widths = [width_in(text, small) + 0.09 for text, _ in numbers[number]]
        left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[side] * (sum(widths) - 0.09)
        for (text, colour), width in zip(numbers[number], widths, strict=True):
            ax.text(left, top + 1.5 * line_in, text, ha="left", color=colour, fontsize=small * wheel.scale, **style)
            left += width


def draw_head(
    ax: Axes,
    sheet_in: float,
    title: str,
    subtitle: str,
    marks: Sequence[tuple[str, str]],
    notes: str,
    letters: Lettering,
    scale: float,
) -> None:
    """Title, what the colours are, and notes.

    Args:
        ax: the sheet
        sheet_in: of the sheet
        title: the first line
        subtitle: fainter, behind the title
        marks: texts with their colours
        notes: fainter, after the marks or below them
        letters: fonts
        scale: see `Wheel`
    """
    style: dict[str, Any] = {"va": "center_baseline", **letters.style}
    room = sheet_in - 0.16
    second = fitted(subtitle, 8, room / 2)
    first = fitted(title, 10.5, room - (width_in(second, 8) + 0.15 if second else 0))
    ax.text(0.08, 0.17, letters.shown(first), fontsize=10.5 * scale, **style)
    if second:
        after = width_in(first, 10.5) + 0.15 if first else 0
        ax.text(0.08 + after, 0.17, letters.shown(second), color=FAINT, fontsize=8 * scale, **style)
    x, y = 0.08, 0.38
    for text, colour in marks:
        ax.text(x, y, letters.shown(text), color=colour, fontsize=8 * scale, **style)
        x += width_in(text, 8) + 0.15
    if width_in(notes, 7) > sheet_in - x - 0.08:
        x, y = 0.08, y + 0.18
    ax.text(x, y, letters.shown(notes), color=FAINT, fontsize=7 * scale, **style)
