"""Chooses keyframes among the moments that were held: which, and why."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from extractors.video.keyframe_candidates import LIMITS, Candidates, Moment, prominence

APART_S: Final = 0.3
"""Peaks are at least so far in time from other keyframes of the same face or body."""


class PickReason(StrEnum):
    """Why a picture is a keyframe."""

    PEAK_MOTION = "peak_motion"
    CALMEST = "calmest"
    MOST_DIFFERENT = "most_different"
    CLEAREST = "clearest"  # motion could be measured nowhere: the surest of all frames
    ONLY_FRAME = "only_frame"
    FIRST = "first"  # these three: nobody is seen
    MIDDLE = "middle"
    LAST = "last"


Choice = tuple[Moment, PickReason]


def choose_moments(series: Sequence[Candidates], *, count: int, reach_s: float) -> list[Choice]:
    """Chooses the keyframes of one face or body, which may have several tracks one after the other.

    Args:
        series: the candidates of each of its tracks
        count: how many to choose at most
        reach_s: how far in time a keyframe stands for its surroundings

    Returns:
        moments and reasons, in the order of choice
    """
    if not series:
        return []
    alike = LIMITS[series[0].kind].alike
    peaks = [moment for one in series for moment in one.peaks]
    held = [moment for one in series for moment in one.held()]
    chosen: list[Choice] = []

    def fits(moment: Moment, unlike: float, apart_s: float) -> bool:
        return all(abs(moment.time_s - c.time_s) >= apart_s and moment.difference(c) >= unlike for c, _ in chosen)

    if held and (count > 1 or not peaks):
        calmest = min(held, key=Moment.calmness)
        alone = len({moment.index for moment in held}) == 1
        measured = calmest.motion is not None or calmest.motion_after is not None
        unmeasured = PickReason.ONLY_FRAME if alone else PickReason.CLEAREST
        chosen.append((calmest, PickReason.CALMEST if measured else unmeasured))
    while len(chosen) < count:
        left = [peak for peak in peaks if fits(peak, alike, APART_S)]
        if not left:
            break
        there = [moment for moment, _ in chosen]
        best = max(left, key=lambda peak: (prominence(peak, there, reach_s), peak.strength()))
        chosen.append((best, PickReason.PEAK_MOTION))
    while len(chosen) < count:
        left = [moment for moment in held if fits(moment, 2 * alike, 0.0)]
        if not left:
            break
        farthest = max(left, key=lambda moment: (min(moment.difference(c) for c, _ in chosen), -moment.index))
        chosen.append((farthest, PickReason.MOST_DIFFERENT))
    return chosen


def whole_frames(faces: Sequence[Choice], bodies: Sequence[Choice]) -> list[Choice]:
    """Where to show the whole picture as well: at the strongest peak and at the calmest moment, of the face if there is one."""
    chosen = faces or bodies
    peaks = [moment for moment, reason in faces if reason == PickReason.PEAK_MOTION] or [
        moment for moment, reason in bodies if reason == PickReason.PEAK_MOTION
    ]
    frames = [(max(peaks, key=Moment.strength), PickReason.PEAK_MOTION)] if peaks else []
    frames += [pick for pick in chosen if pick[1] != PickReason.PEAK_MOTION][:1]
    return frames if len({moment.index for moment, _ in frames}) == len(frames) else frames[:1]


def ends(reel: Sequence[Moment]) -> list[Choice]:
    """Beginning, middle and end of a clip in which nobody is seen."""
    if len(reel) == 1:
        return [(reel[0], PickReason.ONLY_FRAME)]
    if len(reel) == 0:
        return []
    first, last = reel[0], reel[-1]
    middle = (first.time_s + last.time_s) / 2
    between = min(reel[1:-1], key=lambda moment: abs(moment.time_s - middle), default=None)
    chosen = [(first, PickReason.FIRST), (last, PickReason.LAST)]
    return chosen if between is None else [*chosen, (between, PickReason.MIDDLE)]
