"""Precision and recall of each label: shows which labels an agent prefers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from matplotlib.figure import Figure, FigureBase
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from emotion.metrics.erc import ErcResult
from emotion.metrics.mec import per_class
from emotion.report import ScoreReport
from emotion.score_folder import ScoreFolder
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, Level, label_set
from mmrole.core.languages import Language
from mmrole.plotting.class_ground import NOTE_PT, SIDE, draw_ground, words_on_ground, wrapped
from mmrole.plotting.folder_tables import confusion_of
from mmrole.plotting.fonts import Lettering, lettering
from mmrole.plotting.label_places import places
from mmrole.plotting.panels import axes_in, heading, joined, scale_of
from mmrole.plotting.text_size import POINTS, width_in
from mmrole.plotting.wording import Labels, Wording, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGINS: Final = (0.65, 0.7, 0.2, 0.6)
_NAMES_PT: Final = 9.0
_PALETTE: Final = ("#009e73", "#555555", "#d55e00", "#0072b2", "#cc79a7", "#e69f00")
"""Colours of the sentiments in their order, apart also for eyes that see no red or green (Okabe and Ito)."""
_ALONE: Final = "#0072b2"
"""Colour where there are no sentiments."""
_MARKERS: Final = "osDv^P"
_LINE: Final = 0.165
"""Height of a line about labels without a point, in inches."""
_ABSENT: Final = (
    ("never predicted, so no precision:", True, False),
    ("not in the truth, so no recall:", False, True),
    ("neither true nor predicted:", True, True),
)


class ClassesDisplay:
    """Precision against recall, one point per label.

    Recall over precision is the number of times that a label was predicted over the number of times that it was true. So labels
    below the diagonal are predicted too often, those above it too rarely: an agent that always answers happy has happy at the
    right edge, and no other label has a precision at all. Such labels are listed, not drawn at 0. The curves have equal F1.

    Args:
        classes: label -> ``precision``, ``recall`` (None where undefined)
        labels: the label set or its name, for names and sentiments; None for the keys of `classes` as they are
        name: of the run, in front of the title
        lang: language of names and words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of
        points_: label -> recall and precision of those that are drawn

    Raises:
        UsageError: labels that are not those of `classes`
    """

    ax_: Axes
    figure_: FigureBase
    points_: dict[str, tuple[float, float]]

    def __init__(
        self,
        classes: Mapping[str, Mapping[str, Any]],
        *,
        labels: Labels | None = None,
        name: str | None = None,
        lang: Language = "en",
    ) -> None:
        self.labels = tuple(classes) if labels is None else label_set(labels) if isinstance(labels, str) else labels
        own = self.labels.labels if isinstance(self.labels, LabelSet) else tuple(self.labels)
        if own != tuple(classes):
            raise UsageError(f"classes are of {', '.join(classes) or 'nothing'}, the labels are {', '.join(own)}")
        self.classes = classes
        self.name = name
        self.lang = lang

    @classmethod
    def from_report(
        cls, report: ScoreReport, level: Level = "lower", *, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """The labels of an agent's responses.

        Args:
            report: what `mmrole.score` gave
            level: ``lower`` for the labels, ``upper`` for their sentiments
            name: see the class
            lang: see the class

        Raises:
            UsageError: ``upper`` where sentiment is no function of the label
        """
        return cls(report.classes(level), labels=report.labels.at(level), name=name, lang=lang)

    @classmethod
    def from_erc(
        cls, result: ErcResult, *, labels: Labels | None = None, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """Recognition of utterances, over all of them (an ambiguous or invalid prediction is a miss).

        Args:
            result: what `emotion.metrics.erc` gave
            labels: the label set or its name, for its names in other languages and its sentiments
            name: see the class
            lang: see the class
        """
        return cls(result.per_class, labels=labels, name=name, lang=lang)

    @classmethod
    def from_counts(
        cls, counts: Any, *, labels: LabelSet | str, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """From confusion counts.

        Args:
            counts: shape (K, 2, 2): [[TN, FP], [FN, TP]] per label; or (K, K + 2) or (K, K): true x predicted
            labels: the label set or its name
            name: see the class
            lang: see the class
        """
        names = label_set(labels)
        table = np.asarray(counts)
        if table.ndim == 2:
            hits = np.diagonal(table)
            wrong, missed = table[:, : len(names)].sum(axis=0) - hits, table.sum(axis=1) - hits
            table = np.stack([np.zeros_like(hits), wrong, missed, hits], axis=1).reshape(-1, 2, 2)
        return cls(per_class(table, names), labels=names, name=name, lang=lang)

    @classmethod
    def from_folder(
        cls, folder: ScoreFolder, level: Level | None = None, *, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """The counts in a folder of `mmrole score` or `mmrole erc` (see `ConfusionMatrixDisplay.from_folder`)."""
        table = confusion_of(folder, level)
        return cls.from_counts(table.counts, labels=table.labels, name=name, lang=lang)

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        left, top, right, bottom = _MARGINS
        return left + SIDE + right, top + SIDE * (1 + self._below(wording(self.lang))) + bottom

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, _MARGINS))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes to draw on; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`, `points_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        words = wording(self.lang)
        self.ax_, self.figure_ = ax, ax.figure
        names = dict(zip(self.classes, words.labels(self.labels), strict=True))
        letters = lettering(*names.values(), words("precision"), words("recall"), words("predicted too often"))
        below = self._below(words)
        edge = 0.02
        ax.set(xlim=(-edge, 1 + edge), ylim=(-edge - below, 1 + edge), aspect="equal", autoscale_on=False)
        ax.apply_aspect()
        scale = scale_of(ax, (SIDE, SIDE * (1 + below)))
        draw_ground(ax, words, letters, scale)
        self.points_ = {
            label: (float(row["recall"]), float(row["precision"]))
            for label, row in self.classes.items()
            if row["recall"] is not None and row["precision"] is not None
        }
        self._points(ax, words, letters, names, scale)
        self._notes(ax, words, letters, below + edge, scale)
        title = joined(self.name, words("precision and recall of each label"))
        heading(ax, title, words("grey curves: equal F1"), size_pt=11 * scale)
        style: dict[str, Any] = {"fontsize": 10 * scale, **letters.style}
        ax.set_xlabel(words("recall"), **style)
        ax.set_ylabel(words("precision"), y=(edge + below + 0.5) / (1 + 2 * edge + below), **style)
        return self

    def _points(self, ax: Axes, words: Wording, letters: Lettering, names: Mapping[str, str], scale: float) -> None:
        groups = self._sentiments()
        drawn = list(self.points_)
        unit = SIDE * scale  # inches per unit of the axes
        at = np.array([self.points_[label] for label in drawn]).reshape(-1, 2) * unit
        widths = [width_in(names[label], _NAMES_PT * scale) for label in drawn]
        area = (0.0, 0.0, unit, unit)
        taken = words_on_ground(words, scale)
        height = 1.25 * _NAMES_PT * scale / POINTS
        for label, point, width, place in zip(drawn, at, widths, places(at, widths, height, area, taken), strict=True):
            colour = self._colour(groups.get(label))
            x, y = (value / unit for value in place.middle)
            if place.far:  # a line to the nearest point of the name
                half = np.array([width, 0.7 * height]) / 2
                line = np.stack([point, np.clip(point, place.middle - half, place.middle + half)]) / unit
                ax.plot(*line.T, color=colour, linewidth=0.6 * scale, zorder=2)
            ax.text(
                x, y, letters.shown(names[label]), fontsize=_NAMES_PT * scale, color=colour, ha="center", va="center_baseline",
                path_effects=[withStroke(linewidth=2 * scale, foreground="white")], zorder=3, **letters.style,
            )  # fmt: skip
        for group in sorted(set(groups.values())) or [0]:
            members = [label for label in drawn if groups.get(label, 0) == group]
            if members:
                look: dict[str, Any] = {
                    "marker": _MARKERS[group % len(_MARKERS)],
                    "markersize": 6 * scale,
                    "color": self._colour(group if groups else None),
                    "label": self._sentiment_names(words)[group] if groups else None,
                }
                edge: dict[str, Any] = {"markeredgecolor": "white", "markeredgewidth": 0.6 * scale}
                recall, precision = zip(*(self.points_[label] for label in members), strict=True)
                ax.plot(recall, precision, linestyle="none", zorder=4, clip_on=False, **look, **edge)
        if groups and drawn:
            font = FontProperties(family=list(letters.families), size=8.5 * scale)
            above: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.2}
            ax.legend(ncols=3, frameon=False, prop=font, handletextpad=0.1, columnspacing=0.9, **above)

    @staticmethod
    def _colour(group: int | None) -> str:
        return _ALONE if group is None else _PALETTE[group % len(_PALETTE)]

    def _sentiments(self) -> dict[str, int]:
        """Label -> number of its sentiment; nothing where there is no map, or the labels are sentiments."""
        codes = self.labels.sentiment_codes if isinstance(self.labels, LabelSet) else None
        return {} if codes is None else dict(zip(self.classes, codes, strict=True))

    def _sentiment_names(self, words: Wording) -> tuple[str, ...]:
        upper = self.labels.upper if isinstance(self.labels, LabelSet) else None
        return () if upper is None else words.labels(upper)

    def _lines(self, words: Wording) -> list[str]:
        """What is said of the labels that have no point, in lines that fit."""
        names = dict(zip(self.classes, words.labels(self.labels), strict=True))
        lines = []
        for phrase, no_precision, no_recall in _ABSENT:
            absent = [
                names[label]
                for label, row in self.classes.items()
                if (row["precision"] is None) is no_precision and (row["recall"] is None) is no_recall
            ]
            if absent:
                lines += wrapped(words(phrase), absent, 0.93 * SIDE)
        return lines

    def _below(self, words: Wording) -> float:
        """Height of the part of the Axes for labels without a point, in lengths of their side."""
        lines = len(self._lines(words))
        return (lines * _LINE + 0.12) / SIDE if lines else 0.0

    def _notes(self, ax: Axes, words: Wording, letters: Lettering, depth: float, scale: float) -> None:
        lines = self._lines(words)
        if not lines:
            return
        ax.axhline(-0.02, color="black", linewidth=0.8 * scale, zorder=2)
        ax.add_patch(Rectangle((-0.02, -depth), 1.04, depth - 0.02, zorder=0.5, facecolor="0.95", linewidth=0))
        for number, line in enumerate(lines):
            y = -0.02 - (0.06 + (number + 0.5) * _LINE) / SIDE
            style: dict[str, Any] = {"fontsize": NOTE_PT * scale, "va": "center_baseline", **letters.style}
            ax.text(0.0, y, letters.shown(line), **style)
