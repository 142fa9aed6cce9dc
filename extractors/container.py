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
    (0, b"\x00\x00\x01\xba"), (0, b"\x00\x00\x01\xb3"), (0, b"0&\xb2u"), (0, b"FORM"), (0, b"G"),
)  # fmt: skip


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
        if os.stat(path).st_size == 0:  # noqa: PTH116  a path may hold bytes that are not UTF-8
            raise MediaError(Reason.EMPTY_FILE, f"{printable_path(path)} has no bytes; get the file again")
        container = _open(path)
    except av.error.FFmpegError as error:
        raise _why_not_opened(path, error) from None
    except OSError as error:
        raise MediaError(
            Reason.UNREADABLE, f"{printable_path(path)} cannot be read: {error.strerror or error}"
        ) from None
    if any(word in container.format.name for word in _NO_MEDIA):
        name = container.format.name
        container.close()
        raise MediaError(Reason.NOT_MEDIA, f"{printable_path(path)} is no clip: FFmpeg takes it for {name}")
    return _chosen(path, container)


def _open(path: str | Path) -> InputContainer:
    # "file:" keeps names with a colon or a leading dash from being read as a protocol or an option;
    # the white list keeps a play list in disguise from fetching anything
    name = os.fspath(path)
    options = {"protocol_whitelist": "file"}
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are not UTF-8: PyAV cannot pass such a name on
        return av.open(Path(path).open("rb"), mode="r", metadata_errors="ignore")
    return av.open("file:" + name, mode="r", metadata_errors="ignore", options=options)


def _why_not_opened(path: str | Path, error: av.error.FFmpegError) -> MediaError:
    if isinstance(error, OSError):
        return MediaError(Reason.UNREADABLE, f"{printable_path(path)} cannot be read: {error.strerror}")
    try:
        with Path(path).open("rb") as file:
            head = file.read(16)
    except OSError as failed:
        return MediaError(Reason.UNREADABLE, f"{printable_path(path)} cannot be read: {failed.strerror or failed}")
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free"):
        return MediaError(
            Reason.TRUNCATED,
            f"{printable_path(path)} lacks the index of an MP4 file: it was cut off; get the whole file",
        )
    if any(head[at : at + len(magic)] == magic for at, magic in _MAGIC):
        return MediaError(
            Reason.CORRUPT,
            f"{printable_path(path)} begins like media but cannot be opened ({error.strerror}); get the file again",
        )
    return MediaError(Reason.NOT_MEDIA, f"{printable_path(path)} is no audio or video file, whatever its name says")


def _chosen(path: str | Path, container: InputContainer) -> Source:
    streams = list(container.streams)
    absent: dict[str, Reason] = {}
    cautions: list[Caution] = []
    pictures = [s for s in streams if isinstance(s, VideoStream) and not _has(s, "attached_pic")]
    sounds = [s for s in streams if isinstance(s, AudioStream)]
    video, audio = _best_video(pictures), _best_audio(sounds)
    for kind, chosen, reason in (("video", video, Reason.NO_VIDEO_STREAM), ("audio", audio, Reason.NO_AUDIO_STREAM)):
        if chosen is None:
            unknown = any(s.type == kind and not _has(s, "attached_pic") for s in streams)
            absent[kind] = Reason.DECODER_MISSING if unknown else reason
    if video is None and audio is None and Reason.DECODER_MISSING not in absent.values():
        container.close()
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
        declares_duration=family in _DECLARING, decoding_times_only=family == "avi", absent=absent, cautions=cautions,
    )  # fmt: skip


def _has(stream: Any, disposition: str) -> bool:
    return bool(stream.disposition & getattr(type(stream.disposition), disposition))


def _usable(stream: Any) -> bool:
    return stream.codec_context is not None and stream.codec_context.codec is not None


def _best_video(streams: list[VideoStream]) -> VideoStream | None:
    usable = [s for s in streams if _usable(s)]
    return max(usable, key=lambda s: (_has(s, "default"), s.width * s.height, -s.index), default=None)


def _best_audio(streams: list[AudioStream]) -> AudioStream | None:
    usable = [s for s in streams if _usable(s) and s.rate]
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
