"""Emotion transitions of a role: ground truth beside agent, and their difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

import numpy as np
from matplotlib.figure import Figure, FigureBase

from emotion.report import ScoreReport, TransitionPair
from emotion.score_folder import ScoreFolder
from emotion.transitions import Kind, TransitionMatrix
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.plotting.folder_tables import transitions_of
from mmrole.plotting.fonts import lettering
from mmrole.plotting.matrix import NOTES_CELLS, Block, Floats, colour_bar, draw_matrix, names_in
from mmrole.plotting.panels import FAINT, axes_in, blank, fitted, inset, joined
from mmrole.plotting.text_size import POINTS
from mmrole.plotting.wording import Wording, signed, unsigned, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Part = Literal["truth", "prediction", "difference"]
Normalise = Literal["row", "joint", "count"]

PARTS: Final[tuple[Part, ...]] = get_args(Part)
_TITLES: Final[dict[Part, str]] = {"truth": "ground truth", "prediction": "agent", "difference": "agent − ground truth"}
_KINDS: Final[dict[str | None, str]] = {
    "intra": "transitions within a turn", "inter": "transitions from the turn before",
    "same_speaker": "transitions from the role's own turn before", None: "transitions",
}  # fmt: skip
_VALUES: Final[dict[Normalise, str]] = {
    "row": "share of the row: label after, given the label before", "joint": "share of all transitions", "count": "number of transitions",
}  # fmt: skip
_COLOURS: Final = {"truth": "Blues", "prediction": "Blues", "difference": "RdBu_r"}
_ENDS: Final[dict[Part, tuple[str, str]]] = {
    "truth": ("", ""), "prediction": ("", ""), "difference": ("agent: less often", "more often"),
}  # fmt: skip
"""What the ends of the scales of colours mean."""
_TOP, _SCALE, _GAP, _EDGE, _RIGHT = 0.95, 0.5, 0.3, 0.12, 0.25
"""In inches: over the matrices, for the scales of colours below them, between two matrices, at the left, at the right."""
_SMALLEST_REACH: Final = 0.1


class TransitionMatrixDisplay:
    """Which label follows which: for the ground truth, for the agent, and the difference of both.

    Rows are the label before, columns the label after. At the right of a row of the ground truth and of the agent stands n, its
    number of transitions. A row without one is hatched: nothing is known of what follows. The difference has colours that are
    symmetric around zero, and is empty where one of the two is.

    Args:
        truth: transitions of the ground truth; None to draw the agent's alone
        prediction: transitions of the agent; None to draw those of the ground truth alone
        kind: of transition, for the title
        role: name of the role, for the title; None for all
        name: of the run, in front of the title
        lang: language of names and words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes that were drawn on, once it has been drawn
        axes_: the Axes of each part; with one part `ax_` itself
        figure_: the figure that they are part of
        text_: part -> the texts in its cells, by row

    Raises:
        UsageError: neither truth nor prediction, or matrices of different label sets
    """

    ax_: Axes
    axes_: list[Axes]
    figure_: FigureBase
    text_: dict[Part, list[list[Text]]]

    def __init__(
        self,
        truth: TransitionMatrix | None = None,
        prediction: TransitionMatrix | None = None,
        *,
        kind: Kind | None = None,
        role: str | None = None,
        name: str | None = None,
        lang: Language = "en",
    ) -> None:
        given = [matrix for matrix in (truth, prediction) if matrix is not None]
        if not given:
            raise UsageError("give the transitions of the ground truth, of the agent, or both")
        if given[0].labels.labels != given[-1].labels.labels:
            raise UsageError(
                f"{given[0].labels.name} and {given[-1].labels.name}: the matrices are of different label sets"
            )
        self.truth, self.prediction = truth, prediction
        self.labels = given[0].labels
        self.kind, self.role, self.name, self.lang = kind, role, name, lang

    @classmethod
    def from_pair(cls, pair: TransitionPair, *, name: str | None = None, lang: Language = "en") -> Self:
        """What `ScoreReport.transitions` gave."""
        return cls(pair.truth, pair.prediction, kind=pair.kind, role=pair.role, name=name, lang=lang)

    @classmethod
    def from_report(
        cls,
        report: ScoreReport,
        kind: Kind = "inter",
        role: str | None = None,
        *,
        name: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """Transitions of a role in what `mmrole.score` gave.

        Args:
            report: the scores
            kind: ``intra``, ``inter`` or ``same_speaker``
            role: the role; all together when None
            name: see the class
            lang: see the class

        Raises:
            UsageError: an unknown kind, or a role that did not answer
        """
        return cls.from_pair(report.transitions(kind, role), name=name, lang=lang)

    @classmethod
    def from_folder(
        cls,
        folder: ScoreFolder,
        kind: Kind = "inter",
        role: str | None = None,
        *,
        name: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """Transitions of a role in a folder of `mmrole score` (see `from_report`)."""
        return cls.from_pair(transitions_of(folder, kind, role), name=name, lang=lang)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What there is to draw."""
        if self.truth is None:
            return ("prediction",)
        return ("truth",) if self.prediction is None else PARTS

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return self._size_in(self.parts, wording(self.lang))

    def plot_on(self, figure: FigureBase, *, parts: Sequence[Part] | None = None, normalise: Normalise = "row") -> Self:
        """Draws on new Axes that fill a figure."""
        size = self._size_in(self._chosen(parts), wording(self.lang))
        return self.plot(axes_in(figure, size, (0, 0, 0, 0)), parts=parts, normalise=normalise)

    def plot(
        self, ax: Axes | None = None, *, parts: Sequence[Part] | None = None, normalise: Normalise = "row"
    ) -> Self:
        """Draws.

        Args:
            ax: Axes that are divided among the parts, best of the shape of `size_in`; those of a new figure when None
            parts: ``truth``, ``prediction``, ``difference``, in this order; all that there are when None
            normalise: ``row`` for the distribution of the label after, given the label before; ``joint`` for shares of all
                transitions, as EDD and RCD compare them; ``count`` for the numbers themselves

        Returns:
            itself, with `ax_`, `axes_`, `figure_`, `text_`

        Raises:
            UsageError: an unknown or absent part, an unknown normalisation
        """
        if normalise not in get_args(Normalise):
            raise UsageError(f"normalise is one of {', '.join(get_args(Normalise))}, not {normalise!r}")
        chosen, words = self._chosen(parts), wording(self.lang)
        size = self._size_in(chosen, words)
        if ax is None:
            return self.plot_on(Figure(figsize=size), parts=parts, normalise=normalise)
        self.ax_, self.figure_ = ax, ax.figure
        self.axes_, self.text_ = [], {}
        scale = blank(ax, size)
        names = words.labels(self.labels)
        letters = lettering(*names, self._title(words), words("label before"))
        title = {"fontsize": 11 * scale, "va": "center_baseline", "clip_on": False, **letters.style}
        ax.text(_EDGE, 0.2, letters.shown(fitted(self._title(words), 11, size[0] - 2 * _EDGE)), **title)
        ax.text(_EDGE, 0.43, self._legend(words, normalise), **{**title, "fontsize": 8.5 * scale, "color": FAINT})
        side, (left, below) = self._side_in(), self._names_in(words)
        x = _EDGE + left
        values = {part: self._values(part, normalise) for part in chosen}
        shared = max((float(np.nanmax(v, initial=0)) for part, v in values.items() if part != "difference"), default=0)
        for number, part in enumerate(chosen):
            matrix = None if part == "difference" else self._matrix(part)
            beside = 0.0 if matrix is None else NOTES_CELLS * side
            panel = inset(ax, size, (x, _TOP, x + len(names) * side + beside, _TOP + len(names) * side))
            block = self._block(part, values[part], names, normalise, 1.0 if normalise == "row" else shared or 1.0)
            self.text_[part] = draw_matrix(
                panel,
                [block],
                row_names=() if number else names,
                letters=letters,
                notes=None if matrix is None else ("n", [f"{n:,}" for n in matrix.counts.sum(axis=1).tolist()]),
                scale=scale,
            )
            label: dict[str, Any] = {"fontsize": 9.5 * scale, **letters.style}
            panel.set_title(self._part_title(part, words), **label)
            panel.set_xlabel(words("label after"), **label)
            if not number:
                panel.set_ylabel(words("label before"), **label)
            bottom = _TOP + len(names) * side + below
            bar = inset(ax, size, (x, bottom + 0.1, x + len(names) * side, bottom + 0.2))
            colour_bar(bar, block, _ENDS[part], scale=scale, words=words)
            self.axes_.append(panel)
            x += len(names) * side + beside + _GAP
        return self

    def _chosen(self, parts: Sequence[Part] | None) -> tuple[Part, ...]:
        if parts is None:
            return self.parts
        if not parts or any(part not in self.parts for part in parts):
            raise UsageError(f"the parts to draw are of {', '.join(self.parts)}, not {list(parts)}")
        return tuple(part for part in self.parts if part in parts)

    def _title(self, words: Wording) -> str:
        who = words("all roles") if self.role is None else words("role: {role}", role=self.role)
        return joined(self.name, words(_KINDS[self.kind]), who)

    def _legend(self, words: Wording, normalise: Normalise) -> str:
        sides = [matrix for matrix in (self.truth, self.prediction) if matrix is not None]
        empty = any((matrix.counts.sum(axis=1) == 0).any() for matrix in sides)
        return joined(words(_VALUES[normalise]), words("–: nothing in this row") if empty else None)

    def _part_title(self, part: Part, words: Wording) -> str:
        if part == "difference":
            return words(_TITLES[part])
        matrix = self.truth if part == "truth" else self.prediction
        return f"{words(_TITLES[part])}   {words('n = {n}', n=f'{0 if matrix is None else matrix.total:,}')}"

    def _values(self, part: Part, normalise: Normalise) -> Floats:
        """What is shown of a part, shape (K, K); NaN in rows that are empty."""
        if part == "difference":
            # of shares of the row only two rows that are there can differ; of the others an empty row has none of all
            empty = [np.isnan(self._values(side, normalise)) for side in ("prediction", "truth")]
            first, second = (self._raw(side, normalise) for side in ("prediction", "truth"))
            return np.where(empty[0] | empty[1] if normalise == "row" else empty[0] & empty[1], np.nan, first - second)
        values = self._raw(part, normalise)
        values[self._matrix(part).counts.sum(axis=1) == 0] = np.nan
        return values

    def _raw(self, part: Part, normalise: Normalise) -> Floats:
        matrix = self._matrix(part)
        if normalise == "count":
            return matrix.counts.astype(np.float64)
        return matrix.row() if normalise == "row" else matrix.joint()

    def _matrix(self, part: Part) -> TransitionMatrix:
        matrix = self.truth if part == "truth" else self.prediction
        return matrix if matrix is not None else TransitionMatrix.empty(self.labels)

    def _block(self, part: Part, values: Floats, names: Sequence[str], normalise: Normalise, high: float) -> Block:
        """The cells of a part.

        Args:
            part: which
            values: what `_values` gave
            names: of the labels
            normalise: of `values`
            high: end of the scale of ground truth and agent; that of the difference is its own
        """
        difference = part == "difference"
        if difference:
            high = float(np.nanmax(np.abs(values), initial=0.0))
            high = max(high, _SMALLEST_REACH) if normalise == "row" else high or 1.0
        write = signed if difference else unsigned
        digits = {"row": 2, "joint": 3, "count": 0}[normalise]  # of all transitions, a cell has few
        texts = [[write(x, digits) for x in row] for row in values.tolist()]
        low = -high if difference else 0.0
        return Block(
            values=values, large=texts, columns=names, colours=_COLOURS[part], low=low, high=high, diagonal=True
        )

    def _size_in(self, parts: Sequence[Part], words: Wording) -> tuple[float, float]:
        left, below = self._names_in(words)
        matrix = len(self.labels) * self._side_in()
        beside = NOTES_CELLS * self._side_in() * sum(part != "difference" for part in parts)
        width = _EDGE + left + len(parts) * (matrix + _GAP) + beside - _GAP + _RIGHT
        return max(width, 4.6), _TOP + matrix + below + _SCALE

    def _side_in(self) -> float:
        """Side of a cell in a figure of its own, in inches."""
        return float(np.interp(len(self.labels), (2, 3, 7, 13, 30), (0.9, 0.75, 0.46, 0.36, 0.33)))

    def _names_in(self, words: Wording) -> tuple[float, float]:
        """Room at the left of and below the matrices for names and axis labels, in inches."""
        left, below = names_in(words.labels(self.labels), self._side_in() * POINTS)
        return left + 0.3, below + 0.3
