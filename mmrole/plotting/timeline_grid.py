"""The grid of a timeline: labels from top to bottom, utterances from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.patches import Rectangle

from mmrole.core.labels import INVALID, LabelSet
from mmrole.plotting.fonts import Lettering, lettering, one_line
from mmrole.plotting.panels import FAINT, blank, fitted
from mmrole.plotting.text_size import widest_in
from mmrole.plotting.timeline_turns import TimelineTurn
from mmrole.plotting.wording import Wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TRUTH, _PREDICTION, _MISSING = "#222222", "#d55e00", "#aa0044"
_BANDS: Final = ("#e3f2ec", "#ededed", "#fbe9de", "#e3eef6")
"""Pale colours of the sentiments, in their order."""
_SPEAKERS: Final = ("#3f6aa6", "#9a6a35", "#5f5f5f", "#7a4aa5", "#2f7d6b", "#a6456b", "#7b7a1e", "#26768f")
_STATES: Final = ("ambiguous", "invalid", "no label", "no response")
"""Rows below the labels, where they are needed: of a prediction, of both, of the truth, of a turn."""
_ROW, _SPEAKER = 0.23, 0.22
"""Heights in inches: of a label, of a speaker."""
_EDGE, _GAP, _TOP, _BETWEEN, _BELOW = 0.12, 0.08, 0.76, 0.1, 0.52
_WIDEST, _NARROWEST, _ROOM = 0.32, 0.17, 8.5
"""Of a column, in inches, and how wide all may be before they become narrower."""
_NAME_PT, _SMALL_PT = 9.0, 8.0
_LONGEST: Final = 28
_LEGEND: Final = 2.9
"""Room in inches of the legend where nothing is predicted."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Where everything is, in inches from the left upper corner.

    Attributes:
        turns: the turns in order
        labels: the label set
        words: in a language
        why: reason why nothing is predicted, where nothing is
    """

    turns: tuple[TimelineTurn, ...]
    labels: LabelSet
    words: Wording
    why: str | None = None

    @property
    def unscored(self) -> str | None:
        """What is said where nothing is predicted; None where something is, or where nobody knows why."""
        if self.why is None or any(turn.prediction for turn in self.turns):
            return None
        return self.words("no predictions: {reason}", reason=self.words.reason(self.why))

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The rows below the labels."""
        truth = [code for turn in self.turns for code in turn.truth]
        prediction = [code for turn in self.turns for code in turn.prediction]
        there = (
            any(code < 0 and code != INVALID for code in prediction),
            INVALID in (*truth, *prediction),
            any(code < 0 and code != INVALID for code in truth),
            bool(prediction) and not all(turn.prediction for turn in self.turns if turn.asked),
        )
        return tuple(state for state, is_there in zip(_STATES, there, strict=True) if is_there)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the rows: labels, then states."""
        return (*self.words.labels(self.labels), *(self.words(state) for state in self.states))

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The speakers in the order in which they first speak."""
        return tuple(dict.fromkeys(turn.role for turn in self.turns))

    @cached_property
    def columns(self) -> int:
        """Number of columns."""
        return sum(turn.width for turn in self.turns)

    @cached_property
    def column(self) -> float:
        """Width of a column."""
        return float(np.clip(_ROOM / self.columns, _NARROWEST, _WIDEST))

    @cached_property
    def left(self) -> float:
        """Where the first column begins."""
        shown = [one_line(name, _LONGEST) for name in self.speakers]
        return _EDGE + widest_in([*self.names, *shown], _NAME_PT) + _GAP

    @property
    def right(self) -> float:
        """Where the last column ends."""
        return self.left + self.columns * self.column

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return _TOP + len(self.speakers) * _SPEAKER + _BETWEEN

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.top + len(self.names) * _ROW

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of all."""
        sentiments = self.words.labels(self.labels.upper) if self.labels.upper is not None else ()
        beside = widest_in(sentiments, _SMALL_PT) + _GAP if sentiments else 0.0
        said = 0.0 if self.unscored is None else _LEGEND + widest_in([self.unscored], _SMALL_PT) + _EDGE
        return max(self.right + beside + _EDGE, said, 4.5), self.bottom + _BELOW

    def middle(self, row: int | str) -> float:
        """Height of the middle of a row, by the number of its label or the name of its state."""
        number = len(self.labels) + self.states.index(row) if isinstance(row, str) else row
        return self.top + (number + 0.5) * _ROW

    def height_of(self, code: int, absent: str) -> float:
        """Height of a label's mark.

        Args:
            code: of the label
            absent: the state of one that is not there
        """
        return self.middle(code if code >= 0 else "invalid" if code == INVALID else absent)

    def places(self) -> Iterator[tuple[TimelineTurn, float]]:
        """Each turn with its left end."""
        x = self.left
        for turn in self.turns:
            yield turn, x
            x += turn.width * self.column


def draw_timeline(ax: Axes, grid: Grid, title: str) -> None:
    """Draws all of a timeline.

    Args:
        ax: to draw on
        grid: what and where
        title: the first line
    """
    scale = blank(ax, grid.size_in)
    letters = lettering(title, *grid.names, *grid.speakers, grid.words("utterance"), grid.unscored or "")
    style: dict[str, Any] = {"va": "center_baseline", "clip_on": False, **letters.style}
    ax.text(_EDGE, 0.2, letters.shown(fitted(title, 11, grid.size_in[0] - 2 * _EDGE)), fontsize=11 * scale, **style)
    _draw_legend(ax, grid, style, scale)
    _draw_rows(ax, grid, letters, style, scale)
    right: dict[str, Any] = {"ha": "right", "fontsize": _NAME_PT * scale, **style}
    for number, name in enumerate(grid.names):
        colour = "black" if number < len(grid.labels) else FAINT
        ax.text(grid.left - _GAP, grid.middle(number), letters.shown(name), color=colour, **right)
    for number, name in enumerate(grid.speakers):
        y, colour = _TOP + (number + 0.5) * _SPEAKER, _SPEAKERS[number % len(_SPEAKERS)]
        ax.text(grid.left - _GAP, y, letters.shown(one_line(name, _LONGEST)), color=colour, **right)
        for turn, x in grid.places():
            if turn.role == name:
                bar = (x + 0.02, y - 0.3 * _SPEAKER), turn.width * grid.column - 0.04, 0.6 * _SPEAKER
                ax.add_patch(Rectangle(*bar, facecolor=colour, linewidth=0))
    _draw_marks(ax, grid, scale)
    _draw_numbers(ax, grid, style, scale)


def _draw_legend(ax: Axes, grid: Grid, style: dict[str, Any], scale: float) -> None:
    x, y = _EDGE + 0.06, 0.5
    looks = [("ground truth", _truth(scale), 0.0)]
    if any(turn.prediction for turn in grid.turns):
        looks.append(("predicted", _prediction(scale), 0.0))
    if any(turn.breaks for turn in grid.turns):
        looks.append(("utterances are missing", _break(scale), 0.08))
    for name, look, reach in looks:
        ax.plot([x, x] if reach else [x], [y - reach, y + reach] if reach else [y], clip_on=False, **look)
        ax.text(x + 0.13, y, grid.words(name), fontsize=_SMALL_PT * scale, **style)
        x += 0.5 + widest_in([grid.words(name)], _SMALL_PT)
    if grid.unscored is not None:
        ax.text(x, y, grid.unscored, fontsize=_SMALL_PT * scale, color=FAINT, **style)


def _truth(scale: float) -> dict[str, Any]:
    return {
        "marker": "o",
        "markersize": 5 * scale,
        "color": _TRUTH,
        "linestyle": "none",
        "markeredgewidth": 0,
        "zorder": 5,
    }


def _prediction(scale: float) -> dict[str, Any]:
    return {
        "marker": "D", "markersize": 8 * scale, "markerfacecolor": "white", "markeredgecolor": _PREDICTION, "linestyle": "none",
        "markeredgewidth": 1.5 * scale, "zorder": 4,
    }  # fmt: skip


def _break(scale: float) -> dict[str, Any]:
    return {"color": _MISSING, "linewidth": 1.4 * scale, "linestyle": (0, (2, 1.5)), "zorder": 3}


def _draw_rows(ax: Axes, grid: Grid, letters: Lettering, style: dict[str, Any], scale: float) -> None:
    """Bands of the sentiments, lines between rows and between turns."""
    codes = grid.labels.sentiment_codes or tuple(number % 2 for number in range(len(grid.labels)))
    bands = _BANDS if grid.labels.sentiment_codes else ("#f2f2f2", "white")
    for number, code in enumerate(codes):
        y = grid.top + number * _ROW
        band = (grid.left, y), grid.right - grid.left, _ROW
        ax.add_patch(Rectangle(*band, facecolor=bands[code % len(bands)], linewidth=0, zorder=0))
    for code, run in groupby(range(len(grid.labels)), key=lambda number: codes[number]):
        numbers = list(run)
        if grid.labels.upper is not None:
            name = grid.words.labels(grid.labels.upper)[code]
            y = (grid.middle(numbers[0]) + grid.middle(numbers[-1])) / 2
            ax.text(grid.right + _GAP, y, letters.shown(name), fontsize=_SMALL_PT * scale, color=FAINT, **style)
    for number in range(len(grid.names) + 1):
        whole = number in (0, len(grid.labels), len(grid.names))
        line: dict[str, Any] = {
            "color": "0.3" if whole else "white",
            "linewidth": (0.8 if whole else 1.0) * scale,
            "zorder": 1,
        }
        ax.plot([grid.left, grid.right], [grid.top + number * _ROW] * 2, **line)
    edges = [x for _, x in grid.places()] + [grid.right]
    for x in edges:
        ax.plot([x, x], [grid.top, grid.bottom], color="0.55", linewidth=0.7 * scale, zorder=1)


def _draw_marks(ax: Axes, grid: Grid, scale: float) -> None:
    chain: list[tuple[float, float]] = []
    answered = any(turn.prediction for turn in grid.turns)
    for turn, left in grid.places():
        x = [left + (k + 0.5) * grid.column for k in range(turn.width)]
        for k, code in enumerate(turn.truth):
            if k in turn.breaks:
                _draw_chain(ax, chain, _TRUTH, scale)
                chain = []
                edge = left + k * grid.column
                ax.plot([edge, edge], [_TOP, grid.bottom], **_break(scale))
            if code < 0:
                _draw_chain(ax, chain, _TRUTH, scale)
                chain = []
            else:
                chain.append((x[k], grid.middle(code)))
        ax.plot(x[: len(turn.truth)], [grid.height_of(code, "no label") for code in turn.truth], **_truth(scale))
        heights = [grid.height_of(code, "ambiguous") for code in turn.prediction]
        for chained in _unbroken(turn):
            _draw_chain(ax, [(x[k], heights[k]) for k in chained], _PREDICTION, scale)
        ax.plot(x[: len(heights)], heights, **_prediction(scale))
        if answered and turn.asked and not turn.prediction:
            y = grid.middle("no response")
            end = left + turn.width * grid.column
            ax.plot(
                [left + 0.06, end - 0.06], [y, y], color="0.5", linewidth=2 * scale, solid_capstyle="butt", zorder=3
            )
    _draw_chain(ax, chain, _TRUTH, scale)


def _unbroken(turn: TimelineTurn) -> Iterator[list[int]]:
    """Positions of the response with a label, in runs that follow one another."""
    run: list[int] = []
    for k, code in enumerate(turn.prediction):
        if code < 0 or k in turn.prediction_breaks:
            yield run
            run = []
        if code >= 0:
            run.append(k)
    yield run


def _draw_chain(ax: Axes, points: Sequence[tuple[float, float]], colour: str, scale: float) -> None:
    """A thin line through marks that follow one another."""
    if len(points) > 1:
        x, y = zip(*points, strict=True)
        ax.plot(x, y, color=colour, linewidth=0.9 * scale, alpha=0.6, zorder=2)


def _draw_numbers(ax: Axes, grid: Grid, style: dict[str, Any], scale: float) -> None:
    """Numbers of the ground truth's utterances below the grid."""
    number = 0
    for turn, left in grid.places():
        for k in range(len(turn.truth)):
            number += 1
            x = left + (k + 0.5) * grid.column
            ax.text(x, grid.bottom + 0.12, str(number), ha="center", fontsize=7 * scale, color=FAINT, **style)
    middle = (grid.left + grid.right) / 2
    ax.text(middle, grid.bottom + 0.34, grid.words("utterance"), ha="center", fontsize=_NAME_PT * scale, **style)
