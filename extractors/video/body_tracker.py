"""Follows bodies from frame to frame and finds those that belong to the faces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from extractors.video.body_faces import HEAD, MIN_HEAD_SHARE, face_tracks, head_share
from extractors.video.body_landmarks import BodyLandmarker, BodyPose, region_below_face, region_of_body
from extractors.video.detections import Detection
from extractors.video.observation import Body, Face
from extractors.video.picture import Picture
from extractors.video.regions import Region, overlap

_MIN_PRESENCE: Final = 0.5
_SEARCH_EVERY_S: Final = 1.0
"""How often the detector looks for the body of a face while other bodies are in sight, and verifies a faceless body."""
_MIN_FACELESS_SCORE: Final = 0.6
"""Least score of a detection that stands for a body without a face: lettering and clouds reach .5 now and then."""
_SAME_BODY: Final = 0.5
"""Bodies whose regions overlap more, and whose heads coincide, are one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Track:
    """A body that is followed; `face` is the number of its face, `sightings` how often the detector saw it faceless."""

    pose: BodyPose
    face: int | None
    sightings: int


class BodyTracker:
    """Bodies of one clip after the other: one for each face, where the detector sees it, and those of hidden faces.

    A known body is looked for where it was, that of a new face below the face. The detector, which costs as much as the
    landmarks, is asked where that fails (at once for a new face, then every second), and every second while there is
    no face. A body without a face counts from the second time in a row that the detector sees it, and is verified every
    second.

    Args:
        landmarker: finds the landmarks of a body in a region
        detector: finds bodies in the whole picture
        max_bodies: how many are followed at once
    """

    def __init__(
        self, landmarker: BodyLandmarker, detector: Callable[[Picture], Sequence[Detection]], *, max_bodies: int
    ) -> None:
        self._landmarker = landmarker
        self._detector = detector
        self._max_bodies = max_bodies
        self.start_clip()

    def start_clip(self) -> None:
        """Forgets everything."""
        self._tracks: list[_Track] = []
        self._searched_s = -np.inf
        self._searched_for: frozenset[int] = frozenset()

    def update(self, picture: Picture, time_s: float, faces: Sequence[Face]) -> tuple[Body, ...]:
        """Finds the bodies of the next frame, given its faces."""
        kept: list[_Track] = []
        for track in self._tracks:
            pose = self._accept(picture, track.pose.region)
            if pose is not None and not any(_is_same(pose, other.pose) for other in kept):
                kept.append(replace(track, pose=pose))
        self._tracks = _join_faces(kept, faces)
        bodiless = self._look_below(picture, faces)
        wanted = frozenset(face.track for face in bodiless)
        seen = frozenset(face.track for face in faces)
        hidden = any(track.face not in seen for track in self._tracks)
        unsure = any(track.face is None and track.sightings < 2 for track in self._tracks)
        is_due = time_s - self._searched_s >= _SEARCH_EVERY_S
        if unsure or not wanted <= self._searched_for or (is_due and (wanted or hidden or not faces)):
            self._searched_s = time_s
            self._search(picture, bodiless, seen)
            self._searched_for = wanted
        return tuple(
            Body(track=track.face, score=track.pose.presence, landmarks=track.pose.landmarks)
            for track in self._tracks
            if track.face is not None or track.sightings >= 2
        )

    def _look_below(self, picture: Picture, faces: Sequence[Face]) -> list[Face]:
        """Looks for the bodies of faces that have none; returns the faces that still have none."""
        left = []
        owned = {track.face for track in self._tracks}
        for face in faces:
            if face.track in owned:
                continue
            full = len(self._tracks) >= self._max_bodies
            pose = None if full else self._accept(picture, region_below_face(face.box_px))
            if pose is None or not self._is_new(pose) or head_share(pose.landmarks, face) < MIN_HEAD_SHARE:
                left.append(face)
            else:
                self._tracks.append(_Track(pose=pose, face=face.track, sightings=0))
        return left

    def _is_new(self, pose: BodyPose) -> bool:
        return not any(_is_same(pose, track.pose) for track in self._tracks)

    def _accept(self, picture: Picture, region: Region) -> BodyPose | None:
        if not region.is_usable():
            return None
        pose = self._landmarker.find(picture, region)
        return pose if pose.presence >= _MIN_PRESENCE and pose.region.is_usable() else None

    def _search(self, picture: Picture, bodiless: Sequence[Face], seen: frozenset[int]) -> None:
        """Drops bodies that show no face and are not detected; finds those of the given faces, or any without a face."""
        found = self._detector(picture)
        sure = [detection for detection in found if detection.score >= _MIN_FACELESS_SCORE]
        verified = []
        for track in self._tracks:
            if track.face in seen:
                verified.append(track)
            elif any(_shows(detection, track.pose) for detection in sure):
                verified.append(replace(track, sightings=track.sightings + 1))
        self._tracks = verified
        alone = not seen
        left = list(bodiless)
        for detection in found:
            if len(self._tracks) >= self._max_bodies:
                break
            if alone:
                known = any(_shows(detection, track.pose) for track in self._tracks)
                wanted = detection in sure and not known
            else:
                wanted = any(_is_of(detection, face) for face in left)
            pose = self._accept(picture, region_of_body(detection)) if wanted else None
            if pose is None or not self._is_new(pose):
                continue
            if alone:
                self._tracks.append(_Track(pose=pose, face=None, sightings=1))
                continue
            # where people stand close the landmarks may be those of a neighbour
            face = max(left, key=lambda face: head_share(pose.landmarks, face))
            if head_share(pose.landmarks, face) >= MIN_HEAD_SHARE:
                left.remove(face)
                self._tracks.append(_Track(pose=pose, face=face.track, sightings=0))


def _join_faces(tracks: Sequence[_Track], faces: Sequence[Face]) -> list[_Track]:
    """Gives each body its face.

    A body keeps its face where that is not seen. A body whose face is seen elsewhere has slipped to another person: it
    is that person's, or dropped.
    """
    owners = face_tracks([track.pose.landmarks for track in tracks], faces)
    seen = {face.track for face in faces}
    joined = []
    for track, owner in zip(tracks, owners, strict=True):
        if owner is not None:
            joined.append(replace(track, face=owner))
        elif track.face not in seen:
            joined.append(track)
    return joined


def _is_of(detection: Detection, face: Face) -> bool:
    """Whether a body was detected by this face: the detector's box lies around the chin."""
    x, y = (detection.box_px[:2] + detection.box_px[2:]) / 2
    left, top, right, bottom = face.box_px
    aside, below = (right - left) / 4, (bottom - top) / 2
    return bool(left - aside < x < right + aside and top < y < bottom + below)


def _shows(detection: Detection, pose: BodyPose) -> bool:
    """Whether a detection is of a body that is known: its hips are the middle of the body's next region, about."""
    expected, found = pose.region, region_of_body(detection)
    near = np.hypot(found.x_px - expected.x_px, found.y_px - expected.y_px) < expected.side_px / 4
    return bool(near and 0.5 < found.side_px / expected.side_px < 2)


def _is_same(one: BodyPose, other: BodyPose) -> bool:
    def box(region: Region) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        half = region.side_px / 2
        return np.array([region.x_px - half, region.y_px - half, region.x_px + half, region.y_px + half])

    if overlap(box(one.region), box(other.region)[np.newaxis])[0] <= _SAME_BODY:
        return False
    heads = [pose.landmarks[HEAD, :2].mean(axis=0) for pose in (one, other)]
    return bool(np.hypot(*(heads[0] - heads[1])) < 0.1 * one.region.side_px)
