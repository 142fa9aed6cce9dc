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

from extractors.clock import LONGEST_JUMP_S, Clock
from extractors.container import Source
from extractors.seeking import seek_before
from extractors.tally import StreamTally
from extractors.video.frames import SkipPlan, spares
from mmrole.core.media import LATE_S, Caution, Reason

_BEYOND_S = 2.0
"""Packets of the two streams are interleaved within so much time; later ones cannot belong to a segment any more."""


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
    _step_s: float = 0.04
    _size_px: tuple[int, int] | None = None
    _clocks: dict[str, Clock] = field(default_factory=dict)
    _stamps: list[float] = field(default_factory=list)

    def run(self, start_s: float | None = None, end_s: float | None = None) -> None:
        """Decodes from `start_s` (or a little before) to `end_s` (or a little after); the whole file when both are None."""
        source = self.source
        streams = [s for s, wanted in ((source.audio, self.on_audio), (source.video, self.on_video)) if s and wanted]
        if not streams:
            return
        begin_s = seek_before(source, start_s or 0.0, picture=self.on_video is not None)
        self._clocks = {kind: Clock(begin_s) for kind in ("audio", "video")}
        packets = self._packets(source.container.demux(streams), end_s, len(streams))
        if source.decoding_times_only or source.video is None or not spares(source.video):
            self.skip = None
        for packet in self.skip.mark(packets, source, self.video) if self.skip else packets:
            self.alive()
            if packet.stream.type == "audio":
                self._decode_audio(packet)
            else:
                self._decode_video(packet)

    def _packets(self, packets: Iterable[Packet[Any]], end_s: float | None, streams: int) -> Iterator[Packet[Any]]:
        """The packets of a container, to the end of the stretch; an error of the container itself ends them."""
        ended: set[int] = set()
        iterator = iter(packets)
        while True:
            try:
                packet = next(iterator)
            except (StopIteration, av.error.EOFError):
                return
            except IndexError:  # PyAV's, at the very end, where a stream appeared that was not there on opening
                return
            except (av.error.FFmpegError, OSError):
                self.broken = True
                return
            time_s = self._packet_time_s(packet)
            if end_s is not None and time_s is not None and time_s > end_s + _BEYOND_S:
                ended.add(packet.stream_index)
                if len(ended) == streams:
                    return
                continue
            yield packet

    def _packet_time_s(self, packet: Packet[Any]) -> float | None:
        stamp = packet.dts if packet.dts is not None else packet.pts
        if stamp is None or not packet.time_base:
            return None
        return float(stamp * packet.time_base) - self.source.start_s

    def _decode_audio(self, packet: Packet[Any]) -> None:
        tally = self.audio
        try:
            frames = cast("list[AudioFrame]", packet.decode())
        except (av.error.FFmpegError, OSError):
            tally.failed(self._packet_time_s(packet))
            return
        for frame in frames:
            time_s = self._sound_time(frame)
            if frame.is_corrupt:
                tally.failed(time_s)
                continue
            tally.saw(time_s, frame.samples / frame.sample_rate)
            try:
                if self.on_audio:
                    self.on_audio(frame, time_s)
            except av.error.FFmpegError:  # channels or a rate that cannot be converted
                tally.failed(time_s)

    def _sound_time(self, frame: AudioFrame) -> float:
        tally = self.audio
        if frame.pts is None or frame.time_base is None:
            time_s, repaired = tally.end_s or 0.0, True
        else:
            stamp_s = float(frame.pts * frame.time_base) - self.source.start_s
            time_s, repaired = self._clocks["audio"].read(stamp_s, tally.end_s, frame.samples / frame.sample_rate)
        if repaired:
            tally.repaired_s.append(time_s)
        return time_s

    def _decode_video(self, packet: Packet[Any]) -> None:
        tally = self.video
        if packet.dts is not None and packet.time_base and packet.size:
            heapq.heappush(self._stamps, float(packet.dts * packet.time_base) - self.source.start_s)
        try:
            frames = packet.decode()
        except (av.error.FFmpegError, OSError):
            tally.failed(self._packet_time_s(packet))
            self._await_key = True
            return
        for frame in frames:
            time_s, duration_s = self._picture_time(frame)
            if frame.is_corrupt:
                tally.failed(time_s)
                self._await_key = True
            elif frame.key_frame:
                self._await_key = False
            tally.saw(time_s, duration_s)
            if self._last_s is not None and self.skip is None:
                tally.intervals_s.append(time_s - self._last_s)
            self._last_s = time_s
            if self._await_key:
                tally.dropped_s.append(time_s)
            elif self.on_video:
                self.on_video(self._resized(frame, time_s), time_s)

    def _resized(self, frame: VideoFrame, time_s: float) -> VideoFrame:
        """The picture in the size of the first: positions in a clip have one scale, whatever a broadcast switches to."""
        size_px = (frame.width, frame.height)
        self._size_px = self._size_px or size_px
        if size_px == self._size_px:
            return frame
        self.video.resized_s.append(time_s)
        return frame.reformat(width=self._size_px[0], height=self._size_px[1], threads=1)

    def _picture_time(self, frame: VideoFrame) -> tuple[float, float]:
        stream = self.source.video
        rate = stream and (stream.guessed_rate or stream.average_rate)
        duration_s = 1 / float(rate) if rate else 0.04
        stamp = frame.pts if frame.pts is not None else frame.dts
        stamp_s = None
        if self.source.decoding_times_only:
            # pictures leave the decoder in the order in which they are shown: the k-th has the k-th of the times
            stamp_s = heapq.heappop(self._stamps) if self._stamps else None
        elif stamp is not None and frame.time_base is not None:
            stamp_s = float(stamp * frame.time_base) - self.source.start_s
            if 0 < frame.duration * frame.time_base <= LONGEST_JUMP_S:
                duration_s = float(frame.duration * frame.time_base)
        next_s = None if self._last_s is None else self._last_s + self._step_s
        time_s, repaired = next_s or 0.0, True
        if stamp_s is not None:
            time_s, repaired = self._clocks["video"].read(stamp_s, next_s, self._step_s)
        if self._last_s is not None and time_s <= self._last_s:
            # half a step, so that the pictures after one that is out of order are back on time
            time_s, repaired = self._last_s + self._step_s / 2, True
        if repaired:
            self.video.repaired_s.append(time_s)
        self._step_s = duration_s
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
        if tally.broken_s:
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
    if whole is None and (done.broken or source.cut or Reason.TRUNCATED in found.values()):
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
    if audio.first_s is not None and audio.first_s > LATE_S:
        cautions.append(Caution.AUDIO_STARTS_LATE)
    if video.first_s is not None and video.first_s > LATE_S:
        cautions.append(Caution.VIDEO_STARTS_LATE)
    return cautions
