"""Accuracies by two things at once: kinds of decisions in rows, methods in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from matplotlib.figure import Figure, FigureBase

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score
from mmrole.plotting.accuracy import WORDS
from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.matrix import EMPTY, Block, draw_matrix, names_in, width_in_cells
from mmrole.plotting.panels import axes_in, heading
from mmrole.plotting.text_size import POINTS, width_in
from mmrole.plotting.wording import unsigned, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Kind = Literal["motivation", "genre"]
_SIDE_IN: Final = 0.56
_LONGEST: Final = 36
_TOP_IN: Final = 0.66
_WIDEST_IN: Final = 4.2  # room for the heading


class AccuracyGridDisplay:
    """A heat map of accuracies: 0 is white, 1 is dark; in each cell the accuracy and how many decisions it is over.

    Few decisions make an accuracy uncertain: with n = 20 its 95 % interval is about 0.2 to each side.

    Args:
        scores: name of a row -> method -> accuracy; what is not there, or has no value, is hatched
        methods: the columns, in order
        kind: what the rows are, for the title
        title: the first line over the picture
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of
        text_: the texts in the cells, row by row

    Raises:
        UsageError: nothing to draw
    """

    ax_: Axes
    figure_: FigureBase
    text_: list[list[Text]]

    def __init__(
        self,
        scores: Mapping[str, Mapping[str, Score | None]],
        methods: Sequence[str],
        *,
        kind: Kind = "motivation",
        title: str | None = None,
        lang: Language = "en",
    ) -> None:
        if not scores or not methods:
            raise UsageError(f"there are no accuracies by {kind} to draw")
        self.scores = {name: dict(of) for name, of in scores.items()}
        self.methods = list(methods)
        self.kind = kind
        self.title = title
        self.lang = lang

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        left, top, right, bottom = self._margins()
        width, height = _SIDE_IN * width_in_cells([self._block()]), _SIDE_IN * len(self.scores)
        return left + width + right, top + height + bottom

    def plot_on(self, figure: FigureBase) -> AccuracyGridDisplay:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, self._margins()))

    def plot(self, ax: Axes | None = None) -> AccuracyGridDisplay:
        """Draws.

        Args:
            ax: Axes to draw on; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`, `text_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words = WORDS[wording(self.lang).language]
        rows = self._rows()
        letters = lettering(*rows, *self._columns(), *words.values())
        self.text_ = draw_matrix(ax, [self._block()], row_names=[letters.shown(row) for row in rows], letters=letters)
        room = ax.get_window_extent().width / ax.figure.dpi
        title = words[self.kind] if self.title is None else self.title
        if width_in(title, 11.0) > room or width_in(words["cells"], 0.78 * 11.0) > room:
            self._wide_heading(ax, title, words["cells"])
        else:
            heading(ax, title, words["cells"], size_pt=11.0)
        return self

    def _wide_heading(self, ax: Axes, title: str, legend: str) -> None:
        """A heading that is wider than the cells begins above the names of the rows."""
        letters = lettering(title, legend)
        for text, above, size in ((title, 22.5, 11.0), (legend, 8.25, 8.6)):
            ax.annotate(
                letters.shown(text), (1, 1), (0, above), xycoords="axes fraction", textcoords="offset points", ha="right",
                va="center_baseline", fontsize=size, annotation_clip=False, **letters.style,
            )  # fmt: skip

    def _block(self) -> Block:
        found = [[of.get(method) for method in self.methods] for of in self.scores.values()]
        values = [[None if score is None else score.value for score in row] for row in found]
        return Block(
            values=np.array(
                [[np.nan if value is None else value for value in row] for row in values], dtype=np.float64
            ),
            large=[
                [EMPTY if value is None else unsigned(value) if value else ".00" for value in row] for row in values
            ],
            small=[["" if score is None or score.value is None else f"{score.n:,}" for score in row] for row in found],
            columns=self._columns(),
        )

    def _rows(self) -> list[str]:
        words = WORDS[wording(self.lang).language]
        return [words["all"] if name == "all" else one_line(name, _LONGEST) for name in self.scores]

    def _columns(self) -> list[str]:
        return [one_line(name, _LONGEST) for name in self.methods]

    def _margins(self) -> tuple[float, float, float, float]:
        side = _SIDE_IN * POINTS
        left = max(names_in(self._rows(), side)[0], names_in(self._columns(), side)[0]) + 0.1
        width = _SIDE_IN * len(self.methods)
        return max(left, _WIDEST_IN - width), _TOP_IN, 0.2, names_in(self._columns(), side)[1] + 0.12
