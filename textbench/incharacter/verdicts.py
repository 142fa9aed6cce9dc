"""Reads choices and ratings out of replies: of the agent in a self-report, of the interviewer model in conversion and rating.

A number that is no option is kept as it is: it is invalid and counted later, never moved into the range.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mmrole.llm.replies import parse_json, parse_number
from mmrole.llm.replies.folding import fold
from textbench.verdict import Verdict

REFUSED: Final = "x"
"""A refusal, as choices store it."""
Choice = int | float | str
"""A number, or `REFUSED`."""

_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")
_ID: Final = re.compile(r"\D*(\d+)\D*")
_PUNCTUATION: Final = " \t\r\n.,;:!?。，；：！？、\"'“”‘’「」『』()（）[]【】*_`~-—"
_COLON: Final = re.compile(r"[:：]")


def self_reported(text: str, names: Iterable[str], *, low: int, high: int, reasoned: bool = False) -> Choice | None:
    """The choice in a self-report, None where the interviewer model has to read it.

    The character's name is dropped, and what follows the first colon counts; stripped of punctuation it has to be a number and
    nothing else (InCharacter, released code). A reasoned answer (SR-CoT) counts where it announces the number as it was asked to.

    Args:
        text: the answer
        names: of the character
        low: smallest option
        high: largest option
        reasoned: reasons come before the number

    >>> self_reported("Holmes: 「4」。", ["Holmes"], low=1, high=5), self_reported("I never count.", [], low=1, high=5)
    (4, None)
    """
    if reasoned:
        announced = parse_number(text, low, high, integer=True)
        return None if announced.value is None else int(announced.value)
    rest = text
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(name, "")
    after = _COLON.split(rest, maxsplit=1)[-1]
    return number_in(fold(after).strip(_PUNCTUATION.replace("-", "")))


def number_in(text: str) -> int | float | None:
    """The number that a text is, None when it is something else."""
    if not _NUMBER.fullmatch(text) or len(text) > 12:
        return None
    return _plain(float(text))


def read_choices(text: str | None, ids: Sequence[str], finish_reason: str | None = "stop") -> Verdict:
    """The choices in a reply of the interviewer model: ``{id: choice}``.

    Args:
        text: the reply
        ids: what was asked for
        finish_reason: as the endpoint said it

    Returns:
        ``value`` the choices that are there, a number or ``x``; ``status`` is ok only when none is missing
    """
    reply = parse_json(text, dict[str, Any], finish_reason)
    found: dict[str, Choice] = {}
    for key, given in (reply.value or {}).items():
        match = _ID.fullmatch(fold(key))
        choice = _choice(given)
        if match and match[1] in ids and choice is not None:
            found[match[1]] = choice
    missing = [item for item in ids if item not in found]
    if not missing:
        return Verdict(status="ok", value=found, rule=reply.rule.value, notes=tuple(note.value for note in reply.notes))
    detail = reply.detail or f"no choice for {', '.join(missing[:10])}"
    status = reply.status.value if reply.value is None else "unparsed"
    return Verdict(status=status, value=found or None, rule=reply.rule.value, detail=detail)


def read_rating(text: str | None, key: str | Sequence[str], finish_reason: str | None = "stop") -> Verdict:
    """The rating in a reply of the interviewer model.

    Args:
        text: the reply
        key: ``score``, or the two poles, the first of which counts
        finish_reason: as the endpoint said it

    Returns:
        ``value`` the number, or ``x`` where the model declines to rate
    """
    reply = parse_json(text, dict[str, Any], finish_reason)
    record: Mapping[str, Any] = reply.value or {}
    if not isinstance(key, str) and isinstance(record.get("result"), Mapping):
        record = record["result"]
    name = key if isinstance(key, str) else key[0]
    choice = _choice(_without_percent(record.get(name)))
    if choice is None:
        detail = reply.detail or f"no number under {name!r}"
        return Verdict(
            status=reply.status.value if reply.value is None else "unparsed",
            value=None,
            rule=reply.rule.value,
            detail=detail,
        )
    return Verdict(status="ok", value=choice, rule=reply.rule.value, notes=tuple(note.value for note in reply.notes))


def _choice(given: object) -> Choice | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, int | float):
        return _plain(float(given)) if math.isfinite(given) and abs(given) < 1e12 else None
    if isinstance(given, str):
        text = fold(given).strip()
        return REFUSED if text.lower() == REFUSED else number_in(text)
    return None


def _without_percent(given: object) -> object:
    return fold(given).strip().removesuffix("%").strip() if isinstance(given, str) else given


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number
