"""Which pictures of a clip are sampled, by time and not by index, and which need not even be decoded."""

from __future__ import annotations

import bisect
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from av.packet import Packet
    from av.video.stream import VideoStream

    from extractors.container import Source
    from extractors.tally import StreamTally

PictureT = TypeVar("PictureT")

_SPARING = frozenset({"h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4"})
"""Codecs in which a picture that says that no other refers to it stands for itself, and is seen where it is decoded.
VP8 has packets without a picture; VP9 and AV1 decoders spare nothing."""

_LOOK_AHEAD = 48
"""Packets of the picture that are held back: more than twice the 16 pictures by which H.264 and HEVC may reorder."""


_BELIEVED_S = 1e6
"""Time stamps beyond this are damaged; `Clock` sets the pictures' times right, and nothing is skipped."""


class FrameSampler(Generic[PictureT]):
    """Picks the picture nearest to each of the times 0, 1/fps, 2/fps, ... as pictures pass by in the order of their times.

    A picture is picked once, however many of the times it is nearest to; a clip that shows a picture at all has one picked.
    Times before the first picture (a picture that starts late) are left out. Of two equally near pictures the earlier is picked.

    Args:
        fps: pictures per second, > 0
        take: called with each picked picture and its time in seconds
        start_s: time of the first sample
        end_s: no sample at or after this time; None for none
    """

    def __init__(
        self, fps: float, take: Callable[[PictureT, float], None], *, start_s: float = 0.0, end_s: float | None = None
    ) -> None:
        self._fps = fps
        self._take = take
        self._start_s = start_s
        self._end_s = end_s
        self._next = 0
        self._held: tuple[PictureT, float] | None = None
        self._held_taken = False
        self.taken = 0

    def _target_s(self) -> float:
        return self._start_s + self._next / self._fps

    def _pass_targets(self, passed: Callable[[float], bool], limit_s: float) -> None:
        """Goes to the first target that is not `passed`; a leap to near `limit_s`, then step by step against rounding."""
        self._next = max(self._next, math.floor((limit_s - self._start_s) * self._fps) - 1)
        while passed(self._target_s()):
            self._next += 1

    def add(self, picture: PictureT, time_s: float) -> None:
        """Shows the next picture; times must increase."""
        if self._held is None:
            # a sample so far before the picture belongs to a time without picture
            limit_s = time_s - 0.5 / self._fps
            self._pass_targets(lambda target_s: target_s < limit_s, limit_s)
        else:
            _, held_s = self._held
            self._pick_until((held_s + time_s) / 2)
        self._held, self._held_taken = (picture, time_s), False

    def _pick_until(self, limit_s: float) -> None:
        """Picks the held picture when it is the nearest to a target up to `limit_s`."""
        target_s = self._target_s()
        if target_s > limit_s or (self._end_s is not None and target_s >= self._end_s):
            return
        self._pass_targets(lambda target_s: target_s <= limit_s, limit_s)
        if self._held is not None and not self._held_taken:
            self._held_taken = True
            self.taken += 1
            self._take(*self._held)

    def finish(self, duration_s: float = 0.0) -> None:
        """Ends the clip; the last picture is shown for `duration_s`."""
        if self._held is None:
            return
        _, held_s = self._held
        self._pick_until(held_s + duration_s / 2)
        if self.taken == 0:
            self.taken += 1
            self._take(*self._held)
        self._held = None


def spares(stream: VideoStream) -> bool:
    """Whether pictures of a stream can be spared without a change in any other, and are worth it.

    HEVC pictures of a lower temporal layer that say that none of *their layer* refers to them may still be needed by higher
    layers (ITU-T H.265, 3.141), so a stream with layers is decoded whole.
    """
    context = stream.codec_context
    return context.name in _SPARING and (context.name != "hevc" or _hevc_layers(context.extradata or b"") == 1)


def _hevc_layers(extradata: bytes) -> int:
    """Number of temporal layers of an HEVC stream; 0 where it is not known."""
    if len(extradata) > 21 and extradata[0] == 1:  # configuration record, ISO/IEC 14496-15, 8.3.2.1
        return extradata[21] >> 3 & 7
    at = extradata.find(b"\x00\x00\x01\x40\x01")  # video parameter set of a byte stream, ITU-T H.265, 7.3.2.1
    return (extradata[at + 6] >> 1 & 7) + 1 if 0 <= at < len(extradata) - 6 else 0


class SkipPlan:
    """Spares the decoder those pictures that are neither sampled nor referred to by others.

    Which pictures are sampled follows from the time stamps of the packets alone. For every packet whose picture is not
    wanted the decoder is told to drop it *if no other picture refers to it* (FFmpeg's ``skip_frame=NONREF``), so that
    the decoded pictures stay as they are, bit by bit. Where time stamps are missing nothing is skipped any more.

    Args:
        fps: samples per second
        start_s: time of the first sample
    """

    def __init__(self, fps: float, *, start_s: float = 0.0) -> None:
        self._wanted: set[float] = set()
        self._sampler: FrameSampler[None] = FrameSampler(fps, self._want, start_s=start_s)
        self._pending: list[float] = []
        self._passed_s: float | None = None
        self._off = False

    def _want(self, _picture: None, time_s: float) -> None:
        self._wanted.add(time_s)

    def mark(self, packets: Iterable[Packet[Any]], source: Source, tally: StreamTally) -> Iterator[Packet[Any]]:
        """Passes packets on, a little later, and sets the decoder of the picture for each of them.

        Args:
            packets: in the order of decoding
            source: the file that they are from
            tally: gets the stretch and the intervals of all pictures, since not all will be decoded
        """
        held: deque[Packet[Any]] = deque()
        pictures = 0
        for packet in packets:
            held.append(packet)
            if packet.stream.type == "video":
                pictures += 1
                self._see(packet, source, tally)
            while held and (pictures > _LOOK_AHEAD or held[0].stream.type != "video"):
                pictures -= held[0].stream.type == "video"
                yield self._set(held.popleft(), source)
        self._pass_on(tally, keep=0)
        self._sampler.finish(1.0)
        self._passed_s = math.inf
        while held:
            yield self._set(held.popleft(), source)

    def _see(self, packet: Packet[Any], source: Source, tally: StreamTally) -> None:
        if packet.size == 0 or packet.is_discard:  # flushes the decoder, or its picture is not shown
            return
        time_s = _time_s(packet, source)
        if time_s is None or abs(time_s) > _BELIEVED_S:
            self._off = True
            return
        if packet.duration and packet.time_base:
            tally.saw(time_s, float(packet.duration * packet.time_base), decoded=False)
        bisect.insort(self._pending, time_s)
        self._pass_on(tally, keep=_LOOK_AHEAD // 2)

    def _pass_on(self, tally: StreamTally, keep: int) -> None:
        """A time with `keep` later ones behind it is not preceded by one that is still to come."""
        while len(self._pending) > keep:
            time_s = self._pending.pop(0)
            if self._passed_s is not None:
                tally.intervals_s.append(time_s - self._passed_s)
            self._passed_s = time_s
            self._sampler.add(None, time_s)

    def _set(self, packet: Packet[Any], source: Source) -> Packet[Any]:
        if packet.stream.type == "video" and source.video is not None:
            time_s = None if self._off or packet.size == 0 else _time_s(packet, source)
            # a picture is decided upon once a later one has been passed on
            decided = time_s is not None and self._passed_s is not None and time_s < self._passed_s
            source.video.codec_context.skip_frame = "NONREF" if decided and time_s not in self._wanted else "DEFAULT"
        return packet


def _time_s(packet: Packet[Any], source: Source) -> float | None:
    if packet.pts is None or packet.time_base is None:
        return None
    return float(packet.pts * packet.time_base) - source.start_s
