"""One pass over a media file: sound and picture, each frame with its time since the container's start.

The pass survives broken data. A packet that does not decode is counted, pictures that are built on it are dropped until the next
key frame (a decoder hands out such pictures without a word), and the sound goes on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import av
import av.error
from av.audio.frame import AudioFrame
from av.packet import Packet
from av.video.frame import VideoFrame

from extractors.container import Source
from extractors.video.frames import SkipPlan
from mmrole.core.media import Caution, Reason

_SEEK_MARGIN_S = 1.0
"""Decoding begins so much before a segment: codecs need a few packets to settle."""
_BEYOND_S = 2.0
"""Packets of the two streams are interleaved within so much time; later ones cannot belong to a segment any more."""


@dataclass(kw_only=True)
class StreamTally:
    """What a pass saw of one stream.

    Attributes:
        frames: frames handed out
        errors: packets or frames that did not decode
        dropped: pictures dropped because they were built on broken data
        first_s: time of the first frame, None when there was none
        end_s: end of the last frame
        repaired: frames that had no usable time stamp
        intervals_s: times between neighbouring pictures
    """

    frames: int = 0
    errors: int = 0
    dropped: int = 0
    first_s: float | None = None
    end_s: float | None = None
    repaired: int = 0
    intervals_s: list[float] = field(default_factory=list)

    def saw(self, time_s: float, duration_s: float, *, decoded: bool = True) -> None:
        """Counts one frame; one that was spared the decoder counts for the stretch only."""
        self.frames += decoded
        self.first_s = time_s if self.first_s is None else min(self.first_s, time_s)
        self.end_s = time_s + duration_s if self.end_s is None else max(self.end_s, time_s + duration_s)

    def variable(self) -> bool:
        """Whether the frame rate varies: more than 2 % of the intervals are off their median by more than a quarter."""
        if len(self.intervals_s) < 3:
            return False
        middle = sorted(self.intervals_s)[len(self.intervals_s) // 2]
        off = sum(abs(interval - middle) > 0.25 * middle + 0.002 for interval in self.intervals_s)
        return off > 0.02 * len(self.intervals_s)


@dataclass(kw_only=True)
class Pass:
    """Decodes a source once, calling back for every frame.

    Args:
        source: the open file
        on_audio: takes a sound frame and its time in seconds; None leaves the sound out
        on_video: takes a picture and its time in seconds; None leaves the picture out
        skip: which pictures need not be decoded at all; None decodes all of them
        alive: called at every packet, to show progress

    Attributes:
        audio: tally of the sound
        video: tally of the picture
        broken: whether the file itself ended in an error
    """

    source: Source
    on_audio: Callable[[AudioFrame, float], None] | None
    on_video: Callable[[VideoFrame, float], None] | None
    skip: SkipPlan | None = None
    alive: Callable[[], None] = lambda: None
    audio: StreamTally = field(default_factory=StreamTally)
    video: StreamTally = field(default_factory=StreamTally)
    broken: bool = False
    _await_key: bool = False
    _last_s: float | None = None
    _stamps: list[float] = field(default_factory=list)

    def run(self, start_s: float | None = None, end_s: float | None = None) -> None:
        """Decodes from `start_s` (or a little before) to `end_s` (or a little after); the whole file when both are None."""
        source = self.source
        streams = [s for s, wanted in ((source.audio, self.on_audio), (source.video, self.on_video)) if s and wanted]
        if not streams:
            return
        if start_s is not None and start_s > _SEEK_MARGIN_S:
            self._seek(start_s - _SEEK_MARGIN_S)
        packets = self._packets(source.container.demux(streams), end_s, len(streams))
        if source.decoding_times_only:
            self.skip = None
        for packet in self.skip.mark(packets, source, self.video) if self.skip else packets:
            self.alive()
            if packet.stream.type == "audio":
                self._decode_audio(packet)
            else:
                self._decode_video(packet)

    def _seek(self, time_s: float) -> None:
        try:
            self.source.container.seek(round((time_s + self.source.start_s) * av.time_base), backward=True)
        except av.error.FFmpegError:  # no index: the pass begins at the file's start, which is only slower
            self.source.container.seek(round(self.source.start_s * av.time_base), backward=True, any_frame=True)

    def _packets(self, packets: Iterable[Packet[Any]], end_s: float | None, streams: int) -> Iterator[Packet[Any]]:
        """The packets of a container, to the end of the stretch; an error of the container itself ends them."""
        ended: set[int] = set()
        iterator = iter(packets)
        while True:
            try:
                packet = next(iterator)
            except StopIteration:
                return
            except av.error.EOFError:
                return
            except (av.error.FFmpegError, OSError):
                self.broken = True
                return
            stamp = packet.dts if packet.dts is not None else packet.pts
            time_s = (
                -1.0 if stamp is None or not packet.time_base else float(stamp * packet.time_base) - self.source.start_s
            )
            if end_s is not None and time_s > end_s + _BEYOND_S:
                ended.add(packet.stream_index)
                if len(ended) == streams:
                    return
                continue
            yield packet

    def _decode_audio(self, packet: Packet[Any]) -> None:
        tally = self.audio
        try:
            frames = cast("list[AudioFrame]", packet.decode())
        except (av.error.FFmpegError, OSError):
            tally.errors += 1
            return
        for frame in frames:
            if frame.is_corrupt:
                tally.errors += 1
                continue
            duration_s = frame.samples / frame.sample_rate
            if frame.pts is None or frame.time_base is None:
                tally.repaired += 1
                time_s = 0.0 if tally.end_s is None else tally.end_s
            else:
                time_s = float(frame.pts * frame.time_base) - self.source.start_s
            tally.saw(time_s, duration_s)
            if self.on_audio:
                self.on_audio(frame, time_s)

    def _decode_video(self, packet: Packet[Any]) -> None:
        tally = self.video
        if packet.dts is not None and packet.time_base and packet.size:
            heapq.heappush(self._stamps, float(packet.dts * packet.time_base) - self.source.start_s)
        try:
            frames = packet.decode()
        except (av.error.FFmpegError, OSError):
            tally.errors += 1
            self._await_key = True
            return
        for frame in frames:
            if frame.is_corrupt:
                tally.errors += 1
                self._await_key = True
            elif frame.key_frame:
                self._await_key = False
            time_s, duration_s = self._picture_time(frame)
            tally.saw(time_s, duration_s)
            if self._last_s is not None and self.skip is None:
                tally.intervals_s.append(time_s - self._last_s)
            self._last_s = time_s
            if self._await_key:
                tally.dropped += 1
            elif self.on_video:
                self.on_video(frame, time_s)

    def _picture_time(self, frame: VideoFrame) -> tuple[float, float]:
        stream = self.source.video
        rate = stream and (stream.guessed_rate or stream.average_rate)
        duration_s = 1 / float(rate) if rate else 0.04
        stamp = frame.pts if frame.pts is not None else frame.dts
        time_s = None
        if self.source.decoding_times_only:
            # pictures leave the decoder in the order in which they are shown: the k-th has the k-th of the times
            time_s = heapq.heappop(self._stamps) if self._stamps else None
        elif stamp is not None and frame.time_base is not None:
            time_s = float(stamp * frame.time_base) - self.source.start_s
            if frame.duration:
                duration_s = float(frame.duration * frame.time_base)
        if time_s is None or (self._last_s is not None and time_s <= self._last_s):
            self.video.repaired += 1
            time_s = 0.0 if self._last_s is None else self._last_s + duration_s
        return time_s, duration_s


def end_s(audio: StreamTally, video: StreamTally) -> float | None:
    """End of what was decoded, in seconds since the container's start; None when nothing was."""
    return max((tally.end_s for tally in (audio, video) if tally.end_s is not None), default=None)


def damage(done: Pass) -> tuple[Reason | None, dict[str, Reason]]:
    """Whether a whole file was cut or damaged: for the file, and for its streams by kind.

    A cut shows where less was decoded than the header declares; Matroska and others give no error for it.
    """
    source = done.source
    found: dict[str, Reason] = {}
    for kind, stream, tally in (("audio", source.audio, done.audio), ("video", source.video, done.video)):
        if stream is None:
            continue
        if tally.errors or tally.dropped:
            found[kind] = Reason.CORRUPT
        if source.declares_duration and stream.duration and stream.time_base and tally.end_s is not None:
            declared_s = float(stream.duration * stream.time_base)
            if tally.end_s < declared_s - _tolerance_s(done):
                found[kind] = Reason.TRUNCATED
    whole: Reason | None = None
    last_s = end_s(done.audio, done.video)
    both = all(s is None or wanted for s, wanted in ((source.audio, done.on_audio), (source.video, done.on_video)))
    declared = source.declares_duration and source.declared_s is not None
    # some writers declare the end on the container's clock, not the length: either may hold
    if (
        both
        and declared
        and last_s is not None
        and max(last_s, last_s + source.start_s) < (source.declared_s or 0) - _tolerance_s(done)
    ):
        whole = Reason.TRUNCATED
    if whole is None and (done.broken or Reason.TRUNCATED in found.values()):
        whole = Reason.TRUNCATED
    return whole, found


def _tolerance_s(done: Pass) -> float:
    intervals = sorted(done.video.intervals_s)
    return max(0.1, 2.5 * intervals[len(intervals) // 2] if intervals else 0.0)


def stream_cautions(done: Pass) -> list[Caution]:
    """What a reader should know of the streams of a whole file."""
    audio, video = done.audio, done.video
    cautions = []
    if video.variable():
        cautions.append(Caution.VARIABLE_FRAME_RATE)
    if audio.first_s is not None and audio.first_s > 0.1:
        cautions.append(Caution.AUDIO_STARTS_LATE)
    if video.first_s is not None and video.first_s > 0.1:
        cautions.append(Caution.VIDEO_STARTS_LATE)
    if audio.repaired or video.repaired:
        cautions.append(Caution.TIMESTAMPS_REPAIRED)
    return cautions
