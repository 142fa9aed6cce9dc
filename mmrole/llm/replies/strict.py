"""JSON as the standard has it, and the one code fence around it."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_OUTER_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*\r?\n?")

NOTHING: Final = object()
"""What `strict_json` gives for text that is no JSON: None is JSON."""


class Repeated(dict[str, Any]):
    """A JSON object in which keys are given twice with different values.

    Attributes:
        keys_repeated: these keys; the mapping holds their last value
    """

    keys_repeated: frozenset[str] = frozenset()


def joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its pairs (`object_pairs_hook`)."""
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    repeated = Repeated(whole)
    repeated.keys_repeated = frozenset(key for key, value in pairs if whole[key] != value)
    return repeated


DECODER: Final = json.JSONDecoder(object_pairs_hook=joined, strict=False)
"""Plain JSON, except that a string may hold a raw line break or tab."""


def strict_json(text: str) -> Any:
    """The JSON value that a text is as a whole, or `NOTHING`."""
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError):
        return NOTHING


def unfenced(text: str) -> str:
    """The text without one outer code fence, closed or not; the text itself without one."""
    body = text.strip()
    match = _OUTER_FENCE.match(body)
    if match is None:
        return text
    body = body[match.end() :]
    fence = match[0].strip()[:3]
    if body.endswith(fence):
        body = body.rstrip(fence[0])
    return body.strip()
