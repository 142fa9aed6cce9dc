"""The pictures of sampled frames, decoded from the video once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from extractors.container import open_source
from extractors.decoding import Pass
from extractors.video.picture import Picture
from mmrole.core.canonical import Record, file_sha256
from mmrole.plotting.clip_pictures import Box, Pixels, SampledFrame

if TYPE_CHECKING:
    import av

_SAME_S: Final = 0.002
"""Times of one and the same frame differ by less; neighbouring frames are further apart at any frame rate up to 240."""
_WHOLE_PASS_S: Final = 90.0
"""A stretch up to this length is decoded in one pass; in a longer one each frame is sought for itself."""


def find_video(record: Record, folder: Path) -> tuple[Path | None, str]:
    """The video of a clip, if it still is the one that was measured.

    A path that was given relative to some folder is looked for from here and from the folders above the features.

    Args:
        record: the clip's record
        folder: the features folder

    Returns:
        its path and an empty text, or None and why it cannot be looked at again
    """
    named = Path(record["path"])
    places = [named] if named.is_absolute() else [named, *(parent / named for parent in folder.resolve().parents)]
    changed = False
    for path in places:
        try:
            if path.is_file():  # to read a pipe could take for ever
                if file_sha256(path) == record["sha256"]:
                    return path, ""
                changed = True
        except (OSError, ValueError):  # not there, no permission, or no path at all
            continue
    return (
        None,
        f"{named} is no longer the video that was measured" if changed else f"there is no video at {named} any more",
    )


def with_pictures(
    frames: Sequence[SampledFrame], path: Path, *, start_s: float, max_side_px: int, zoom_side_px: int
) -> list[SampledFrame]:
    """The frames with their pictures, decoded from the clip's video again.

    Frames that cannot be found again stay without pixels.

    Args:
        frames: in the order of time
        path: the video
        start_s: where the clip begins in it
        max_side_px: longest side of a picture
        zoom_side_px: side of a face's close-up

    Raises:
        MediaError: the video cannot be opened
    """
    found: dict[int, SampledFrame] = {}

    def take(index: int, picture: Picture) -> None:
        frame = frames[index]
        box = frame.zoom_box_px
        close_up = None if box is None else _close_up(picture, box, zoom_side_px)
        found[index] = replace(frame, rgb=picture.rgb(max_side_px=max_side_px), face_rgb=close_up)

    times_s = [frame.time_s + start_s for frame in frames]
    if times_s and times_s[-1] - times_s[0] > _WHOLE_PASS_S:
        for index, time_s in enumerate(times_s):
            _look(path, {index: time_s}, take, seek=True)
    missing = {index: time_s for index, time_s in enumerate(times_s) if index not in found}
    _look(path, missing, take, seek=start_s > 0)
    return [found.get(index, frame) for index, frame in enumerate(frames)]


class _AllFoundError(Exception):
    """Ends a pass before the end of the file."""


def _look(path: Path, wanted_s: dict[int, float], take: Callable[[int, Picture], None], *, seek: bool) -> None:
    """Decodes until all wanted frames have been seen.

    Args:
        path: the video
        wanted_s: index of a frame -> its time since the container's start
        take: called with the index and the picture of each that is found
        seek: begin a little before the first wanted time, not at the file's start
    """
    if not wanted_s:
        return
    source = open_source(path)
    rest = dict(wanted_s)

    def see(frame: av.VideoFrame, time_s: float) -> None:
        index = min(rest, key=lambda index: abs(rest[index] - time_s))
        if abs(rest[index] - time_s) < _SAME_S and source.video is not None:
            take(index, Picture(frame, sample_aspect_ratio=source.video.sample_aspect_ratio))
            del rest[index]
            if not rest:
                raise _AllFoundError

    try:
        Pass(source=source, on_audio=None, on_video=see).run(
            min(wanted_s.values()) if seek else None, max(wanted_s.values())
        )
    except _AllFoundError:
        pass
    finally:
        source.close()


def _close_up(picture: Picture, box_px: Box, side_px: int) -> Pixels:
    """A square part of a picture, in `side_px` x `side_px` pixels."""
    left, top, right, bottom = box_px
    across, down = (right - left) / side_px, (bottom - top) / side_px
    # the centre of the first pixel of the result lies half a pixel of the result within the box
    matrix = np.array([[across, 0, left + across / 2 - 0.5], [0, down, top + down / 2 - 0.5]])
    return (picture.warp(matrix, (side_px, side_px)) * 255 + 0.5).astype(np.uint8)
