"""Measures the clips of one file: sound and picture in one pass of decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import av
import av.logging
import cv2

from extractors.container import Source, open_source
from extractors.decoding import Pass
from extractors.take import MeasuredClip, Take
from extractors.video.frames import SkipPlan
from mmrole.core.extraction import ExtractSettings
from mmrole.core.media import Clip

if TYPE_CHECKING:
    from extractors.video.observer import Observer

# broken files would fill the terminal with FFmpeg's own messages; what they mean is in the records
av.logging.set_level(av.logging.PANIC)
# many clips run side by side: threads inside one only cost
cv2.setNumThreads(1)


def measure_file(
    path: str,
    clips: Sequence[Clip],
    settings: ExtractSettings,
    observer: Observer | None,
    *,
    alive: Callable[[], None] = lambda: None,
) -> Iterator[MeasuredClip]:
    """Measures a whole file, or disjoint segments of it in the order of their times.

    Args:
        path: the file
        clips: one clip without a segment, or several with
        settings: how to measure
        observer: sees faces and bodies; None when there are no models, and then the picture cannot be measured
        alive: called all the time, to show progress

    Raises:
        MediaError: nothing of the file can be measured
    """
    source = open_source(path)
    try:
        takes, done = _decode(source, clips, settings, observer, alive, skip=clips[0].segment is None)
        if done.skip is not None and (done.video.broken_s or done.video.repaired_s):
            # broken data: pictures that were spared the decoder may be needed after all
            source.close()
            source = open_source(path)
            takes, done = _decode(source, clips, settings, observer, alive, skip=False)
        for take in takes:
            alive()
            yield take.finish(done)
    finally:
        source.close()


def _decode(
    source: Source,
    clips: Sequence[Clip],
    settings: ExtractSettings,
    observer: Observer | None,
    alive: Callable[[], None],
    *,
    skip: bool,
) -> tuple[list[Take], Pass]:
    takes = [Take(clip, settings, observer, source) for clip in clips]

    def hear(frame: av.AudioFrame, time_s: float) -> None:
        for take in takes:
            take.hear(frame, time_s)

    def see(frame: av.VideoFrame, time_s: float) -> None:
        for take in takes:
            take.see(frame, time_s)

    seeing = settings.video and observer is not None and source.video is not None
    done = Pass(
        source=source,
        on_audio=hear if settings.audio else None,
        on_video=see if seeing else None,
        skip=SkipPlan(settings.fps) if skip and seeing else None,
        alive=alive,
    )
    first, last = clips[0].segment, clips[-1].segment
    done.run(first.start_s if first else None, last.end_s if last else None)
    return takes, done
