"""The confusion of label sets: one table of two by two for each label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.patches import Rectangle

from mmrole.plotting.fonts import lettering
from mmrole.plotting.matrix import EMPTY, FAINT, HATCH, ink
from mmrole.plotting.panels import blank, fitted
from mmrole.plotting.wording import Wording, unsigned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_CELL: Final = (0.72, 0.4)
"""Width and height of a cell in inches."""
_STEP: Final = (1.92, 1.62)
"""From one table to the next."""
_LEFT, _TOP, _RIGHT, _BOTTOM = 0.62, 1.22, 0.1, 0.45
_ACROSS: Final = 5
_NARROWEST: Final = 4.9
"""Room that the lines over the tables need."""


def tables_size_in(count: int) -> tuple[float, float]:
    """Width and height of the picture in inches.

    Args:
        count: number of labels
    """
    across, down = _grid(count)
    width = _LEFT + (across - 1) * _STEP[0] + 2 * _CELL[0] + _RIGHT
    return max(_NARROWEST, width), _TOP + (down - 1) * _STEP[1] + 2 * _CELL[1] + _BOTTOM


def _grid(count: int) -> tuple[int, int]:
    across = min(count, _ACROSS if count > 8 else 4 if count > 3 else 3)
    return across, math.ceil(count / across)


def draw_tables(
    ax: Axes, counts: npt.NDArray[np.integer[Any]], names: Sequence[str], *, title: str, words: Wording
) -> list[list[Text]]:
    """Draws the tables.

    Args:
        ax: to draw on
        counts: [[TN, FP], [FN, TP]] per label, shape (K, 2, 2)
        names: of the labels
        title: the first line
        words: in a language

    Returns:
        the texts in the four cells of each label: TN, FP, FN, TP
    """
    size = tables_size_in(len(names))
    scale = blank(ax, size)
    letters = lettering(title, *names, words("true"), words("predicted"), words("no"))

    def write(x: float, y: float, text: str, size_pt: float, **style: Any) -> Text:
        style = {"ha": "center", "va": "center_baseline", **letters.style, **style}
        return ax.text(x, y, letters.shown(text), fontsize=size_pt * scale, clip_on=False, **style)

    write(0.08, 0.2, fitted(title, 11, size[0] - 0.2), 11, ha="left")
    legend = (
        words("large: share of the row, small: number"),
        words("yes: among the labels of the response   ·   P: precision, R: recall"),
    )
    for line, text in enumerate(legend):
        write(0.08, 0.43 + 0.19 * line, text, 8.5, ha="left", color=FAINT)
    across, _ = _grid(len(names))
    texts = []
    for number, (name, table) in enumerate(zip(names, counts.tolist(), strict=True)):
        row, column = divmod(number, across)
        x, y = _LEFT + column * _STEP[0], _TOP + row * _STEP[1]
        (_, fp), (fn, tp) = table
        write(x + _CELL[0], y - 0.31, fitted(name, 10, 2 * _CELL[0] + 0.3), 10)
        write(x + _CELL[0], y - 0.12, _quality(tp, fp, fn, words), 7.5, color=FAINT)
        texts.append(_table(ax, write, (x, y), table, scale))
        last = number + across >= len(names)
        for k, word in enumerate(("no", "yes")):
            if column == 0:
                write(x - 0.06, y + (k + 0.5) * _CELL[1], words(word), 8, ha="right")
            if last:
                write(x + (k + 0.5) * _CELL[0], y + 2 * _CELL[1] + 0.11, words(word), 8)
        if column == 0:
            write(x - 0.42, y + _CELL[1], words("true"), 9, rotation=90, va="center")
        if last:
            write(x + _CELL[0], y + 2 * _CELL[1] + 0.28, words("predicted"), 9)
    return texts


def _quality(tp: int, fp: int, fn: int, words: Wording) -> str:
    """Precision, recall and F1 in one line."""
    shares = {"precision": (tp, tp + fp), "recall": (tp, tp + fn), "f1": (2 * tp, 2 * tp + fp + fn)}
    return words(
        "P {precision}  R {recall}  F1 {f1}",
        **{name: unsigned(part / whole if whole else None) for name, (part, whole) in shares.items()},
    )


def _table(ax: Axes, write: Any, corner: tuple[float, float], table: list[list[int]], scale: float) -> list[Text]:
    """Draws one table with its left upper corner at a place."""
    colours = mpl.colormaps["Blues"]
    width, height = _CELL
    texts = []
    for row, cells in enumerate(table):
        total = sum(cells)
        y = corner[1] + row * height
        if not total:
            ax.add_patch(Rectangle((corner[0], y), 2 * width, height, **HATCH))
        for column, number in enumerate(cells):
            x = corner[0] + column * width
            colour = "black"
            if total:
                face = colours(number / total)
                colour = ink(*face[:3])
                ax.add_patch(Rectangle((x, y), width, height, facecolor=face, edgecolor="white", linewidth=0.8 * scale))
            middle = x + width / 2, y + height / 2
            if not total:
                patch = {"facecolor": HATCH["facecolor"], "edgecolor": "none", "pad": 0.6 * scale}
                texts.append(write(*middle, EMPTY, 12, color=colour, bbox=patch))
            elif not number:
                texts.append(write(*middle, "0", 9, color=FAINT if colour == "black" else colour))
            else:
                write(middle[0], middle[1] - 0.06, unsigned(number / total), 9, color=colour)
                texts.append(write(middle[0], middle[1] + 0.1, f"{number:,}", 6.5, color=colour))
    ax.add_patch(Rectangle(corner, 2 * width, 2 * height, fill=False, edgecolor="0.3", linewidth=0.8 * scale))
    return texts
