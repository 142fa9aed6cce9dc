"""The pixel planes of a decoded frame, read in place, and the matrix that turns their values into RGB."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import av
import numpy as np
from numpy.typing import NDArray

_PLANAR_8_BIT: Final = {
    # name -> chroma subsampling (horizontal, vertical)
    "yuv420p": (2, 2),
    "yuvj420p": (2, 2),
    "yuv422p": (2, 1),
    "yuvj422p": (2, 1),
    "yuv444p": (1, 1),
    "yuvj444p": (1, 1),
}

# ITU-T H.273, table 4 (MatrixCoefficients): share of red and of blue in luma
_LUMA_SHARES: Final = {
    1: (0.2126, 0.0722),  # BT.709
    4: (0.30, 0.11),  # FCC
    5: (0.299, 0.114),  # BT.601, 625 lines
    6: (0.299, 0.114),  # BT.601, 525 lines
    7: (0.212, 0.087),  # SMPTE 240M
    9: (0.2627, 0.0593),  # BT.2020
    10: (0.2627, 0.0593),  # BT.2020, constant luminance
}
_LIMITED_RANGE: Final = 1  # AVCOL_RANGE_MPEG
_FULL_RANGE: Final = 2  # AVCOL_RANGE_JPEG
_HD_HEIGHT_PX: Final = 720


@dataclass(frozen=True, kw_only=True, eq=False)
class FramePlanes:
    """Planes of one frame as views of the decoder's memory (they keep it alive).

    Attributes:
        arrays: Y, U, V of shape (h, w), or one packed RGB array of shape (h, w, 3); uint8
        subsampling: luma pixels per chroma sample, (horizontal, vertical)
        chroma_left: chroma samples lie on every second luma column (MPEG-2, H.264) instead of between two (JPEG)
        to_rgb: (3, 4) float32; RGB in 0..1 = `to_rgb @ (plane values, 1)`
        black: the value of each plane that stands for black
    """

    arrays: tuple[NDArray[np.uint8], ...]
    subsampling: tuple[int, int]
    chroma_left: bool
    to_rgb: NDArray[np.float32]
    black: tuple[int, ...]


def planes_of_rgb(rgb: NDArray[np.uint8]) -> FramePlanes:
    """Wraps a packed RGB array of shape (h, w, 3)."""
    to_rgb = np.eye(3, 4, dtype=np.float32) / np.float32(255)
    return FramePlanes(arrays=(rgb,), subsampling=(1, 1), chroma_left=False, to_rgb=to_rgb, black=(0, 0, 0))


def planes_of(frame: av.VideoFrame) -> FramePlanes:
    """Reads the planes of a frame.

    8-bit planar YUV is used in place. Other YUV (10 bit, interleaved, with alpha) passes through swscale to yuv420p or
    yuv444p, everything else (RGB, grey, palette, Bayer) to rgb24.
    """
    full_range = frame.format.name.startswith("yuvj") or frame.color_range == _FULL_RANGE
    if frame.format.name not in _PLANAR_8_BIT or any(plane.line_size < 0 for plane in frame.planes):
        target = _replacement(frame.format)
        if target == "rgb24":
            packed: Any = frame.reformat(format=target, threads=1).to_ndarray()
            return planes_of_rgb(packed)
        # naming the same range twice keeps swscale from changing it; the matrix is applied later
        kept = _FULL_RANGE if full_range else _LIMITED_RANGE
        colorspace = frame.colorspace
        frame = frame.reformat(format=target, src_color_range=kept, dst_color_range=kept, threads=1)
    else:
        colorspace = frame.colorspace
    return FramePlanes(
        arrays=tuple(_view(plane) for plane in frame.planes[:3]),
        subsampling=_PLANAR_8_BIT[frame.format.name],
        chroma_left=not full_range,
        to_rgb=yuv_to_rgb(int(colorspace), full_range=full_range, height_px=frame.height),
        black=(0 if full_range else 16, 128, 128),
    )


def yuv_to_rgb(colorspace: int, *, full_range: bool, height_px: int) -> NDArray[np.float32]:
    """Matrix from 8-bit Y, U, V to RGB in 0..1.

    Args:
        colorspace: MatrixCoefficients of ITU-T H.273; where it is not told (2), pictures of 720 lines or more are taken
            for BT.709 and smaller ones for BT.601, as players do
        full_range: Y spans 0..255 (JPEG) instead of 16..235, U and V likewise
        height_px: height of the coded picture

    Returns:
        (3, 4) float32; the last column is the offset
    """
    unknown = _LUMA_SHARES[1 if height_px >= _HD_HEIGHT_PX else 5]
    red, blue = _LUMA_SHARES.get(colorspace, unknown)
    green = 1 - red - blue
    luma, chroma, floor = (255.0, 255.0, 0.0) if full_range else (219.0, 224.0, 16.0)
    # Y' = (Y - floor) / luma; R = Y' + 2 (1 - red) V', B = Y' + 2 (1 - blue) U', G from Y' = red R + green G + blue B
    scale = np.array([1 / luma, 1 / chroma, 1 / chroma])
    matrix = np.array(
        [
            [1, 0, 2 * (1 - red)],
            [1, -2 * (1 - blue) * blue / green, -2 * (1 - red) * red / green],
            [1, 2 * (1 - blue), 0],
        ]
    )
    matrix = matrix * scale
    offset = -matrix @ np.array([floor, 128.0, 128.0])
    return np.column_stack([matrix, offset]).astype(np.float32)


def _replacement(layout: av.VideoFormat) -> str:
    """Name of the 8-bit format that keeps what the models and keyframes need of `layout`."""
    is_yuv = not (layout.is_rgb or layout.has_palette or layout.name.startswith("xyz")) and len(layout.components) >= 3
    if not is_yuv:
        return "rgb24"
    chroma = layout.components[1]
    return "yuv444p" if (chroma.width, chroma.height) == (layout.width, layout.height) else "yuv420p"


def _view(plane: av.video.plane.VideoPlane) -> NDArray[np.uint8]:
    buffer: Any = plane  # it is a buffer, but not typed as one
    rows: NDArray[np.uint8] = np.frombuffer(buffer, np.uint8).reshape(-1, plane.line_size)
    return rows[: plane.height, : plane.width]
