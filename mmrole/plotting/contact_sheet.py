"""What is written and drawn on a contact sheet, from its head to the last keyframe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from mmrole.core.canonical import Record
from mmrole.plotting.clip_pictures import Box, KeyframePicture, SampledFrame, Timeline
from mmrole.plotting.fonts import lettering, one_line
from mmrole.plotting.sheet_layout import LABEL, MARGIN, WIDTH, Cell
from mmrole.plotting.sheet_parts import BODY, FACE, NOBODY, OTHERS, QUIET, Sheet, Window, inside
from mmrole.plotting.words import count, in_words, not_measured

TOP_WITHOUT_PICTURE: Final = 120.0
TOP: Final = 190.0
"""Height of the head, with the strip of all frames and without."""

_STRIP_TOP, _STRIP_ROW, _STRIP_COLUMNS = 127.0, 13.0, 1400
_STRIP_LEFT: Final = MARGIN + 46.0
_KIND_COLOURS: Final = {"face": FACE, "body": BODY, "frame": QUIET}
_RULES: Final = {
    "annotated_box": "the face in the box of the dialogue table",
    "single": "the only face",
    "mouth_motion": "the face whose mouth fits the voice",
    "largest": "the largest face",
    "none": "none",
}
_PICKS: Final = {
    "peak_motion": "peak of movement",
    "calmest": "calmest",
    "most_different": "looks different",
    "clearest": "clearest",
    "only_frame": "the only frame",
    "first": "first frame",
    "middle": "middle frame",
    "last": "last frame",
}


def draw_head(sheet: Sheet, record: Record, timeline: Timeline | None, problem: str | None) -> None:
    """Writes which clip it is and what was found in it."""
    video = record.get("video") or {}
    speaker = [one_line(str(record[name]), 40) for name in ("speaker", "gender") if record.get(name)]
    facts = [f"speaker: {', '.join(speaker)}"] if speaker else []
    notes = []
    if timeline is None:
        notes.append(not_measured("video", video.get("status"), video.get("reason")))
    else:
        faces, bodies = np.count_nonzero(timeline.face), np.count_nonzero(timeline.body)
        facts += [
            f"{video['width_px']} x {video['height_px']} pixels",
            f"{count(len(timeline.time_s), 'sampled frame')}: face in {faces}, body in {bodies}",
        ]
        most = int(timeline.faces.max(initial=0))
        facts += [f"up to {most} faces at once"] if most > 1 else []
        rule = (video.get("speaker") or {}).get("rule")
        facts += [f"the speaker is {_RULES.get(rule, rule)}"] if rule and rule != "none" else []
        if video.get("status") == "partial":
            notes.append(f"not everything was measured: {in_words(video.get('reason'))}")
    notes += [problem] if problem else []
    warnings = f"warnings: {', '.join(record['warnings'])}" if record.get("warnings") else ""
    lines = [one_line(str(record["clip_id"]), 100), "   ·   ".join(facts), one_line(";  ".join(notes), 190), warnings]
    letters = lettering(*lines)
    sheet.text(MARGIN, 28, letters.shown(lines[0]), 24, **letters.style)
    sheet.text(MARGIN, 58, letters.shown(lines[1]), 15, **letters.style)
    sheet.text(MARGIN, 82, letters.shown(lines[2]), 15, color=NOBODY, **letters.style)
    sheet.text(WIDTH - MARGIN, 28, warnings, 13, ha="right", color="0.35")


def draw_strip(sheet: Sheet, timeline: Timeline, duration_s: float | None, shown_s: Sequence[float]) -> None:
    """Draws all sampled frames as a strip of colours: the speaker's face above, the body below.

    Args:
        sheet: to draw on
        timeline: what was found in them
        duration_s: length of the clip
        shown_s: times of the frames that are shown below; each has a tick
    """
    time_s = timeline.time_s
    end_s = max(duration_s or 0.0, float(time_s[-1]) if len(time_s) else 0.0) or 1.0
    left, right = _STRIP_LEFT, WIDTH - MARGIN
    columns_s = (np.arange(_STRIP_COLUMNS) + 0.5) * end_s / _STRIP_COLUMNS
    rows = (_face_colours(timeline), np.where(timeline.body[:, np.newaxis], to_rgb(BODY), to_rgb("#dddddd")))
    for row, (name, colours) in enumerate(zip(("face", "body"), rows, strict=True)):
        top = _STRIP_TOP + row * (_STRIP_ROW + 2)
        sheet.text(MARGIN, top + _STRIP_ROW / 2, name, 13)
        strip = _nearest(columns_s, time_s, np.asarray(colours, np.float64))
        sheet.picture(strip[np.newaxis], (left, top, right, top + _STRIP_ROW))
    below = _STRIP_TOP + 2 * _STRIP_ROW + 2
    for shown in shown_s:
        x = left + (right - left) * min(1.0, shown / end_s)
        sheet.ax.plot(
            (x, x), (below + 1, below + 6), color="0.2", linewidth=1.2 * sheet.points, scalex=False, scaley=False
        )
    sheet.text(left, below + 14, "0 s", 12, color="0.3")
    sheet.text(right, below + 14, f"{end_s:.2f} s", 12, color="0.3", ha="right")
    ticks = ", a tick marks those that are shown" if 0 < len(shown_s) < len(time_s) else ""
    sheet.text(MARGIN, _STRIP_TOP - 14, f"{count(len(time_s), 'sampled frame')}{ticks}", 14)
    keys = (
        ("face found", FACE, 110),
        ("only other faces", OTHERS, 150),
        ("no face", NOBODY, 90),
        ("body found", BODY, 100),
    )
    x = right - sum(width for *_, width in keys)
    for words, colour, width in keys:
        sheet.blank((x, _STRIP_TOP - 20, x + 12, _STRIP_TOP - 8), colour)
        sheet.text(x + 17, _STRIP_TOP - 14, words, 13)
        x += width


def draw_frame(sheet: Sheet, frame: SampledFrame, cell: Cell, size_px: tuple[int, int]) -> None:
    """Draws a sampled frame with landmarks, and the close-up of its face.

    Args:
        sheet: to draw on
        frame: what to draw
        cell: where
        size_px: width and height of the whole picture
    """
    words, colour = _found(frame)
    x, y = cell.label
    middle_y = y + LABEL / 2 - 1
    sheet.text(x, middle_y, f"{frame.time_s:.2f} s", 13)
    sheet.text(cell.box[2], middle_y, words, 13, ha="right", color=colour or "black")
    sheet.blank(cell.box)
    window = Window(
        box=inside(cell.picture, size_px[0] / size_px[1]), part_px=(0.0, 0.0, float(size_px[0]), float(size_px[1]))
    )
    if frame.rgb is None:
        middle = (cell.picture[0] + cell.picture[2]) / 2, (cell.picture[1] + cell.picture[3]) / 2
        sheet.text(*middle, "cannot be\ndecoded again", 13, ha="center", color=NOBODY)
    else:
        sheet.picture(frame.rgb, window.box)
    sheet.body(frame, window, width=1.3)
    sheet.face(frame, window, width=0.7)
    if cell.zoom is not None and frame.zoom_box_px is not None:
        if frame.face_rgb is not None:
            sheet.picture(frame.face_rgb, cell.zoom)
        sheet.face(frame, Window(box=cell.zoom, part_px=frame.zoom_box_px), width=0.8, mesh=True)
    if colour:
        sheet.frame(cell.box, colour, 4.0)


def draw_keyframe(sheet: Sheet, keyframe: KeyframePicture, box: Box, *, landmarks: bool) -> None:
    """Draws a keyframe under its time, kind and reason.

    Args:
        sheet: to draw on
        keyframe: what to draw
        box: where
        landmarks: draw the landmarks on it
    """
    sheet.text(box[0], box[1] - 1.5 * LABEL, f"{keyframe.kind}, {keyframe.time_s:.2f} s", 13)
    sheet.text(box[0], box[1] - 0.5 * LABEL, _PICKS.get(keyframe.reason, keyframe.reason), 13, color="0.3")
    sheet.picture(keyframe.rgb, box)
    if landmarks and keyframe.measured is not None:
        window = Window(box=box, part_px=keyframe.box_px)
        if keyframe.kind != "face":
            sheet.body(keyframe.measured, window, width=1.3)
        sheet.face(keyframe.measured, window, width=0.8, mesh=keyframe.kind == "face")
    sheet.frame(box, _KIND_COLOURS.get(keyframe.kind, QUIET), 2.5)


def _found(frame: SampledFrame) -> tuple[str, str | None]:
    """What was found in a frame, in words, and the colour of its frame when that is not as it should be."""
    body = "body" if frame.body else "no body"
    if frame.face:
        return f"{count(frame.faces, 'face')}, {body}", None
    if frame.faces:
        return f"other {'face' if frame.faces == 1 else 'faces'}, {body}", OTHERS
    return f"no face, {body}", NOBODY


def _face_colours(timeline: Timeline) -> NDArray[Any]:
    others = np.where((timeline.faces > 0)[:, np.newaxis], to_rgb(OTHERS), to_rgb(NOBODY))
    return np.where(timeline.face[:, np.newaxis], to_rgb(FACE), others)


def _nearest(
    columns_s: NDArray[np.float64], time_s: NDArray[np.float64], colours: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """The colour of the nearest frame for each column; white where no frame is near."""
    strip = np.ones((len(columns_s), 3))
    if len(time_s):
        after = np.clip(np.searchsorted(time_s, columns_s), 1, max(1, len(time_s) - 1))
        before = after - 1
        after = np.minimum(after, len(time_s) - 1)
        nearest = np.where(columns_s - time_s[before] <= time_s[after] - columns_s, before, after)
        steps = np.diff(time_s)
        near = np.abs(time_s[nearest] - columns_s) <= (np.inf if not len(steps) else max(0.2, float(np.median(steps))))
        strip[near] = colours[nearest[near]]
    return (strip * 255).round().astype(np.uint8)
