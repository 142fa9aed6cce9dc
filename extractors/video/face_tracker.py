"""Follows faces from frame to frame and finds new ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.detections import Detection, SingleShotDetector
from extractors.video.face_landmarks import FaceLandmarker, FaceMesh, region_of_detection, region_of_mesh
from extractors.video.observation import Face
from extractors.video.picture import Picture
from extractors.video.regions import Region, overlap

_MIN_PRESENCE: Final = 0.5
_SEARCH_EVERY_S: Final = 1.0
"""How often the whole picture is searched for further faces while all known ones are in sight."""
_REMEMBERED_S: Final = 1.0
"""How long a lost face keeps its track number."""
_SAME_FACE: Final = 0.3
"""Boxes with a larger intersection over union are of one face."""
_FAR_SHIFT: Final = 0.1
_FAR_SCALE: Final = 1.2
_FAR_TURN_RAD: Final = 0.2


@dataclass(frozen=True, kw_only=True, eq=False)
class _Track:
    number: int
    mesh: FaceMesh
    seen_s: float


class FaceTracker:
    """Faces of one clip after the other.

    A known face is looked for where it was. The detector searches the whole picture while a face is missing (for a
    second after it was lost, or as long as none is known) and every second of the clip.

    Args:
        landmarker: finds the landmarks of a face in a region
        detector: finds faces in the whole picture
        max_faces: how many faces are followed at once; of more, the largest
    """

    def __init__(self, landmarker: FaceLandmarker, detector: SingleShotDetector, *, max_faces: int) -> None:
        self._landmarker = landmarker
        self._detector = detector
        self._max_faces = max_faces
        self.start_clip()

    def start_clip(self) -> None:
        """Forgets everything."""
        self._tracks: list[_Track] = []
        self._lost: list[_Track] = []
        self._count = 0
        self._searched_s = -np.inf

    def update(self, picture: Picture, time_s: float) -> tuple[Face, ...]:
        """Finds the faces of the next frame, in the order of their tracks."""
        kept: list[_Track] = []
        for track in self._tracks:
            mesh = self._follow(picture, track.mesh)
            # two tracks on one face: the older one, which comes first, keeps it
            if mesh is not None and not any(_is_same(mesh, other.mesh) for other in kept):
                kept.append(_Track(number=track.number, mesh=mesh, seen_s=time_s))
            else:
                self._lost.append(track)
        self._lost = [track for track in self._lost if time_s - track.seen_s <= _REMEMBERED_S]
        self._tracks = kept
        is_due = time_s - self._searched_s >= _SEARCH_EVERY_S
        if len(kept) < self._max_faces and (self._lost or not kept or is_due):
            self._searched_s = time_s
            self._search(picture, time_s)
        self._tracks.sort(key=lambda track: track.number)
        return tuple(self._landmarker.describe(track.mesh, track.number) for track in self._tracks)

    def _follow(self, picture: Picture, before: FaceMesh) -> FaceMesh | None:
        """The same face in the next frame, or None."""
        looked = region_of_mesh(before)
        mesh = self._accept(picture, looked)
        if mesh is not None and _is_far(looked, region_of_mesh(mesh)):
            # the models expect the face in the middle of the region: look again where it is now
            mesh = self._accept(picture, region_of_mesh(mesh))
        return mesh

    def _accept(self, picture: Picture, region: Region) -> FaceMesh | None:
        if not region.is_usable():
            return None
        mesh = self._landmarker.find(picture, region)
        return mesh if mesh.presence >= _MIN_PRESENCE else None

    def _search(self, picture: Picture, time_s: float) -> None:
        found = sorted(self._detector(picture), key=_area, reverse=True)
        for detection in found:
            if len(self._tracks) >= self._max_faces:
                break
            if any(_shows(detection, track.mesh) for track in self._tracks):
                continue
            mesh = self._accept(picture, region_of_detection(detection))
            if mesh is not None:  # from here on as in every later frame, so that the first one is no exception
                mesh = self._accept(picture, region_of_mesh(mesh))
            if mesh is None or any(_is_same(mesh, track.mesh) for track in self._tracks):
                continue
            self._tracks.append(_Track(number=self._number(mesh), mesh=mesh, seen_s=time_s))

    def _number(self, mesh: FaceMesh) -> int:
        """The number of a lost face that was about here, or a new one."""
        centre, size = _centre(mesh), _size(mesh)
        near = [
            (float(np.hypot(*(_centre(track.mesh) - centre))), track)
            for track in self._lost
            if 0.5 < _size(track.mesh) / size < 2
        ]
        near = [(distance, track) for distance, track in near if distance < max(size, _size(track.mesh))]
        if near:
            _, track = min(near, key=lambda pair: pair[0])
            self._lost.remove(track)
            return track.number
        self._count += 1
        return self._count - 1


def _is_far(looked: Region, now: Region) -> bool:
    shift = np.hypot(now.x_px - looked.x_px, now.y_px - looked.y_px) / now.side_px
    scale = now.side_px / looked.side_px
    turn = abs(np.angle(np.exp(1j * (now.angle_rad - looked.angle_rad))))
    return bool(shift > _FAR_SHIFT or not 1 / _FAR_SCALE < scale < _FAR_SCALE or turn > _FAR_TURN_RAD)


def _is_same(one: FaceMesh, other: FaceMesh) -> bool:
    return bool(overlap(one.box_px, other.box_px[np.newaxis])[0] > _SAME_FACE)


def _shows(detection: Detection, mesh: FaceMesh) -> bool:
    """Whether a detection is of a face that is known: their boxes are cut differently, so the centre counts as well."""
    left, top, right, bottom = mesh.box_px
    x, y = (detection.box_px[:2] + detection.box_px[2:]) / 2
    inside = bool(left < x < right and top < y < bottom)
    return inside or bool(overlap(detection.box_px, mesh.box_px[np.newaxis])[0] > _SAME_FACE)


def _area(detection: Detection) -> float:
    return float((detection.box_px[2:] - detection.box_px[:2]).prod())


def _centre(mesh: FaceMesh) -> NDArray[np.float32]:
    return (mesh.box_px[:2] + mesh.box_px[2:]) / np.float32(2)


def _size(mesh: FaceMesh) -> float:
    return float((mesh.box_px[2:] - mesh.box_px[:2]).max())
