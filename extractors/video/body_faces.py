"""Which body belongs to which face: the head's points of the body lie in the face's box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.observation import Face

HEAD: Final = slice(0, 7)
"""Of the body's points: the nose, and the corners and middles of the eyes."""
MIN_HEAD_SHARE: Final = 0.5

_MARGIN: Final = 0.1
"""The face's box is widened by this share on each side before points are counted."""


def head_share(landmarks: NDArray[np.float32], face: Face) -> float:
    """Share of the head's points of a body (33, 4) that lie in the box of a face, 0..1."""
    margin = _MARGIN * (face.box_px[2:] - face.box_px[:2])
    head = landmarks[HEAD, :2]
    inside = (head > face.box_px[:2] - margin) & (head < face.box_px[2:] + margin)
    return float(inside.all(axis=1).mean())


def face_tracks(bodies: Sequence[NDArray[np.float32]], faces: Sequence[Face]) -> list[int | None]:
    """The face track of each body; the best pairs first, each face and body once.

    Args:
        bodies: landmarks (33, 4) of each
        faces: of the same frame

    Returns:
        one entry for each body, None where it has no face
    """
    pairs = [(head_share(body, face), place, face.track) for place, body in enumerate(bodies) for face in faces]
    owned: dict[int, int] = {}
    for share, place, track in sorted(pairs, key=lambda pair: -pair[0]):
        if share >= MIN_HEAD_SHARE and place not in owned and track not in owned.values():
            owned[place] = track
    return [owned.get(place) for place in range(len(bodies))]
