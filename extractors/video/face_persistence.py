"""Drops faces that flash up in a single frame: what a detector takes for a face once, it rarely takes for one again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from extractors.video.observation import Body, Face, FrameObservation
from extractors.video.regions import overlap

_WITHIN_S: Final = 0.5
"""Frames further apart say nothing about each other: a real face may come and go between them."""


def drop_unsteady_faces(observations: Sequence[FrameObservation]) -> tuple[FrameObservation, ...]:
    """Keeps faces that the frame before or the frame after shows as well.

    A face of the first or last frame, and one whose neighbouring frames are more than half a second away, has no two
    witnesses and is kept. The other frame shows the same face when it has a face of the same track or one whose box
    overlaps. The bodies of a track that is dropped altogether are kept, without a track, where two successive frames
    have one.

    Args:
        observations: all sampled frames of one clip, in the order of their times
    """
    steady = [
        tuple(face for face in observation.faces if _is_steady(face, observations, place))
        for place, observation in enumerate(observations)
    ]
    gone = {face.track for observation in observations for face in observation.faces}
    gone -= {face.track for faces in steady for face in faces}
    return tuple(
        replace(observation, faces=faces, bodies=tuple(_left_over(observations, place, gone)))
        for place, (observation, faces) in enumerate(zip(observations, steady, strict=True))
    )


def _left_over(observations: Sequence[FrameObservation], place: int, gone: set[int]) -> Iterator[Body]:
    """Bodies of a frame when some face tracks are gone."""
    around = [*observations[max(0, place - 1) : place], *observations[place + 1 : place + 2]]
    followed = {body.track for other in around for body in other.bodies}
    for body in observations[place].bodies:
        if body.track not in gone:
            yield body
        elif body.track in followed:
            yield replace(body, track=None)


def _is_steady(face: Face, observations: Sequence[FrameObservation], place: int) -> bool:
    if place in (0, len(observations) - 1):
        return True
    before, now, after = observations[place - 1 : place + 2]
    if now.time_s - before.time_s > _WITHIN_S or after.time_s - now.time_s > _WITHIN_S:
        return True
    return _shows(before, face) or _shows(after, face)


def _shows(observation: FrameObservation, face: Face) -> bool:
    boxes = np.array([other.box_px for other in observation.faces]).reshape(-1, 4)
    return any(other.track == face.track for other in observation.faces) or bool(
        (overlap(face.box_px, boxes) > 0).any()
    )
