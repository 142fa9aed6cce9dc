"""What a face does over a clip, from blendshapes and the pose of the head.

All limits are ours. They were set on acted and staged clips of other people than those of the tests, by comparing the measured
strengths with the pictures: at the lower limit the movement is clearly seen in the picture, at the upper one it is what one
would mention first. MediaPipe's blendshapes are not calibrated to a person: eyes at rest measure .3 to .5 in ``eyeSquint``,
brows of some people up to .45 in ``browDown``; the limits lie above that. What the model hardly ever finds (``cheekSquint``,
``mouthFrown``, ``noseSneer``) has a lower limit.

A drawn-out mouth is called a smile only where the brows are not lowered and the eyes are open or the upper lip is raised:
``mouthSmile`` is as high in disgust and in crying as in joy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emotion.describers.findings import Finding, finding, moment, swings
from emotion.describers.measures import FaceMeasures

DEFINITION: Final = "describe/face/v1"
"""Changes whenever other findings come out of the same measures."""


@dataclass(frozen=True, kw_only=True)
class Movement:
    """A movement of the face: the mean of some blendshapes over two limits.

    Attributes:
        shapes: blendshapes whose mean is its strength
        clear: from here on it is mentioned
        strong: from here on with the stronger word
    """

    shapes: tuple[str, ...]
    clear: float
    strong: float


def _both(name: str, clear: float, strong: float) -> Movement:
    return Movement(shapes=(f"{name}Left", f"{name}Right"), clear=clear, strong=strong)


MOVEMENTS: Final[dict[str, Movement]] = {
    "brows_lowered": _both("browDown", 0.45, 0.7),
    "brows_raised_inner": Movement(shapes=("browInnerUp",), clear=0.4, strong=0.65),
    "brows_raised": _both("browOuterUp", 0.4, 0.65),
    "eyes_wide": _both("eyeWide", 0.3, 0.5),
    "eyes_narrowed": _both("eyeSquint", 0.6, 0.75),
    "eyes_closed": _both("eyeBlink", 0.6, 0.85),
    "gaze_down": _both("eyeLookDown", 0.65, 0.85),
    "gaze_up": _both("eyeLookUp", 0.4, 0.65),
    "gaze_picture_right": Movement(shapes=("eyeLookOutLeft", "eyeLookInRight"), clear=0.5, strong=0.75),
    "gaze_picture_left": Movement(shapes=("eyeLookOutRight", "eyeLookInLeft"), clear=0.5, strong=0.75),
    "nose_wrinkled": _both("noseSneer", 0.25, 0.5),
    "cheeks_raised": _both("cheekSquint", 0.25, 0.5),
    "cheeks_puffed": Movement(shapes=("cheekPuff",), clear=0.3, strong=0.6),
    "mouth_corners_out": _both("mouthSmile", 0.6, 0.8),
    "mouth_corners_down": _both("mouthFrown", 0.25, 0.45),
    "mouth_stretched": _both("mouthStretch", 0.3, 0.5),
    "upper_lip_raised": _both("mouthUpperUp", 0.4, 0.65),
    "lower_lip_lowered": _both("mouthLowerDown", 0.45, 0.65),
    "lips_pressed": _both("mouthPress", 0.4, 0.6),
    "lips_pushed_out": Movement(shapes=("mouthPucker",), clear=0.45, strong=0.75),
    "lips_rounded": Movement(shapes=("mouthFunnel",), clear=0.35, strong=0.6),
    "lower_lip_pushed_up": Movement(shapes=("mouthShrugLower",), clear=0.35, strong=0.6),
    "jaw_forward": Movement(shapes=("jawForward",), clear=0.25, strong=0.5),
    "mouth_open": Movement(shapes=("jawOpen",), clear=0.25, strong=0.5),
}
"""Code of the finding -> movement; the order is that of the sentences. Gaze: each eye turns towards the same side."""
SPEAKING: Final = ("mouth_moving", "mouth_opens")
"""Findings that are no expression: whoever speaks has them."""

LIDS_DOWN: Final = 0.4
"""``eyeBlink`` from which the eyes of a smile do not count as open: half of the way between open (.05 to .2) and shut."""
JAW_SWING: Final = 0.1
"""``jawOpen`` has to go so far up or down to count as opening or closing."""

TURN_DEG: Final = {"yaw": (12.0, 25.0), "up": (12.0, 20.0), "down": (15.0, 25.0), "roll": (10.0, 20.0)}
"""Limits of a turned, raised, lowered and tilted head. Down has more: upright heads measure 4 to 11 degrees down on cameras at
the height of the face."""
STILL_DEG, LIVELY_DEG = 6.0, 25.0
"""Between the 5th and 95th percentile of each angle: below the first the head keeps still, from the second on it moves much."""
NOD_DEG, SHAKE_DEG = 6.0, 9.0
"""A swing of the head has to go so far to be counted."""
TWICE: Final = 3
"""Turns of direction: up and down twice."""
JAW_SWINGS_PER_S: Final = 0.5
"""So many turns of direction a second; speech has several syllables, and so several openings, a second."""
SWINGS_PER_S: Final = 1.0
"""So many turns of direction a second: half a nod. Slower is looking about."""
FACE_SEEN: Final = 0.8
"""Below this share of the frames the sentence says how often the face is seen."""


@dataclass(frozen=True, kw_only=True)
class FaceSummary:
    """What a face does.

    Attributes:
        movements: of brows, eyes and mouth, in the order of the table
        head: posture and movement of the head
        seen: share of the clip's frames with the face, 0 to 1
    """

    movements: tuple[Finding, ...]
    head: tuple[Finding, ...]
    seen: float


def summarise_face(face: FaceMeasures) -> FaceSummary:
    """What a face does over a clip.

    Args:
        face: at least one frame
    """
    places = {name: number for number, name in enumerate(face.names)}
    strengths = {
        code: face.blendshapes[:, [places[name] for name in movement.shapes]].mean(axis=1)
        for code, movement in MOVEMENTS.items()
        if all(name in places for name in movement.shapes)
    }
    return FaceSummary(
        movements=tuple(_movements(face.time_s, strengths)),
        head=tuple(_head(face.time_s, face.head_pose_deg)),
        seen=len(face.time_s) / max(face.frames, 1),
    )


def _movements(time_s: NDArray[np.float64], strengths: dict[str, NDArray[np.float64]]) -> list[Finding]:
    active = {code: strength >= MOVEMENTS[code].clear for code, strength in strengths.items()}
    found: list[Finding | None] = []
    shut = active.get("eyes_closed", np.zeros(len(time_s), np.bool_))
    for code, strength in strengths.items():
        mask = active[code]
        if code in ("gaze_down", "eyes_narrowed", "gaze_picture_right", "gaze_picture_left"):
            mask = mask & ~shut  # lids that are shut hide it, or are it
        if code == "mouth_corners_out":
            smile = mask & _smiling(active, strengths.get("eyes_closed", np.zeros(len(time_s))) >= LIDS_DOWN)
            found.append(finding("smile", time_s, smile, strength, MOVEMENTS[code].strong))
            mask = mask & ~smile
        opening = _opening(time_s, strength, mask) if code == "mouth_open" else None
        found.append(opening or finding(code, time_s, mask, strength, MOVEMENTS[code].strong))
    return [each for each in found if each is not None]


def _smiling(active: dict[str, NDArray[np.bool_]], shut: NDArray[np.bool_]) -> NDArray[np.bool_]:
    nothing = np.zeros(len(shut), np.bool_)
    return ~active.get("brows_lowered", nothing) & (~shut | active.get("upper_lip_raised", nothing))


def _opening(time_s: NDArray[np.float64], jaw: NDArray[np.float64], wide: NDArray[np.bool_]) -> Finding | None:
    """A mouth that opens and closes, as when speaking, or opens once; None for one that stays open or shut."""
    turns = swings(jaw, JAW_SWING)
    if not turns or wide.all():
        return None
    top = int(np.argmax(jaw))
    if turns < TWICE:
        return moment("mouth_opens", time_s, top, jaw, MOVEMENTS["mouth_open"].strong)
    often = turns >= JAW_SWINGS_PER_S * float(time_s[-1] - time_s[0])
    return Finding(
        code="mouth_moving",
        when="throughout" if often else "at_times",
        strong=bool(jaw[top] >= MOVEMENTS["mouth_open"].strong),
        onset_s=float(time_s[0]),
        end_s=float(time_s[-1]),
        peak=float(jaw[top]),
        peak_s=float(time_s[top]),
    )


def _head(time_s: NDArray[np.float64], pose_deg: NDArray[np.float64]) -> list[Finding]:
    pitch, yaw, roll = pose_deg.T
    turns = (
        ("head_picture_right", yaw, TURN_DEG["yaw"]),
        ("head_picture_left", -yaw, TURN_DEG["yaw"]),
        ("head_raised", pitch, TURN_DEG["up"]),
        ("head_lowered", -pitch, TURN_DEG["down"]),
        ("head_tilted_right", roll, TURN_DEG["roll"]),
        ("head_tilted_left", -roll, TURN_DEG["roll"]),
    )
    found = [finding(code, time_s, angle >= clear, angle, strong) for code, angle, (clear, strong) in turns]
    postures = [each for each in found if each is not None]
    if not any(each.code.startswith(("head_picture", "head_raised", "head_lowered")) for each in postures):
        postures.insert(0, Finding(code="head_front", when="throughout"))
    return [*postures, *_head_movement(time_s, pose_deg)]


def _head_movement(time_s: NDArray[np.float64], pose_deg: NDArray[np.float64]) -> list[Finding]:
    pitch, yaw, roll = pose_deg.T
    if len(pitch) < 2:  # one frame shows no movement, and no stillness either
        return []
    spans = [float(np.percentile(angle, 95) - np.percentile(angle, 5)) for angle in (pitch, yaw, roll)]
    fewest = max(TWICE, SWINGS_PER_S * float(time_s[-1] - time_s[0]))
    found = []
    if swings(pitch, NOD_DEG) >= fewest:
        found.append(Finding(code="head_nods", when="throughout", peak=spans[0]))
    if swings(yaw, SHAKE_DEG) >= fewest:
        found.append(Finding(code="head_shakes", when="throughout", peak=spans[1]))
    if not found:
        code = (
            "head_still" if max(spans) < STILL_DEG else "head_moves" if max(spans) < LIVELY_DEG else "head_moves_much"
        )
        found.append(Finding(code=code, when="throughout", peak=max(spans)))
    return found
