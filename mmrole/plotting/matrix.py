"""A matrix of annotated cells on Axes: every cell has its text, an empty row is hatched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Colormap, Normalize
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from mmrole.plotting.fonts import Lettering
from mmrole.plotting.text_size import POINTS, widest_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Floats = NDArray[np.float64]

EMPTY: Final = "–"
FAINT: Final = "0.35"
"""Colour of words of less weight and of zeros; on white its contrast is 7."""
_HATCH: Final[dict[str, Any]] = {"facecolor": "#f3f3f3", "edgecolor": "#cdcdcd", "hatch": "////", "linewidth": 0}
_GAP: Final = 0.35
"""Between two blocks, in cells."""
_LARGE, _SMALL, _NAMES = 0.29, 0.2, 0.28
"""Size of letters in heights of a cell: of its two texts, and of the names of rows and columns."""
_LARGEST: Final = 10.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """Columns of a matrix with one scale of colours.

    Attributes:
        values: what the colour shows, shape (R, C); NaN where there is nothing
        large: text of each cell, R lists of C
        small: second text of each cell, or None
        columns: names of the columns
        colours: name of the colour map
        low: value at its lower end
        high: value at its upper end
        diagonal: outline the cells of equal row and column
    """

    values: Floats
    large: Sequence[Sequence[str]]
    small: Sequence[Sequence[str]] | None = None
    columns: Sequence[str]
    colours: str = "Blues"
    low: float = 0.0
    high: float = 1.0
    diagonal: bool = False

    @property
    def scale(self) -> tuple[Colormap, Normalize]:
        """Colour map and its range."""
        return mpl.colormaps[self.colours], Normalize(self.low, self.high)


def width_in_cells(blocks: Sequence[Block], *, notes: bool = False) -> float:
    """Width of blocks side by side, with a column of notes when `notes`."""
    return sum(len(block.columns) for block in blocks) + _GAP * (len(blocks) - 1) + (_NOTES if notes else 0)


_NOTES: Final = 1.5


def ink(red: float, green: float, blue: float) -> str:
    """Black or white, whichever is better to read on a colour (WCAG 2, relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "white"


def cell_pt(ax: Axes, columns: float, rows: int) -> float:
    """Side of a square cell in points, on Axes that hold that many."""
    box = ax.get_window_extent()
    return float(min(box.width / columns, box.height / rows)) * POINTS / float(ax.figure.dpi)


def draw_matrix(
    ax: Axes,
    blocks: Sequence[Block],
    *,
    row_names: Sequence[str],
    letters: Lettering,
    notes: tuple[str, Sequence[str]] | None = None,
) -> list[list[Text]]:
    """Draws blocks side by side.

    Args:
        ax: to draw on; its cells are square
        blocks: at least one, all of the same rows
        row_names: names of the rows; empty for none
        letters: fonts for the names
        notes: a heading and a text at the right of each row

    Returns:
        the texts in the cells, row by row
    """
    rows = len(blocks[0].large)
    width = width_in_cells(blocks, notes=notes is not None)
    ax.set(xlim=(0, width), ylim=(rows, 0), aspect="equal", autoscale_on=False)
    ax.grid(False)
    ax.set_frame_on(False)
    side = cell_pt(ax, width, rows)
    names_pt = min(_NAMES * side, _LARGEST - 1)
    texts: list[list[Text]] = [[] for _ in range(rows)]
    places: list[float] = []
    left = 0.0
    for block in blocks:
        for row, more in zip(texts, _draw_block(ax, block, left, side), strict=True):
            row += more
        places += [left + column + 0.5 for column in range(len(block.columns))]
        left += len(block.columns) + _GAP
    names = [name for block in blocks for name in block.columns]
    if notes is not None:
        for row, text in enumerate(notes[1]):
            ax.text(left + _NOTES / 2, row + 0.5, text, fontsize=_SMALL * side * 1.15, color=FAINT, **_MIDDLE)
        places.append(left + _NOTES / 2)
        names.append(notes[0])
    style: dict[str, Any] = {"fontsize": names_pt, **letters.style}
    if not fits(names, names_pt, side):
        style |= {"rotation": 45, "ha": "right", "va": "top", "rotation_mode": "anchor"}
    ax.set_xticks(places, [letters.shown(name) for name in names], **style)
    shown = [letters.shown(name) for name in row_names]
    ax.set_yticks(np.arange(len(shown)) + 0.5, shown, fontsize=names_pt, **letters.style)
    ax.tick_params(length=0, pad=min(3.0, 0.1 * side), left=True, labelleft=True)
    return texts


_MIDDLE: Final[dict[str, Any]] = {"ha": "center", "va": "center_baseline"}


def fits(names: Sequence[str], size_pt: float, side_pt: float) -> bool:
    """Whether names of columns fit side by side."""
    return widest_in(names, size_pt) * POINTS <= 0.96 * side_pt


def names_in(names: Sequence[str], side_pt: float) -> tuple[float, float]:
    """Room in inches that names take: as names of rows (width), and as names of columns (height)."""
    size = min(_NAMES * side_pt, _LARGEST - 1)
    width = widest_in(names, size)
    return width + 0.06, size / POINTS * 1.5 if fits(names, size, side_pt) else 0.71 * (width + size / POINTS) + 0.06


def _draw_block(ax: Axes, block: Block, left: float, side: float) -> list[list[Text]]:
    rows, columns = block.values.shape
    colours, norm = block.scale
    if columns:
        ax.pcolormesh(
            left + np.arange(columns + 1), np.arange(rows + 1), np.ma.masked_invalid(block.values), cmap=colours, norm=norm,
            edgecolors="white", linewidth=min(0.8, 0.03 * side), zorder=1,
        )  # fmt: skip
    faces = colours(norm(np.nan_to_num(block.values)))
    out: list[list[Text]] = []
    for row in range(rows):
        empty = np.isnan(block.values[row])
        # neighbours together: the hatching of a row does not break at each cell
        edges = np.flatnonzero(np.diff(np.concatenate([[False], empty, [False]]).astype(np.int8)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            ax.add_patch(Rectangle((left + first, row + 0.04), last - first, 0.92, zorder=1, **_HATCH))
        out.append([])
        for column in range(columns):
            middle = (left + column + 0.5, row + 0.5)
            colour = "black" if empty[column] else ink(*faces[row, column, :3])
            out[row] += _annotate(ax, block, row, column, middle, colour, side)
            if block.diagonal and row == column and not empty[column]:
                box = Rectangle((left + column, row), 1, 1, fill=False, edgecolor="0.2", linewidth=0.03 * side, zorder=2)
                ax.add_patch(box)
    return out


def _annotate(
    ax: Axes, block: Block, row: int, column: int, middle: tuple[float, float], colour: str, side: float
) -> list[Text]:
    large = block.large[row][column]
    small = block.small[row][column] if block.small is not None else ""
    x, y = middle
    if large == EMPTY:
        patch = {"facecolor": _HATCH["facecolor"], "edgecolor": "none", "pad": 0.02 * side}
        return [ax.text(x, y, large, fontsize=_LARGE * side, color="0.2", bbox=patch, zorder=3, **_MIDDLE)]
    if large == "0" and colour == "black":
        colour = FAINT
    style: dict[str, Any] = {"color": colour, "zorder": 3, **_MIDDLE}
    if not small or large == "0":
        return [ax.text(x, y, large, fontsize=_fitted(large, _LARGE, side), **style)]
    return [
        ax.text(x, y - 0.15, large, fontsize=_fitted(large, _LARGE, side), **style),
        ax.text(x, y + 0.24, small, fontsize=_fitted(small, _SMALL, side), **style),
    ]


def _fitted(text: str, size: float, side: float) -> float:
    """Size of letters in points at which a text fits into a cell.

    Args:
        text: of the cell
        size: of the letters in heights of a cell, where it fits
        side: of the cell in points
    """
    widest = 0.9 / (widest_in([text], 1.0) * POINTS) if text else size
    return min(size, widest) * side if size * side < _LARGEST else min(_LARGEST, widest * side)
