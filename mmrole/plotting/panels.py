"""Where Axes go on a figure, in inches, and the lines over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.text_size import width_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase, SubFigure

Margins = tuple[float, float, float, float]
"""Left, top, right, bottom in inches."""

FAINT: Final = "0.35"
"""Colour of words of less weight; on white its contrast is 7."""


def axes_in(figure: FigureBase, size_in: tuple[float, float], margins: Margins) -> Axes:
    """Axes for a picture of a size, in the left upper corner of a figure.

    Args:
        figure: as large as the picture or larger
        size_in: width and height of the picture, with its margins
        margins: of the Axes in the picture
    """
    whole = cast("Figure | SubFigure", figure)  # the only two that there are
    width, height = (side / whole.dpi for side in (whole.bbox.width, whole.bbox.height))
    left, top, right, bottom = margins
    across, down = size_in[0] - left - right, size_in[1] - top - bottom
    return figure.add_axes((left / width, (height - top - down) / height, across / width, down / height))


def inset(ax: Axes, size_in: tuple[float, float], box_in: Margins) -> Axes:
    """Axes within others that stand for a picture of a size.

    Args:
        ax: the Axes that are divided; they are as large as the picture or a part of that
        size_in: width and height of the picture
        box_in: left, top, right, bottom of the new Axes, from the left upper corner of the picture
    """
    left, top, right, bottom = box_in
    width, height = size_in
    return ax.inset_axes((left / width, 1 - bottom / height, (right - left) / width, (bottom - top) / height))


def scale_of(ax: Axes, size_in: tuple[float, float]) -> float:
    """How much smaller or larger Axes are than the picture that they are to hold: letters are drawn so much smaller."""
    box = ax.get_window_extent()
    dpi = float(ax.figure.dpi)
    return float(min(box.width / dpi / size_in[0], box.height / dpi / size_in[1]))


def blank(ax: Axes, size_in: tuple[float, float]) -> float:
    """Makes of Axes a sheet whose unit is an inch, y downwards, with nothing on it; returns their scale (see `scale_of`)."""
    ax.set(xlim=(0, size_in[0]), ylim=(size_in[1], 0), aspect="equal", autoscale_on=False)
    ax.set_axis_off()
    ax.apply_aspect()  # what is measured from here on is the box that will be drawn
    return scale_of(ax, size_in)


def heading(ax: Axes, title: str, legend: str, *, size_pt: float) -> None:
    """Writes two lines above Axes: a title, and fainter what the picture shows.

    Args:
        ax: below the lines
        title: is shortened where it is wider than the Axes
        legend: the second line
        size_pt: size of the title's letters
    """
    room = ax.get_window_extent().width / ax.figure.dpi
    lines = (title, 2.05 * size_pt, size_pt, "black"), (legend, 0.75 * size_pt, 0.78 * size_pt, FAINT)
    letters = lettering(title, legend)
    for text, above, size, colour in lines:
        style: dict[str, Any] = {"fontsize": size, "color": colour, "annotation_clip": False, **letters.style}
        ax.annotate(
            letters.shown(fitted(text, size, room)), (0, 1), (0, above), xycoords="axes fraction", textcoords="offset points",
            ha="left", va="center_baseline", **style,
        )  # fmt: skip


def joined(*parts: str | None) -> str:
    """Parts of a line side by side, without those that are None.

    >>> joined("a", None, "b")
    'a   ·   b'
    """
    return "   ·   ".join(part for part in parts if part is not None)


def fitted(text: str, size_pt: float, room_in: float) -> str:
    """A text of one line, its middle left out where it is wider than the room."""
    columns = sum(2 if ord(character) > 0x2E7F else 1 for character in text)
    text = one_line(text, columns)
    while columns > 8 and width_in(text, size_pt) > room_in:
        columns -= max(1, columns // 20)
        text = one_line(text, columns)
    return text
