"""A decoded frame as it is displayed, sampled where it is looked at and never converted whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from extractors.video.frame_planes import FramePlanes, planes_of, planes_of_rgb
from extractors.video.scratch import scratch
from mmrole.core.errors import UsageError

if TYPE_CHECKING:
    import av

cv2.setNumThreads(1)

Border = Literal["black", "replicate"]

_BORDERS: Final = {"black": cv2.BORDER_CONSTANT, "replicate": cv2.BORDER_REPLICATE}
_SAMPLING: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP

_MOSTLY_INSIDE: Final = 0.2


class Picture:
    """One frame of a video, upright and with square pixels.

    The decoder's planes are kept by reference. Rotation and pixel aspect enter the matrices with which pixels are looked
    up, so no pixel is touched that is not asked for, and a picture is cheap to keep.

    A point of the picture is (x, y) in pixels of the displayed picture, x to the right, y downwards; (0, 0) is the
    centre of the first pixel, as in OpenCV and MediaPipe.

    Args:
        frame: a decoded frame
        rotation_deg: how far the coded picture is turned *counterclockwise* for display, as `av.VideoFrame.rotation`
            says it; rounded to quarter turns; the frame's own when None
        sample_aspect_ratio: width of a coded pixel over its height; None or 0 for square. The width is stretched,
            the height kept.

    Attributes:
        width_px: width of the displayed picture
        height_px: height of the displayed picture
    """

    __slots__ = ("_coded_px", "_planes", "_quarter_turns", "_to_luma", "height_px", "width_px")

    def __init__(
        self,
        frame: av.VideoFrame,
        *,
        rotation_deg: float | None = None,
        sample_aspect_ratio: Fraction | float | None = None,
    ) -> None:
        turn_deg = frame.rotation if rotation_deg is None else rotation_deg
        self._set(planes_of(frame), turn_deg, float(sample_aspect_ratio or 1))

    @classmethod
    def from_rgb(cls, rgb: NDArray[np.uint8]) -> Picture:
        """Makes a picture of an RGB array of shape (h, w, 3), dtype uint8; the array is kept, not copied.

        Raises:
            UsageError: another shape or type
        """
        if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8 or 0 in rgb.shape:
            raise UsageError(f"an RGB picture is an array (height, width, 3) of uint8, not {rgb.shape} of {rgb.dtype}")
        picture = cls.__new__(cls)
        picture._set(planes_of_rgb(np.ascontiguousarray(rgb)), 0.0, 1.0)
        return picture

    def _set(self, planes: FramePlanes, turn_deg: float, aspect: float) -> None:
        self._planes = planes
        self._quarter_turns = round(turn_deg / 90) % 4
        height, width = planes.arrays[0].shape[:2]
        self._coded_px = (width, height)
        stretched = max(1, round(width * aspect))
        self._to_luma = _display_to_coded(self._quarter_turns, (width, height), stretched)
        turned = self._quarter_turns % 2 == 1
        self.width_px, self.height_px = (height, stretched) if turned else (stretched, height)

    def warp(
        self,
        matrix: NDArray[np.float64],
        size_px: tuple[int, int],
        *,
        border: Border = "black",
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Samples a region bilinearly.

        Args:
            matrix: (2, 3), from pixel (column, row) of the result to the point of the picture that is seen there
            size_px: width and height of the result
            border: what lies outside of the picture: black, or its outermost pixels
            out: contiguous array of shape (height, width, 3) to write into; to ask the system for so much memory again
                and again takes as long as the sampling

        Returns:
            RGB of shape (height, width, 3), float32 in 0..1; `out` when it is given
        """
        planes = self._planes
        to_luma = _after(self._to_luma, matrix)
        sampled = _sample(planes.arrays[:1], to_luma, size_px, border, planes.black)
        if out is None:
            out = np.empty((size_px[1], size_px[0], 3), np.float32)
        rgb = sampled[0]
        if len(planes.arrays) > 1:
            # colour at half the samples would be faster, but moves landmarks of the body by 1 % of the shoulders' width
            to_chroma = _after(_luma_to_chroma(planes), to_luma)
            sampled += _sample(planes.arrays[1:], to_chroma, size_px, border, planes.black[1:])
            rgb = _to_rgb(sampled, planes)
        return np.multiply(rgb, np.float32(1 / 255), out=out)

    def rgb(
        self, box_px: tuple[float, float, float, float] | None = None, max_side_px: int | None = None
    ) -> NDArray[np.uint8]:
        """Cuts out a box, as a picture to store: shrunk by averaging over areas, never enlarged.

        Args:
            box_px: left, top, right, bottom of the part that is wanted, in pixels of the displayed picture counted from
                its edge; cut to the picture and widened to whole colour samples; the whole picture when None
            max_side_px: longest side of the result; no limit when None

        Returns:
            RGB of shape (h, w, 3), uint8

        Raises:
            UsageError: the box lies outside of the picture
        """
        left, top, right, bottom = self._coded_box(box_px)
        stretch = (self.height_px if self._quarter_turns % 2 else self.width_px) / self._coded_px[0]
        width, height = (right - left) * stretch, float(bottom - top)
        shrink = 1.0 if max_side_px is None else min(1.0, max_side_px / max(width, height))
        size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
        planes = self._planes
        across, down = planes.subsampling
        luma, *chroma = planes.arrays
        parts = [_resize(luma[top:bottom, left:right], size)]
        for plane in chroma:
            part = plane[top // down : -(-bottom // down), left // across : -(-right // across)]
            parts.append(_resize(part, size))
        upright = _to_rgb(parts, planes) if chroma else parts[0]
        return np.ascontiguousarray(np.rot90(upright, self._quarter_turns))

    def _coded_box(self, box_px: tuple[float, float, float, float] | None) -> tuple[int, int, int, int]:
        """The part of the coded picture that a box of the displayed picture covers, in whole chroma samples."""
        width, height = self._coded_px
        if box_px is None:
            return 0, 0, width, height
        corners = np.array([[box_px[0], box_px[2]], [box_px[1], box_px[3]]]) - 0.5
        coded = self._to_luma[:, :2] @ corners + self._to_luma[:, 2:] + 0.5
        across, down = self._planes.subsampling
        (left, top), (right, bottom) = coded.min(axis=1), coded.max(axis=1)
        # a thousandth: the matrix may put a whole number a little beside itself
        edges = (
            max(0, int(np.floor(left / across + 1e-3)) * across),
            max(0, int(np.floor(top / down + 1e-3)) * down),
            min(width, int(np.ceil(right / across - 1e-3)) * across),
            min(height, int(np.ceil(bottom / down - 1e-3)) * down),
        )
        if not (edges[0] < edges[2] and edges[1] < edges[3]):
            raise UsageError(
                f"the box {box_px} lies outside of the picture of {self.width_px} x {self.height_px} pixels"
            )
        return edges


def _display_to_coded(quarter_turns: int, coded_px: tuple[int, int], stretched_px: int) -> NDArray[np.float64]:
    """(2, 3) matrix from a point of the displayed picture to the place in the coded luma plane."""
    width, height = coded_px
    turned = {  # in lengths from the edge, before the stretch is taken back; numpy.rot90 turns the same way
        0: np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        1: np.array([[0.0, -1.0, stretched_px], [1.0, 0.0, 0.0]]),
        2: np.array([[-1.0, 0.0, stretched_px], [0.0, -1.0, height]]),
        3: np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, height]]),
    }[quarter_turns]
    turned[0] *= width / stretched_px
    # lengths from the edge -> centres of pixels: the first centre is half a pixel from the edge
    turned[:, 2] += turned[:, :2] @ (0.5, 0.5) - 0.5
    return turned


def _luma_to_chroma(planes: FramePlanes) -> NDArray[np.float64]:
    """(2, 3) matrix from a place in the luma plane to the same place in the chroma planes."""
    across, down = planes.subsampling
    shift_x = 0.0 if planes.chroma_left and across == 2 else 0.5 / across - 0.5
    return np.array([[1 / across, 0.0, shift_x], [0.0, 1 / down, 0.5 / down - 0.5]])


def _sample(
    planes: Sequence[NDArray[np.uint8]],
    to_plane: NDArray[np.float64],
    size_px: tuple[int, int],
    border: Border,
    black: Sequence[int],
) -> list[NDArray[np.uint8]]:
    """Samples planes of one size; `black` has a value for each of their channels."""
    height, width = planes[0].shape[:2]
    across, down = size_px
    if border == "black" or _share_outside(to_plane, size_px, (width, height)) < _MOSTLY_INSIDE:
        # a single plane may hold several channels, each with its own black
        values: list[Sequence[int]] = [black] if len(planes) == 1 else [(value,) for value in black]
        mode = _BORDERS[border]
        return [
            cv2.warpAffine(plane, to_plane, size_px, flags=_SAMPLING, borderMode=mode, borderValue=value)  # type: ignore[misc]
            for plane, value in zip(planes, values, strict=True)
        ]
    # the same as warpAffine with BORDER_REPLICATE, which takes long for what lies outside
    single = to_plane.astype(np.float32)
    column, row = np.arange(across, dtype=np.float32), np.arange(down, dtype=np.float32)
    places = []
    for name, (by_column, by_row, start), length in zip("xy", single, (width, height), strict=True):
        place = scratch(name, (down, across))
        np.add.outer(by_row * row + start, by_column * column, out=place)
        places.append(np.clip(place, 0, length - 1, out=place))
    return [cv2.remap(plane, places[0], places[1], cv2.INTER_LINEAR) for plane in planes]  # type: ignore[misc]


def _share_outside(to_plane: NDArray[np.float64], size_px: tuple[int, int], plane_px: tuple[int, int]) -> float:
    """About how much of the result lies outside of the plane, 0..1: by the upright box around it."""
    share = 1.0
    for (by_column, by_row, start), length in zip(to_plane.tolist(), plane_px, strict=True):
        steps = by_column * size_px[0], by_row * size_px[1]
        low = start + min(steps[0], 0) + min(steps[1], 0)
        high = start + max(steps[0], 0) + max(steps[1], 0)
        share *= max(0.0, min(high, length) - max(low, 0.0)) / max(high - low, 1e-9)
    return 1.0 - share


def _to_rgb(parts: Sequence[NDArray[np.uint8]], planes: FramePlanes) -> NDArray[np.uint8]:
    """Y, U and V of one size to RGB of shape (h, w, 3)."""
    return cv2.transform(cv2.merge(parts), planes.to_rgb * np.float32(255))  # type: ignore[return-value]


def _after(second: NDArray[np.float64], first: NDArray[np.float64]) -> NDArray[np.float64]:
    """The (2, 3) matrix that does what `first` does, then what `second` does."""
    joined = second[:, :2] @ first
    joined[:, 2] += second[:, 2]
    return joined


def _resize(part: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    height, width = part.shape[:2]
    if (width, height) == size_px:
        return part
    shrinks = size_px[0] < width or size_px[1] < height
    return cv2.resize(part, size_px, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)  # type: ignore[return-value]
