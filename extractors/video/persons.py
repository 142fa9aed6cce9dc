"""Who is seen in a clip: face tracks that lost their person and found it again are joined, passers-by are told apart.

Conventions:
    observations: one `FrameObservation` per sampled frame, in the order of time
    box: left, top, right, bottom in pixels of the displayed picture
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from extractors.video.observation import Face, FrameObservation

# A person found again within this time may keep the place and size it had; after a longer time anybody may stand there.
JOIN_GAP_S: Final = 2.0
# How far a face may have moved meanwhile, in sides of the face, and how much its side may have grown or shrunk.
JOIN_MOVE_SIDES: Final = 0.5
JOIN_SIZE_RATIO: Final = 1.4
# A face belongs to the scene when it is there for a tenth of the sampled frames, or for two seconds of a long clip.
PERSISTENT_SHARE: Final = 0.1
PERSISTENT_S: Final = 2.0
# Of fewer frames than this one with a face is enough.
FEW_FRAMES: Final = 4


@dataclass(frozen=True, kw_only=True)
class Person:
    """One face over the whole clip.

    Attributes:
        track: the earliest of its track ids; the name of the person in all outputs
        ids: all its track ids, in the order of time
        frames: number of sampled frames that show it
        presence: share of the sampled frames that show it, 0..1
        mean_side_px: mean over its frames of the side of a square as large as its box
        median_area_px: median over its frames of the area of its box, in square pixels
        persistent: it is part of the scene, not a passer-by or a false detection
        indices: (frames,) positions of its frames in the sequence of observations
        faces: (frames) what was measured there
    """

    track: int
    ids: tuple[int, ...]
    frames: int
    presence: float
    mean_side_px: float
    median_area_px: float
    persistent: bool
    indices: NDArray[np.intp] = field(repr=False, compare=False)
    faces: tuple[Face, ...] = field(repr=False, compare=False)


def frames_needed(times_s: Sequence[float]) -> int:
    """In how many of the sampled frames a person must be seen to count as part of the scene.

    A tenth of the frames, at least two (one in a clip of less than four frames), at most as many as two seconds hold.
    """
    frames = len(times_s)
    if frames < FEW_FRAMES:
        return 1
    step_s = float(np.median(np.diff(times_s)))
    in_two_seconds = round(PERSISTENT_S / step_s) if step_s > 0 else frames
    return max(2, min(int(np.ceil(PERSISTENT_SHARE * frames)), in_two_seconds))


def find_persons(observations: Sequence[FrameObservation]) -> tuple[Person, ...]:
    """All faces of a clip, each with the tracks that belong to it.

    The tracker follows a face from frame to frame. When it loses one (a hand before the face, a turned head) and finds it
    again, the face has a new id. Two tracks are one person when the second begins within `JOIN_GAP_S` after the end of
    the first, no more than `JOIN_MOVE_SIDES` of a side away and not larger or smaller than by `JOIN_SIZE_RATIO`.

    Returns:
        persons in the order of their first frame, from left to right where that is the same
    """
    tracks = _tracks(observations)
    needed = frames_needed([o.time_s for o in observations])
    persons = []
    for chain in _chains(tracks, [o.time_s for o in observations]):
        seen = [entry for track in chain for entry in tracks[track]]
        areas = np.array([box_area(face.box_px) for _, face in seen])
        person = Person(
            track=chain[0],
            ids=tuple(chain),
            frames=len(seen),
            presence=len(seen) / len(observations),
            mean_side_px=float(np.sqrt(areas).mean()),
            median_area_px=float(np.median(areas)),
            persistent=len(seen) >= needed,
            indices=np.array([index for index, _ in seen], dtype=np.intp),
            faces=tuple(face for _, face in seen),
        )
        persons.append(person)
    return tuple(persons)


def box_area(box_px: Sequence[float] | NDArray[np.floating]) -> float:
    """Area of a box in square pixels."""
    return float(max(0.0, box_px[2] - box_px[0]) * max(0.0, box_px[3] - box_px[1]))


def _tracks(observations: Sequence[FrameObservation]) -> dict[int, list[tuple[int, Face]]]:
    """Track id -> (index of the frame, face) in the order of time; tracks in the order of appearance, then from the left.

    Names must not matter: the ids of a clip with the same faces may be any numbers.
    """
    tracks: dict[int, list[tuple[int, Face]]] = {}
    for index, observation in enumerate(observations):
        for face in sorted(observation.faces, key=lambda face: tuple(map(float, face.box_px))):
            tracks.setdefault(face.track, []).append((index, face))
    return tracks


def _chains(tracks: dict[int, list[tuple[int, Face]]], times_s: Sequence[float]) -> list[list[int]]:
    """Tracks that are one person, in the order of time; the shortest gap is joined first, then the smallest move."""
    links = []
    ordered = list(tracks.items())
    for place, (earlier, before) in enumerate(ordered):
        for later, after in ordered[place + 1 :]:
            gap_s = times_s[after[0][0]] - times_s[before[-1][0]]
            if gap_s > JOIN_GAP_S:
                break  # those that follow begin no sooner
            if gap_s > 0:
                move = _move_sides(before[-1][1], after[0][1])
                if move is not None:
                    links.append((gap_s, move, earlier, later))
    follower: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, earlier, later in sorted(links, key=lambda link: link[:2]):
        if earlier not in follower and later not in taken:
            follower[earlier] = later
            taken.add(later)
    chains = []
    for track in tracks:
        if track not in taken:
            chain = [track]
            while chain[-1] in follower:
                chain.append(follower[chain[-1]])
            chains.append(chain)
    return chains


def _move_sides(before: Face, after: Face) -> float | None:
    """How far a face has moved, in sides of the larger of both boxes; None when place or size do not agree."""
    a, b = np.asarray(before.box_px, dtype=np.float64), np.asarray(after.box_px, dtype=np.float64)
    sides = np.sqrt([box_area(a), box_area(b)])
    if sides.min() <= 0 or sides.max() / sides.min() > JOIN_SIZE_RATIO:
        return None
    move = float(np.hypot(*((a[:2] + a[2:]) - (b[:2] + b[2:])) / 2) / sides.max())
    return move if move <= JOIN_MOVE_SIDES else None
