"""A panel: the experts that vote, as a TOML file lists them.

::

    [[experts]]
    name = "qwen"                # unlike every other; stands in every vote
    kind = "llm"                 # see `KINDS`
    endpoint = "qwen"            # a table [endpoints.qwen] of mmrole.toml
    rounds = 2                   # how often it votes on each utterance and stream
    streams = ["all", "face", "body", "speech"]

The list may stand in mmrole.toml itself.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emotion.experts.entries import KINDS, ExpertEntry, LlmEntry
from emotion.votes import STREAMS
from mmrole.core.errors import InputError, UsageError
from mmrole.core.records import validated


@dataclass(frozen=True, kw_only=True)
class Panel:
    """The experts that vote.

    Attributes:
        entries: one per expert, in the order of the file
        path: the file; None for a panel that was made in a program
        has_endpoints: whether the file defines endpoints as well, as mmrole.toml does
    """

    entries: tuple[ExpertEntry, ...]
    path: Path | None = None
    has_endpoints: bool = False

    def folder(self) -> Path:
        """Where paths in the panel begin."""
        return Path() if self.path is None else self.path.parent


def read_panel(path: str | os.PathLike[str]) -> Panel:
    """Reads a panel.

    Args:
        path: a TOML file with ``[[experts]]``; mmrole.toml may be one

    Raises:
        UsageError: there is no such file
        InputError: it is no TOML, or an expert makes no sense; one line with file, expert and key
    """
    place = Path(path)
    try:
        content = tomllib.loads(place.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(
            f"{place} is missing: write a panel, a table [[experts]] with name and kind per expert"
        ) from None
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{place} is not UTF-8: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{place} is no TOML: {str(error)[:200]}") from None
    if strange := [key for key in content if key not in ("experts", "endpoints", "prices")]:
        raise InputError(
            f"{place}: {strange[0]}: unknown key; {_meant(strange[0], ('experts', 'endpoints', 'prices'))}"
        )
    panel = panel_of(content.get("experts"), place=str(place))
    return Panel(entries=panel.entries, path=place, has_endpoints="endpoints" in content)


def panel_of(experts: Any, *, place: str = "the panel") -> Panel:
    """A panel from its tables.

    Args:
        experts: a list of mappings, one per expert
        place: the file, for messages

    Raises:
        InputError: there is none, or one makes no sense; one line with expert and key
    """
    if not isinstance(experts, list) or not experts:
        raise InputError(f"{place}: no experts: list each in a table [[experts]] with name and kind")
    entries = tuple(_entry(table, f"{place}: expert {number}") for number, table in enumerate(experts, start=1))
    seen: dict[str, int] = {}
    for number, entry in enumerate(entries, start=1):
        # names become names of files, and some file systems do not tell case apart
        first = seen.setdefault(entry.name.casefold(), number)
        if first != number:
            raise InputError(
                f"{place}: expert {number}: the name {entry.name!r} is that of expert {first}: give it another"
            )
    return Panel(entries=entries)


def _entry(table: Any, place: str) -> ExpertEntry:
    if not isinstance(table, Mapping):
        raise InputError(f"{place}: has to be a table with name and kind, not {table!r}")
    if isinstance(table.get("name"), str):
        place = f"{place} ({table['name'][:64]!r})"
    kind = table.get("kind")
    form = KINDS.get(kind) if isinstance(kind, str) else None
    if form is None:
        said = "has no kind" if kind is None else f"unknown kind {kind!r}"
        raise InputError(f"{place}: {said}; {_meant(str(kind), KINDS) if kind else f'there are {_listed(KINDS)}'}")
    for key in table:
        if key not in form.model_fields:
            raise InputError(f"{place}: unknown key {key!r}; {_meant(key, form.model_fields)}")
    for key, field in form.model_fields.items():
        if field.is_required() and key not in table:
            raise InputError(f"{place}: {key} is missing; an expert of kind {kind!r} needs it")
    for key in ("streams", "history_streams", "drop"):
        if isinstance(table.get(key), str):
            raise InputError(f"{place}: {key}: has to be a list, such as {key} = [{json.dumps(table[key])}]")
    entry = validated(form, dict(table), place)
    _check_streams(entry.streams, "streams", entry, place)
    if isinstance(entry, LlmEntry):
        _check_streams(entry.history_streams, "history_streams", entry, place)
    if entry.rounds > 1 and not entry.repeatable:
        raise InputError(
            f"{place}: {entry.rounds} rounds make no sense: an expert of kind {kind!r} votes the same each time"
        )
    return entry


def _check_streams(streams: Iterable[str], key: str, entry: ExpertEntry, place: str) -> None:
    seen: set[str] = set()
    for stream in streams:
        if stream not in STREAMS:
            raise InputError(f"{place}: {key}: unknown stream {stream!r}; {_meant(stream, STREAMS)}")
        if stream not in entry.reads:
            raise InputError(
                f"{place}: {key}: an expert of kind {entry.kind!r} cannot read the stream {stream!r}; it reads {_listed(entry.reads)}"
            )
        if stream in seen:
            raise InputError(f"{place}: {key}: {stream!r} is there twice")
        seen.add(stream)


def _meant(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
