"""Where decoding must begin so that a stretch of a file is decoded as it would be in one pass over the whole file."""

from __future__ import annotations

import av
import av.error

from extractors.container import Source

_MARGIN_S = 1.0
"""Decoding begins so much before a stretch: codecs of sound need a few packets to settle."""
_FURTHER = 4.0
_BEFORE_ALL_S = 60.0
"""The first packets of a file may belong to times a little before its start."""


def seek_before(source: Source, start_s: float, *, picture: bool) -> float:
    """Goes to a place from which the stretch that begins at `start_s` is decoded whole, and returns its time, about.

    Containers without an index (MPEG streams) are entered anywhere: it is looked for a key picture between there and the
    stretch, and where there is none, further back. AVI does not store when pictures are shown; that they follow from
    their order holds from the beginning of the file only, unless none is stored out of order.

    Args:
        source: the open file
        start_s: begin of the stretch in seconds since the container's start
        picture: whether the picture is wanted
    """
    video = source.video if picture else None
    start: int | None = source.container.start_time  # None where no stream has a time stamp, whatever the type says
    if start_s <= _MARGIN_S or start is None:
        return 0.0
    if video is not None and source.decoding_times_only and video.codec_context.has_b_frames:
        return 0.0
    margin_s = _MARGIN_S
    while start_s > margin_s:
        if not _seek(source, start_s - margin_s):
            break
        if video is None or _finds_key(source, start_s):
            _seek(source, start_s - margin_s)
            return start_s - margin_s
        margin_s *= _FURTHER
    _seek(source, -_BEFORE_ALL_S)
    return 0.0


def _seek(source: Source, time_s: float) -> bool:
    try:
        source.container.seek(round((time_s + source.start_s) * av.time_base), backward=True)
    except (
        av.error.FFmpegError
    ):  # a bare stream: the pass begins where it is, at the file's start, which is only slower
        return False
    return True


def _finds_key(source: Source, start_s: float) -> bool:
    """Whether a key picture comes that is shown no later than `start_s`."""
    try:
        for packet in source.container.demux(source.video):
            if packet.pts is None or packet.time_base is None:
                continue
            time_s = float(packet.pts * packet.time_base) - source.start_s
            if packet.is_keyframe or time_s > start_s:
                return time_s <= start_s
    except (av.error.FFmpegError, IndexError):  # damaged, or PyAV at a stream that was not there on opening
        return False
    return False
