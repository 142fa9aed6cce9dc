"""From records that come from outside (JSON, TOML) to checked objects, with errors of one line."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from mmrole.core.errors import InputError

ModelT = TypeVar("ModelT", bound=BaseModel)


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
    except ValueError as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        raise InputError(f"{place}: no JSON ({error})") from None
    if not isinstance(record, dict):
        raise InputError(f"{place}: a {type(record).__name__}, not an object in braces")
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
