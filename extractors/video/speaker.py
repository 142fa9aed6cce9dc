"""Whose face is the speaker's: the annotated one, the only one, the one whose mouth fits the voice, or the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from extractors.video.motion import torso_size_px
from extractors.video.mouth import mouth_evidence, speech_envelope
from extractors.video.persons import Person, find_persons, frames_needed

if TYPE_CHECKING:
    from extractors.video.observation import Body, FrameObservation

Box = tuple[float, float, float, float]

# An annotated box and a detected one frame the same head differently: hair, ears, chin.
MIN_IOU: Final = 0.2
# A face whose overlap is that much less than the best is not what the annotator meant.
CLEAR_IOU: Final = 0.1
# A box with a shorter side than this is a click, not a frame around a face.
POINT_SIDE_PX: Final = 12.0
# Frames of a face that the comparison of mouths needs.
MIN_FRAMES: Final = 5
# What the best mouth must reach, and its margin over the second times the square root of the number of frames. Measured on
# acted clips of 2 s at 5 frames a second, two faces mixed: a listener who keeps still was never chosen and the speaker
# always; a listener whose mouth moves as in speech was chosen in 1 of 270, nobody in 79.
MIN_EVIDENCE: Final = 0.3
MARGIN_ROOT_FRAMES: Final = 0.4
# A body that never shows a face is doubtful: it must be there in so large a share of the frames.
FACELESS_SHARE: Final = 1 / 3


class Rule(StrEnum):
    """What decided whose face is the speaker's."""

    ANNOTATED_BOX = "annotated_box"
    SINGLE = "single"
    MOUTH_MOTION = "mouth_motion"
    LARGEST = "largest"
    NONE = "none"


class Note(StrEnum):
    """What a reader of the choice should know."""

    BOX_SWAPPED = "box_swapped"  # left and right, or top and bottom, were given in the wrong order
    BOX_IS_POINT = "box_is_point"  # too small for a face: taken for a click on one
    BOX_AMBIGUOUS = "box_ambiguous"  # it fits several faces: the next rules decided between them
    BOX_UNMATCHED = "box_unmatched"  # there is no face where it is
    NO_SPEECH = "no_speech"  # no sound, or too little speech to compare mouths with
    TOO_FEW_FRAMES = "too_few_frames"  # less than two faces were seen often enough to compare mouths
    NO_CLEAR_WINNER = "no_clear_winner"  # no mouth fits the voice clearly better than the others


@dataclass(frozen=True, kw_only=True)
class SpeakerChoice:
    """The speaker's face and how it was found.

    Attributes:
        track: track id of the speaker's face; None when there is no face that stays
        ids: all track ids of the same person, `track` first; empty when `track` is None
        rule: what decided
        margin: lead over the second in the rule's own measure: overlap (0..1), evidence of the mouth (0..1.5), or
            1 - ratio of sizes (0..1); None when there was nobody to compare with or the box was ambiguous
        body_tracks: `Body.track` of the bodies that are the speaker's: those of its face, or, where no face stays, those
            of the largest body that stays; empty when there is none. `speaker_body` finds the body of a frame by it.
        tracks: all persons that are part of the scene, in the order of appearance
        notes: what went otherwise than expected
    """

    track: int | None
    ids: tuple[int, ...]
    rule: Rule
    margin: float | None
    body_tracks: tuple[int | None, ...] = ()
    tracks: tuple[Person, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def several(self) -> bool:
        """More than one face is part of the scene."""
        return len(self.tracks) > 1

    def record(self) -> dict[str, object]:
        """The choice as it is stored, JSON types only."""
        tracks = [{"track": p.track, "frames": p.frames, "mean_side_px": round(p.mean_side_px, 1)} for p in self.tracks]
        return {
            "track": self.track,
            "rule": str(self.rule),
            "margin": None if self.margin is None else round(self.margin, 4),
            "notes": [str(note) for note in self.notes],
            "tracks": tracks,
        }


def choose_speaker(
    observations: Sequence[FrameObservation],
    *,
    speech_energy: tuple[ArrayLike, ArrayLike] | None = None,
    speech: ArrayLike | None = None,
    face_box_px: Box | None = None,
) -> SpeakerChoice:
    """Finds the speaker's face among all faces of a clip.

    1. The annotated box, where there is one and a face is in it. The box was drawn on a frame that nobody knows: the
       frame of each face that fits best counts. A box of nothing but zeros is none.
    2. The only face that is part of the scene.
    3. The face whose mouth fits the voice (`mouth.mouth_evidence`), if one does so clearly better than the others.
    4. The largest: median area of the box times the share of the frames that show it.

    A face that is seen too seldom (`persons.frames_needed`) is chosen by nothing but its box.

    Args:
        observations: one per sampled frame, in the order of time
        speech_energy: times in seconds and level in dB below full scale (NaN where there is no sound) on an even
            grid; None without sound
        speech: true where somebody speaks, on the same grid; the whole sound counts as speech when None
        face_box_px: annotated left, top, right, bottom of the speaker's face in pixels of the displayed picture

    Returns:
        the choice; it does not depend on what numbers the tracks have

    Raises:
        UsageError: times, levels and speech are not of one length
    """
    persons = find_persons(observations)
    staying = tuple(person for person in persons if person.persistent)
    candidates, margin, notes = staying, None, list[Note]()
    box = _ordered_box(face_box_px, notes)
    if box is not None:
        candidates, margin = _in_box(persons, box)
        if not candidates:
            notes.append(Note.BOX_UNMATCHED)
            candidates, box = staying, None
        elif len(candidates) > 1:
            notes.append(Note.BOX_AMBIGUOUS)
    if not candidates:
        bodies = _faceless_tracks(observations)
        return SpeakerChoice(
            track=None, ids=(), rule=Rule.NONE, margin=None, body_tracks=bodies, tracks=staying, notes=tuple(notes)
        )

    winner, rule = candidates[0], Rule.SINGLE
    if len(candidates) > 1:
        times_s = np.array([observation.time_s for observation in observations])
        spoken = _mouth_winner(candidates, times_s, speech_energy, speech, notes)
        rule = Rule.LARGEST if spoken is None else Rule.MOUTH_MOTION
        winner, margin = _largest(candidates) if spoken is None else spoken
        if box is not None:
            margin = None
    rule = rule if box is None else Rule.ANNOTATED_BOX
    return SpeakerChoice(
        track=winner.track,
        ids=winner.ids,
        rule=rule,
        margin=margin,
        body_tracks=winner.ids,
        tracks=staying,
        notes=tuple(notes),
    )


def speaker_body(observation: FrameObservation, choice: SpeakerChoice) -> Body | None:
    """The speaker's body in one frame: the largest, by its torso, of those that `choice.body_tracks` names."""
    bodies = [body for body in observation.bodies if body.track in choice.body_tracks]
    return max(bodies, key=lambda body: torso_size_px(body.landmarks), default=None)


def _ordered_box(box_px: Box | None, notes: list[Note]) -> Box | None:
    """The box with its corners in order; None for a box that stands for "no face"."""
    if box_px is None or not np.isfinite(box_px).all() or not any(box_px):
        return None
    left, right = sorted((box_px[0], box_px[2]))
    top, bottom = sorted((box_px[1], box_px[3]))
    if min(right - left, bottom - top) < POINT_SIDE_PX:
        notes.append(Note.BOX_IS_POINT)
    elif (left, top) != tuple(box_px[:2]):
        notes.append(Note.BOX_SWAPPED)
    return left, top, right, bottom


def _in_box(persons: Sequence[Person], box: Box) -> tuple[tuple[Person, ...], float | None]:
    """The persons that an annotated box may mean, the lead of the first when it is the only one.

    Overlap (intersection over union) of the frame that fits best; where no overlap is large enough, a face counts that
    holds the centre of the box, or whose centre is in the box, the more the nearer both centres are.
    """
    fits = [_fit(np.array([face.box_px for face in person.faces], dtype=np.float64), box) for person in persons]
    best = max((overlap for overlap, _ in fits), default=0.0)
    measures = [overlap if best >= MIN_IOU else nearness for overlap, nearness in fits]
    best = max(measures, default=0.0)
    if best <= 0:
        return (), None
    near = tuple(p for p, measure in zip(persons, measures, strict=True) if measure > max(0.0, best - CLEAR_IOU))
    if len(near) > 1:
        return near, None
    others = sorted(measures)[:-1]
    return near, best - others[-1] if others else None


def _fit(boxes: NDArray[np.float64], box: Box) -> tuple[float, float]:
    """Best overlap (0..1) and best nearness of the centres (0..1, 0 when neither holds the other's) over (n, 4) boxes."""
    target = np.array(box)
    shared = np.clip(np.minimum(boxes[:, 2:], target[2:]) - np.maximum(boxes[:, :2], target[:2]), 0, None).prod(axis=1)
    sizes = boxes[:, 2:] - boxes[:, :2]
    union = sizes.prod(axis=1) + (target[2:] - target[:2]).prod() - shared
    overlap = np.divide(shared, union, out=np.zeros(len(boxes)), where=union > 0)
    centres, centre = (boxes[:, :2] + boxes[:, 2:]) / 2, (target[:2] + target[2:]) / 2
    holds = ((boxes[:, :2] <= centre) & (centre <= boxes[:, 2:])).all(axis=1)
    held = ((target[:2] <= centres) & (centres <= target[2:])).all(axis=1)
    away = np.hypot(*(centres - centre).T) / np.maximum(np.hypot(*sizes.T), 1e-9)
    nearness = np.where(holds | held, 1 / (1 + away), 0.0)
    return float(overlap.max()), float(nearness.max())


def _mouth_winner(
    persons: Sequence[Person],
    times_s: NDArray[np.float64],
    speech_energy: tuple[ArrayLike, ArrayLike] | None,
    speech: ArrayLike | None,
    notes: list[Note],
) -> tuple[Person, float] | None:
    """The person whose mouth fits the voice and its lead over the second; None, with a note, when nobody's does."""
    envelope = None
    if speech_energy is not None:
        spoken = np.ones(np.shape(speech_energy[1]), bool) if speech is None else speech
        envelope = speech_envelope(*speech_energy, spoken)
    if envelope is None:
        notes.append(Note.NO_SPEECH)
        return None
    seen = [person for person in persons if person.frames >= MIN_FRAMES]
    if len(seen) < 2:
        notes.append(Note.TOO_FEW_FRAMES)
        return None
    evidence = [mouth_evidence(times_s[person.indices], person.faces, envelope) for person in seen]
    second, first = np.argsort(evidence, kind="stable")[-2:]
    margin = evidence[first] - evidence[second]
    needed = MARGIN_ROOT_FRAMES / np.sqrt(min(seen[first].frames, seen[second].frames))
    if evidence[first] < MIN_EVIDENCE or margin < needed:
        notes.append(Note.NO_CLEAR_WINNER)
        return None
    return seen[first], float(margin)


def _largest(persons: Sequence[Person]) -> tuple[Person, float]:
    """The person that fills most of the clip and its lead, 1 - second / first; the earlier one when equal."""
    sizes = [person.median_area_px * person.presence for person in persons]
    first = int(np.argmax(sizes))
    second = max(sizes[:first] + sizes[first + 1 :])
    return persons[first], 1 - second / sizes[first] if sizes[first] > 0 else 0.0


def _faceless_tracks(observations: Sequence[FrameObservation]) -> tuple[int | None, ...]:
    """Tracks of the bodies to follow in a clip in which no face stays; none when no body stays either.

    A body has the track of the face that was seen with it, however briefly, or none. Those tracks are taken, the largest
    first, that are never seen together with one taken before: a body whose track changes is followed, two are not mixed.
    """
    sizes: dict[int | None, float] = {}
    frames: dict[int | None, set[int]] = {}
    for index, observation in enumerate(observations):
        for body in observation.bodies:
            sizes[body.track] = sizes.get(body.track, 0.0) + torso_size_px(body.landmarks)
            frames.setdefault(body.track, set()).add(index)
    taken: list[int | None] = []
    seen: set[int] = set()
    for track in sorted(sizes, key=lambda track: -sizes[track]):
        if not seen & frames[track]:
            taken.append(track)
            seen |= frames[track]
    needed = max(frames_needed([o.time_s for o in observations]), FACELESS_SHARE * len(observations))
    return tuple(taken) if seen and len(seen) >= needed else ()
