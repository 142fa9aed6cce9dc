"""JSON files from outside: one object, each key once, with errors of one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from mmrole.core.errors import InputError


def read_object(path: str | Path) -> dict[str, Any]:
    """The object that a JSON file holds.

    Raises:
        InputError: the file cannot be read, is no JSON, holds something else, NaN, or a key twice; one line that names the file
    """
    file = Path(path)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(f"{file}: {key}: the key is there twice in one object")
            found[key] = value
        return found

    text = text_of(file)
    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=no_constant_in(file))
    except json.JSONDecodeError as error:
        raise InputError(f"{file}, line {error.lineno}: no JSON ({error.msg})") from None
    except RecursionError:
        raise InputError(f"{file}: is nested too deeply") from None
    if not isinstance(value, dict):
        raise InputError(f"{file}: holds a {type(value).__name__}, not an object in braces")
    return value


def text_of(file: Path) -> str:
    """The text of a JSON file.

    Raises:
        InputError: it cannot be read, or is no UTF-8
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: is no UTF-8 text (byte {error.start})") from None


def no_constant_in(file: Path) -> Callable[[str], NoReturn]:
    """For `json.loads`: NaN and its like are refused with an `InputError` that names the file."""

    def refuse(name: str) -> NoReturn:
        raise InputError(f"{file}: {name} is no JSON number")

    return refuse
