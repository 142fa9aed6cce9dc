"""The words of the two languages in which an agent is asked, beside the prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from mmrole.core.dialogue import Dialogue
from mmrole.core.languages import Language
from mmrole.core.roles import Profile

_CHINESE: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LINE_BREAKS: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Words and marks of a language.

    Attributes:
        parts: modality -> what it is called
        profile: part of a profile -> its heading
        colon: between a name and what follows it
        semicolon: between descriptions
        brackets: around the descriptions of a line
    """

    parts: Mapping[str, str]
    profile: Mapping[str, str]
    colon: str
    semicolon: str
    brackets: tuple[str, str]


WORDINGS: Final[Mapping[Language, Wording]] = {
    "zh": Wording(
        parts={"text": "内容", "face": "面部表情", "body": "身体动作", "speech": "语音"},
        profile={
            "basic_information": "基本信息",
            "characteristics": "性格特点",
            "experiences": "经历",
            "relationships": "人物关系",
        },
        colon="：",
        semicolon="；",
        brackets=("［", "］"),
    ),
    "en": Wording(
        parts={"text": "content", "face": "facial expression", "body": "body movement", "speech": "speech"},
        profile={
            "basic_information": "Basic information",
            "characteristics": "Characteristics",
            "experiences": "Experiences",
            "relationships": "Relationships",
        },
        colon=": ",
        semicolon="; ",
        brackets=("[", "]"),
    ),
}


def one_line(text: str) -> str:
    """A text without line breaks, so that nothing in it can look like the next line of a dialogue."""
    return _LINE_BREAKS.sub(" ", text.strip())


def profile_text(profile: Profile, language: Language) -> str:
    """The parts of a profile that are there, one after another, each under its heading; empty when there is none."""
    wording = WORDINGS[language]
    parts = {heading: getattr(profile, name) for name, heading in wording.profile.items()}
    return "\n\n".join(
        f"{heading}{wording.colon.rstrip()}\n{text.strip()}" for heading, text in parts.items() if text.strip()
    )


def language_of(dialogues: Iterable[Dialogue]) -> Language:
    """The language of dialogues: Chinese when at least half of the utterances have a Chinese character in them."""
    chinese = total = 0
    for dialogue in dialogues:
        for utterance in dialogue.utterances:
            total += 1
            chinese += _CHINESE.search(utterance.text) is not None
    return "zh" if 2 * chinese >= total and total else "en"
