"""Parts of a prosody picture: axes for pitch, spans of time, words in the margin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import NDArray

from extractors.audio.grid import STEP_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

PROBLEM: Final = "#c1121f"
_PITCH_TICKS: Final = (50, 60, 75, 100, 125, 150, 200, 250, 300, 400, 500, 600)


def pitch_axis(ax: Axes, measured: Floats) -> None:
    """Logarithmic axis around what was measured: an octave at least, so that a steady voice looks steady.

    Args:
        ax: its axis is set
        measured: finite values in Hz, at least one
    """
    low, high = float(measured.min()) / 1.12, float(measured.max()) * 1.12
    if high < 2 * low:
        middle = np.sqrt(low * high)
        low, high = middle / np.sqrt(2), middle * np.sqrt(2)
    ax.set_yscale("log")
    ax.set_ylim(low, high)
    ax.yaxis.set_major_locator(FixedLocator([tick for tick in _PITCH_TICKS if low <= tick <= high]))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _position: f"{value:.0f}"))


def volume_axis(ax: Axes, measured: Floats) -> None:
    """Whole tens of decibels around what was measured."""
    ax.set_ylim(np.floor(measured.min() / 10) * 10, np.ceil(measured.max() / 10) * 10 + 1)


def rate_axis(ax: Axes, measured: Floats) -> None:
    """From zero, so that clips compare."""
    ax.set_ylim(0, max(8.0, 1.15 * float(measured.max())))


def shade(ax: Axes, time_s: Floats, where: NDArray[np.bool_], **style: Any) -> None:
    """Shades the frames of a mask from bottom to top, one piece for each run of them.

    Args:
        ax: to draw on
        time_s: (n,) times of the frames of the grid
        where: (n,) which of them
        **style: of the pieces
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], where, [False]]).astype(np.int8)))
    runs = [
        (time_s[first] - STEP_S / 2, (last - first) * STEP_S)
        for first, last in zip(edges[::2], edges[1::2], strict=True)
    ]
    bars = ax.broken_barh(runs, (0, 1), zorder=0, linewidth=0, **style)
    bars.set_transform(ax.get_xaxis_transform())


def write_in_margin(ax: Axes, height: float, text: str, *, colour: str) -> None:
    """Writes at the right of the axes, at a height in its own unit."""
    ax.text(1.012, height, text, transform=ax.get_yaxis_transform(), ha="left", va="center", fontsize=8.5, color=colour)


def write_in_middle(ax: Axes, text: str) -> None:
    """Says in the middle of empty axes why they are empty."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", fontsize=11, color=PROBLEM)
