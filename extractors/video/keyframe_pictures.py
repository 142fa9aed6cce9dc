"""What a keyframe shows: the part of the picture to cut out, and its JPEG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from extractors.video.motion import NOSE, SHOULDERS, TRUNK, VISIBLE

if TYPE_CHECKING:
    from extractors.video.observation import Body, Face
    from extractors.video.picture import Picture

Kind = Literal["face", "body", "frame"]
Box = tuple[float, float, float, float]

JPEG_QUALITY: Final = 90
MAX_SIDE_PX: Final[dict[Kind, int]] = {"face": 512, "body": 1280, "frame": 1280}
# A face's box goes from the forehead to the chin: this many of its sides show hair, ears and neck as well.
FACE_CROP_SIDES: Final = 1.7
FACE_CROP_UP: Final = 0.08  # and so much further up, in sides
BODY_MARGIN: Final = 0.15  # on each side of a body, in longer sides of its box
CROWN_PER_NECK: Final = 1.0  # from the nose to the top of the head it is as far as to the shoulders
_SMALLEST_PX: Final = 2


def face_crop(face: Face, size_px: tuple[int, int]) -> Box | None:
    """Square around a face with hair, ears and neck, cut to the picture.

    Args:
        face: the face
        size_px: width and height of the picture

    Returns:
        left, top, right, bottom in pixels; None when the face is outside of the picture
    """
    left, top, right, bottom = map(float, face.box_px)
    side = max(right - left, bottom - top)
    half, centre_x, centre_y = FACE_CROP_SIDES * side / 2, (left + right) / 2, (top + bottom) / 2 - FACE_CROP_UP * side
    return _inside((centre_x - half, centre_y - half, centre_x + half, centre_y + half), size_px)


def body_crop(body: Body, size_px: tuple[int, int]) -> Box | None:
    """Box around a body with a margin, cut to the picture: head and trunk, and every other point that is seen.

    Args:
        body: the body
        size_px: width and height of the picture

    Returns:
        left, top, right, bottom in pixels; None when the body is outside of the picture
    """
    shown = body.landmarks[:, 3] >= VISIBLE
    shown[TRUNK] = True
    nose, shoulders = body.landmarks[NOSE, :2], body.landmarks[SHOULDERS, :2].mean(axis=0)
    crown = nose + CROWN_PER_NECK * (nose - shoulders)  # no point marks the top of the head
    # where the trunk goes on outside of the picture the box ends at the edge
    points = np.clip(np.vstack([body.landmarks[shown, :2], crown]), 0, np.array(size_px, np.float32))
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    if not (left < right and top < bottom):
        return None
    margin = BODY_MARGIN * max(right - left, bottom - top)
    return _inside((left - margin, top - margin, right + margin, bottom + margin), size_px)


def encode(picture: Picture, box_px: Box, kind: Kind) -> bytes:
    """Cuts a part out of a picture and encodes it as JPEG, shrunk to `MAX_SIDE_PX`, never enlarged.

    Raises:
        UsageError: the box lies outside of the picture
        ValueError: OpenCV cannot encode it
    """
    rgb: NDArray[np.uint8] = picture.rgb(box_px, MAX_SIDE_PX[kind])
    done, jpeg = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError(f"OpenCV cannot encode a picture of shape {rgb.shape} as JPEG")
    return bytes(jpeg)


def _inside(box_px: Box, size_px: tuple[int, int]) -> Box | None:
    """A box in whole pixels, cut to the picture; None when nothing is left of it."""
    if not np.isfinite(box_px).all():
        return None
    left, top = max(0, round(box_px[0])), max(0, round(box_px[1]))
    right, bottom = min(size_px[0], round(box_px[2])), min(size_px[1], round(box_px[3]))
    if right - left < _SMALLEST_PX or bottom - top < _SMALLEST_PX:
        return None
    return float(left), float(top), float(right), float(bottom)
