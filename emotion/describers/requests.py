"""What a language model is asked: to describe speech by its curves, and face and body by pictures or by measures in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from emotion.describers.measures import SpeechMeasures
from emotion.describers.summaries import speech_values
from mmrole.core.canonical import bytes_sha256
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm import ChatRequest, ImagePart, TextPart, user

_PICTURE: Final = {
    "en": {
        "face": "Picture {number} of {count}, close-up of the face, at {time_s:.1f} s:",
        "body": "Picture {number} of {count}, the body, at {time_s:.1f} s:",
        "frame": "Picture {number} of {count}, the whole scene, at {time_s:.1f} s:",
        "role": "Portrait of {name}, only to tell who is meant:",
        "role_picture": "Before them there is a portrait of this person: use it only to tell who is meant.",
    },
    "zh": {
        "face": "第{number}张，共{count}张，面部特写，{time_s:.1f}秒：",
        "body": "第{number}张，共{count}张，身体，{time_s:.1f}秒：",
        "frame": "第{number}张，共{count}张，整个画面，{time_s:.1f}秒：",
        "role": "{name}的照片，只用来辨认是谁：",
        "role_picture": "在它们之前有一张此人的照片：只用来辨认是谁。",
    },
}


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A keyframe.

    Attributes:
        image: the picture
        kind: face, body or frame
        time_s: time of the frame from the container's start
    """

    image: ImagePart
    kind: str
    time_s: float


@dataclass(frozen=True, kw_only=True)
class Portrait:
    """The picture of a role.

    Attributes:
        name: of the role
        image: the picture
    """

    name: str
    image: ImagePart


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request and the template that it was made from."""

    request: ChatRequest
    prompt: Prompt


def ask_speech(speech: SpeechMeasures, language: Language) -> Asked:
    """Asks for a speech prompt from levels, curves and what is said."""
    prompt = load_prompt("emotion", f"describe/speech.{language}")
    transcript = (speech.transcript or "").strip()
    # nobody can write a text that holds the mark which is made from it: it cannot end early what it stands in
    mark = f"=== {bytes_sha256(transcript.encode('utf-8', 'surrogatepass'))[:16]} ==="
    text = prompt.fill(transcript=transcript, mark=mark, **speech_values(speech, language))
    return Asked(request=ChatRequest(messages=(user(text),)), prompt=prompt)


def ask_in_words(modality: str, lines: str, duration_s: float, language: Language) -> Asked:
    """Asks for a description of a face or a body from what was measured of it.

    Args:
        modality: face or body
        lines: see `emotion.describers.summaries`
        duration_s: of the clip
        language: of the prompt and of the description
    """
    prompt = load_prompt("emotion", f"describe/{modality}-words.{language}")
    text = prompt.fill(findings=lines, duration_s=f"{duration_s:.1f}")
    return Asked(request=ChatRequest(messages=(user(text),)), prompt=prompt)


def ask_by_pictures(modality: str, pictures: Sequence[Picture], portrait: Portrait | None, language: Language) -> Asked:
    """Asks for a description of a face or a body from pictures.

    Args:
        modality: face or body
        pictures: in the order of time
        portrait: of the role, None where there is none
        language: of the prompt and of the description
    """
    words = _PICTURE[language]
    prompt = load_prompt("emotion", f"describe/{modality}.{language}")
    parts: list[str | ImagePart | TextPart] = [
        prompt.fill(role_picture="" if portrait is None else words["role_picture"])
    ]
    if portrait is not None:
        parts += [words["role"].format(name=portrait.name), portrait.image]
    for number, picture in enumerate(pictures, start=1):
        said = words[picture.kind].format(number=number, count=len(pictures), time_s=picture.time_s)
        parts += [said, picture.image]
    return Asked(request=ChatRequest(messages=(user(*parts),)), prompt=prompt)
