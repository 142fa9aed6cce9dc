"""Keyframes: the few pictures that stand for the expression and the movement of a clip.

Of the speaker's face and of the speaker's body at most K pictures each are chosen, cut out with a margin: the calmest
frame, then the peaks of motion, each the less wanted the nearer it is to a chosen one, then, where places are left, what
looks most different from all of them. What looks like a chosen one is left out, and so are peaks within `APART_S` of one: a
clip in which nothing happens has one keyframe. Whole frames go with the strongest peak and with the calmest moment. A clip
without face and body has whole frames from its beginning, middle and end.

Everything follows from the frames that were given, in their order; the numbers of the tracks do not matter.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from extractors.video.keyframe_candidates import Candidates, Moment, Reel
from extractors.video.keyframe_choice import Choice, PickReason, choose_moments, ends, whole_frames
from extractors.video.keyframe_pictures import Box, Kind, body_crop, encode, face_crop
from extractors.video.motion import Expression, Pose

if TYPE_CHECKING:
    from extractors.video.observation import Body, FrameObservation
    from extractors.video.picture import Picture
    from extractors.video.speaker import SpeakerChoice

DEFAULT_COUNT: Final = 4
# Pictures that are held at once: 24 of 1280 x 720; fewer large ones.
MOST_PICTURES: Final = 16
FEWEST_PICTURES: Final = 5
MOST_BYTES: Final = 32 << 20
_BYTES_PER_PIXEL: Final = 1.5  # a decoder's planes, 4:2:0
# So large a share of them is for the first picture of each of the main faces and bodies, whoever may turn out to speak.
_MAIN_SHARE: Final = 1 / 3
_REEL_RANK: Final = 5


@dataclass(frozen=True, kw_only=True)
class KeyframePick:
    """One keyframe.

    Attributes:
        file: name of its file: the kind and its number in the order of time
        kind: face and body are cut out, frame is the whole picture
        time_s: time of the frame from the container's start
        reason: why it was chosen
        box_px: left, top, right, bottom of what is shown, in pixels of the displayed picture
        track: track of the speaker's face, as in `SpeakerChoice.track`; None where there is none
        motion: change against the frame before, per second: mean absolute difference of the blendshapes (face), mean way
            of the joints in torso sizes (body); of the face or body that it was chosen for (frame); None where it was
            not measured
        jpeg: the picture, encoded
    """

    file: str
    kind: Kind
    time_s: float
    reason: PickReason
    box_px: Box
    track: int | None
    motion: float | None
    jpeg: bytes

    def row(self) -> dict[str, object]:
        """Its line of keyframes.jsonl, JSON types only."""
        return {
            "file": self.file,
            "kind": self.kind,
            "time_s": round(self.time_s, 6),
            "reason": str(self.reason),
            "box_px": [round(edge, 1) for edge in self.box_px],
            "track": self.track,
            "motion": None if self.motion is None else round(self.motion, 5),
        }


class KeyframePool:
    """Takes every sampled frame of one clip and holds the few pictures that may become keyframes.

    Args:
        count: K, how many keyframes of a face and of a body to choose at most; with 0 nothing is held or chosen
        most_pictures: how many pictures to hold at once; what `MOST_BYTES` allow when None
    """

    def __init__(self, *, count: int = DEFAULT_COUNT, most_pictures: int | None = None) -> None:
        self._count = count
        self._most_pictures = most_pictures
        self._series: dict[tuple[Kind, int | None], Candidates] = {}
        self._reel = Reel()
        self._times_s = array("d")

    def add(self, picture: Picture, observation: FrameObservation) -> None:
        """Takes the next sampled frame."""
        if self._count < 1:
            return
        index, time_s = len(self._times_s), observation.time_s
        self._times_s.append(time_s)
        size = (picture.width_px, picture.height_px)
        whole = (0.0, 0.0, float(size[0]), float(size[1]))
        reach_s = self._reach_s()
        self._reel.add(Moment(index=index, time_s=time_s, picture=picture, box_px=whole))
        for face in observation.faces:
            box_px = face_crop(face, size)
            if box_px is not None:
                moment = Moment(index=index, time_s=time_s, picture=picture, box_px=box_px)
                moment.look, moment.score = Expression.of(face), face.score
                self._of("face", face.track).add(moment, reach_s)
        for track, (body, pose) in _largest_bodies(observation.bodies).items():
            box_px = body_crop(body, size)
            if box_px is not None:
                moment = Moment(index=index, time_s=time_s, picture=picture, box_px=box_px)
                moment.look, moment.score = pose, body.score
                self._of("body", track).add(moment, reach_s)
        for series in self._series.values():
            series.settle(index, reach_s)
        self._trim(picture)

    @property
    def pictures_held(self) -> int:
        """Number of different pictures that are held."""
        return len({id(moment.picture) for moment in self._held()})

    def choose(self, speaker: SpeakerChoice) -> list[KeyframePick]:
        """Ends the clip and chooses its keyframes.

        Args:
            speaker: whose face and body; without either, whole frames are chosen

        Returns:
            face, body and frame pictures, each kind in the order of time
        """
        for series in self._series.values():
            series.settle(len(self._times_s), self._reach_s())
        faces = self._choose([("face", track) for track in speaker.ids])
        bodies = self._choose([("body", track) for track in speaker.body_tracks])
        # the reel may have had to give way to faces that nobody chose
        anything = sorted({moment.index: moment for moment in self._held()}.items())
        frames = whole_frames(faces, bodies) or ends(self._reel.held() or [moment for _, moment in anything])
        kinds: tuple[tuple[Kind, list[Choice]], ...] = (
            ("face", faces),
            ("body", bodies),
            ("frame", frames),
        )
        return [
            _pick(kind, number, moment, reason, speaker.track)
            for kind, chosen in kinds
            for number, (moment, reason) in enumerate(sorted(chosen, key=lambda pick: pick[0].index), start=1)
        ]

    def _of(self, kind: Kind, track: int | None) -> Candidates:
        key = (kind, track)
        if key not in self._series:
            self._series[key] = Candidates("face" if kind == "face" else "body", peaks=self._count + 1)
        return self._series[key]

    def _reach_s(self) -> float:
        """How far in time a keyframe stands for its surroundings: 2 K of them would cover the clip so far."""
        return (self._times_s[-1] - self._times_s[0]) / (2 * self._count) if self._times_s else 0.0

    def _choose(self, keys: Iterable[tuple[Kind, int | None]]) -> list[Choice]:
        series = [self._series[key] for key in keys if key in self._series]
        return choose_moments(series, count=self._count, reach_s=self._reach_s())

    def _held(self) -> Iterable[Moment]:
        yield from self._reel.held()
        for series in self._series.values():
            yield from series.held()

    def _trim(self, newest: Picture) -> None:
        """Lets go of the least important pictures when more are held than may be."""
        limit = self._most_pictures
        if limit is None:
            picture_bytes = newest.width_px * newest.height_px * _BYTES_PER_PIXEL
            limit = int(np.clip(MOST_BYTES // picture_bytes, FEWEST_PICTURES, MOST_PICTURES))
        if self.pictures_held <= limit:
            return
        # one of each main face or body, then the others, the more important ones of what fills more of the clip first
        ranked = sorted(self._series.values(), key=lambda series: -series.weight)
        main = max(1, int(limit * _MAIN_SHARE))
        order: list[tuple[int, float, int]] = []
        for place, series in enumerate(ranked):
            for rank, moment in enumerate(series.held()):
                order.append((int(rank > 0 or place >= main), -series.weight / (1 + rank), id(moment.picture)))
        # whole pictures of a clip that shows somebody are of little use
        heaviest = ranked[0].weight if ranked else 1.0
        for place, moment in enumerate(self._reel.held()):
            order.append((1, -heaviest / (_REEL_RANK + place), id(moment.picture)))
        pictures = list(dict.fromkeys(picture for *_, picture in sorted(order, key=lambda entry: entry[:2])))
        released = set(pictures[limit:])
        self._reel.release(released)
        for key, series in list(self._series.items()):
            series.release(released)
            if series.empty:
                del self._series[key]


def _largest_bodies(bodies: Sequence[Body]) -> dict[int | None, tuple[Body, Pose]]:
    """The body of each track; of those without a face only the largest can be followed."""
    largest: dict[int | None, tuple[Body, Pose]] = {}
    for body in bodies:
        pose = Pose.of(body)
        if body.track not in largest or pose.size_px > largest[body.track][1].size_px:
            largest[body.track] = (body, pose)
    return largest


def _pick(kind: Kind, number: int, moment: Moment, reason: PickReason, track: int | None) -> KeyframePick:
    width, height = float(moment.picture.width_px), float(moment.picture.height_px)
    box_px = (0.0, 0.0, width, height) if kind == "frame" else moment.box_px
    return KeyframePick(
        file=f"{kind}_{number:02d}.jpg",
        kind=kind,
        time_s=moment.time_s,
        reason=reason,
        box_px=box_px,
        track=track,
        motion=moment.motion,
        jpeg=encode(moment.picture, box_px, kind),
    )
