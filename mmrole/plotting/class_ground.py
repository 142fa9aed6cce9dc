"""What lies under and below the points of precision and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mmrole.plotting.fonts import Lettering
from mmrole.plotting.label_places import Box
from mmrole.plotting.panels import FAINT
from mmrole.plotting.text_size import width_in
from mmrole.plotting.wording import Wording, unsigned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE: Final = 5.4
"""Side of the square from 0 to 1 in inches."""
NOTE_PT: Final = 8.0
"""Size of the letters of what is said beside the points."""
CORNERS: Final = ((0.985, 0.02, "predicted too often"), (0.015, 0.985, "predicted too rarely"))
"""Recall, precision and meaning of two corners."""
_F1: Final = (0.2, 0.4, 0.6, 0.8)
_F1_PT: Final = 7.0


def draw_ground(ax: Axes, words: Wording, letters: Lettering, scale: float) -> None:
    """Draws what lies under the points: curves of equal F1, the diagonal, and what the corners mean."""
    ticks = np.linspace(0, 1, 6)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(ticks, [f"{tick:.1f}" for tick in ticks], fontsize=8.5 * scale)
    ax.grid(False)
    for f1 in _F1:
        recall = np.linspace(f1 / (2 - f1), 1, 200)
        ax.plot(recall, f1 * recall / (2 * recall - f1), color="0.82", linewidth=0.8 * scale, zorder=1)
        patch: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.8 * scale}
        style: dict[str, Any] = {
            "fontsize": _F1_PT * scale,
            "color": "0.45",
            "ha": "center",
            "va": "center",
            "bbox": patch,
        }
        ax.text(f1, f1, f"F1 {unsigned(f1, 1)}", zorder=1.5, **style)
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=0.8 * scale, linestyle="--", zorder=1)
    for x, y, phrase in CORNERS:
        style = {"ha": "left" if x < 0.5 else "right", "va": "bottom" if y < 0.5 else "top", **letters.style}
        ax.text(x, y, words(phrase), fontsize=NOTE_PT * scale, color=FAINT, zorder=1, **style)


def words_on_ground(words: Wording, scale: float) -> list[Box]:
    """Boxes of the words that `draw_ground` writes, in inches from where recall and precision are 0."""
    unit = SIDE * scale
    boxes = []
    for x, y, phrase in CORNERS:
        width, height = width_in(words(phrase), NOTE_PT * scale), 0.14 * scale
        left, bottom = x * unit - (width if x > 0.5 else 0), y * unit - (height if y > 0.5 else 0)
        boxes.append((left, bottom, left + width, bottom + height))
    half = 0.5 * width_in("F1 .2", _F1_PT * scale), 0.07 * scale
    return boxes + [(f1 * unit - half[0], f1 * unit - half[1], f1 * unit + half[0], f1 * unit + half[1]) for f1 in _F1]


def wrapped(heading: str, names: list[str], room_in: float) -> list[str]:
    """A heading and names in lines that are not wider than the room."""
    lines = [heading]
    for number, name in enumerate(names):
        word = f" {name}{',' if number + 1 < len(names) else ''}"
        if width_in(lines[-1] + word, NOTE_PT) > room_in:
            lines.append("   ")
        lines[-1] += word
    return lines
