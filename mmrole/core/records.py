"""From records that come from outside (JSON, TOML) to checked objects, with errors of one line."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import pydantic_core
from pydantic import BaseModel, ValidationError

from mmrole.core.errors import InputError

ModelT = TypeVar("ModelT", bound=BaseModel)
Place = Callable[[int], str]
"""Number of a record, from 0 -> where it stands, for messages."""

_WHERE: Final = re.compile(r" at line \d+ column (\d+)$")
_BOM: Final = b"\xef\xbb\xbf"


class JsonLines:
    """The objects of a JSONL file; each iteration reads it again, and no more than a line is in memory at a time.

    Args:
        path: the file
        what: what its records are, for messages, such as ``votes``
    """

    def __init__(self, path: str | Path, what: str = "records") -> None:
        self.path = Path(path)
        self._what = what
        self._blank = array("q")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The objects in the order of the file; blank lines are skipped.

        Raises:
            InputError: the file cannot be read or holds no record, or a line is no JSON object; names file and line
        """
        self._blank = array("q")
        found = False
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    text = line.removeprefix(_BOM) if number == 1 else line
                    if text.isspace():
                        self._blank.append(number)
                        continue
                    found = True
                    yield self._record(text, number)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        if not found:
            raise InputError(f"{self.path}: the file is empty, there are no {self._what} in it")

    def _record(self, text: bytes, number: int) -> dict[str, Any]:
        try:
            record = pydantic_core.from_json(text, allow_inf_nan=False)
        except ValueError:
            raise InputError(
                f"{self.path}, line {number}: no JSON object ({_what_is_wrong(text)}): {_shortened(text)}"
            ) from None
        if not isinstance(record, dict):
            raise InputError(
                f"{self.path}, line {number}: a {type(record).__name__}, not an object in braces: {_shortened(text)}"
            )
        return record

    def place(self, number: int) -> str:
        """File and line of a record that was read.

        Args:
            number: of the record, from 0
        """
        line = number + 1
        for blank in self._blank:
            if blank > line:
                break
            line += 1
        return f"{self.path}, line {line}"


def places(records: object, what: str) -> Place:
    """From the number of a record to where it stands: in its file when the records know it, else its number.

    Args:
        records: records, such as a `JsonLines`
        what: one of them, for messages
    """
    place: Place | None = getattr(records, "place", None)
    return place if place is not None else lambda number: f"{what} {number + 1}"


def _what_is_wrong(text: bytes) -> str:
    try:  # without the line's end, which a text that is not closed would seem to hold
        pydantic_core.from_json(text.rstrip(b"\r\n"), allow_inf_nan=False)
    except ValueError as error:
        return _WHERE.sub(r", character \1", str(error))
    return "cannot be read"


def _shortened(text: bytes) -> str:
    shown = ascii(text[:60].decode("utf-8", "replace").rstrip("\r\n"))
    return f"{shown}..." if len(text) > 60 else shown


def validated(model: type[ModelT], record: object, place: str) -> ModelT:
    """The record as an object of the model.

    Args:
        model: the form that the record has to have
        record: what was read
        place: file and line for the message

    Raises:
        InputError: one line that names the place, the field, what is wrong and the value
    """
    try:
        return model.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        seen = repr(first["input"])
        seen = seen if len(seen) <= 80 else f"{seen[:77]}..."
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        where = f"{place}: field {field}" if field else place
        raise InputError(f"{where}: {first['msg'].lower()}, got {seen}{more}") from None


def json_object(line: str | bytes, place: str) -> dict[str, Any]:
    """The JSON object on a line.

    Args:
        line: one line of JSONL
        place: file and line for the message

    Raises:
        InputError: no JSON, NaN or Infinity, or something else than an object
    """
    try:
        record = json.loads(line, parse_constant=_no_constant)
    except RecursionError:
        raise InputError(f"{place}: no JSON that can be read: it is nested too deeply") from None
    except ValueError as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        raise InputError(f"{place}: no JSON ({error})") from None
    if not isinstance(record, dict):
        raise InputError(f"{place}: a {type(record).__name__}, not an object in braces")
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
