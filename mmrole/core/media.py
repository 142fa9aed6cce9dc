"""Media types: what a clip is, and the codes that say why something could not be measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a clip or one of its modalities could not be measured, or not wholly."""

    NO_AUDIO_STREAM = "no_audio_stream"
    NO_VIDEO_STREAM = "no_video_stream"
    EMPTY_AUDIO = "empty_audio"
    TOO_SHORT = "too_short"
    SILENT = "silent"
    UNVOICED = "unvoiced"
    NO_FACE = "no_face"
    NO_BODY = "no_body"
    TRUNCATED = "truncated"
    CORRUPT = "corrupt"
    DECODER_MISSING = "decoder_missing"
    EMPTY_FILE = "empty_file"
    NOT_MEDIA = "not_media"
    UNREADABLE = "unreadable"
    MODELS_MISSING = "models_missing"
    WORKER_CRASHED = "worker_crashed"


class Caution(StrEnum):
    """What a reader of a clip's numbers should know; the clip was measured all the same."""

    PHASE_CANCELLED = "phase_cancelled"
    GAPS_FILLED = "gaps_filled"
    VARIABLE_FRAME_RATE = "variable_frame_rate"
    AUDIO_STARTS_LATE = "audio_starts_late"
    VIDEO_STARTS_LATE = "video_starts_late"
    ROTATED = "rotated"
    SEVERAL_AUDIO_TRACKS = "several_audio_tracks"
    SEVERAL_FACES = "several_faces"
    UNKNOWN_LAYOUT = "unknown_layout"
    TIMESTAMPS_REPAIRED = "timestamps_repaired"
    SIZE_CHANGES = "size_changes"
    NO_DURATION = "no_duration"
    EXTENSION_MISMATCH = "extension_mismatch"
    NO_SPEECH = "no_speech"
    NO_REFERENCE = "no_reference"
    TRANSCRIPT_MISMATCH = "transcript_mismatch"


LATE_S = 0.1
"""Sound or picture that starts later than this is said to start late; less is the delay of ordinary encoders and multiplexers."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A stretch of a longer file: `[start_s, end_s)` in seconds from the container's start."""

    start_s: float
    end_s: float


@dataclass(frozen=True, kw_only=True)
class Clip:
    """One clip to measure, with what a dialogue or segment table says of it.

    Attributes:
        clip_id: name of the clip in all outputs
        path: the file
        segment: the part of the file that is meant; the whole file when None
        text: transcript of what is said
        speaker: name of the speaking role
        gender: gender of the speaking role, as the table spells it
        face_box_px: left, top, right, bottom of the speaker's face in pixels of the displayed picture
    """

    clip_id: str
    path: str
    segment: Segment | None = None
    text: str | None = None
    speaker: str | None = None
    gender: str | None = None
    face_box_px: tuple[float, float, float, float] | None = None
