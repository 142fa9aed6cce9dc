"""Where a head is turned, from its landmarks and the face that MediaPipe's bundle holds as the canonical one."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mmrole.core.errors import ModelFileError


class HeadPose:
    """Fits a canonical face to landmarks and reads the angles.

    The fit is the weighted orthogonal Procrustes problem over 33 points (Kabsch 1976), under a parallel projection:
    MediaPipe's landmarks have their depth in the scale of their width. MediaPipe itself assumes a camera with an opening
    of 63 degrees, and so adds the direction in which the head is seen; here the angles are as they look in the picture.

    Args:
        metadata: the file geometry_pipeline_metadata_landmarks.binarypb of the face landmarker's bundle

    Raises:
        ModelFileError: it is not that file
    """

    def __init__(self, metadata: bytes) -> None:
        try:
            self._points, canonical, self._weights = _read(metadata)
        except (struct.error, IndexError, ValueError) as error:
            raise ModelFileError(f"the face geometry of face_landmarker.task cannot be read ({error})") from error
        self._centred = canonical - self._weights @ canonical
        self._weighted = self._centred * self._weights[:, np.newaxis]

    def __call__(self, landmarks: NDArray[np.float32]) -> NDArray[np.float32]:
        """Angles of a face.

        Args:
            landmarks: (478, 3) in pixels

        Returns:
            (3,) pitch, yaw, roll in degrees. With x to the right, y upwards and z to the viewer the head is turned by
            R = Rz(-roll) Ry(yaw) Rx(-pitch): positive pitch looks up, positive yaw faces the picture's right edge,
            positive roll tilts clockwise. Yaw is in -90..90.
        """
        seen = landmarks[self._points].astype(np.float64) * (1, -1, -1)
        left, _, right = np.linalg.svd(seen.T @ self._weighted)
        turn = left @ right
        if np.linalg.det(turn) < 0:  # a turn, never a mirror image
            left[:, 2] *= -1
            turn = left @ right
        pitch = -math.atan2(turn[2, 1], turn[2, 2])
        yaw = math.asin(max(-1.0, min(1.0, -turn[2, 0])))
        roll = -math.atan2(turn[1, 0], turn[0, 0])
        return np.array([math.degrees(angle) for angle in (pitch, yaw, roll)], np.float32)


def _read(metadata: bytes) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Numbers of the landmarks to fit, (n,); their canonical places, (n, 3); their weights, (n,), of sum 1."""
    fields = list(_fields(metadata))  # 1: the mesh, 2: one weighted landmark
    (mesh,) = (value for number, value in fields if number == 1 and isinstance(value, bytes))
    # field 3 of the mesh: x, y, z and two texture coordinates of each vertex, one float after the other
    numbers = b"".join(value for number, value in _fields(mesh) if number == 3 and isinstance(value, bytes))
    vertices = np.frombuffer(numbers, "<f4").reshape(-1, 5)[:, :3]
    pairs = [dict(_fields(value)) for number, value in fields if number == 2 and isinstance(value, bytes)]
    points = np.array([pair[1] for pair in pairs], np.intp)
    weights = np.array([struct.unpack("<f", pair[2])[0] for pair in pairs])  # type: ignore[arg-type]
    return points, vertices[points].astype(np.float64), weights / weights.sum()


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Fields of a protocol buffer message: their numbers and their integers or raw bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, kind = key >> 3, key & 7
        value: int | bytes
        if kind == 0:
            value, place = _varint(message, place)
        elif kind in (2, 5):
            length, place = _varint(message, place) if kind == 2 else (4, place)
            value = message[place : place + length]
            place += length
        else:
            raise ValueError(f"field type {kind}")
        yield number, value


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place
