"""Scores with their intervals, of one run or of several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from matplotlib.figure import Figure, FigureBase
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from emotion.report import ScoreReport
from emotion.score_folder import ScoreFolder
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score
from mmrole.plotting.fonts import Lettering, lettering
from mmrole.plotting.panels import FAINT, axes_in, blank, fitted, inset
from mmrole.plotting.score_marks import LINE, draw_score, look
from mmrole.plotting.score_rows import Group, groups, short_names
from mmrole.plotting.text_size import widest_in
from mmrole.plotting.wording import Wording, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DIRECTIONS: Final = {"up": "more is better", "down": "less is better", "zero": "nearest to 0 is best"}
_NAME_PT, _TEXT_PT = 9.0, 8.0
_BETWEEN, _HEAD, _TICKS = 0.08, 0.32, 0.26
"""Heights in inches: between two rows, of the name of a metric, of the numbers below its axis."""
_EDGE, _AXIS, _GAP, _NUMBERS = 0.12, 3.4, 0.12, 2.3
"""Widths in inches: at the left and right, of the axes, beside them, of the numbers in words."""
_NOTES: Final = (
    "‡ the definitions differ between the runs",
    "† biased under resampling: the interval need not hold the value",
)


class ScoresDisplay:
    """Scores with their intervals: a point for the value, a line for the interval, the numbers beside them.

    Each metric has an axis from its smallest to its largest possible value, and says what is better. A score without a value is
    an empty, shaded line with the reason. EDD and RCD are biased under resampling: their interval need not hold the value.

    Args:
        runs: name of a run -> its scores
        metrics: only these metrics; all when None
        title: the first line over the picture; nothing when None
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes that were drawn on, once it has been drawn
        axes_: the Axes of each metric
        figure_: the figure that they are part of

    Raises:
        UsageError: nothing to draw
    """

    ax_: Axes
    axes_: list[Axes]
    figure_: FigureBase

    def __init__(
        self,
        runs: Mapping[str, Sequence[Score]],
        *,
        metrics: Sequence[str] | None = None,
        title: str | None = None,
        lang: Language = "en",
    ) -> None:
        self.runs = {name: list(scores) for name, scores in runs.items()}
        self.groups = groups(self.runs, metrics=metrics)
        if not self.groups:
            there = sorted({score.metric for scores in self.runs.values() for score in scores})
            raise UsageError(
                f"there are no scores to draw: {'the metrics are ' + ', '.join(there) if there else 'no run'}"
            )
        self.title = title
        self.lang = lang

    @classmethod
    def from_reports(
        cls,
        reports: Mapping[str, ScoreReport],
        *,
        metrics: Sequence[str] | None = None,
        title: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """What `mmrole.score` gave.

        Args:
            reports: name of a run -> its report
            metrics: see the class
            title: see the class
            lang: see the class
        """
        runs = {name: report.scores for name, report in reports.items()}
        return cls(runs, metrics=metrics, title=title, lang=lang)

    @classmethod
    def from_folders(
        cls,
        folders: Sequence[ScoreFolder],
        *,
        metrics: Sequence[str] | None = None,
        title: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """Folders of scores side by side, each by its name; where two have the same name, by as much of the path as it needs.

        Args:
            folders: what `emotion.score_folder.read_score_folder` gave
            metrics: see the class
            title: see the class
            lang: see the class

        Raises:
            UsageError: nothing to draw, or a folder is there twice
        """
        names = short_names([str(folder.folder) for folder in folders])
        runs = {name: folder.scores for name, folder in zip(names, folders, strict=True)}
        return cls(runs, metrics=metrics, title=title, lang=lang)

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        heights = [self._height(group) for group in self.groups]
        return self._left() + _AXIS + _GAP + _NUMBERS + _EDGE, self._top() + sum(heights) + 0.06 + 0.18 * len(
            self._notes()
        )

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0, 0, 0, 0)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes that are divided among the metrics, best of the shape of `size_in`; those of a new figure when None

        Returns:
            itself, with `ax_`, `axes_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words, size = wording(self.lang), self.size_in
        scale = blank(ax, size)
        letters = lettering(
            self.title or "", *self.runs, *(row.name for group in self.groups for row in group.rows), words(_NOTES[0])
        )
        style: dict[str, Any] = {"va": "center_baseline", "clip_on": False, **letters.style}
        if self.title is not None:
            ax.text(
                _EDGE, 0.2, letters.shown(fitted(self.title, 11, size[0] - 2 * _EDGE)), fontsize=11 * scale, **style
            )
        for number, (name, x, y) in enumerate(self._legend()):
            ax.plot([x], [y], markersize=5.5 * scale, **look(number), clip_on=False)
            ax.text(x + 0.1, y, letters.shown(name), fontsize=_TEXT_PT * scale, **style)
        self.axes_ = []
        y = self._top()
        for group in self.groups:
            ax.text(_EDGE, y + 0.17, f"{words(group.name)}{' †' if group.biased else ''}", fontsize=10 * scale, **style)
            beside, unit = self._left() + _AXIS, words("n: {unit}", unit=words(group.unit))
            faint: dict[str, Any] = {**style, "fontsize": _TEXT_PT * scale, "color": FAINT}
            ax.text(beside, y + 0.17, words(_DIRECTIONS[group.direction]), ha="right", **faint)
            ax.text(beside + _GAP, y + 0.17, unit, **faint)
            self._group(ax, group, y + _HEAD, words, letters, scale)
            y += self._height(group)
        for number, note in enumerate(self._notes()):
            ax.text(_EDGE, y + 0.1 + 0.18 * number, words(note), fontsize=_TEXT_PT * scale, color=FAINT, **style)
        return self

    def _group(self, ax: Axes, group: Group, top: float, words: Wording, letters: Lettering, scale: float) -> None:
        left, height = self._left(), self._height(group) - _HEAD - _TICKS
        panel = inset(ax, self.size_in, (left, top, left + _AXIS, top + height))
        low, high = group.limits
        panel.set(xlim=(low, high), ylim=(height, 0), yticks=[], autoscale_on=False)
        panel.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        panel.tick_params(axis="x", labelsize=7.5 * scale, length=2.5 * scale, pad=2 * scale)
        panel.grid(visible=False)
        for name in ("top", "left", "right"):
            panel.spines[name].set_visible(False)
        if low < 0 < high:
            panel.axvline(0, color="0.6", linewidth=0.8 * scale, zorder=1)
        y = _BETWEEN / 2
        for number, row in enumerate(group.rows):
            depth = len(self.runs) * LINE
            if number % 2 == 0:
                band = (0.0, top + y - _BETWEEN / 2), self.size_in[0], depth + _BETWEEN
                ax.add_patch(Rectangle(*band, facecolor="0.965", linewidth=0, zorder=-1))
            name = f"{words(row.name)}{' ‡' if row.differs else ''}"
            style: dict[str, Any] = {
                "fontsize": _NAME_PT * scale,
                "va": "center_baseline",
                "clip_on": False,
                **letters.style,
            }
            ax.text(left - _GAP, top + y + depth / 2, letters.shown(name), ha="right", **style)
            for run, score in enumerate(row.scores):
                middle = y + (run + 0.5) * LINE
                said = draw_score(panel, score, run, middle, group.limits, words, scale)
                ax.text(
                    left + _AXIS + _GAP, top + middle, said, fontsize=_TEXT_PT * scale, va="center_baseline",
                    color="black" if score is not None and score.value is not None else FAINT, clip_on=False, **letters.style,
                )  # fmt: skip
            y += depth + _BETWEEN
        panel.set_facecolor("none")
        self.axes_.append(panel)

    def _notes(self) -> list[str]:
        """What the marks in the picture mean."""
        differs = any(row.differs for group in self.groups for row in group.rows)
        marks = differs, any(group.biased for group in self.groups)
        return [note for note, there in zip(_NOTES, marks, strict=True) if there]

    def _height(self, group: Group) -> float:
        return _HEAD + len(group.rows) * (len(self.runs) * LINE + _BETWEEN) + _TICKS

    def _left(self) -> float:
        """Where the axes begin."""
        words = wording(self.lang)
        names = [f"{words(row.name)} ‡" for group in self.groups for row in group.rows]
        return _EDGE + max(0.8, widest_in(names, _NAME_PT)) + _GAP

    def _top(self) -> float:
        """Where the first metric begins: under title and legend."""
        lines = self._legend()
        return (0.36 if self.title is not None else 0.06) + (lines[-1][2] - lines[0][2] + 0.24 if lines else 0.0)

    def _legend(self) -> list[tuple[str, float, float]]:
        """Name and place of each run, in as many lines as they need; nothing for a single run without a name."""
        room = self._left() + _AXIS + _GAP + _NUMBERS
        if len(self.runs) == 1 and not next(iter(self.runs)):
            return []
        out = []
        x, y = _EDGE + 0.06, 0.5 if self.title is not None else 0.18
        for name in self.runs:
            shown = fitted(name, _TEXT_PT, room - 0.4)
            width = widest_in([shown], _TEXT_PT) + 0.4
            if x > _EDGE + 0.06 and x + width > room:
                x, y = _EDGE + 0.06, y + 0.2
            out.append((shown, x, y))
            x += width
        return out
