"""What a contact sheet shows of a clip: sampled frames with what was found in them, and keyframes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from mmrole.core.errors import StoreError
from mmrole.core.features import FeatureStore

if TYPE_CHECKING:
    import pandas as pd

Box = tuple[float, float, float, float]
Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_ZOOM_SIDES: Final = 1.5
"""The close-up of a face shows so many sides of the face's box."""
_SAME_S: Final = 0.002
"""Stored times of one and the same frame differ by less."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledFrame:
    """One sampled frame: what was measured in it, and its pixels where they could be had again.

    Attributes:
        time_s: from the clip's start
        faces: number of faces, whosesoever
        face: the speaker's face was found
        body: the speaker's body was found
        face_box_px: (4,) left, top, right, bottom in pixels of the displayed picture; None without a face
        face_points_px: (478, 2) x, y; None without a face
        body_points: (33, 3) x, y in pixels, visibility in 0..1; None without a body
        rgb: (h, w, 3) the picture, made small; None when it could not be decoded again
        face_rgb: (s, s, 3) the surroundings of the face, black outside of the picture
    """

    time_s: float
    faces: int
    face: bool
    body: bool
    face_box_px: Floats | None = None
    face_points_px: Floats | None = None
    body_points: Floats | None = None
    rgb: Pixels | None = None
    face_rgb: Pixels | None = None

    @property
    def zoom_box_px(self) -> tuple[float, float, float, float] | None:
        """Left, top, right, bottom of what `face_rgb` shows: a square around the face; None without a face."""
        if self.face_box_px is None:
            return None
        left, top, right, bottom = map(float, self.face_box_px)
        half = max(1.0, _ZOOM_SIDES * max(right - left, bottom - top) / 2)
        x, y = (left + right) / 2, (top + bottom) / 2
        return x - half, y - half, x + half, y + half


@dataclass(frozen=True, kw_only=True, eq=False)
class Timeline:
    """What was found in each of the n sampled frames of a clip.

    Attributes:
        time_s: (n,) times from the clip's start
        faces: (n,) number of faces, whosesoever
        face: (n,) the speaker's face was found
        body: (n,) the speaker's body was found
    """

    time_s: NDArray[np.float64]
    faces: NDArray[np.int64]
    face: NDArray[np.bool_]
    body: NDArray[np.bool_]

    @classmethod
    def of(cls, track: pd.DataFrame) -> Self:
        """From the track of a clip."""
        return cls(
            time_s=track["time_s"].to_numpy(np.float64),
            faces=track["faces"].to_numpy(np.int64),
            face=track["face"].to_numpy(np.bool_),
            body=track["body"].to_numpy(np.bool_),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyframePicture:
    """A keyframe as it is stored.

    Attributes:
        kind: ``face``, ``body`` or ``frame``
        time_s: from the clip's start
        reason: why it was chosen
        box_px: left, top, right, bottom of what it shows, in pixels of the whole picture
        rgb: (h, w, 3) the picture
        measured: the sampled frame that it is from; None when there is none at its time
    """

    kind: str
    time_s: float
    reason: str
    box_px: Box
    rgb: Pixels
    measured: SampledFrame | None = None


def measured_frames(rows: pd.DataFrame) -> list[SampledFrame]:
    """The measurements of some rows of a clip's track, without pixels."""

    def vector(values: Any, width: int, keep: Sequence[int]) -> Floats | None:
        return None if values is None else np.asarray(values, np.float32).reshape(-1, width)[:, list(keep)]

    frames = []
    for row in rows.to_dict("records"):
        box = vector(row["face_box_px"], 4, range(4))
        frames.append(
            SampledFrame(
                time_s=float(row["time_s"]),
                faces=int(row["faces"]),
                face=bool(row["face"]),
                body=bool(row["body"]),
                face_box_px=None if box is None else box[0],
                face_points_px=vector(row["landmarks"], 3, (0, 1)),
                body_points=vector(row["body_landmarks"], 4, (0, 1, 3)),
            )
        )
    return frames


def evenly_spread(count: int, most: int) -> list[int]:
    """At most `most` of the indices 0 .. count - 1, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(float(place)) for place in np.linspace(0, count - 1, most)})


def read_keyframes(store: FeatureStore, clip_id: str, track: pd.DataFrame) -> list[KeyframePicture]:
    """The keyframes of a clip with their pictures.

    Args:
        store: an open features folder
        clip_id: the clip
        track: its track

    Raises:
        StoreError: a picture is missing or damaged
    """
    keyframes = []
    for row in store.keyframes(clip_id):
        path = Path(row["path"])
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StoreError(f"{path} cannot be read ({error.strerror}); run mmrole extract again") from None
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
        if bgr is None:
            raise StoreError(f"{path} is no picture; run mmrole extract again to make it anew")
        near = track[(track["time_s"] - row["time_s"]).abs() < _SAME_S]
        keyframes.append(
            KeyframePicture(
                kind=row["kind"],
                time_s=row["time_s"],
                reason=row["reason"],
                box_px=tuple(row["box_px"]),
                rgb=cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB).astype(np.uint8, copy=False),
                measured=next(iter(measured_frames(near)), None),
            )
        )
    return keyframes
