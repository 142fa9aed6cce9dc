"""Finds the JSON objects in a reply, wherever they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from mmrole.llm.replies.folding import fold
from mmrole.llm.replies.lenient import CutError, TangledError, UnreadableError, read_lenient
from mmrole.llm.replies.strict import DECODER


@dataclass(frozen=True, slots=True)
class Found:
    """A complete object or array, outside of any other.

    Attributes:
        start: position of its opening bracket
        end: position after its closing bracket
        value: what it holds
        lenient: whether it was JSON only in a manner of speaking
    """

    start: int
    end: int
    value: Any
    lenient: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """The objects of a text.

    Attributes:
        found: in the order of the text
        cut: the text ends inside an object
        tangled: the search was given up: what stands last cannot be told
    """

    found: list[Found]
    cut: bool = False
    tangled: bool = False


_OBJECT: Final = r"\{\s*+(?:(?P<quote>[\"'`])|\}|[^\W\d][\w .-]{0,60}?\s{0,8}:|\d{1,6}\s{0,8}:)"
_OBJECTS: Final = re.compile(rf"(?P<list>\[\s*+(?=\{{\s*+[\"'`]))|{_OBJECT}")
_OBJECTS_AND_ARRAYS: Final = re.compile(rf"(?P<list>\[\s*+(?=[\"'`{{\[\]\d\-]))|{_OBJECT}")


def scan_objects(text: str, *, arrays: bool = False) -> Scan:
    """Finds complete objects.

    Args:
        text: the reply, as it was written
        arrays: find arrays of anything too, not only arrays of objects

    Every attempt that fails is paid for by the characters it read, from a purse of some times the text's length, so that a
    text made of open brackets costs linear time.
    """
    shape = fold(text)
    begin = _OBJECTS_AND_ARRAYS if arrays else _OBJECTS
    found: list[Found] = []
    purse = 8 * len(text) + 20_000
    fee = len(text) // 64  # an error of the json module counts the lines before it
    position = 0
    while match := begin.search(shape, position):
        start = match.start()
        try:
            value, end, lenient = _read(text, start, shape)
        except CutError as error:
            if match["quote"] or (match["list"] and shape[match.end() : match.end() + 1] == "{"):
                return Scan(found, cut=True)
            purse -= error.at - start + fee
            position = start + 1
        except TangledError:
            return Scan(found, tangled=True)
        except UnreadableError as error:
            purse -= error.at - start + fee
            position = start + 1
        else:
            found.append(Found(start, end, value, lenient))
            position = end
        if purse < 0:
            return Scan(found, tangled=True)
    return Scan(found)


def _read(text: str, start: int, shape: str) -> tuple[Any, int, bool]:
    try:
        return *DECODER.raw_decode(text, start), False
    except (ValueError, RecursionError):
        return *read_lenient(text, start, shape), True
