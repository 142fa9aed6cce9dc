"""What a body does over a clip, from the landmarks of MediaPipe's pose model.

Distances are in shoulder widths, so that they do not depend on how near the camera is. A landmark counts only where the model calls
it visible (.5, as MediaPipe's own drawing does) and where it lies inside the picture: outside of it the model guesses. All other limits
are ours, set by comparing measures with pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emotion.describers.findings import Finding, finding
from emotion.describers.measures import BodyMeasures

DEFINITION: Final = "describe/body/v1"
"""Changes whenever other findings come out of the same measures."""

VISIBLE: Final = 0.5
NOSE_ABOVE, TRUNK_LONG = 1.5, 0.7
"""The width of the shoulders is at least so many times the distance of the nose from their middle, and the length of the trunk. From the
front these are .45 to .6 and 1.2 to 1.4 widths; turned, the shoulders get narrow and these stay."""
SIDEWAYS: Final = 0.5
"""Shoulders that look less than half as wide as they are belong to a body seen from the side (60 degrees and more)."""
NEAR_FACE: Final = 0.6
"""A hand is at the face within so many shoulder widths of the nose: half a face's height, and the length of a hand."""
REACH: Final = 1.0
"""A hand is stretched out to the side from so far outside of its shoulder on."""
TILT_DEG: Final = 8.0
"""Between the line of the shoulders and the horizontal."""
LEAN_DEG: Final = 12.0
"""Between the trunk and the vertical."""
SHRUG: Final = 0.08
"""So much nearer to the ears than usual in the clip, the shoulders are drawn up."""
NEARER: Final = 0.15
"""So much larger or smaller at the end than at the beginning (share), the body has come nearer or gone back: the width of the shoulders
and, at least half as much, the height of the nose above them, which a turn of the trunk leaves alone."""
SHIFT: Final = 0.3
"""So far to the side between beginning and end."""
SURE: Final = 0.9
"""Visibility from which the movement of a joint is trusted: hands that are half hidden jump about in pictures that stand still."""
ENERGY: Final = (0.15, 0.4, 1.0)
"""Shoulder widths a second, median over the frames of the mean over the joints: still, slight, lively, vigorous. People who sit
still measure .02 to .06: that is the noise of the landmarks."""
BODY_SEEN: Final = 0.8
"""Below this share of the frames the sentence says how often the body is seen."""
SHOULDERS_SEEN: Final = 0.5
"""Share of the body's frames in which both shoulders have to be in the picture."""

_MOVING: Final = ("nose", "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist")
_HOW_FAR: Final = (
    ("ankle", "body_whole"),
    ("knee", "body_to_knees"),
    ("hip", "body_to_hips"),
    ("shoulder", "body_upper"),
)


@dataclass(frozen=True, kw_only=True)
class BodySummary:
    """What a body does.

    Attributes:
        extent: how much of it the picture shows: a code
        findings: arms, shoulders, trunk, movement
        seen: share of the clip's frames with both shoulders, 0 to 1
        energy: shoulder widths a second; None with fewer than two frames
    """

    extent: str
    findings: tuple[Finding, ...]
    seen: float
    energy: float | None


class _Points:
    """Landmarks by name, in shoulder widths, and where they are seen."""

    def __init__(self, body: BodyMeasures, kept: NDArray[np.bool_], scale_px: float) -> None:
        self._place = {name: number for number, name in enumerate(body.names)}
        self.marks, self._scale = body.landmarks[kept], scale_px
        self.size_px = (body.width_px, body.height_px)

    def place(self, name: str) -> int:
        """Number of a landmark."""
        return self._place[name]

    def xy(self, name: str) -> NDArray[np.float64]:
        """(n, 2) in shoulder widths, x to the picture's right, y down."""
        return self.marks[:, self._place[name], :2] / self._scale

    def seen(self, name: str) -> NDArray[np.bool_]:
        """(n,) whether it is seen."""
        return seen(self.marks, self._place[name], self.size_px)


def seen(
    marks: NDArray[np.float64], place: int, size_px: tuple[float, float], *, least: float = VISIBLE
) -> NDArray[np.bool_]:
    """(n,) whether a landmark is visible, at least so much, and inside the picture."""
    x, y, visibility = marks[:, place, 0], marks[:, place, 1], marks[:, place, 3]
    inside = (x >= 0) & (x < size_px[0]) & (y >= 0) & (y < size_px[1])
    return np.asarray((visibility >= least) & inside, np.bool_)


def summarise_body(body: BodyMeasures) -> BodySummary | None:
    """What a body does over a clip; None where both shoulders are in the picture in less than half of the body's frames.

    Args:
        body: at least one frame
    """
    place = {name: number for number, name in enumerate(body.names)}
    size = (body.width_px, body.height_px)
    kept = np.logical_and(*(seen(body.landmarks, place[f"{side}_shoulder"], size) for side in ("left", "right")))
    if kept.mean() < SHOULDERS_SEEN:  # without them there is no measure; a close-up of a face has none
        return None
    marks = body.landmarks[kept]
    width = np.hypot(*(marks[:, place["left_shoulder"], :2] - marks[:, place["right_shoulder"], :2]).T)
    scale = _scale_px(_Points(body, kept, 1.0), width)
    if scale <= 0:
        return None
    sideways = float(np.median(width)) < SIDEWAYS * scale
    points, time_s = _Points(body, kept, scale), body.time_s[kept]
    energy = _energy(points, time_s)
    found = [Finding(code="body_sideways", when="throughout")] if sideways else []
    found += _arms(points, time_s, sideways=sideways)
    found += [] if sideways else _shoulders(points, time_s)
    found += _trunk(points, time_s, width / scale)
    if energy is not None:
        code = ("body_still", "body_slight", "body_lively", "body_vigorous")[sum(energy >= limit for limit in ENERGY)]
        found.append(Finding(code=code, when="throughout", peak=energy))
    return BodySummary(
        extent=next(
            (
                code
                for joint, code in _HOW_FAR
                if np.mean(points.seen(f"left_{joint}") | points.seen(f"right_{joint}")) > 0.5
            ),
            "body_upper",
        ),
        findings=tuple(found),
        seen=len(time_s) / max(body.frames, 1),
        energy=energy,
    )


def _scale_px(points: _Points, width_px: NDArray[np.float64]) -> float:
    """The width of the shoulders as it is from the front, also of a body that is turned."""
    middle = _middle(points)
    sizes = [float(np.median(width_px)), NOSE_ABOVE * float(np.median(np.hypot(*(points.xy("nose") - middle).T)))]
    hips = points.seen("left_hip") & points.seen("right_hip")
    if hips.any():
        trunk = middle - (points.xy("left_hip") + points.xy("right_hip")) / 2
        sizes.append(TRUNK_LONG * float(np.median(np.hypot(*trunk[hips].T))))
    return max(sizes)


def _middle(points: _Points) -> NDArray[np.float64]:
    return (points.xy("left_shoulder") + points.xy("right_shoulder")) / 2


def _arms(points: _Points, time_s: NDArray[np.float64], *, sideways: bool) -> list[Finding]:
    line = _middle(points)
    nose = points.xy("nose")
    masks: dict[str, dict[str, NDArray[np.bool_]]] = {}
    for side in ("left", "right"):
        wrist, shoulder, there = points.xy(f"{side}_wrist"), points.xy(f"{side}_shoulder"), points.seen(f"{side}_wrist")
        face = there & (np.hypot(*(wrist - nose).T) < NEAR_FACE)
        raised = there & ~face & (wrist[:, 1] < line[:, 1])
        outward = (wrist - shoulder)[:, 0] * np.sign((shoulder - line)[:, 0])
        out = there & ~face & ~raised & (outward > REACH)
        front = there & ~face & ~raised & ~out & (np.abs(wrist - line)[:, 0] < 0.6)
        if sideways:  # which way an arm goes cannot be told
            out = front = np.zeros(len(there), np.bool_)
        masks[side] = {"hand_face": face, "hand_raised": raised, "hand_out": out, "hand_front": front}
    found: list[Finding | None] = []
    for code in ("hand_raised", "hand_face", "hand_out", "hand_front"):
        left, right = masks["left"][code], masks["right"][code]
        both = finding(f"{code}_both", time_s, left & right)
        found.append(both)
        if both is None:
            found += [finding(f"{code}_left", time_s, left), finding(f"{code}_right", time_s, right)]
    return [each for each in found if each is not None]


def _shoulders(points: _Points, time_s: NDArray[np.float64]) -> list[Finding]:
    found: list[Finding | None] = []
    across = points.xy("left_shoulder") - points.xy("right_shoulder")
    # whichever shoulder is on the picture's right: the person may turn their back
    slope = np.degrees(np.arctan2(across[:, 1] * np.sign(across[:, 0]), np.abs(across[:, 0])))
    found.append(finding("shoulder_left_higher", time_s, slope >= TILT_DEG, slope))
    found.append(finding("shoulder_right_higher", time_s, -slope >= TILT_DEG, -slope))
    if (points.seen("left_ear") | points.seen("right_ear")).all():
        gap = _middle(points)[:, 1] - (points.xy("left_ear")[:, 1] + points.xy("right_ear")[:, 1]) / 2
        drawn = float(np.median(gap)) - gap
        found.append(finding("shoulders_up", time_s, drawn >= SHRUG, drawn))
    return [each for each in found if each is not None]


def _trunk(points: _Points, time_s: NDArray[np.float64], width: NDArray[np.float64]) -> list[Finding]:
    found: list[Finding | None] = []
    hips = points.seen("left_hip") & points.seen("right_hip")
    if hips.all():
        up = _middle(points) - (points.xy("left_hip") + points.xy("right_hip")) / 2
        lean = np.degrees(np.arctan2(up[:, 0], -up[:, 1]))
        found.append(finding("lean_picture_right", time_s, lean >= LEAN_DEG, lean))
        found.append(finding("lean_picture_left", time_s, -lean >= LEAN_DEG, -lean))
    third = len(time_s) // 3
    if third:
        height = _middle(points)[:, 1] - points.xy("nose")[:, 1]
        change, taller = _growth(width, third), _growth(height, third)
        moved = float(np.median(_middle(points)[-third:, 0]) - np.median(_middle(points)[:third, 0]))
        if abs(change) >= NEARER and taller * np.sign(change) >= NEARER / 2:
            found.append(Finding(code="comes_nearer" if change > 0 else "goes_back", when="throughout", peak=change))
        if abs(moved) >= SHIFT:
            code = "moves_picture_right" if moved > 0 else "moves_picture_left"
            found.append(Finding(code=code, when="throughout", peak=moved))
    return [each for each in found if each is not None]


def _growth(size: NDArray[np.float64], third: int) -> float:
    """From the first third of the frames to the last, as a share; 0 where there is nothing to compare with."""
    before, after = float(np.median(size[:third])), float(np.median(size[-third:]))
    return after / before - 1 if before > 0 else 0.0


def _energy(points: _Points, time_s: NDArray[np.float64]) -> float | None:
    """Median over the steps between frames of the mean speed of the joints that are seen before and after."""
    if len(time_s) < 2:
        return None
    speeds = np.full((len(_MOVING), len(time_s) - 1), np.nan)
    for row, name in enumerate(_MOVING):
        there = seen(points.marks, points.place(name), points.size_px, least=SURE)
        steps = np.hypot(*np.diff(_smooth(points.xy(name)), axis=0).T) / np.diff(time_s)
        speeds[row] = np.where(there[1:] & there[:-1], steps, np.nan)
    known = ~np.isnan(speeds).all(axis=0)
    return float(np.median(np.nanmean(speeds[:, known], axis=0))) if known.any() else None


def _smooth(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each place the median of itself and its two neighbours: a landmark that jumps and comes back has not moved."""
    if len(places) < 3:
        return places
    inner = np.median(np.stack([places[:-2], places[1:-1], places[2:]]), axis=0)
    return np.concatenate([inner[:1], inner, inner[-1:]])
