"""Accuracies with their intervals, a bar per method, and the accuracy that guessing would have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from matplotlib.figure import Figure, FigureBase

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score
from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.panels import FAINT, axes_in, heading
from mmrole.plotting.text_size import widest_in
from mmrole.plotting.wording import unsigned, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR: Final = "#7aa6d6"
_LINE: Final = "#1c3f66"
_NAMES_PT, _NUMBERS_PT = 9.0, 8.0
_AXIS_IN, _ROW_IN, _BESIDE_IN, _TOP_IN, _BOTTOM_IN = 4.2, 0.34, 1.95, 0.7, 0.5
_LONGEST: Final = 44
WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "accuracy by method", "legend": "lines: 95 % intervals · dashed: guessing", "axis": "accuracy",
        "none": "no value: {reason}", "told": "share of the text that was told", "time": "accuracy over the text that was told",
        "motivation": "accuracy by motivation and method", "genre": "accuracy by genre and method", "all": "all",
        "cells": "large: accuracy, small: n · –: no decisions", "unread": "{count} unread",
    },
    "zh": {
        "title": "各方法的准确率", "legend": "线段：95 % 区间 · 虚线：随机猜测", "axis": "准确率", "none": "无值：{reason}",
        "told": "所给文本的比例", "time": "准确率随所给文本的变化", "motivation": "各动机类型与方法的准确率",
        "genre": "各体裁与方法的准确率", "all": "全部", "cells": "大字：准确率，小字：n · –：无决定",
        "unread": "{count} 条无法读取",
    },
}  # fmt: skip
"""Words of the pictures of accuracies."""


def chances(scores: Iterable[Score]) -> list[float]:
    """Accuracies that guessing would have: one, unless scores are over items with different numbers of options."""
    return sorted({float(score.details["chance"]) for score in scores if score.details.get("chance") is not None})


class AccuracyDisplay:
    """Accuracies of methods as bars.

    Each bar has its interval as a line, and beside it value, interval and n in figures, and how many replies could not be read. The
    dashed line is chance. A method without a value says why.

    Args:
        scores: method -> accuracy (see `textbench.choices.accuracy`)
        title: the first line over the picture
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of

    Raises:
        UsageError: nothing to draw
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(self, scores: Mapping[str, Score], *, title: str | None = None, lang: Language = "en") -> None:
        if not scores:
            raise UsageError("there are no accuracies to draw")
        self.scores = dict(scores)
        self.title = title
        self.lang = lang

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        left, top, right, bottom = self._margins()
        return left + _AXIS_IN + right, top + _ROW_IN * len(self.scores) + bottom

    def plot_on(self, figure: FigureBase) -> AccuracyDisplay:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, self._margins()))

    def plot(self, ax: Axes | None = None) -> AccuracyDisplay:
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
        names = self._names()
        letters = lettering(*names, *words.values(), self.title or "")
        ax.set(xlim=(0, 1), ylim=(len(names), 0), autoscale_on=False)
        for row, score in enumerate(self.scores.values()):
            self._bar(ax, row + 0.5, score, words, letters.style)
        for chance in chances(self.scores.values()):
            ax.axvline(chance, color="0.3", linewidth=1, linestyle=(0, (4, 3)), zorder=3)
        shown = [letters.shown(name) for name in names]
        ax.set_yticks([row + 0.5 for row in range(len(names))], shown, fontsize=_NAMES_PT, **letters.style)
        ax.set_xlabel(words["axis"], fontsize=9, **letters.style)
        ax.tick_params(axis="x", labelsize=8)
        ax.tick_params(axis="y", length=0)
        for side in ("top", "right", "left"):
            ax.spines[side].set_visible(False)
        heading(ax, words["title"] if self.title is None else self.title, words["legend"], size_pt=11.0)
        return self

    def _bar(self, ax: Axes, y: float, score: Score, words: Mapping[str, str], style: Mapping[str, Any]) -> None:
        beside: dict[str, Any] = {
            "xycoords": ("axes fraction", "data"), "textcoords": "offset points", "fontsize": _NUMBERS_PT, "va": "center",
            "annotation_clip": False, **style,
        }  # fmt: skip
        if score.value is None:
            ax.annotate(words["none"].format(reason=score.reason), (1, y), (8, 0), color=FAINT, **beside)
            return
        ax.barh(y, score.value, height=0.62, color=BAR, linewidth=0, zorder=1)
        said = f"{unsigned(score.value, 3)}"
        if score.ci is not None:
            ax.plot(score.ci, (y, y), color=_LINE, linewidth=2, solid_capstyle="butt", zorder=2)
            said += f" [{unsigned(score.ci[0], 3)}, {unsigned(score.ci[1], 3)}]"
        said += f"  n = {score.n:,}"
        if unread := sum(score.details.get("unread", {}).values()):
            said += f", {words['unread'].format(count=unread)}"
        ax.annotate(said, (1, y), (8, 0), **beside)

    def _names(self) -> list[str]:
        return [one_line(name, _LONGEST) for name in self.scores]

    def _margins(self) -> tuple[float, float, float, float]:
        return 0.25 + widest_in(self._names(), _NAMES_PT), _TOP_IN, _BESIDE_IN + 0.7, _BOTTOM_IN
