"""A matrix of annotated cells on Axes: every cell has its text, an empty row is hatched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, Normalize
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from mmrole.plotting.fonts import Lettering, lettering
from mmrole.plotting.text_size import POINTS, widest_in
from mmrole.plotting.wording import Wording, signed, unsigned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Floats = NDArray[np.float64]

EMPTY: Final = "–"
FAINT: Final = "0.35"
"""Colour of words of less weight and of zeros; on white its contrast is 7."""
HATCH: Final[dict[str, Any]] = {"facecolor": "#f3f3f3", "edgecolor": "#cdcdcd", "hatch": "////", "linewidth": 0}
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
    return sum(len(block.columns) for block in blocks) + _GAP * (len(blocks) - 1) + (NOTES_CELLS if notes else 0)


NOTES_CELLS: Final = 1.3
"""Width of the column of notes in cells."""


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
    scale: float = 1.0,
) -> list[list[Text]]:
    """Draws blocks side by side.

    Args:
        ax: to draw on; its cells are square
        blocks: at least one, all of the same rows
        row_names: names of the rows; empty for none
        letters: fonts for the names
        notes: a heading and a text at the right of each row
        scale: of letters that do not grow with the cells

    Returns:
        the texts in the cells, row by row
    """
    rows = len(blocks[0].large)
    width = width_in_cells(blocks, notes=notes is not None)
    ax.set(xlim=(0, width), ylim=(rows, 0), aspect="equal", autoscale_on=False)
    ax.grid(False)
    ax.set_frame_on(False)
    side, largest = cell_pt(ax, width, rows), _LARGEST * scale
    names_pt = min(_NAMES * side, largest - 1)
    texts: list[list[Text]] = [[] for _ in range(rows)]
    places: list[float] = []
    left = 0.0
    for block in blocks:
        for row, more in zip(texts, _draw_block(ax, block, left, side, largest), strict=True):
            row += more
        places += [left + column + 0.5 for column in range(len(block.columns))]
        left += len(block.columns) + _GAP
    names = [name for block in blocks for name in block.columns]
    if notes is not None:
        middle, size = left + NOTES_CELLS / 2, 0.82 * names_pt
        for number, text in enumerate(notes[1]):
            ax.text(
                middle, number + 0.5, text, fontsize=_fitted(text, size, side * NOTES_CELLS), color=FAINT, **_MIDDLE
            )
        ax.annotate(
            letters.shown(notes[0]), (middle, rows), (0, -0.05 * side), textcoords="offset points", ha="center", va="top",
            fontsize=names_pt, annotation_clip=False, **letters.style,
        )  # fmt: skip
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


def colour_bar(ax: Axes, block: Block, ends: tuple[str, str], *, scale: float, words: Wording) -> None:
    """Draws the scale of colours of a block.

    Args:
        ax: to draw on, a flat strip
        block: whose scale it is
        ends: what its low and high end mean; nothing when empty
        scale: of the letters
        words: in a language
    """
    colours, norm = block.scale
    bar = ax.figure.colorbar(ScalarMappable(norm, colours), cax=ax, orientation="horizontal")
    bar.outline.set_linewidth(0.5 * scale)
    ticks = [block.low, 0.0, block.high] if block.low < 0 else [0.0, block.high / 2, block.high]
    digits = 0 if block.high > 1 else 2
    labels = [signed(tick, digits) if block.low < 0 else unsigned(tick, digits) for tick in ticks]
    bar.set_ticks(ticks, labels=labels, fontsize=7.5 * scale)
    names = ax.get_xticklabels()
    names[0].set_horizontalalignment("left")  # not into the bar beside it
    names[-1].set_horizontalalignment("right")
    ax.tick_params(length=2 * scale, pad=1.5 * scale)
    for x, end in ((0.03, ends[0]), (0.97, ends[1])):
        if end:
            letters = lettering(words(end))
            ax.annotate(
                words(end), (x, 0), (0, -11 * scale), xycoords="axes fraction", textcoords="offset points", va="top",
                ha="left" if x < 0.5 else "right", fontsize=7.5 * scale, annotation_clip=False, **letters.style,
            )  # fmt: skip


def _draw_block(ax: Axes, block: Block, left: float, side: float, largest: float) -> list[list[Text]]:
    rows, columns = block.values.shape
    colours, norm = block.scale
    if columns:
        ax.pcolormesh(
            left + np.arange(columns + 1), np.arange(rows + 1), np.ma.masked_invalid(block.values), cmap=colours, norm=norm,
            edgecolors="white", linewidth=min(0.8, 0.03 * side), zorder=1,
        )  # fmt: skip
        frame = Rectangle(
            (left, 0), columns, rows, fill=False, edgecolor="0.75", linewidth=0.7, clip_on=False, zorder=1.5
        )
        ax.add_patch(frame)
    faces = colours(norm(np.nan_to_num(block.values)))
    out: list[list[Text]] = []
    for row in range(rows):
        empty = np.isnan(block.values[row])
        # neighbours together: the hatching of a row does not break at each cell
        edges = np.flatnonzero(np.diff(np.concatenate([[False], empty, [False]]).astype(np.int8)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            ax.add_patch(Rectangle((left + first, row + 0.04), last - first, 0.92, zorder=1, **HATCH))
        out.append([])
        for column in range(columns):
            middle = (left + column + 0.5, row + 0.5)
            colour = "black" if empty[column] else ink(*faces[row, column, :3])
            out[row] += _annotate(ax, block, (row, column), middle, colour, side, largest)
            if block.diagonal and row == column and not empty[column]:
                box = Rectangle(
                    (left + column, row), 1, 1, fill=False, edgecolor="0.2", linewidth=0.03 * side, zorder=2
                )
                ax.add_patch(box)
    return out


def _annotate(
    ax: Axes, block: Block, cell: tuple[int, int], middle: tuple[float, float], colour: str, side: float, largest: float
) -> list[Text]:
    row, column = cell
    large = block.large[row][column]
    small = block.small[row][column] if block.small is not None else ""
    x, y = middle
    size = min(_LARGE * side, largest)
    if large == EMPTY:
        patch = {"facecolor": HATCH["facecolor"], "edgecolor": "none", "pad": 0.02 * side}
        return [ax.text(x, y, large, fontsize=1.3 * size, color="black", bbox=patch, zorder=3, **_MIDDLE)]
    if large == "0" and colour == "black":
        colour = FAINT
    style: dict[str, Any] = {"color": colour, "zorder": 3, **_MIDDLE}
    if not small or large == "0":
        return [ax.text(x, y, large, fontsize=_fitted(large, size, side), **style)]
    closer = size / (_LARGE * side)  # letters do not grow for ever, nor does the room between them
    return [
        ax.text(x, y - 0.15 * closer, large, fontsize=_fitted(large, size, side), **style),
        ax.text(x, y + 0.24 * closer, small, fontsize=_fitted(small, _SMALL / _LARGE * size, side), **style),
    ]


def _fitted(text: str, size_pt: float, room_pt: float) -> float:
    """Size of letters at which a text fits into a cell, at most `size_pt`."""
    width_pt = widest_in([text], size_pt) * POINTS
    return min(1.0, 0.9 * room_pt / width_pt) * size_pt if width_pt else size_pt
