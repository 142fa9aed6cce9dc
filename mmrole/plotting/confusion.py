"""Confusion: what was true against what was predicted, for single labels and for the label sets of responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure, FigureBase

from emotion.metrics.erc import AMBIGUOUS, ErcResult, erc
from emotion.report import ScoreReport
from emotion.score_folder import ScoreFolder
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, Level, label_set
from mmrole.core.languages import Language
from mmrole.plotting.class_tables import draw_tables, tables_size_in
from mmrole.plotting.folder_tables import confusion_of
from mmrole.plotting.fonts import lettering
from mmrole.plotting.matrix import EMPTY, Block, Floats, draw_matrix, names_in, width_in_cells
from mmrole.plotting.panels import axes_in, heading, joined
from mmrole.plotting.text_size import POINTS
from mmrole.plotting.wording import Labels, Wording, unsigned, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Counts = npt.NDArray[np.integer[Any]]
Values = Literal["both", "share", "count"]

EXTRAS: Final = (AMBIGUOUS, "invalid")
"""Columns after the labels: predictions that are no label."""
_LEGENDS: Final[dict[Values, str]] = {
    "both": "large: share of the row, small: number",
    "share": "share of the row",
    "count": "number, colour: share of the row",
}


class ConfusionMatrixDisplay:
    """Confusion counts as a picture.

    Counts of single labels are one matrix: rows are true, columns predicted labels, then the predictions that are no label. Counts of
    label sets (several labels per response) are one 2 x 2 table per label. Colours are shares of the row, so that frequent
    labels do not hide the others. A row without anything is hatched: it has no shares.

    Args:
        counts: shape (K, K + 2) or (K, K): true label x predicted label, ambiguous, invalid; or (K, 2, 2): [[TN, FP], [FN, TP]]
            per label
        labels: the label set, its name, or K names
        name: of the run, in front of the title
        lang: language of names and words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of
        text_: the texts in the cells: of the matrix by row; of the tables by label

    Raises:
        UsageError: counts that are negative, no whole numbers, or of another shape
    """

    ax_: Axes
    figure_: FigureBase
    text_: list[list[Text]]

    def __init__(
        self,
        counts: npt.ArrayLike,
        *,
        labels: Labels = "cped-13",
        name: str | None = None,
        lang: Language = "en",
    ) -> None:
        self.labels = label_set(labels) if isinstance(labels, str) else labels
        self.counts = _checked(counts, len(self.labels))
        self.name = name
        self.lang = lang

    @classmethod
    def from_predictions(
        cls,
        truth: Sequence[Any],
        prediction: Sequence[Any],
        labels: Labels = "cped-13",
        *,
        name: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """Counts predicted labels of utterances.

        Args:
            truth: label of each utterance
            prediction: predicted label of each utterance; None where there is none
            labels: the label set or its name
            name: see the class
            lang: see the class
        """
        names = labels if isinstance(labels, (LabelSet, str)) else LabelSet(name="labels", labels=tuple(labels))
        return cls.from_erc(erc(truth, prediction, names), labels=names, name=name, lang=lang)

    @classmethod
    def from_erc(
        cls, result: ErcResult, *, labels: Labels | None = None, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """The confusion of recognition scores.

        Args:
            result: what `emotion.metrics.erc` gave
            labels: the label set or its name, for its names in other languages; the labels as they are when None
            name: see the class
            lang: see the class
        """
        return cls(result.confusion, labels=result.columns[:-2] if labels is None else labels, name=name, lang=lang)

    @classmethod
    def from_report(
        cls, report: ScoreReport, level: Level = "lower", *, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """The labels of an agent's responses, one table per label.

        Args:
            report: what `mmrole.score` gave
            level: ``lower`` for the labels, ``upper`` for their sentiments
            name: see the class
            lang: see the class

        Raises:
            UsageError: ``upper`` where sentiment is no function of the label
        """
        # confusion() refuses a level that the set has not
        return cls(report.confusion(level), labels=report.labels.at(level) or report.labels, name=name, lang=lang)

    @classmethod
    def from_folder(
        cls, folder: ScoreFolder, level: Level | None = None, *, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """The confusion counts in a folder of `mmrole score` (one table per label) or `mmrole erc` (a matrix).

        Args:
            folder: what `emotion.score_folder.read_score_folder` gave
            level: ``lower`` or ``upper``; None for what there is, lower first
            name: see the class
            lang: see the class

        Raises:
            UsageError: there are no counts of that level
            StoreError: the file is missing or damaged
        """
        table = confusion_of(folder, level)
        return cls(table.counts, labels=table.labels, name=name, lang=lang)

    @property
    def of_sets(self) -> bool:
        """Whether the counts are of label sets, one 2 x 2 table per label."""
        return self.counts.ndim == 3

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        words = wording(self.lang)
        if self.of_sets:
            return tables_size_in(len(self.labels))
        left, top, right, bottom = self._margins(words)
        columns = width_in_cells(self._blocks(words, "share"), notes=True)
        side = self._side_in()
        return left + columns * side + right, top + len(self.labels) * side + bottom

    def plot_on(self, figure: FigureBase, *, values: Values = "both") -> Self:
        """Draws on new Axes that fill a figure."""
        margins = (0.0, 0.0, 0.0, 0.0) if self.of_sets else self._margins(wording(self.lang))
        return self.plot(axes_in(figure, self.size_in, margins), values=values)

    def plot(self, ax: Axes | None = None, *, values: Values = "both") -> Self:
        """Draws.

        Args:
            ax: Axes to draw on; those of a new figure when None
            values: what stands in the cells of the matrix: ``share`` of the row, ``count``, or ``both``; a table has counts

        Returns:
            itself, with `ax_`, `figure_`, `text_`

        Raises:
            UsageError: other `values`
        """
        if values not in get_args(Values):
            raise UsageError(f"values is one of {', '.join(get_args(Values))}, not {values!r}")
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in), values=values)
        words = wording(self.lang)
        names = words.labels(self.labels)
        self.ax_, self.figure_ = ax, ax.figure
        if self.of_sets:
            self.text_ = draw_tables(ax, self.counts, names, title=self._title(words), words=words)
            return self
        blocks = self._blocks(words, values)
        totals = self.counts.sum(axis=1)
        notes = ("n", [f"{total:,}" for total in totals.tolist()])
        letters = lettering(*names, words("ambiguous"), words("true"), words("predicted"))
        self.text_ = draw_matrix(ax, blocks, row_names=names, letters=letters, notes=notes)
        empty = not totals.all()
        legend = joined(words(_LEGENDS[values]), words("–: nothing in this row") if empty else None)
        side = self._side_in() * POINTS
        heading(ax, self._title(words), legend, size_pt=min(11.0, 0.33 * side))
        for name, label in (("x", "predicted"), ("y", "true")):
            getattr(ax, f"set_{name}label")(words(label), fontsize=min(10.0, 0.31 * side), **letters.style)
        return self

    def _title(self, words: Wording) -> str:
        n, what = int(self.counts.sum()), "utterances"
        if self.of_sets:
            n, what = int(self.counts[0].sum()), "responses"
        said = words("emotions of responses" if self.of_sets else "emotion recognition")
        return joined(self.name, said, words("{number} {what}", number=f"{n:,}", what=words(what)))

    def _blocks(self, words: Wording, values: Values) -> list[Block]:
        size = len(self.labels)
        totals = self.counts.sum(axis=1, keepdims=True)
        shares: Floats = np.divide(self.counts, totals, out=np.full(self.counts.shape, np.nan), where=totals > 0)
        large = [[unsigned(x) for x in row] for row in shares.tolist()]
        numbers = [
            [f"{count:,}" if total else EMPTY for count in row]
            for row, (total,) in zip(self.counts.tolist(), totals.tolist(), strict=True)
        ]
        if values == "count":
            large = numbers
        names = words.labels(self.labels), tuple(words(name) for name in EXTRAS)
        blocks = []
        for part, columns, colours in ((slice(size), names[0], "Blues"), (slice(size, None), names[1], "Greys")):
            if not shares[:, part].shape[1]:
                continue
            small = [row[part] for row in numbers] if values == "both" else None
            blocks.append(
                Block(
                    values=shares[:, part], large=[row[part] for row in large], small=small, columns=columns, colours=colours,
                    diagonal=colours == "Blues",
                )
            )  # fmt: skip
        return blocks

    def _side_in(self) -> float:
        """Side of a cell in a figure of its own."""
        return float(np.interp(len(self.labels), (2, 5, 9, 13, 30), (0.85, 0.62, 0.5, 0.45, 0.4)))

    def _margins(self, words: Wording) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the matrix in a figure of its own, in inches."""
        names = words.labels(self.labels)
        side = self._side_in() * POINTS
        left, bottom = names_in([*names, *(words(name) for name in EXTRAS)], side)
        return max(left, names_in(names, side)[0]) + 0.35, 0.62, 0.12, bottom + 0.35


def _checked(counts: npt.ArrayLike, size: int) -> Counts:
    table = np.asarray(counts)
    if table.shape not in ((size, size), (size, size + 2), (size, 2, 2)):
        raise UsageError(
            f"confusion counts of {size} labels have the shape {(size, size + 2)}, {(size, size)} or {(size, 2, 2)}, not {table.shape}"
        )
    if not np.issubdtype(table.dtype, np.integer) or (table < 0).any():
        raise UsageError(f"confusion counts are whole numbers from 0, not {table.dtype} from {table.min()}")
    return table
