"""Roles and what happened to them before: the files ``roles.jsonl`` and ``previous.jsonl``.

A profile has four parts (MERRY, arXiv 2602.21941): basic information, characteristics, experiences, relationships. Previous
information is what happened to a role before the dialogue, up to its episode.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines, Place, places, validated


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What is known of a role.

    Attributes:
        basic_information: name, age, occupation, ...
        characteristics: character and habits
        experiences: what happened to the role
        relationships: to other roles
    """

    basic_information: str = ""
    characteristics: str = ""
    experiences: str = ""
    relationships: str = ""

    def text(self) -> str:
        """The parts that are there, one after another, each under its name."""
        parts = {
            "Basic information": self.basic_information,
            "Characteristics": self.characteristics,
            "Experiences": self.experiences,
            "Relationships": self.relationships,
        }
        return "\n\n".join(f"{name}:\n{text}" for name, text in parts.items() if text.strip())


@dataclass(frozen=True, kw_only=True)
class Role:
    """A character of a show.

    Attributes:
        name: as the dialogues spell the speaker
        show: the series; None for any
        aliases: other names
        image: path of a picture
        profile: what is known of the role
    """

    name: str
    show: str | None = None
    aliases: tuple[str, ...] = ()
    image: str | None = None
    profile: Profile = field(default_factory=Profile)


@dataclass(frozen=True, kw_only=True)
class Previous:
    """What happened to a role before a dialogue.

    Attributes:
        dialogue_id: the dialogue
        role: name of the role
        text: the previous information
        episode: up to which it goes
    """

    dialogue_id: str
    role: str
    text: str
    episode: str | None = None


class _ProfileRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    basic_information: str = ""
    characteristics: str = ""
    experiences: str = ""
    relationships: str = ""


class _RoleRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(min_length=1)
    show: str | None = None
    aliases: list[str] = []
    image: str | None = None
    profile: _ProfileRecord = _ProfileRecord()


class _PreviousRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    dialogue_id: str = Field(min_length=1)
    role: str = Field(min_length=1)
    text: str
    episode: str | None = None


def roles_of(records: Iterable[Mapping[str, Any]], source: str = "roles") -> dict[tuple[str, str | None], Role]:
    """Roles from the records of ``roles.jsonl``.

    Args:
        records: one per role
        source: the file, for messages; record i is on line i + 1 unless the records know better

    Returns:
        (name, show) -> role

    Raises:
        InputError: a field is missing, unknown or of another type, a role is there twice, or two roles of a show share an alias
    """
    out: dict[tuple[str, str | None], Role] = {}
    place = _places(records, source)
    for number, record in enumerate(records):
        given = validated(_RoleRecord, record, place(number))
        key = (given.name, given.show)
        if key in out:
            raise InputError(f"{place(number)}: role {given.name!r} of show {given.show!r} is there a second time")
        for alias in dict.fromkeys(given.aliases):
            other = next(
                (role for role in out.values() if alias in role.aliases and _meet(role.show, given.show)), None
            )
            if other is not None:
                raise InputError(
                    f"{place(number)}: alias {alias!r} of {given.name!r} is one of {other.name!r} as well: whose line would it be? "
                    "Keep one of them"
                )
        profile = Profile(**given.profile.model_dump())
        out[key] = Role(
            name=given.name, show=given.show, aliases=tuple(given.aliases), image=given.image, profile=profile
        )
    return out


def _meet(one: str | None, other: str | None) -> bool:
    """Whether a dialogue can be of both shows; None stands for any."""
    return one == other or one is None or other is None


def find_role(roles: Mapping[tuple[str, str | None], Role], name: str, show: str | None) -> Role | None:
    """The role of a name: that of the show, else one of any show, else one that has the name as an alias there."""
    direct = roles.get((name, show)) or roles.get((name, None))
    if direct is not None:
        return direct
    return next((role for role in roles.values() if name in role.aliases and role.show in (show, None)), None)


def previous_of(records: Iterable[Mapping[str, Any]], source: str = "previous") -> dict[tuple[str, str], Previous]:
    """Previous information from the records of ``previous.jsonl``.

    Args:
        records: one per dialogue and role
        source: the file, for messages; record i is on line i + 1 unless the records know better

    Returns:
        (dialogue id, role) -> previous information

    Raises:
        InputError: a field is missing, unknown or of another type, or a dialogue and role are there twice
    """
    out: dict[tuple[str, str], Previous] = {}
    place = _places(records, source)
    for number, record in enumerate(records):
        given = validated(_PreviousRecord, record, place(number))
        key = (given.dialogue_id, given.role)
        if key in out:
            raise InputError(f"{place(number)}: {given.role!r} in {given.dialogue_id!r} is there a second time")
        out[key] = Previous(dialogue_id=given.dialogue_id, role=given.role, text=given.text, episode=given.episode)
    return out


def read_roles(path: str | os.PathLike[str]) -> dict[tuple[str, str | None], Role]:
    """The roles of ``roles.jsonl``, see `roles_of`.

    Raises:
        InputError: it cannot be read or a record is wrong; names file and line
    """
    return roles_of(JsonLines(os.fspath(path), "roles"))


def read_previous(path: str | os.PathLike[str]) -> dict[tuple[str, str], Previous]:
    """The previous information of ``previous.jsonl``, see `previous_of`.

    Raises:
        InputError: it cannot be read or a record is wrong; names file and line
    """
    return previous_of(JsonLines(os.fspath(path), "previous information"))


def _places(records: object, source: str) -> Place:
    return places(records, f"{source}, line")
