"""Decisions of a role-playing agent in dilemmas, as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Self

from matplotlib.figure import Figure, FigureBase
from matplotlib.patches import Rectangle

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.plotting.fonts import lettering
from mmrole.plotting.matrix import HATCH
from mmrole.plotting.panels import FAINT, axes_in, blank, fitted
from mmrole.plotting.text_size import widest_in, width_in
from mmrole.plotting.wording import unsigned, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS: Final = ("RF", "RC", "AC", "AF")
"""From the role's side to the other, as they stand in a bar."""

_COLOURS: Final = {"RF": "#0072b2", "RC": "#7fbfe6", "AC": "#f3bc8d", "AF": "#d55e00"}
"""Two hues for the two sides (after Okabe and Ito), light where the reasons weigh both."""
_INK: Final = {"RF": "white", "RC": "black", "AC": "black", "AF": "white"}
_NAME_PT, _TEXT_PT, _TITLE_PT = 9.0, 8.0, 11.0
_EDGE, _GAP, _BAR, _NUMBERS = 0.14, 0.12, 4.6, 1.5
"""Widths in inches: at the edges, beside the bars, of the bars, of the numbers."""
_ROW, _DEEP, _LEGEND, _AXIS = 0.32, 0.22, 0.3, 0.34
"""Heights in inches: from bar to bar, of a bar, of the legend, of the axis."""
_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "decisions", "RF": "RF role-following", "RC": "RC role-compromise", "AC": "AC alignment-compromise",
        "AF": "AF alignment-following", "axis": "share of the decisions", "none": "no decisions",
    },
    "zh": {
        "title": "决定", "RF": "RF 遵从角色", "RC": "RC 角色折中", "AC": "AC 对齐折中", "AF": "AF 遵从对齐", "axis": "占决定的比例",
        "none": "没有决定",
    },
}  # fmt: skip


class DecisionsDisplay:
    """Stacked bars of role-following, role-compromise, alignment-compromise and alignment-following.

    Each bar is 1 long whatever the number of its decisions, which stands beside it with DBR, the length of its blue part. A row
    without decisions is empty, not 0.

    Args:
        counts: name of the row -> decision (RF, RC, AC, AF) -> number, the first row on top
        title: the first line over the picture
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes that were drawn on, once it has been drawn
        figure_: the figure that they are part of

    Raises:
        UsageError: no rows, or a count that is none
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(
        self, counts: Mapping[str, Mapping[str, int]], *, title: str | None = None, lang: Language = "en"
    ) -> None:
        if not counts:
            raise UsageError("there are no decisions to draw")
        for name, row in counts.items():
            if set(row) - set(KINDS) or any(number < 0 for number in row.values()):
                raise UsageError(f"{name}: a row has a number of {', '.join(KINDS)}, not {dict(row)!r}")
        self.counts = {name: {kind: row.get(kind, 0) for kind in KINDS} for name, row in counts.items()}
        self.title = title
        self.lang = lang

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return self._left() + _BAR + _GAP + _NUMBERS + _EDGE, self._top() + _ROW * len(self.counts) + _AXIS

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0, 0, 0, 0)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes to draw on, best of the shape of `size_in`; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words = _WORDS[wording(self.lang).language]
        scale = blank(ax, self.size_in)
        title = words["title"] if self.title is None else self.title
        letters = lettering(title, *self.counts, *words.values())
        style: dict[str, Any] = {"va": "center_baseline", "clip_on": False, **letters.style}
        faint = {**style, "fontsize": _TEXT_PT * scale, "color": FAINT}
        left, top = self._left(), self._top()
        room = self.size_in[0] - 2 * _EDGE
        ax.text(_EDGE, 0.2, letters.shown(fitted(title, _TITLE_PT, room)), fontsize=_TITLE_PT * scale, **style)
        for kind, x, y in self._legend():
            ax.add_patch(Rectangle((x, y - 0.06), 0.14, 0.12, facecolor=_COLOURS[kind], linewidth=0))
            ax.text(x + 0.19, y, words[kind], fontsize=_TEXT_PT * scale, **style)
        for name, x in zip(("DBR", "n"), self._columns(), strict=True):
            ax.text(x, top - 0.02, name, ha="right", **faint)
        for number, (name, row) in enumerate(self.counts.items()):
            y = top + _ROW * (number + 0.5)
            shown = letters.shown(fitted(name, _NAME_PT, left - _EDGE - _GAP + 0.02))
            ax.text(left - _GAP, y, shown, ha="right", fontsize=_NAME_PT * scale, **style)
            self._bar(ax, row, y, scale, style, words)
        self._scale(ax, top + _ROW * len(self.counts), scale, {**faint, "va": "top"}, words["axis"])
        return self

    def _bar(
        self,
        ax: Axes,
        row: Mapping[str, int],
        y: float,
        scale: float,
        style: Mapping[str, Any],
        words: Mapping[str, str],
    ) -> None:
        left, total = self._left(), sum(row.values())
        beside: dict[str, Any] = {**style, "fontsize": _TEXT_PT * scale}
        if not total:
            ax.add_patch(Rectangle((left, y - _DEEP / 2), _BAR, _DEEP, **HATCH))
            ax.text(left + _BAR + _GAP, y, words["none"], color=FAINT, **beside)
            return
        x = left
        for kind in KINDS:
            share = row[kind] / total
            width = share * _BAR
            if width:
                ax.add_patch(
                    Rectangle(
                        (x, y - _DEEP / 2),
                        width,
                        _DEEP,
                        facecolor=_COLOURS[kind],
                        edgecolor="white",
                        linewidth=0.6 * scale,
                    )
                )
            text = unsigned(share)
            if width > width_in(text, _TEXT_PT) + 0.08:
                ax.text(x + width / 2, y, text, ha="center", color=_INK[kind], **beside)
            x += width
        dbr = (row["RF"] + row["RC"]) / total
        for text, x in zip((unsigned(dbr), f"{total:,}"), self._columns(), strict=True):
            ax.text(x, y, text, ha="right", **beside)

    def _scale(self, ax: Axes, y: float, scale: float, faint: Mapping[str, Any], name: str) -> None:
        left = self._left()
        ax.plot([left, left + _BAR], [y, y], color="0.5", linewidth=0.8 * scale, clip_on=False)
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
            x = left + tick * _BAR
            ax.plot([x, x], [y, y + 0.04], color="0.5", linewidth=0.8 * scale, clip_on=False)
            ax.text(x, y + 0.07, f"{tick:g}", ha="center", **faint)
        ax.text(left + _BAR + _GAP, y + 0.07, name, **faint)

    def _columns(self) -> tuple[float, float]:
        """Right ends of the numbers beside the bars: DBR and n."""
        start = self._left() + _BAR + _GAP
        return start + 0.32, start + 0.95

    def _left(self) -> float:
        """Where the bars begin."""
        return _EDGE + min(max(0.6, widest_in(self.counts, _NAME_PT)), 3.2) + _GAP

    def _top(self) -> float:
        """Where the rows begin: under title, legend and the head of the numbers."""
        return self._legend()[-1][2] + _LEGEND

    def _legend(self) -> list[tuple[str, float, float]]:
        """Kind and place of each colour, in as many lines as they need."""
        words = _WORDS[wording(self.lang).language]
        room = self._left() + _BAR + _GAP + _NUMBERS
        out, x, y = [], _EDGE, 0.5
        for kind in KINDS:
            width = width_in(words[kind], _TEXT_PT) + 0.42
            if x > _EDGE and x + width > room:
                x, y = _EDGE, y + 0.2
            out.append((kind, x, y))
            x += width
        return out
