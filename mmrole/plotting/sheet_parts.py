"""The parts of a contact sheet, drawn on Axes whose unit is a hundredth of an inch, y downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from mmrole.plotting.clip_pictures import Box, SampledFrame
from mmrole.plotting.landmark_lines import FACE_CONTOURS, HEAD_POINTS, SKELETON

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FACE, BODY, OTHERS, NOBODY, QUIET = "#ffc800", "#25b7ff", "#e87500", "#d90429", "#9a9a9a"
"""Colours: the speaker's face, the body, other faces only, no face, and everything else."""

VISIBLE: Final = 0.5
"""Points of the body that are visible with less probability are drawn faintly."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """A part of a picture, and where it is shown on the sheet.

    Attributes:
        box: left, top, right, bottom of the place on the sheet
        part_px: left, top, right, bottom of the part of the picture, in its pixels
    """

    box: Box
    part_px: Box

    @property
    def scale(self) -> float:
        """Units of the sheet per pixel of the picture."""
        return (self.box[2] - self.box[0]) / (self.part_px[2] - self.part_px[0])

    def place(self, points_px: NDArray[Any]) -> NDArray[np.float64]:
        """Points of the picture (n, 2) on the sheet."""
        origin = np.array(self.box[:2]) - np.array(self.part_px[:2]) * self.scale
        return np.asarray(points_px, np.float64) * self.scale + origin


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Axes with the unit of the sheet.

    Attributes:
        ax: the Axes
        points: size in points of one unit, so that letters and lines keep their size in relation to the pictures
    """

    ax: Axes
    points: float

    def text(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        """Writes letters of a height of `size` units, their middle at y."""
        style.setdefault("va", "center_baseline" if "\n" not in text else "center")
        self.ax.text(x, y, text, fontsize=size * self.points, clip_on=False, **style)

    def picture(self, rgb: NDArray[np.uint8], box: Box) -> None:
        """Puts a picture (h, w, 3) into a box."""
        left, top, right, bottom = box
        image = AxesImage(self.ax, extent=(left, right, bottom, top), origin="upper", zorder=1)
        image.set_data(rgb)
        self.ax.add_image(image)

    def frame(self, box: Box, colour: str, width: float) -> None:
        """Draws a frame around a box."""
        grown = (box[0] - width / 2, box[1] - width / 2, box[2] + width / 2, box[3] + width / 2)
        self._rectangle(grown, edgecolor=colour, facecolor="none", linewidth=width * self.points, zorder=4)

    def blank(self, box: Box, colour: str = "#e6e6e6") -> None:
        """Fills a box with one colour."""
        self._rectangle(box, facecolor=colour, edgecolor="none", linewidth=0, zorder=0.5)

    def _rectangle(self, box: Box, **style: Any) -> Rectangle:
        left, top, right, bottom = box
        patch = Rectangle((left, top), right - left, bottom - top, **style)
        self.ax.add_patch(patch)
        return patch

    def face(self, frame: SampledFrame, window: Window, *, width: float, mesh: bool = False) -> None:
        """Draws the contours of a face, its box, and all points of the mesh when `mesh`."""
        if frame.face_points_px is None or frame.face_box_px is None:
            return
        points = window.place(frame.face_points_px)
        lines = [points[list(contour)] for contour in FACE_CONTOURS]
        self._lines(lines, window, FACE, width)
        left, top, right, bottom = window.place(frame.face_box_px.reshape(2, 2)).reshape(-1)
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom], [left, top]])
        self._lines([corners], window, FACE, width, alpha=0.8)
        if mesh:
            self._dots(points, window, "white", size=0.9, alpha=0.7, above=1.5)

    def body(self, frame: SampledFrame, window: Window, *, width: float) -> None:
        """Draws the points of a body and the lines between them; faintly what is hardly visible."""
        if frame.body_points is None:
            return
        points, seen = window.place(frame.body_points[:, :2]), frame.body_points[:, 2] >= VISIBLE
        for visible in (False, True):
            alpha = 1.0 if visible else 0.35
            drawn = seen == visible
            lines = [points[[one, other]] for one, other in SKELETON if bool(seen[one] and seen[other]) is visible]
            self._lines(lines, window, BODY, width, alpha=alpha)
            # the head's points are drawn small: the face is under them
            self._dots(points[:HEAD_POINTS][drawn[:HEAD_POINTS]], window, BODY, size=1.8 * width, alpha=alpha)
            self._dots(points[HEAD_POINTS:][drawn[HEAD_POINTS:]], window, BODY, size=3.2 * width, alpha=alpha)

    def _lines(
        self, lines: Sequence[NDArray[np.float64]], window: Window, colour: str, width: float, alpha: float = 1.0
    ) -> None:
        if lines:
            drawn = LineCollection(list(lines), colors=colour, linewidths=width * self.points, alpha=alpha, zorder=2)
            self.ax.add_collection(drawn, autolim=False)
            self._clip(drawn, window)

    def _dots(
        self, points: NDArray[np.float64], window: Window, colour: str, *, size: float, alpha: float, above: float = 3.0
    ) -> None:
        if len(points):
            (drawn,) = self.ax.plot(
                points[:, 0], points[:, 1], linestyle="none", marker="o", markersize=size * self.points,
                markerfacecolor=colour, markeredgewidth=0, alpha=alpha, zorder=above, scalex=False, scaley=False,
            )  # fmt: skip
            self._clip(drawn, window)

    def _clip(self, artist: Any, window: Window) -> None:
        left, top, right, bottom = window.box
        artist.set_clip_path(Rectangle((left, top), right - left, bottom - top, transform=self.ax.transData))


def inside(box: Box, aspect: float) -> Box:
    """The largest box of an aspect (width over height) in the middle of another."""
    width, height = box[2] - box[0], box[3] - box[1]
    across, down = min(width, height * aspect), min(height, width / aspect)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x - across / 2, y - down / 2, x + across / 2, y + down / 2
