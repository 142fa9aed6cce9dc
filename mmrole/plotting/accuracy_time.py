"""Accuracy over how much of the text was told: one line per method, an interval at each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from matplotlib.figure import Figure, FigureBase
from matplotlib.ticker import PercentFormatter

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score
from mmrole.plotting.accuracy import WORDS, chances
from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.panels import axes_in, heading
from mmrole.plotting.wording import wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS: Final = ("#1f5fa6", "#c05a00", "#00795c", "#a3478f", "#7a6a00", "#4a4a4a")
_MARKS: Final = ("o", "s", "^", "D", "v", "P")
_SIZE_IN: Final = (6.6, 4.6)
_APART: Final = 0.012
_LONGEST: Final = 44
_PER_LINE_IN: Final = 0.2


class AccuracyTimeDisplay:
    """How accuracy changes with the share of the text that the agent was told.

    Every point has its interval: with n = 20 it reaches about 0.2 to each side. Points of different methods stand a little apart.

    Args:
        scores: method -> share of the text (over 0 to 1) -> accuracy
        title: the first line over the picture
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of

    Raises:
        UsageError: nothing to draw, or more methods than marks
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(
        self, scores: Mapping[str, Mapping[float, Score]], *, title: str | None = None, lang: Language = "en"
    ) -> None:
        if not any(scores.values()):
            raise UsageError("there are no accuracies over time to draw: build with --prefixes")
        if len(scores) > len(_MARKS):
            raise UsageError(
                f"a picture over time shows {len(_MARKS)} methods at most, not {len(scores)}: name some with --methods"
            )
        self.scores = {method: dict(sorted(of.items())) for method, of in scores.items()}
        self.title = title
        self.lang = lang

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return _SIZE_IN[0], _SIZE_IN[1] + _PER_LINE_IN * len(self.scores)

    def plot_on(self, figure: FigureBase) -> AccuracyTimeDisplay:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0.7, 0.7, 0.25, 0.75 + _PER_LINE_IN * len(self.scores))))

    def plot(self, ax: Axes | None = None) -> AccuracyTimeDisplay:
        """Draws.

        Args:
            ax: Axes to draw on; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words = WORDS[wording(self.lang).language]
        letters = lettering(*self.scores, *words.values(), self.title or "")
        shares = sorted({share for of in self.scores.values() for share in of})
        ax.set(xlim=(min(shares) - 0.08, 1.08), ylim=(0, 1), autoscale_on=False)
        ax.grid(axis="y", color="0.92", linewidth=0.8)
        ax.set_axisbelow(True)
        for number, (method, of) in enumerate(self.scores.items()):
            self._line(ax, number, letters.shown(one_line(method, _LONGEST)), of)
        for chance in chances(score for of in self.scores.values() for score in of.values()):
            ax.axhline(chance, color="0.3", linewidth=1, linestyle=(0, (4, 3)), zorder=2)
        ax.set_xticks(shares)
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        ax.tick_params(labelsize=8)
        ax.set_xlabel(words["told"], fontsize=9, **letters.style)
        ax.set_ylabel(words["axis"], fontsize=9, **letters.style)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        below = ax.legend(
            loc="upper left", bbox_to_anchor=(0, -0.16), frameon=False, fontsize=8.5, borderaxespad=0, handlelength=2.4
        )
        for text in below.get_texts():
            text.set(**letters.style)
        heading(ax, words["time"] if self.title is None else self.title, words["legend"], size_pt=11.0)
        return self

    def _line(self, ax: Axes, number: int, name: str, of: Mapping[float, Score]) -> None:
        moved = (number - (len(self.scores) - 1) / 2) * _APART
        there = {share: score for share, score in of.items() if score.value is not None}
        style: dict[str, Any] = {"color": _COLOURS[number], "zorder": 3}
        xs: Sequence[float] = [share + moved for share in there]
        values = [score.value for score in there.values() if score.value is not None]
        ns = sorted({score.n for score in there.values()})
        counted = f"n = {ns[0]:,}" if len(ns) == 1 else f"n = {ns[0]:,}–{ns[-1]:,}" if ns else "n = 0"
        ax.plot(
            xs, values, marker=_MARKS[number], markersize=5, linewidth=1.4,
            label=f"{name}  ({counted})", **style,
        )  # fmt: skip
        for x, score in zip(xs, there.values(), strict=True):
            if score.ci is not None:
                ax.plot((x, x), score.ci, linewidth=1.2, alpha=0.75, **style)
