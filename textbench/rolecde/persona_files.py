"""Reads personas: a folder of ``persona_<id>.json``, such files, JSONL files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines
from textbench.json_files import read_object
from textbench.rolecde.personas import Persona, persona_of

EXAMPLE: Final = "example"
"""Name of the packaged personas."""

_NUMBER: Final = re.compile(r"(\d+)")


@dataclass(frozen=True, kw_only=True)
class PersonaSet:
    """What was read.

    Attributes:
        personas: in the order of the files, of a folder in the order of their numbers
        skipped: ``{path, reason}`` of what was left out on request
    """

    personas: tuple[Persona, ...]
    skipped: tuple[Record, ...] = ()


def records_in(path: str | Path) -> Iterator[tuple[str, Any]]:
    """The records of a folder of ``persona_*.json``, of one such file, or of a JSONL file, each with its place.

    A file that cannot be read gives its `InputError` in the place of a record, so that the caller decides what becomes of it.

    Raises:
        InputError: there is nothing at the path
    """
    place = Path(path)
    if place.is_dir():
        found = sorted(place.glob("persona_*.json"), key=_by_number)
        if not found:
            raise InputError(f"{place}: there are no files persona_<id>.json in this folder")
        for each in found:
            yield str(each), _object_or_error(each)
    elif place.suffix.lower() in (".jsonl", ".ndjson"):
        lines = JsonLines(place, "personas")
        for number, line in enumerate(lines):
            yield lines.place(number), line
    else:
        yield str(place), _object_or_error(place)


def _object_or_error(path: Path) -> Record | InputError:
    try:
        return read_object(path)
    except InputError as error:
        return error


def _by_number(path: Path) -> list[Any]:
    return [int(part) if part.isdigit() else part for part in _NUMBER.split(path.name)]


def read_personas(paths: Iterable[str | Path] | str | Path, *, skip_invalid: bool = False) -> PersonaSet:
    """The personas of files and folders.

    Args:
        paths: folders of ``persona_<id>.json``, such files, JSONL files; ``example`` for the packaged ones
        skip_invalid: leave out what cannot be used, and list it

    Raises:
        InputError: one line with file, field and what is wrong; two personas of one id; nothing to use
    """
    chosen: Sequence[str | Path] = [paths] if isinstance(paths, str | Path) else list(paths)
    found: dict[str, tuple[Persona, str]] = {}
    skipped: list[Record] = []
    for path in chosen:
        for place, record in _packaged() if str(path) == EXAMPLE else records_in(path):
            try:
                if isinstance(record, InputError):
                    raise record
                persona = persona_of(record, place)
                if persona.persona_id in found:
                    earlier = found[persona.persona_id][1]
                    raise InputError(f"{place}: the id {persona.persona_id} is already that of {earlier}")
            except InputError as error:
                if not skip_invalid:
                    raise
                skipped.append({"path": place, "reason": str(error)})
                continue
            found[persona.persona_id] = (persona, place)
    if not found:
        raise InputError(f"there is no persona to use in {', '.join(map(str, chosen)) or 'nothing'}")
    return PersonaSet(personas=tuple(persona for persona, _ in found.values()), skipped=tuple(skipped))


def _packaged() -> list[tuple[str, Any]]:
    with as_file(files("textbench.rolecde").joinpath("data", "example")) as folder:
        return list(records_in(folder))
