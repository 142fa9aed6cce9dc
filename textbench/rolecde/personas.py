"""Personas: profile, scenario, values and the three dilemmas of each, as the public data set has them.

A persona is one JSON object: ``persona_<id>.json`` in a folder, or a line of a JSONL file. Fields (those of the RoleCDE
repository): ``id``, ``original_description``, ``expanded_role``, ``scenario``, ``role_category`` (C1 to C8),
``role_category_name``, ``traditional_values``, ``personal_value``, ``dilemmas`` {easy, mid, hard: {difficulty, description,
option_A, option_B}}. Ours beside them: ``language`` (en or zh, else it is seen from the text) and, in a dilemma, ``role_option``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator, model_validator

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from mmrole.core.languages import Language
from mmrole.core.records import validated

Level = Literal["easy", "mid", "hard"]
Option = Literal["A", "B"]

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
CATEGORIES: Final[Mapping[str, Mapping[str, str]]] = {
    "C1": {"en": "Care & Service", "zh": "照护与服务"},
    "C2": {"en": "Authority & Governance", "zh": "权威与治理"},
    "C3": {"en": "Business & Finance", "zh": "商业与金融"},
    "C4": {"en": "Tech & Expert", "zh": "技术与专家"},
    "C5": {"en": "Creative & Media", "zh": "创意与媒体"},
    "C6": {"en": "Sports", "zh": "体育"},
    "C7": {"en": "Hobbyist & Lifestyle", "zh": "爱好与生活方式"},
    "C8": {"en": "Family & Relationship", "zh": "家庭与关系"},
}
"""Code -> name; the English ones are the data set's."""

_CODE_OF: Final = {names["en"].casefold(): code for code, names in CATEGORIES.items()}
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_OWN_LETTER: Final = {
    letter: re.compile(rf"\s*(?:(?:option|choice|选项)\s*)?[\"'(]?{letter}[\"')]?\s*[:：.)、]\s*", re.IGNORECASE)
    for letter in get_args(Option)
}

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _DilemmaRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")
    difficulty: str | None = None
    description: Text
    option_A: Text  # noqa: N815  # the data set's name
    option_B: Text  # noqa: N815
    role_option: Option | None = None

    @model_validator(mode="after")
    def _two_options(self) -> _DilemmaRecord:
        if self.option_A.casefold() == self.option_B.casefold():
            raise ValueError("option_A and option_B are the same text")
        return self


class PersonaRecord(BaseModel):
    """The form of a persona in a file; what it does not name is left alone."""

    model_config = ConfigDict(extra="ignore")
    id: int | Annotated[str, StringConstraints(pattern=r"^\w[\w.-]{0,63}$")]
    original_description: str = ""
    expanded_role: Text
    scenario: Text
    role_category: str | None = None
    role_category_name: str | None = None
    traditional_values: list[Text] = Field(min_length=1)
    personal_value: Text
    dilemmas: dict[Level, _DilemmaRecord] = Field(min_length=1)
    language: Language | None = None

    @field_validator("dilemmas")
    @classmethod
    def _levels_agree(cls, dilemmas: dict[Level, _DilemmaRecord], _: ValidationInfo) -> dict[Level, _DilemmaRecord]:
        for level, dilemma in dilemmas.items():
            if dilemma.difficulty is not None and dilemma.difficulty.strip().lower() != level:
                raise ValueError(f"the dilemma {level} says that its difficulty is {dilemma.difficulty!r}")
        return dilemmas


@dataclass(frozen=True, kw_only=True)
class Dilemma:
    """One dilemma.

    Attributes:
        level: ``easy``, ``mid`` or ``hard``
        description: what has to be decided
        options: letter of the data set -> text
        role_option: the option that serves the personal value, where the file says so
    """

    level: Level
    description: str
    options: Mapping[Option, str]
    role_option: Option | None = None


@dataclass(frozen=True, kw_only=True)
class Persona:
    """One profile with its scenario.

    Attributes:
        persona_id: names it in records
        description: the seed, one line; empty when there is none
        profile: who is played
        scenario: the situation that the dilemmas belong to
        category: ``C1`` to ``C8``, see `CATEGORIES`
        alignment_values: what is generally held to be right (``traditional_values``)
        personal_value: what the role holds instead
        dilemmas: by level
        language: ``en`` or ``zh``
    """

    persona_id: str
    description: str = ""
    profile: str = field(repr=False)
    scenario: str
    category: str
    alignment_values: tuple[str, ...]
    personal_value: str
    dilemmas: Mapping[Level, Dilemma] = field(repr=False)
    language: Language = "en"

    def to_record(self) -> Record:
        """As JSON values, in the data set's form; `persona_of` reads them again."""
        return {
            "id": self.persona_id,
            "original_description": self.description,
            "expanded_role": self.profile,
            "scenario": self.scenario,
            "role_category": self.category,
            "role_category_name": CATEGORIES[self.category]["en"],
            "traditional_values": list(self.alignment_values),
            "personal_value": self.personal_value,
            "language": self.language,
            "dilemmas": {
                level: {
                    "difficulty": level,
                    "description": dilemma.description,
                    "option_A": dilemma.options["A"],
                    "option_B": dilemma.options["B"],
                    "role_option": dilemma.role_option,
                }
                for level, dilemma in self.dilemmas.items()
            },
        }


def persona_of(record: object, place: str) -> Persona:
    """A persona from a record of the data set, of a run's output, or of `Persona.to_record`.

    Args:
        record: the record
        place: file and line for the message

    Raises:
        InputError: one line with place, field and what is wrong
    """
    if isinstance(record, dict) and isinstance(record.get("id"), int | str) and str(record["id"])[:64] not in place:
        place = f"{place} (persona {str(record['id'])[:64]})"
    read = validated(PersonaRecord, record, place)
    return Persona(
        persona_id=str(read.id),
        description=read.original_description.strip(),
        profile=read.expanded_role,
        scenario=read.scenario,
        category=_category(read.role_category, read.role_category_name, place),
        alignment_values=tuple(read.traditional_values),
        personal_value=read.personal_value,
        dilemmas={level: _dilemma(level, read.dilemmas[level]) for level in LEVELS if level in read.dilemmas},
        language=read.language or _seen_language(f"{read.expanded_role} {read.scenario}"),
    )


def _seen_language(text: str) -> Language:
    """Chinese where most letters are."""
    return "zh" if 2 * len(_CHINESE.findall(text)) > len(_LETTER.findall(text)) else "en"


def _dilemma(level: Level, read: _DilemmaRecord) -> Dilemma:
    return Dilemma(
        level=level,
        description=read.description,
        options={"A": _without_letter(read.option_A, "A"), "B": _without_letter(read.option_B, "B")},
        role_option=read.role_option,
    )


def _without_letter(text: str, letter: Option) -> str:
    """An option without its own letter in front, which would be wrong in the other order."""
    match = _OWN_LETTER[letter].match(text)
    return (text[match.end() :] or text) if match else text


def _category(code: str | None, name: str | None, place: str) -> str:
    by_code = (code or "").strip().upper()
    by_name = _CODE_OF.get((name or "").strip().casefold())
    if by_code and by_code not in CATEGORIES:
        raise InputError(f"{place}: field role_category: {code!r} is none of {', '.join(CATEGORIES)}")
    if by_code and by_name and by_code != by_name:
        raise InputError(
            f"{place}: role_category {by_code} is {CATEGORIES[by_code]['en']}, but role_category_name is {name!r}"
        )
    found = by_code or by_name
    if not found:
        raise InputError(f"{place}: field role_category: is missing: give one of {', '.join(CATEGORIES)}")
    return found
