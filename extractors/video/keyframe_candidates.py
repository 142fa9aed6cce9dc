"""Moments of a clip that may become keyframes, found while the clip runs and held until it is over.

A moment is one sampled frame of one face or one body. Of each face and each body these are held:

- the strongest *peaks*: frames in which it changed more than in the frames before and after, spread in time,
- the *calmest* frame: the least change before and after it, eyes open,
- the most *varied* frames: those that look least alike (a slow change has no peak).

Of the whole picture a *reel* is held: the first frame, the last, and some evenly between.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from extractors.video.keyframe_pictures import Box
    from extractors.video.motion import Expression, Pose
    from extractors.video.picture import Picture

VARIED: Final = 2  # frames held because they look different
# Shut eyes (1) spoil the calmest frame as much as so much motion, per second.
BLINK_COST: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What counts as a change of a face or a body, in the measure of its class in `motion`.

    Attributes:
        noise: a smaller change from frame to frame is no motion
        alike: two frames that differ by less look the same
        jump: a larger change from frame to frame is another person or an error of the tracker
    """

    noise: float
    alike: float
    jump: float


# Measured on acted and on silent clips at 5 frames a second: a still face flickers by .003-.01, one that speaks changes by
# .02-.15; a still body by .002-.01 torsos, a gesture by .05 and more.
LIMITS: Final[dict[str, Limits]] = {
    "face": Limits(noise=0.016, alike=0.02, jump=math.inf),
    "body": Limits(noise=0.02, alike=0.05, jump=1.5),
}


@dataclass(kw_only=True, eq=False, slots=True)
class Moment:
    """One sampled frame, with the face or body that it is held for.

    Attributes:
        index: number of the sampled frame
        time_s: its time
        picture: its picture, shared by all moments of the frame
        box_px: left, top, right, bottom of the part to cut out, inside of the picture
        look: expression or pose; None for a whole picture
        score: how sure it is that there is a face or body, 0..1
        change: difference to the frame before; None when that did not show it
        motion: the same per second
        motion_after: the same from this frame to the next
        rising: it changed more than the frame before did
    """

    index: int
    time_s: float
    picture: Picture
    box_px: Box
    look: Expression | Pose | None = None
    score: float = math.nan
    change: float | None = None
    motion: float | None = None
    motion_after: float | None = None
    rising: bool = True

    def calmness(self) -> tuple[float, float, int]:
        """Sorts the calmest first; without any motion measured, the surest."""
        known = [motion for motion in (self.motion, self.motion_after) if motion is not None]
        blink = self.look.blink if self.look is not None else 0.0
        calm = max(known) + BLINK_COST * blink if known else math.inf
        return calm, -self.score if math.isfinite(self.score) else 0.0, self.index

    def strength(self) -> tuple[float, int]:
        """Sorts the weakest peak first; of two that are equal the later one."""
        return self.motion or 0.0, -self.index

    def difference(self, other: Moment) -> float:
        """How much both look different; infinite when that cannot be said."""
        if self.look is None or other.look is None:
            return math.inf
        distance = self.look.distance(other.look)  # type: ignore[arg-type]  # both are of one kind
        return math.inf if distance is None else distance


def prominence(peak: Moment, chosen: Iterable[Moment], reach_s: float) -> float:
    """Motion of a peak, taken down the nearer in time it is to a moment that is there already."""
    gap_s = min((abs(peak.time_s - other.time_s) for other in chosen), default=math.inf)
    return (peak.motion or 0.0) * -math.expm1(-gap_s / max(reach_s, 1e-3))


class Candidates:
    """The moments of one face or one body track that may become keyframes.

    Args:
        kind: face or body
        peaks: how many peaks to hold
    """

    def __init__(self, kind: Literal["face", "body"], *, peaks: int) -> None:
        self.kind = kind
        self.weight = 0.0  # sum of the areas: how much of the clip it fills
        self.peaks: list[Moment] = []
        self.calmest: Moment | None = None
        self.varied: list[Moment] = []
        self._limits = LIMITS[kind]
        self._most_peaks = peaks
        self._newest: Moment | None = None

    def add(self, moment: Moment, reach_s: float) -> None:
        """Takes the moment of a frame; `reach_s` is how far a peak stands for its surroundings.

        `settle` must have been called for each frame between this and the last one: a gap ends a motion.
        """
        before, self._newest = self._newest, moment
        self.weight += (moment.box_px[2] - moment.box_px[0]) * (moment.box_px[3] - moment.box_px[1])
        if before is None:
            return
        change = moment.difference(before)
        # rounded: equal changes must stay equal, wherever in time they are
        step_s = round(moment.time_s - before.time_s, 6)
        if change < self._limits.jump and step_s > 0:
            moment.change, moment.motion = change, change / step_s
            moment.rising = before.motion is None or moment.motion > before.motion
        self._settle(before, moment.motion, reach_s)

    def settle(self, index: int, reach_s: float) -> None:
        """Tells that the frame `index` has come: what is older has no next frame any more."""
        if self._newest is not None and self._newest.index < index:
            newest, self._newest = self._newest, None
            self._settle(newest, None, reach_s)

    def held(self) -> Iterator[Moment]:
        """All moments that are held, the most important first; a moment may come twice."""
        if self.calmest is not None:
            yield self.calmest
        yield from sorted(self.peaks, key=Moment.strength, reverse=True)
        yield from self.varied

    def release(self, pictures: set[int]) -> None:
        """Lets go of the moments of these pictures (by `id`)."""
        self.peaks = [moment for moment in self.peaks if id(moment.picture) not in pictures]
        self.varied = [moment for moment in self.varied if id(moment.picture) not in pictures]
        if self.calmest is not None and id(self.calmest.picture) in pictures:
            self.calmest = None

    @property
    def empty(self) -> bool:
        """Nothing is held and nothing is on the way."""
        return self._newest is None and next(self.held(), None) is None

    def _settle(self, moment: Moment, motion_after: float | None, reach_s: float) -> None:
        moment.motion_after = motion_after
        falls = motion_after is None or (moment.motion is not None and moment.motion >= motion_after)
        if moment.change is not None and moment.change >= self._limits.noise and moment.rising and falls:
            self._offer_peak(moment, reach_s)
        if self.calmest is None or moment.calmness() < self.calmest.calmness():
            self.calmest = moment
        self._offer_varied(moment)

    def _offer_peak(self, moment: Moment, reach_s: float) -> None:
        self.peaks.append(moment)
        if len(self.peaks) > self._most_peaks:
            ordered = sorted(self.peaks, key=Moment.strength, reverse=True)
            worth = [prominence(peak, ordered[:place], reach_s) for place, peak in enumerate(ordered)]
            self.peaks.remove(ordered[min(range(len(ordered)), key=lambda place: (worth[place], -place))])

    def _offer_varied(self, moment: Moment) -> None:
        if len(self.varied) < VARIED:
            self.varied.append(moment)
            return
        several = [*self.varied, moment]
        # the one goes without which the nearest two are farthest apart; of those that are equal the latest
        others = [several[:place] + several[place + 1 :] for place in range(len(several))]
        spread = [min(one.difference(other) for one, other in itertools.combinations(rest, 2)) for rest in others]
        self.varied = others[max(range(len(several)), key=lambda place: (spread[place], place))]


class Reel:
    """Whole pictures spread evenly over a clip of unknown length: the first, some between, the last.

    Args:
        most: how many to hold beside the last
    """

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._stride = 1
        self._kept: list[Moment] = []
        self._last: Moment | None = None

    def add(self, moment: Moment) -> None:
        """Takes the next picture."""
        self._last = moment
        if moment.index % self._stride == 0:
            self._kept.append(moment)
            if len(self._kept) > self._most:
                self._stride *= 2
                self._kept = [kept for kept in self._kept if kept.index % self._stride == 0]

    def held(self) -> Sequence[Moment]:
        """What is held, in the order of time."""
        last = [self._last] if self._last is not None and self._last not in self._kept else []
        return [*self._kept, *last]

    def release(self, pictures: set[int]) -> None:
        """Lets go of these pictures (by `id`)."""
        self._kept = [moment for moment in self._kept if id(moment.picture) not in pictures]
        if self._last is not None and id(self._last.picture) in pictures:
            self._last = None
