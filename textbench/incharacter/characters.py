"""Characters: who is played, in which language, by which names they go, and what they remember.

A characters file is TOML (or JSON of the same shape)::

    [[characters]]
    id = "elizabeth-bennet"                 # short and unlike the others; letters, digits, . - _
    name = "Elizabeth Bennet"
    aliases = ["Lizzy", "Miss Bennet"]      # every name that would tell a judge who it is
    language = "en"                         # en or zh
    asker = "Charlotte Lucas"               # who asks the questions; somebody whom the character would talk to
    source = "Pride and Prejudice"
    description = "..."                     # for the system prompt (D, D+M)
    memory = "elizabeth-bennet.jsonl"       # passages (M, D+M), one {"text": "..."} a line, beside this file

    [characters.labels.IPIP-50]
    Extraversion = {score = 4.0, type = "H"}    # optional; type H, L or X
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from mmrole.core.languages import Language
from mmrole.core.records import JsonLines, validated
from textbench.json_files import read_object

EXAMPLE: Final = "example"
"""Name of the packaged characters file."""


class _LabelRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: float | Literal["X"]
    type: Literal["H", "L", "X"]


class _CharacterRecord(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str = Field(pattern=r"^\w[\w.-]{0,63}$")
    name: str = Field(min_length=1)
    aliases: list[str] = Field(default_factory=list)
    language: Language
    asker: str = Field(min_length=1)
    source: str = ""
    description: str = ""
    memory: str | None = None
    labels: dict[str, dict[str, _LabelRecord]] = Field(default_factory=dict)

    @field_validator("name", "asker")
    @classmethod
    def _not_blank(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("is blank")
        return text.strip()


class _CharactersFile(BaseModel):
    model_config = ConfigDict(extra="forbid")
    characters: list[Any] = Field(min_length=1)


class _Passage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str = Field(min_length=1)


@dataclass(frozen=True, kw_only=True)
class Character:
    """One character.

    Attributes:
        character_id: names it in records
        name: as the agent is called
        aliases: further names, for masking
        language: ``en`` or ``zh``
        asker: who asks the questions
        source: the work
        description: for the system prompt; empty when there is none
        memory: passages that may be retrieved
        labels: scale -> dimension -> ``{"score", "type"}``
        roleless: the bare model instead of a character, to compare with
    """

    character_id: str
    name: str
    aliases: tuple[str, ...] = ()
    language: Language
    asker: str
    source: str = ""
    description: str = field(default="", repr=False)
    memory: tuple[str, ...] = field(default=(), repr=False)
    labels: Mapping[str, Mapping[str, Record]] = field(default_factory=dict, repr=False)
    roleless: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that would tell who it is; of a name in letters, without spaces too."""
        given = (self.name, *self.aliases)
        return tuple(dict.fromkeys([*given, *(re.sub(r"\s+", "", name) for name in given)]))

    def to_record(self) -> Record:
        """As JSON values; `character_from` reads them again."""
        return {
            "id": self.character_id,
            "name": self.name,
            "aliases": list(self.aliases),
            "language": self.language,
            "asker": self.asker,
            "source": self.source,
            "description": self.description,
            "memory": list(self.memory),
            "labels": json.loads(json.dumps(self.labels)),
            "roleless": self.roleless,
        }


def character_from(record: Record) -> Character:
    """The character that `Character.to_record` stored."""
    rest = {key: value for key, value in record.items() if key not in ("id", "aliases", "memory")}
    return Character(
        character_id=record["id"], aliases=tuple(record["aliases"]), memory=tuple(record["memory"]), **rest
    )


def roleless(language: Language) -> Character:
    """The bare model: no system prompt, no memory."""
    name, asker = ("the assistant", "The interviewer") if language == "en" else ("助手", "采访者")
    return Character(character_id=f"roleless-{language}", name=name, language=language, asker=asker, roleless=True)


def read_characters(path: str | Path) -> list[Character]:
    """The characters of a file.

    Args:
        path: a TOML or JSON file; ``example`` for the packaged one

    Raises:
        InputError: one line with file, key and what is wrong
    """
    if str(path) == EXAMPLE:
        with as_file(files("textbench.incharacter").joinpath("data", "example")) as folder:
            return read_characters(folder / "characters.toml")
    place = Path(path)
    record = read_object(place) if place.suffix.lower() == ".json" else _read_toml(place)
    checked = validated(_CharactersFile, record, str(place))
    return _unlike(_character(each, number, place) for number, each in enumerate(checked.characters))


def _character(record: object, number: int, place: Path) -> Character:
    where = f"{place}: characters.{number}"
    if isinstance(record, dict) and isinstance(record.get("id"), str):
        where += f" ({record['id'][:64]})"
    checked = validated(_CharacterRecord, record, where)
    passages: tuple[str, ...] = ()
    if checked.memory is not None:
        source = place.parent / checked.memory
        if not source.is_file():
            raise InputError(f"{where}: field memory: there is no file {source}")
        lines = JsonLines(source, "passages")
        passages = tuple(validated(_Passage, line, lines.place(index)).text for index, line in enumerate(lines))
    if not (checked.description.strip() or passages):
        raise InputError(
            f"{where}: field description: is missing, and there is no memory either: nobody would be played"
        )
    for scale, dimensions in checked.labels.items():
        for dimension, label in dimensions.items():
            if (label.score == "X") != (label.type == "X") and label.score == "X":
                raise InputError(
                    f"{where}: field labels.{scale}.{dimension}: score X with type {label.type}: give type X"
                )
    return Character(
        character_id=checked.id,
        name=checked.name,
        aliases=tuple(alias.strip() for alias in checked.aliases if alias.strip()),
        language=checked.language,
        asker=checked.asker,
        source=checked.source,
        description=checked.description.strip(),
        memory=passages,
        labels={scale: {d: label.model_dump() for d, label in each.items()} for scale, each in checked.labels.items()},
    )


def _unlike(characters: Iterable[Character]) -> list[Character]:
    found: dict[str, Character] = {}
    for each in characters:
        if each.character_id in found:
            raise InputError(f"two characters have the id {each.character_id!r}: give each its own")
        found[each.character_id] = each
    return list(found.values())


def _read_toml(path: Path) -> Record:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: no TOML ({error})") from None


def read_all_characters(paths: Iterable[str | Path]) -> list[Character]:
    """The characters of several files.

    Raises:
        InputError: see `read_characters`; an id that two files share
    """
    return _unlike(each for path in paths for each in read_characters(path))
