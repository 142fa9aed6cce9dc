"""Role consistency by episode, under several conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from matplotlib.figure import Figure, FigureBase

from emotion.glossary import METRICS
from emotion.metrics.rc import ASPECTS
from emotion.metrics.rc_episodes import EpisodeScore, episode_order, episode_score_of
from emotion.score_folder import BY_EPISODE, ScoreFolder
from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score
from mmrole.plotting.fonts import Lettering, lettering
from mmrole.plotting.panels import FAINT, axes_in, blank, fitted, inset
from mmrole.plotting.score_marks import look
from mmrole.plotting.score_rows import short_names
from mmrole.plotting.text_size import widest_in
from mmrole.plotting.wording import Wording, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOW, _HIGH = 1.0, 5.0
_STEP, _NARROWEST, _WIDEST = 0.55, 3.2, 14.0
"""Inches across: of an episode, of the axes at least and at most."""
_PANEL, _BETWEEN, _HEAD, _FOOT = 1.5, 0.2, 0.28, 0.52
"""Inches down: of the axes of an aspect, between two, of an aspect's name, of the names of the episodes."""
_EDGE, _LEFT = 0.12, 0.5
_NAME_PT, _TEXT_PT = 10.0, 8.0
_DODGE: Final = 0.5
"""Share of an episode's width over which the runs stand side by side."""


class EpisodesDisplay:
    """Role consistency by episode: one panel per aspect, one line per run, a bar for each interval.

    A line ends where an episode has no score and begins anew at the next. The axis is that of all possible scores, 1 to 5.

    Args:
        runs: name of a run, such as a condition -> its scores (see `emotion.metrics.rc_episodes.rc_by_episode`)
        show: only this show; all shows together when None
        title: the first line over the picture; nothing when None
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes that were drawn on, once it has been drawn
        axes_: the Axes of each aspect
        figure_: the figure that they are part of

    Raises:
        UsageError: nothing to draw, or no such show
    """

    ax_: Axes
    axes_: list[Axes]
    figure_: FigureBase

    def __init__(
        self,
        runs: Mapping[str, Sequence[EpisodeScore]],
        *,
        show: str | None = None,
        title: str | None = None,
        lang: Language = "en",
    ) -> None:
        rows = [row for of_run in runs.values() for row in of_run]
        shows = {row.show for row in rows}
        if show is not None and show not in shows:
            known = ", ".join(sorted(name for name in shows if name is not None)) or "only all shows together"
            raise UsageError(f"there is no show {show!r} in the scores by episode; there are {known}")
        self.runs = {
            name: {(row.score.metric, row.episode): row.score for row in of_run if row.show == show}
            for name, of_run in runs.items()
        }
        there = [key for scores in self.runs.values() for key in scores]
        if not there:
            raise UsageError("there is no score by episode to draw")
        self.aspects = [aspect for aspect in ASPECTS if any(key[0] == aspect for key in there)]
        self.episodes = sorted({episode for _, episode in there}, key=episode_order)
        self.title = title
        self.lang = lang

    @classmethod
    def from_folders(
        cls,
        folders: Sequence[ScoreFolder],
        *,
        show: str | None = None,
        title: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """Folders of scores, such as one per condition, each by its name.

        Args:
            folders: what `emotion.score_folder.read_score_folder` gave
            show: see the class
            title: see the class
            lang: see the class

        Raises:
            UsageError: a folder without scores by episode, or one that is there twice
            StoreError: a damaged file
        """
        names = short_names([str(folder.folder) for folder in folders])
        runs = {name: episodes_of(folder) for name, folder in zip(names, folders, strict=True)}
        return cls(runs, show=show, title=title, lang=lang)

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        panels = len(self.aspects) * (_HEAD + _PANEL) + (len(self.aspects) - 1) * _BETWEEN
        return _LEFT + self._across() + _EDGE, self._top() + panels + _FOOT

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0, 0, 0, 0)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes that are divided among the aspects, best of the shape of `size_in`; those of a new figure when None

        Returns:
            itself, with `ax_`, `axes_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words, size = wording(self.lang), self.size_in
        scale = blank(ax, size)
        letters = lettering(
            self.title or "", *self.runs, *self._names(words), words("episode"), *map(words, _ASPECT_NAMES)
        )
        style: dict[str, Any] = {"va": "center_baseline", "clip_on": False, **letters.style}
        if self.title is not None:
            title = fitted(self.title, 11, size[0] - 2 * _EDGE)
            ax.text(_EDGE, 0.2, letters.shown(title), fontsize=11 * scale, **style)
        for number, (name, x, y) in enumerate(self._legend()):
            ax.plot([x], [y], markersize=5.5 * scale, **look(number), clip_on=False)
            ax.text(x + 0.1, y, letters.shown(name), fontsize=_TEXT_PT * scale, **style)
        self.axes_ = []
        top = self._top()
        for aspect in self.aspects:
            name = f"{METRICS[aspect][0]} · {words(_ASPECT_NAMES[ASPECTS.index(aspect)])}"
            ax.text(_LEFT, top + 0.14, letters.shown(name), fontsize=_NAME_PT * scale, **style)
            ax.text(
                size[0] - _EDGE, top + 0.14, letters.shown(self._counted(aspect, words)), fontsize=_TEXT_PT * scale, color=FAINT,
                ha="right", **style,
            )  # fmt: skip
            top += _HEAD
            self._panel(ax, aspect, top, letters, words, scale)
            top += _PANEL + _BETWEEN
        below = top - _BETWEEN + 0.36
        ax.text(_LEFT + self._across() / 2, below, words("episode"), fontsize=9 * scale, ha="center", **style)
        ax.text(
            size[0] - _EDGE, below, words("bars: 95 % intervals"), fontsize=_TEXT_PT * scale, color=FAINT, ha="right", **style
        )  # fmt: skip
        return self

    def _panel(self, ax: Axes, aspect: str, top: float, letters: Lettering, words: Wording, scale: float) -> None:
        panel = inset(ax, self.size_in, (_LEFT, top, _LEFT + self._across(), top + _PANEL))
        count = len(self.episodes)
        panel.set(xlim=(-0.5, count - 0.5), ylim=(_LOW - 0.15, _HIGH + 0.15), yticks=range(1, 6), autoscale_on=False)
        panel.tick_params(labelsize=7.5 * scale, length=2.5 * scale, pad=2 * scale)
        panel.grid(visible=True, axis="y", color="0.9", linewidth=0.7 * scale)
        panel.set_axisbelow(True)
        for name in ("top", "right"):
            panel.spines[name].set_visible(False)
        for number, scores in enumerate(self.runs.values()):
            self._line(panel, [scores.get((aspect, episode)) for episode in self.episodes], number, scale)
        every = self._every(words)
        panel.set_xticks(range(0, count, every))
        if aspect == self.aspects[-1]:
            panel.set_xticklabels([letters.shown(name) for name in self._names(words)[::every]], **letters.style)
        else:
            panel.set_xticklabels([])
        self.axes_.append(panel)

    def _line(self, panel: Axes, scores: Sequence[Score | None], number: int, scale: float) -> None:
        shape = look(number)
        place = 0.0 if len(self.runs) == 1 else (number / (len(self.runs) - 1) - 0.5) * _DODGE
        values = np.array([np.nan if score is None or score.value is None else score.value for score in scores])
        at = np.arange(len(scores)) + place
        named = [episode is not None for episode in self.episodes]  # what has no episode comes after no other
        panel.plot(at[named], values[named], color=shape["color"], linewidth=1.1 * scale, zorder=2, clip_on=False)
        for x, score in zip(at, scores, strict=True):
            if score is not None and score.ci is not None:
                panel.plot(
                    [x, x], score.ci, color=shape["color"], linewidth=1.0 * scale, alpha=0.55, zorder=1, clip_on=False
                )
        panel.plot(at, values, markersize=4.5 * scale, zorder=3, clip_on=False, **shape)

    def _counted(self, aspect: str, words: Wording) -> str:
        """Between how many samples the points are means of."""
        counts = [
            score.n for scores in self.runs.values() for (of, _), score in scores.items() if of == aspect and score.n
        ]
        if not counts:
            return words("no value")
        least, most = min(counts), max(counts)
        return words("{n} samples in a point", n=f"{least:,}" if least == most else f"{least:,}–{most:,}")

    def _names(self, words: Wording) -> list[str]:
        return [words("none") if episode is None else fitted(episode, 7.5, 1.2) for episode in self.episodes]

    def _every(self, words: Wording) -> int:
        """Every how many episodes there is room for a name."""
        room = self._across() / len(self.episodes)
        return max(1, int(np.ceil((widest_in(self._names(words), 7.5) + 0.08) / room)))

    def _across(self) -> float:
        return float(np.clip(len(self.episodes) * _STEP, _NARROWEST, _WIDEST))

    def _top(self) -> float:
        """Where the first aspect begins: under title and legend."""
        lines = self._legend()
        return (0.36 if self.title is not None else 0.06) + (lines[-1][2] - lines[0][2] + 0.24 if lines else 0.0)

    def _legend(self) -> list[tuple[str, float, float]]:
        """Name and place of each run, in as many lines as they need; nothing for a single run."""
        if len(self.runs) == 1:
            return []
        room = _LEFT + self._across()
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


_ASPECT_NAMES: Final = ("experience", "relationships", "characteristics")


def episodes_of(folder: ScoreFolder) -> list[EpisodeScore]:
    """The scores by episode of a folder.

    Raises:
        UsageError: it has none
        StoreError: the file is missing or damaged
    """
    if BY_EPISODE not in folder.manifest["files"]:
        raise UsageError(
            f"{folder.folder} has no role consistency by episode: score it with judgements whose episodes are known, from the file "
            "of previous information or from the dialogues"
        )
    records = folder.records(BY_EPISODE)
    try:
        return [episode_score_of(record, records.place(number)) for number, record in enumerate(records)]
    except InputError as error:
        raise StoreError(f"{folder.folder} is damaged: {error}; run mmrole score again") from None
