"""Codes and numbers in words, for pictures."""

from __future__ import annotations

from typing import Final

from mmrole.core.counting import counted, noun
from mmrole.core.media import Reason

REASON_WORDS: Final = {
    Reason.NO_AUDIO_STREAM: "the file has no sound",
    Reason.NO_VIDEO_STREAM: "the file has no picture",
    Reason.EMPTY_AUDIO: "the sound stream holds no sound",
    Reason.TOO_SHORT: "there is less than 50 ms of sound",
    Reason.SILENT: "the sound is silent",
    Reason.UNVOICED: "nothing in the sound is voiced",
    Reason.NO_FACE: "no face was found",
    Reason.NO_BODY: "no body was found",
    Reason.TRUNCATED: "the file is cut off",
    Reason.CORRUPT: "the data are damaged",
    Reason.DECODER_MISSING: "there is no decoder for it",
    Reason.EMPTY_FILE: "the file has no bytes",
    Reason.NOT_MEDIA: "the file is no audio or video",
    Reason.UNREADABLE: "the file cannot be read",
    Reason.MODELS_MISSING: "the model files were missing",
    Reason.WORKER_CRASHED: "the process that worked on it died",
}
"""What each reason means, as a clause."""

_MODALITIES: Final = {"audio": ("sound", "--no-audio"), "video": ("picture", "--no-video")}


def not_measured(kind: str, status: str | None, reason: str | None) -> str:
    """One line that says why a modality has no features.

    Args:
        kind: ``audio`` or ``video``
        status: its status in the clip's record
        reason: its reason code
    """
    name, switch = _MODALITIES[kind]
    if status == "off":
        return f"the {name} was left out ({switch})"
    return f"no {name} was measured: {in_words(reason)}"


def in_words(reason: str | None) -> str:
    """A reason code with its meaning; the code alone when it has none."""
    if reason is None:
        return "reason unknown"
    known = reason in Reason.__members__.values()
    return f"{REASON_WORDS[Reason(reason)]} ({reason})" if known else reason


def count(number: int, what: str) -> str:
    """A number of things.

    >>> count(1, "face"), count(0, "face"), count(2, "face")
    ('1 face', 'no faces', '2 faces')
    """
    return counted(number, what) if number else f"no {noun(number, what)}"
