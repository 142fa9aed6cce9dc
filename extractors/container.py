"""Opening a media file: which streams it has, where its time begins, and what is wrong with it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import av.error
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.video.stream import VideoStream

from mmrole.core.canonical import printable_path
from mmrole.core.errors import MediaError
from mmrole.core.media import Caution, Reason

_FORMATS_BY_EXTENSION = {
    "3gp": "mp4", "aac": "aac", "aif": "aiff", "aiff": "aiff", "asf": "asf", "avi": "avi", "flac": "flac", "flv": "flv", "m2ts": "mpegts",
    "m4a": "mp4", "m4v": "mp4", "mka": "matroska", "mkv": "matroska", "mov": "mp4", "mp3": "mp3", "mp4": "mp4", "mpeg": "mpeg",
    "mpg": "mpeg", "mts": "mpegts", "oga": "ogg", "ogg": "ogg", "ogv": "ogg", "opus": "ogg", "ts": "mpegts", "vob": "mpeg", "wav": "wav",
    "webm": "matroska", "wma": "asf", "wmv": "asf",
}  # fmt: skip
MEDIA_EXTENSIONS = frozenset(_FORMATS_BY_EXTENSION)
"""File name extensions (without the dot, lower case) that are taken for clips."""

_DECLARING = {"mp4", "matroska", "avi", "flv", "wav", "w64", "asf", "aiff", "flac"}
"""Formats whose header says how long they are. For the others FFmpeg estimates the duration: no evidence of a cut."""

_SOUND_RATES_HZ = range(1000, 1_000_000)
"""A sampling rate beyond these is a damaged header; a second of sound would become hours, or nothing."""
_SOUND_CHANNELS = range(1, 65)
"""FFmpeg mixes at most 64 channels."""

_NO_MEDIA = (
    "image2",
    "_pipe",
    "tty",
    "concat",
    "hls",
    "dash",
    "ffmetadata",
    "srt",
    "webvtt",
    "ass",
    "subviewer",
    "lrc",
)
_MAGIC = (
    (4, b"ftyp"), (4, b"moov"), (4, b"mdat"), (4, b"wide"), (4, b"free"),
    (0, b"\x1aE\xdf\xa3"), (0, b"RIFF"), (0, b"FLV\x01"), (0, b"OggS"), (0, b"fLaC"), (0, b"ID3"), (0, b"\xff\xfb"),
    (0, b"\x00\x00\x01\xba"), (0, b"\x00\x00\x01\xb3"), (0, b"0&\xb2u"), (0, b"FORM"), (0, b"RF64"),
)  # fmt: skip
_TS_PACKETS = ((0, 188), (4, 192))
"""Where the first sync byte of an MPEG transport stream lies, and how long its packets are."""


@dataclass(kw_only=True)
class Source:
    """An open media file.

    Attributes:
        container: PyAV's container; closed by `close`
        video: the picture, None when there is none (a cover picture is none)
        audio: the sound track that the file marks as its default, else the first; None when there is none
        start_s: the container's start on its own clock; all times of a clip count from here
        declared_s: how long the file says it is; None when it does not say
        declares_duration: whether `declared_s` stands in the header, so that less decoded time means a cut
        decoding_times_only: whether the format stores when pictures are decoded, not when they are shown (AVI)
        cut: whether the file has fewer bytes than its own header says
        absent: for ``audio`` and ``video``, why there is no such stream
        cautions: what was seen on opening
    """

    container: InputContainer
    video: VideoStream | None
    audio: AudioStream | None
    start_s: float
    declared_s: float | None
    declares_duration: bool
    decoding_times_only: bool
    cut: bool = False
    absent: dict[str, Reason] = field(default_factory=dict)
    cautions: list[Caution] = field(default_factory=list)

    def close(self) -> None:
        """Closes the file."""
        self.container.close()


def open_source(path: str | Path) -> Source:
    """Opens a media file and chooses its streams. Every codec runs with one thread.

    Raises:
        MediaError: with reason `unreadable`, `empty_file`, `not_media`, `truncated` or `corrupt`
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123  a path may hold bytes that are not UTF-8
            head, size = file.read(4096), os.fstat(file.fileno()).st_size
        if not head:
            raise MediaError(Reason.EMPTY_FILE, f"{printable_path(path)} has no bytes; get the file again")
        container = _open(path)
    except av.error.FFmpegError as error:
        raise _why_not_opened(path, head, str(error.strerror)) from None
    except OSError as error:
        raise MediaError(
            Reason.UNREADABLE, f"{printable_path(path)} cannot be read: {error.strerror or error}"
        ) from None
    try:
        name = container.format.name
        if any(word in name for word in _NO_MEDIA):
            raise MediaError(Reason.NOT_MEDIA, f"{printable_path(path)} is no clip: FFmpeg takes it for {name}")
        if not container.streams:
            raise _why_not_opened(path, head, "no stream in it")
        return _chosen(path, container, cut=_is_cut(head, size))
    except BaseException:
        container.close()
        raise


def _open(path: str | Path) -> InputContainer:
    # "file:" keeps names with a colon or a leading dash from being read as a protocol or an option;
    # the white list keeps a play list in disguise from fetching anything
    name = os.fspath(path)
    options = {"protocol_whitelist": "file"}
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are not UTF-8: PyAV cannot pass such a name on, but it can pass on a number
        with Path(path).open("rb") as file:
            return av.open(f"file:/dev/fd/{file.fileno()}", mode="r", metadata_errors="ignore", options=options)
    return av.open("file:" + name, mode="r", metadata_errors="ignore", options=options)


def _why_not_opened(path: str | Path, head: bytes, seen: str) -> MediaError:
    """What a file is that can be read but not opened as media, from its first bytes."""
    name = printable_path(path)
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free"):
        return MediaError(
            Reason.TRUNCATED, f"{name} lacks the index of an MP4 file: it was cut off; get the whole file"
        )
    if any(head[at : at + len(magic)] == magic for at, magic in _MAGIC) or _is_transport_stream(head):
        return MediaError(Reason.CORRUPT, f"{name} begins like media but cannot be opened ({seen}); get the file again")
    return MediaError(Reason.NOT_MEDIA, f"{name} is no audio or video file, whatever its name says")


def _is_transport_stream(head: bytes) -> bool:
    return any(head[at : at + 1] == head[at + step : at + step + 1] == b"G" for at, step in _TS_PACKETS)


def _is_cut(head: bytes, size: int) -> bool:
    """Whether a RIFF or AIFF file ends before its header says; FFmpeg corrects the length of such a file in silence."""
    if head[:4] not in (b"RIFF", b"FORM"):
        return False
    declared = int.from_bytes(head[4:8], "little" if head[:4] == b"RIFF" else "big")
    # writers that cannot know the length leave nothing, or the largest number that they can write
    return 0 < declared < 0x7FFFF000 and declared + 8 > size


def _chosen(path: str | Path, container: InputContainer, *, cut: bool) -> Source:
    streams = list(container.streams)
    absent: dict[str, Reason] = {}
    cautions: list[Caution] = []
    pictures = [s for s in streams if isinstance(s, VideoStream) and not _has(s, "attached_pic")]
    sounds = [s for s in streams if isinstance(s, AudioStream)]
    video, audio = _best_video(pictures), _best_audio(sounds)
    for kind, chosen, reason in (("video", video, Reason.NO_VIDEO_STREAM), ("audio", audio, Reason.NO_AUDIO_STREAM)):
        if chosen is None:
            there = [s for s in streams if s.type == kind and not _has(s, "attached_pic")]
            damaged = any(_has_decoder(s) for s in there)
            absent[kind] = Reason.CORRUPT if damaged else Reason.DECODER_MISSING if there else reason
    if set(absent.values()) == {Reason.NO_VIDEO_STREAM, Reason.NO_AUDIO_STREAM}:
        raise MediaError(Reason.NOT_MEDIA, f"{printable_path(path)} holds neither sound nor picture")
    for stream in (video, audio):
        if stream is not None:
            stream.codec_context.thread_count = 1  # clips run side by side: threads inside one only cost
    if len(sounds) > 1:
        cautions.append(Caution.SEVERAL_AUDIO_TRACKS)
    family = _family(container.format.name)
    expected = _FORMATS_BY_EXTENSION.get(os.path.splitext(os.fspath(path))[1].lower().lstrip("."))  # noqa: PTH122
    if expected is not None and expected != family and not (expected == "mpeg" and family == "mpegts"):
        cautions.append(Caution.EXTENSION_MISMATCH)
    declared_s = None if container.duration is None or container.duration <= 0 else container.duration / av.time_base
    if declared_s is None:
        cautions.append(Caution.NO_DURATION)
    return Source(
        container=container, video=video, audio=audio, start_s=_start_s(container, video, audio), declared_s=declared_s,
        declares_duration=family in _DECLARING, decoding_times_only=family == "avi", cut=cut, absent=absent, cautions=cautions,
    )  # fmt: skip


def _has(stream: Any, disposition: str) -> bool:
    return bool(stream.disposition & getattr(type(stream.disposition), disposition))


def _has_decoder(stream: Any) -> bool:
    return stream.codec_context is not None and stream.codec_context.codec is not None


def _best_video(streams: list[VideoStream]) -> VideoStream | None:
    usable = [s for s in streams if _has_decoder(s)]
    return max(usable, key=lambda s: (_has(s, "default"), s.width * s.height, -s.index), default=None)


def _best_audio(streams: list[AudioStream]) -> AudioStream | None:
    usable = [s for s in streams if _has_decoder(s) and s.rate in _SOUND_RATES_HZ and s.channels in _SOUND_CHANNELS]
    return max(usable, key=lambda s: (_has(s, "default"), -s.index), default=None)


def _family(format_name: str) -> str:
    for family in (
        "mp4",
        "matroska",
        "mpegts",
        "mpeg",
        "avi",
        "flv",
        "wav",
        "w64",
        "mp3",
        "ogg",
        "asf",
        "aiff",
        "flac",
        "aac",
    ):
        if family in format_name.split(","):
            return family
    return format_name


def _start_s(container: InputContainer, video: VideoStream | None, audio: AudioStream | None) -> float:
    start: int | None = container.start_time  # None where no stream has a time stamp, whatever the type says
    if start is not None:
        return start / av.time_base
    starts = [
        float(s.start_time * s.time_base) for s in (video, audio) if s and s.start_time is not None and s.time_base
    ]
    return min(starts, default=0.0)
