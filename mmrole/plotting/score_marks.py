"""How a score is drawn on its line: a point, its interval, and the numbers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matplotlib.patches import Rectangle

from mmrole.core.scores import Score
from mmrole.plotting.matrix import HATCH
from mmrole.plotting.wording import Wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE: Final = 0.19
"""Height of a line in inches: each run has one in each row."""
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#e69f00", "#56b4e9", "#8c6d00")
"""Apart also for eyes that see no red or green (after Okabe and Ito)."""
_MARKERS: Final = "osD^vPX*"


def look(number: int) -> dict[str, Any]:
    """Colour and marker of a run."""
    return {
        "color": _COLOURS[number % len(_COLOURS)], "marker": _MARKERS[number % len(_MARKERS)], "linestyle": "none",
        "markeredgewidth": 0,
    }  # fmt: skip


def draw_score(
    panel: Axes, score: Score | None, run: int, y: float, limits: tuple[float, float], words: Wording, scale: float
) -> str:
    """Draws a score on its line; returns what is written beside it."""
    if score is None:
        return words("not scored")
    if score.value is None:
        low, high = limits
        panel.add_patch(Rectangle((low, y - 0.4 * LINE), high - low, 0.8 * LINE, zorder=1, **HATCH))
        return words("no value: {reason}", reason=words.code(str(score.reason)))
    shape = look(run)
    if score.ci is not None:
        bar: dict[str, Any] = {
            "color": shape["color"],
            "linewidth": 1.2 * scale,
            "marker": "|",
            "markersize": 5 * scale,
        }
        panel.plot(score.ci, [y, y], zorder=2, clip_on=False, **bar)
    panel.plot([score.value], [y], markersize=5 * scale, zorder=3, clip_on=False, **shape)
    ci = "" if score.ci is None else f"  [{_number(score.ci[0])}, {_number(score.ci[1])}]"
    return f"{_number(score.value)}{ci}  {words('n = {n}', n=f'{score.n:,}')}"


def _number(value: float) -> str:
    """Three digits after the point."""
    text = f"{abs(value):.3f}".removeprefix("0")
    return f"−{text}" if value < 0 and text != ".000" else text
