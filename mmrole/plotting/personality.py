"""Personalities: a radar chart of measured beside labelled scores. The map of characters is in `personality_map`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Self

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure, FigureBase

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.plotting.fonts import lettering
from mmrole.plotting.panels import axes_in, blank
from mmrole.plotting.radar_parts import (
    LONGEST_NAME_IN,
    Wheel,
    draw_head,
    draw_names,
    draw_outline,
    draw_ranges,
    draw_rings,
    spokes_of,
)
from mmrole.plotting.text_size import widest_in
from mmrole.plotting.wording import unsigned, wording
from textbench.incharacter.labels import Labels, label_arrays
from textbench.incharacter.scales import Scale
from textbench.incharacter.scales import scale as find_scale
from textbench.incharacter.score_table import DimensionScores, score_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = npt.NDArray[np.float64]

MEASURED: Final = "#1f5fa6"
LABELLED: Final = "#c05a00"
# apart for the colour-blind, and in grey

_RADIUS_IN: Final = 1.3
_HEAD_IN: Final = 0.62
_NAMES_PT: Final = 8.5
_NUMBERED: Final = 12  # dimensions up to which the numbers stand beside the names
_FEW_POINTS: Final = 10  # a range up to which numbers have digits
_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "measured": "measured", "labelled": "labelled", "runs": "bar: range of the runs",
        "marginal": "open: marginal, not scored", "none": "–: no value",
    },
    "zh": {
        "measured": "测得", "labelled": "标注", "runs": "粗线：各次运行的范围", "marginal": "空心：中间型，不计分", "none": "–：无值",
    },
}  # fmt: skip


class RadarDisplay:
    """Scores of the dimensions of one character as a radar chart, measured beside labelled.

    The first dimension is at the top, the others follow clockwise. The centre is the smallest score, the rim the largest; the
    dashed ring is the midpoint, above which a score is high. A broad line along a spoke goes from the smallest to the largest
    run. What has no value is left out of the outline, which is then open there. Up to 12 dimensions have their numbers beside their
    names.

    Args:
        dimensions: names, three or more
        measured: a score per dimension, None or NaN where there is none
        labelled: a score per dimension, None or NaN where there is none
        low: smallest score
        high: largest score
        runs: smallest and largest score of the runs per dimension, shape (dimensions, 2)
        marginal: dimensions whose label is marginal (X)
        title: the character
        subtitle: what was measured how, such as method and scale, fainter behind the title
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of

    Raises:
        UsageError: fewer than three dimensions, lists of other lengths, scores outside the range
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(
        self,
        dimensions: Sequence[str],
        measured: Sequence[float | None],
        labelled: Sequence[float | None],
        *,
        low: float,
        high: float,
        runs: npt.ArrayLike | None = None,
        marginal: Sequence[str] = (),
        title: str = "",
        subtitle: str = "",
        lang: Language = "en",
    ) -> None:
        self.dimensions = tuple(dimensions)
        size = len(self.dimensions)
        if size < 3:
            raise UsageError(f"a radar chart has three dimensions or more, not {size}")
        self.low, self.high = float(low), float(high)
        self.measured, self.labelled = (
            self._checked(values, name) for values, name in ((measured, "measured"), (labelled, "labelled"))
        )
        self.runs = np.full((size, 2), np.nan) if runs is None else np.asarray(runs, dtype=np.float64)
        if self.runs.shape != (size, 2):
            raise UsageError(
                f"runs are the smallest and largest score per dimension, shape ({size}, 2), not {self.runs.shape}"
            )
        self.marginal = frozenset(marginal)
        self.title, self.subtitle = title, subtitle
        self.lang = lang

    @classmethod
    def from_scores(
        cls,
        scores: DimensionScores,
        labels: Labels,
        character: str,
        scale: str | Scale = "BFI",
        *,
        source: str = "annotation",
        mirror: Sequence[str] = (),
        names: Mapping[str, str] | None = None,
        title: str | None = None,
        method: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """The chart of one character; the name of the scale stands behind the title.

        Args:
            scores: character -> dimension -> score per run
            labels: source -> character -> scale -> dimension -> score and type
            character: who
            scale: the scale or its name
            source: of the labels, ``annotation`` or ``pdb``
            mirror: dimensions whose labels are turned round
            names: dimension -> its name in the picture
            title: the character when None
            method: of the interview, such as ``ER_batch``, stands before the scale
            lang: see the class

        Raises:
            UsageError: no scores of the character, no labels of the source; scores outside the range of the scale are moved
                to its end
        """
        of = find_scale(scale)
        if character not in scores:
            raise UsageError(f"there are no scores of {character!r}")
        values = score_table({character: scores[character]}, of).values[0]
        there = ~np.isnan(values)
        count = there.sum(axis=1)
        mean = np.divide(
            np.where(there, values, 0).sum(axis=1), count, out=np.full(len(values), np.nan), where=count > 0
        )
        ends = np.full((len(values), 2), np.nan)
        for row in np.flatnonzero(count):
            ends[row] = values[row][there[row]].min(), values[row][there[row]].max()
        types, labelled = label_arrays(labels, source, of, [character], mirror)
        mean, ends = (np.clip(array, of.score_low, of.score_high) for array in (mean, ends))
        shown = [(names or {}).get(name, name) for name in of.dimensions]
        return cls(
            shown, mean.tolist(), labelled[0].tolist(), low=of.score_low, high=of.score_high, runs=ends,
            marginal=[name for name, kind in zip(shown, types[0].tolist(), strict=True) if kind == "X"],
            title=character if title is None else title, subtitle=", ".join(filter(None, (method, of.name))), lang=lang,
        )  # fmt: skip

    def _checked(self, values: Sequence[float | None], what: str) -> FloatArray:
        if len(values) != len(self.dimensions):
            raise UsageError(f"{len(values)} {what} scores for {len(self.dimensions)} dimensions")
        array = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        if ((array < self.low) | (array > self.high)).any():
            raise UsageError(f"{what} scores are from {self.low:g} to {self.high:g}, not {array.tolist()}")
        return array

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        widest = min(LONGEST_NAME_IN, widest_in(self.dimensions, self._names_pt))
        side = self._radius_in + 0.3 + max(0.55, widest)
        upwards = (
            self._radius_in + 0.55 if self._numbered else side
        )  # names that follow their spokes stand upright at the top
        return 2 * side, _HEAD_IN + 2 * upwards

    @property
    def _numbered(self) -> bool:
        return len(self.dimensions) <= _NUMBERED

    @property
    def _names_pt(self) -> float:
        return _NAMES_PT if self._numbered else 6.5

    @property
    def _radius_in(self) -> float:
        return _RADIUS_IN if self._numbered else max(_RADIUS_IN, len(self.dimensions) * 0.05)

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0.0, 0.0, 0.0, 0.0)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes to draw on, whose own lines are taken away; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words = _WORDS[wording(self.lang).language]
        letters = lettering(self.title, self.subtitle, *self.dimensions, *words.values())
        width, height = self.size_in
        wheel = Wheel(
            middle=(width / 2, _HEAD_IN + (height - _HEAD_IN) / 2), radius_in=self._radius_in, low=self.low, high=self.high,
            spokes=spokes_of(len(self.dimensions)), scale=blank(ax, self.size_in),
        )  # fmt: skip
        draw_rings(ax, wheel)
        draw_ranges(ax, wheel, self.runs, MEASURED)
        hollow = [name in self.marginal for name in self.dimensions]
        draw_outline(ax, wheel, self.labelled, LABELLED, hollow)
        draw_outline(ax, wheel, self.measured, MEASURED)
        draw_names(ax, wheel, self.dimensions, self._numbers() if self._numbered else (), self._names_pt, letters)
        marks = [(f"● {words['measured']}", MEASURED), (f"■ {words['labelled']}", LABELLED)]
        draw_head(ax, width, self.title, self.subtitle, marks, self._notes(words), letters, wheel.scale)
        return self

    def _numbers(self) -> list[list[tuple[str, str]]]:
        digits = 2 if self.high - self.low <= _FEW_POINTS else 0
        return [
            [(unsigned(a, digits), MEASURED), (unsigned(b, digits), LABELLED)]
            for a, b in zip(self.measured.tolist(), self.labelled.tolist(), strict=True)
        ]

    def _notes(self, words: Mapping[str, str]) -> str:
        low, high = self.runs.T
        missing = np.isnan(np.concatenate([self.measured, self.labelled])).any()
        said = {
            "runs": bool((low < high).any()),
            "marginal": bool(self.marginal & set(self.dimensions)),
            "none": bool(missing) and self._numbered,
        }
        return "   ".join(words[name] for name, shown in said.items() if shown)


def radar_page(displays: Sequence[RadarDisplay], *, columns: int = 4, figure: FigureBase | None = None) -> FigureBase:
    """Several radar charts on one page, such as all characters of a run.

    Args:
        displays: the charts, by rows
        columns: charts in a row
        figure: to draw on; a new one, large enough, when None

    Raises:
        UsageError: no charts
    """
    if not displays:
        raise UsageError("there is nothing to draw: no radar charts")
    columns = max(1, min(columns, len(displays)))
    width, height = (max(display.size_in[side] for display in displays) for side in (0, 1))
    rows = -(-len(displays) // columns)
    page = Figure(figsize=(columns * width, rows * height)) if figure is None else figure
    for number, display in enumerate(displays):
        row, column = divmod(number, columns)
        display.plot(page.add_axes((column / columns, 1 - (row + 1) / rows, 1 / columns, 1 / rows)))
    return page
