"""Regions of interest: turned squares of the picture that the landmark models look at."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Region:
    """A square of the picture.

    Attributes:
        x_px: centre
        y_px: centre
        side_px: length of a side
        angle_rad: how far the square is turned clockwise (y points downwards)
    """

    x_px: float
    y_px: float
    side_px: float
    angle_rad: float

    def matrix(self, pixels: int) -> NDArray[np.float64]:
        """(2, 3) matrix for `Picture.warp`: from a pixel of the square, `pixels` wide, to the picture.

        Pixel 0 is seen at the very edge of the square, as in MediaPipe's ImageToTensorCalculator, whose models are
        trained on that.
        """
        scale = self.side_px / pixels
        cosine, sine = scale * math.cos(self.angle_rad), scale * math.sin(self.angle_rad)
        half = pixels / 2
        return np.array(
            [
                [cosine, -sine, self.x_px - half * (cosine - sine)],
                [sine, cosine, self.y_px - half * (sine + cosine)],
            ]
        )

    def to_picture(self, points: NDArray[np.float32], pixels: int) -> NDArray[np.float32]:
        """Turns points of the square, `pixels` wide, into points of the picture.

        Args:
            points: (n, 3) x, y, z in pixels of the square
            pixels: width of the square

        Returns:
            (n, 3) x, y, z in pixels of the picture
        """
        matrix = self.matrix(pixels).astype(np.float32)
        placed = np.empty_like(points)
        placed[:, :2] = points[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        placed[:, 2] = points[:, 2] * np.float32(self.side_px / pixels)
        return placed

    def is_usable(self) -> bool:
        """Whether it has an extent of a pixel at least, and no number of it is NaN or infinite."""
        return math.isfinite(self.x_px + self.y_px + self.side_px + self.angle_rad) and self.side_px >= 1


def whole_picture(width_px: int, height_px: int) -> Region:
    """The smallest upright square around the whole picture, centred on it: the letterboxed input of a detector."""
    return Region(x_px=width_px / 2, y_px=height_px / 2, side_px=max(width_px, height_px), angle_rad=0.0)


def turn_rad(start: NDArray[np.floating], end: NDArray[np.floating], target_rad: float) -> float:
    """How far a picture is turned clockwise in which the direction from `start` to `end` should be `target_rad`.

    Args:
        start: point (x, y)
        end: point (x, y)
        target_rad: direction of an upright subject, counterclockwise from the x axis as one looks at it

    Returns:
        angle in -pi..pi
    """
    seen = math.atan2(-(float(end[1]) - float(start[1])), float(end[0]) - float(start[0]))
    return math.remainder(target_rad - seen, 2 * math.pi)


def overlap(box: NDArray[np.floating], others: NDArray[np.floating]) -> NDArray[np.float64]:
    """Intersection over union of a box with others.

    Args:
        box: (4,) left, top, right, bottom
        others: (n, 4)

    Returns:
        (n,) in 0..1; 0 where both have no area
    """
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    common = np.clip(sides, 0, None).prod(axis=1)
    area = (box[2:] - box[:2]).prod()
    union = area + (others[:, 2:] - others[:, :2]).prod(axis=1) - common
    shares: NDArray[np.float64] = np.divide(common, union, out=np.zeros(len(others)), where=union > 0)
    return shares
