"""Seeds, what each step has to give, and the draft that grows from step to step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator, model_validator

from mmrole.core.canonical import content_key
from mmrole.core.errors import InputError
from mmrole.core.languages import Language
from mmrole.core.records import JsonLines, validated
from mmrole.core.review import read_sheet
from textbench.rolecde.overlap import language_of
from textbench.rolecde.personas import CATEGORIES, LEVELS, Level, Option, Persona, persona_of

StepName = Literal["profile", "scenario", "values", "dilemmas", "category"]
STEPS: Final[tuple[StepName, ...]] = ("profile", "scenario", "values", "dilemmas", "category")
HEADINGS: Final[Mapping[str, tuple[str, str]]] = {
    "role_name": ("Role name", "角色名"),
    "description": ("Brief description", "简介"),
    "abilities": ("Abilities and skills", "能力与技能"),
    "speech_style": ("Speech style", "说话风格"),
    "personality": ("Personality", "性格"),
    "background": ("Past experience and background", "经历与背景"),
    "speech_examples": ("Speech examples", "说话示例"),
}
"""The seven headings of a profile: field -> name in English and Chinese."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_LETTER: Final = re.compile(r"\s*(?:(?:option|choice|选项)\s*)?[\"'(（]?([AB])[\"')）]?\s*[:：.)、]\s*", re.IGNORECASE)
_ID: Final = re.compile(r"\w[\w.-]{0,63}")


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ProfileGiven(_Given):
    """Step ``profile``: a text under each of the seven headings; a list is taken line by line."""

    role_name: Text
    description: Text
    abilities: Text
    speech_style: Text
    personality: Text
    background: Text
    speech_examples: Text

    @field_validator("*", mode="before")
    @classmethod
    def _lines(cls, value: Any) -> Any:
        return "\n".join(f"- {line}" for line in value) if isinstance(value, list) and value else value


class ScenarioGiven(_Given):
    """Step ``scenario``."""

    scenario: Text


class ValuesGiven(_Given):
    """Step ``values``: three alignment values and one personal value that opposes them."""

    alignment_values: list[Text] = Field(min_length=3, max_length=3)
    personal_value: Text

    @model_validator(mode="after")
    def _four_values(self) -> ValuesGiven:
        if len({value.casefold() for value in (*self.alignment_values, self.personal_value)}) < 4:
            raise ValueError("two of the four values are the same")
        return self


class DilemmaGiven(_Given):
    """A dilemma; which option serves which value is said here, and nowhere later."""

    description: Text
    alignment_option: Text
    role_option: Text

    @model_validator(mode="before")
    @classmethod
    def _without_letters(cls, value: Any) -> Any:
        """The options without letters of the author's own, where both have one: the letters are drawn later."""
        if not isinstance(value, Mapping):
            return value
        names = ("alignment_option", "role_option")
        found = {name: _LETTER.match(text) for name in names if isinstance(text := value.get(name), str)}
        letters = {match.group(1).upper() for match in found.values() if match}
        if letters != {"A", "B"}:
            return value
        return {**value, **{name: value[name][match.end() :] for name, match in found.items() if match}}

    @model_validator(mode="after")
    def _two_options(self) -> DilemmaGiven:
        if self.alignment_option.casefold() == self.role_option.casefold():
            raise ValueError("both options are the same text")
        return self


class DilemmasGiven(_Given):
    """Step ``dilemmas``: one for each level."""

    easy: DilemmaGiven
    mid: DilemmaGiven
    hard: DilemmaGiven

    @model_validator(mode="after")
    def _three_dilemmas(self) -> DilemmasGiven:
        if len({one.description.casefold() for one in (self.easy, self.mid, self.hard)}) < 3:
            raise ValueError("two of the three dilemmas are the same")
        return self


class CategoryGiven(_Given):
    """Step ``category``: a code or its English name."""

    category: str

    @field_validator("category")
    @classmethod
    def _known(cls, value: str, _: ValidationInfo) -> str:
        said = value.strip().casefold()
        for code, names in CATEGORIES.items():
            if said in (code.casefold(), *(name.casefold() for name in names.values())):
                return code
        raise ValueError(f"none of {', '.join(CATEGORIES)}")


SCHEMAS: Final[Mapping[StepName, type[_Given]]] = {
    "profile": ProfileGiven,
    "scenario": ScenarioGiven,
    "values": ValuesGiven,
    "dilemmas": DilemmasGiven,
    "category": CategoryGiven,
}
"""Step -> what its reply has to be."""


@dataclass(frozen=True, kw_only=True)
class Seed:
    """A line about a person.

    Attributes:
        seed_id: becomes the persona's id
        text: the line
        language: ``en`` or ``zh``: of the prompts and of all that is written
    """

    seed_id: str
    text: str
    language: Language


class _SeedRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: int | str
    persona: Text
    language: Language | None = None

    @field_validator("id")
    @classmethod
    def _names_a_persona(cls, value: int | str) -> int | str:
        if not _ID.fullmatch(str(value)):
            raise ValueError("an id is 1 to 64 letters, digits, dots, - and _, and begins with none of . and -")
        return value


def read_seeds(path: str | Path) -> list[Seed]:
    """Seeds from a file.

    Args:
        path: JSONL or CSV with ``id``, ``persona`` and, if it is not to be seen from the text, ``language``; or a text file with
            a seed a line, whose ids are line numbers

    Raises:
        InputError: it cannot be read, an id is there twice, or a field is missing; names file and line
    """
    place = Path(path)
    found: dict[str, Seed] = {}
    for where, given in _given(place):
        seed_id = str(given.id)
        if seed_id in found:
            raise InputError(f"{where}: the id {seed_id} is there a second time: give each seed its own")
        found[seed_id] = Seed(
            seed_id=seed_id, text=given.persona, language=given.language or language_of(given.persona)
        )
    if not found:
        raise InputError(f"{place}: there are no seeds in it: give one a line")
    return list(found.values())


def _given(place: Path) -> Iterator[tuple[str, _SeedRecord]]:
    if place.suffix.lower() in (".jsonl", ".ndjson"):
        lines = JsonLines(place, "seeds")
        for number, record in enumerate(lines):
            yield lines.place(number), validated(_SeedRecord, record, lines.place(number))
    elif place.suffix.lower() == ".csv":
        sheet = read_sheet(place, _SeedRecord)
        for number, row in enumerate(sheet):
            yield sheet.place(number), row
    else:
        for number, line in enumerate(_text(place).split("\n"), start=1):
            if line.strip():
                yield f"{place}, line {number}", _SeedRecord(id=number, persona=line)


def _text(place: Path) -> str:
    try:
        return place.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: is not UTF-8 (byte {error.start}): save it as UTF-8") from None


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What is there of a persona.

    Attributes:
        seed: where it began
        given: step -> what its reply gave, JSON values
    """

    seed: Seed
    given: Mapping[StepName, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def draft_id(self) -> str:
        """The id of the seed."""
        return self.seed.seed_id

    def with_step(self, step: StepName, value: Mapping[str, Any]) -> Draft:
        """The draft with one more step."""
        return replace(self, given={**self.given, step: value})

    def profile_text(self) -> str:
        """The profile under its seven headings."""
        at = 0 if self.seed.language == "en" else 1
        given = self.given["profile"]
        blocks = [
            f"{number}. {names[at]}:\n{given[name]}" for number, (name, names) in enumerate(HEADINGS.items(), start=1)
        ]
        return "\n\n".join(blocks)

    def role_option(self, level: Level, seed: int) -> Option:
        """The letter of the role's option: by chance, so that no letter is the role's throughout the data."""
        return "AB"[int(content_key(persona=self.seed.seed_id, level=level, seed=seed)[:8], 16) % 2]  # type: ignore[return-value]

    def persona(self, seed: int) -> Persona:
        """The finished persona.

        Args:
            seed: of the letters
        """
        dilemmas: dict[str, Any] = {}
        for level in LEVELS:
            one = self.given["dilemmas"][level]
            role = self.role_option(level, seed)
            options = (one["role_option"], one["alignment_option"])
            first, second = options if role == "A" else options[::-1]
            dilemmas[level] = {
                "difficulty": level,
                "description": one["description"],
                "option_A": first,
                "option_B": second,
                "role_option": role,
            }
        record = {
            "id": self.seed.seed_id,
            "original_description": self.seed.text,
            "expanded_role": self.profile_text(),
            "scenario": self.given["scenario"]["scenario"],
            "role_category": self.given["category"]["category"],
            "traditional_values": self.given["values"]["alignment_values"],
            "personal_value": self.given["values"]["personal_value"],
            "language": self.seed.language,
            "dilemmas": dilemmas,
        }
        return persona_of(record, f"the draft of seed {self.seed.seed_id}")
