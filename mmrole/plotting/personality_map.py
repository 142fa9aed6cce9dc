"""The map of characters: measured personalities on their first two principal components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure, FigureBase

from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.label_places import places
from mmrole.plotting.panels import FAINT, axes_in, heading, joined
from mmrole.plotting.text_size import POINTS, width_in
from mmrole.plotting.wording import wording
from textbench.incharacter.distinctiveness_metrics import PersonalityMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS: Final = ("#1f5fa6", "#c05a00", "#00795c", "#a3478f", "#7a6a00", "#4a4a4a")
_MARKS: Final = ("o", "s", "^", "D", "v", "P")
_SIZE_IN: Final = (8.2, 6.6)
_MARGINS: Final = (0.75, 0.75, 0.2, 0.65)
_NAMES_PT: Final = 8.0
_NAMED: Final = 2  # dimensions named on each axis
_LONGEST: Final = 26
_ROLELESS: Final = -1
_SPACE: Final = 4  # points that are not in one plane, unless their scores make them be
_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "map of measured personalities", "axis": "component {number}: {share} of the variance   ({features})",
        "left": "left out, scores missing: {names}", "roleless": "without a role", "comma": ", ",
        "points": "{count} points always lie in a plane: that the axes hold 100 % says nothing",
        "dimensions": "two dimensions are a plane: that the axes hold 100 % says nothing",
    },
    "zh": {
        "title": "测得人格分布图", "axis": "主成分 {number}：方差的 {share}   （{features}）", "left": "缺分数未画：{names}",
        "roleless": "无角色", "comma": "，", "points": "{count} 个点总在同一平面上：两轴合占 100 % 并无意义",
        "dimensions": "两个维度本来就是一个平面：两轴合占 100 % 并无意义",
    },
}  # fmt: skip


class PersonalityMapDisplay:
    """Characters as points: near ones were measured to be alike.

    Each axis says how much of the variance it holds and which dimensions make it up; both axes have one scale. Three points, or two
    dimensions, lie in a plane whatever their scores, so that the two axes hold everything: a line over the picture says so.

    Args:
        found: the map (see `textbench.incharacter.personality_map`)
        groups: name -> group, shown by colour and mark (such as the language or the agent); six groups at most
        roleless: names of agents without a role, drawn as stars
        names: name -> what is written beside its point
        title: the first line over the picture
        method: of the interview, such as ``ER_batch``, stands behind the title
        lang: language of the words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of

    Raises:
        UsageError: more groups than marks
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(
        self,
        found: PersonalityMap,
        *,
        groups: Mapping[str, str] | None = None,
        roleless: Sequence[str] = (),
        names: Mapping[str, str] | None = None,
        title: str | None = None,
        method: str | None = None,
        lang: Language = "en",
    ) -> None:
        self.map = found
        self.roleless = frozenset(roleless)
        self.groups = {name: (groups or {}).get(name, "") for name in found.names if name not in self.roleless}
        self.group_names = tuple(dict.fromkeys(self.groups.values()))
        if len(self.group_names) > len(_MARKS):
            raise UsageError(f"a map shows {len(_MARKS)} groups at most, not {len(self.group_names)}")
        self.names = dict(names or {})
        self.title, self.method = title, method
        self.lang = lang

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return _SIZE_IN

    def plot_on(self, figure: FigureBase) -> PersonalityMapDisplay:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, _MARGINS))

    def plot(self, ax: Axes | None = None) -> PersonalityMapDisplay:
        """Draws.

        Args:
            ax: Axes to draw on; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        words = _WORDS[wording(self.lang).language]
        shown = [one_line(self.names.get(name, name), _LONGEST) for name in self.map.names]
        axes = [self._axis(words, number) for number in (0, 1)]
        groups = [name for name in self.group_names if name]
        letters = lettering(*shown, *axes, *groups, *words.values())
        self._frame(ax)
        ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
        ax.axvline(0, color="0.85", linewidth=0.8, zorder=0)
        self._draw_points(ax, words, groups, letters.style)
        self._draw_names(ax, [letters.shown(text) for text in shown], letters.style)
        ax.set_xlabel(letters.shown(axes[0]), fontsize=9, **letters.style)
        ax.set_ylabel(letters.shown(axes[1]), fontsize=9, **letters.style)
        ax.tick_params(labelsize=8, colors=FAINT)
        title = words["comma"].join(filter(None, (words["title"] if self.title is None else self.title, self.method)))
        heading(ax, title, self._notes(words), size_pt=11.0)
        return self

    def _notes(self, words: Mapping[str, str]) -> str:
        count = len(self.map.names)
        plane = words["points"].format(count=count) if count < _SPACE else None
        if plane is None and len(self.map.features) < _SPACE - 1:
            plane = words["dimensions"]
        left = words["left"].format(names=", ".join(self.map.left_out)) if self.map.left_out else None
        return joined(plane, left)

    def _axis(self, words: Mapping[str, str], number: int) -> str:
        loadings = self.map.loadings[number]
        strongest = np.argsort(-np.abs(loadings), kind="stable")[:_NAMED]
        alone = len({feature.split("/", 1)[0] for feature in self.map.features}) == 1
        names = [self.map.features[k].split("/", 1)[1] if alone else self.map.features[k] for k in strongest]
        signed = [f"{'+' if loadings[k] > 0 else '−'}{name}" for k, name in zip(strongest, names, strict=True)]
        share = f"{100 * self.map.explained[number]:.0f} %"
        return words["axis"].format(number=number + 1, share=share, features=", ".join(signed))

    def _frame(self, ax: Axes) -> None:
        """Limits with one scale on both axes and room for the names at the edges."""
        box = ax.get_window_extent()
        width, height = box.width / ax.figure.dpi, box.height / ax.figure.dpi
        low, high = self.map.points.min(axis=0), self.map.points.max(axis=0)
        centre, span = (low + high) / 2, np.maximum(high - low, 1e-9)
        per_inch = max(span[0] / max(width - 2.2, 0.4 * width), span[1] / max(height - 1.0, 0.6 * height))
        ax.set_xlim(centre[0] - per_inch * width / 2, centre[0] + per_inch * width / 2)
        ax.set_ylim(centre[1] - per_inch * height / 2, centre[1] + per_inch * height / 2)

    def _number_of(self, name: str) -> int:
        """Number of a name's group."""
        return _ROLELESS if name in self.roleless else self.group_names.index(self.groups[name])

    def _draw_points(self, ax: Axes, words: Mapping[str, str], groups: Sequence[str], style: Mapping[str, Any]) -> None:
        of = np.array([self._number_of(name) for name in self.map.names])
        for number, group in enumerate(self.group_names):
            rows = self.map.points[of == number]
            mark: dict[str, Any] = {"marker": _MARKS[number], "color": _COLOURS[number], "edgecolors": "white"}
            ax.scatter(rows[:, 0], rows[:, 1], s=36, linewidths=0.6, zorder=3, label=group or None, **mark)
        rows = self.map.points[of == _ROLELESS]
        if len(rows):
            ax.scatter(
                rows[:, 0],
                rows[:, 1],
                s=170,
                marker="*",
                color="black",
                linewidths=0,
                zorder=4,
                label=words["roleless"],
            )
        if len(groups) > 1 or len(rows):
            legend = ax.legend(
                loc="lower right", bbox_to_anchor=(1, 1.0), ncols=len(groups) + 1, frameon=False, fontsize=8.5
            )
            for text in legend.get_texts():
                text.set(**style)

    def _draw_names(self, ax: Axes, shown: Sequence[str], style: Mapping[str, Any]) -> None:
        """Names where they cover nothing, with a line to the point where they stand apart from it."""
        dpi = ax.figure.dpi
        to_inches: npt.NDArray[np.float64] = ax.transData.transform(self.map.points) / dpi
        box = ax.get_window_extent()
        area = (box.x0 / dpi + 0.04, box.y0 / dpi + 0.04, box.x1 / dpi - 0.04, box.y1 / dpi - 0.04)
        widths = [width_in(text, _NAMES_PT) for text in shown]
        back = ax.transData.inverted()
        found = places(to_inches, widths, 1.15 * _NAMES_PT / POINTS, area)
        for text, place, point in zip(shown, found, self.map.points, strict=True):
            x, y = back.transform(np.array(place.middle) * dpi)
            if place.far:
                ax.plot([point[0], x], [point[1], y], color="0.6", linewidth=0.6, zorder=1)
            ax.text(
                x, y, text, ha="center", va="center", fontsize=_NAMES_PT, zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.75}, **style,
            )  # fmt: skip
