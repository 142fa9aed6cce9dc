"""Reads a number on a declared scale out of a reply."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from mmrole.core.errors import UsageError
from mmrole.llm.replies.anchors import Anchors
from mmrole.llm.replies.cascade import read_reply
from mmrole.llm.replies.fields import NUMBER_FIELDS
from mmrole.llm.replies.gate import opened
from mmrole.llm.replies.kinds import NUMBER_ANCHORS, with_names
from mmrole.llm.replies.numerals import Numeral, numeral_at
from mmrole.llm.replies.reading import Reading
from mmrole.llm.replies.reply import Reply, Rule

_EDGES_LEFT: Final = " \t\n\"'([{<:#=~·•|"
_EDGES_RIGHT: Final = " \t\n\"')]}>.,;:!。，；：！、|"
_PREFIX: Final = re.compile(
    r"(?:(?:my |the )?(?:final |overall |total )?(?:score|rating|grade|answer)|评分|評分|分数|分數|得分|打分|[打得评給给]) ?",
    re.IGNORECASE,
)
_SCALE: Final = re.compile(
    r"\([^()\n]{0,80}\)|(?:out of|scale of|scale from|from|of|between)\s?\d{1,4}(?:\s?(?:to|-|–|and)\s?\d{1,4})?",
    re.IGNORECASE,
)
_HEDGE: Final = re.compile(
    r"\d|\b(?:than|least|most|under|over|above|below|between|not|no|never|page|step|level|criteri\w+|reasons?|up to|max(?:imum)?"
    r"|min(?:imum)?|confidence|scale|range)\b",
    re.IGNORECASE,
)
_FOLLOWS: Final = re.compile(
    r"[\])}\"'>]{0,3}\s?(?:\Z|[\n.,;:!)\]}(\"'|/—–。；！、…-]|(?<=[分星级級])|因为|因為|由于|但|而|的|左右"
    r"|(?:because|since|as|for|based|due|given|and|but|so|overall|in|on|to|which)(?![A-Za-z]))",
    re.IGNORECASE,
)
_RUBRIC: Final = re.compile(r"\s?(?:[:=]|means|would mean|indicates|is for)", re.IGNORECASE)


def parse_number(
    text: str | None,
    low: float,
    high: float,
    integer: bool = False,
    finish_reason: str | None = "stop",
    fields: Sequence[str] = (),
) -> Reply[float]:
    """Reads one number on a scale out of a reply.

    A number counts where it is announced (``Score: 8``, "I'd rate it 8", ``得8分``) or where it is the whole reply or the whole
    first or last line; the first number of some prose never does. "8/10" counts on a scale up to 10, and is .8 on one up to 1; "80%"
    counts on scales up to 100 and up to 1. Nothing else is rescaled, and a number outside the scale is never moved into it.
    Among several announced numbers the last one decides, even when it lies outside.

    Args:
        text: content of the message, None for null
        low: lowest value of the scale
        high: highest value of the scale
        integer: only whole numbers count; `Reply.value` is an int then
        finish_reason: as the endpoint said it; ``length`` is `ReplyStatus.TRUNCATED` whatever the text says
        fields: names of the answer field that the prompt asked for, beside the usual ones

    Returns:
        `Reply.value` is within [low, high], or None

    Raises:
        UsageError: the scale is not finite or runs backwards

    >>> parse_number("There are 5 reasons for it. Score: 9", 1, 10).value
    9.0
    >>> parse_number("85.5", 1, 10).rule.value, parse_number("８分", 1, 10).value, parse_number(".8", 0, 1).value
    ('out_of_range', 8.0, 0.8)
    """
    reader = NumberReader(low, high, integer=integer, fields=tuple(fields))
    gate = opened(text, finish_reason)
    if isinstance(gate, Reply):
        return replace(gate, raw=text)
    reply = read_reply(reader, gate.text)
    return replace(reply, raw=text, notes=(*gate.notes, *reply.notes))


class NumberReader:
    """See `reading.Reader`."""

    many_sided = True

    def __init__(self, low: float, high: float, *, integer: bool = False, fields: tuple[str, ...] = ()) -> None:
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise UsageError(f"a scale from {low} to {high} makes no sense")
        self.fields = NUMBER_FIELDS
        self.own_fields = fields
        self.anchors: Anchors = with_names(NUMBER_ANCHORS, fields)
        self._low, self._high, self._integer = low, high, integer

    def whole(self, line: str) -> Reading[float] | None:
        """See `reading.Reader.whole`."""
        if len(line) > 120:
            return None
        bare = line.rstrip(_EDGES_RIGHT).lstrip(_EDGES_LEFT)
        prefix = _PREFIX.match(bare)
        for start in (0, prefix.end() if prefix else 0):
            numeral = numeral_at(bare, start)
            if numeral is not None and (numeral.several or numeral.end == len(bare)):
                return self._reading(numeral, line)
        return None

    def at(self, text: str, position: int, *, strict: bool) -> Reading[float] | None:
        """See `reading.Reader.at`."""
        numeral = numeral_at(text, position)
        if numeral is None or (strict and not numeral.several and not _FOLLOWS.match(text, numeral.end)):
            return None
        if strict and _RUBRIC.match(text, numeral.end):
            return None  # "score 5 = excellent" explains the scale
        return self._reading(numeral, text[position : numeral.end])

    def _reading(self, numeral: Numeral, spelling: str) -> Reading[float]:
        value = numeral.value
        if numeral.several:
            return Reading(None, numeral.end, Rule.SEVERAL_ANSWERS, spelling=spelling)
        if numeral.percent and self._high != 100:
            value /= 100
        if numeral.top is not None and numeral.top != self._high:
            value = value / numeral.top if numeral.top else math.inf
        if (numeral.percent and self._high not in (1, 100)) or (
            numeral.top not in (None, self._high) and self._high != 1
        ):
            return Reading(None, numeral.end, Rule.SCALE_MISMATCH, spelling=spelling)
        return self._checked(value, numeral.end, spelling)

    def _checked(self, value: float, end: int, spelling: str) -> Reading[float]:
        if not self._low <= value <= self._high:
            return Reading(None, end, Rule.OUT_OF_RANGE, spelling=spelling)
        if not self._integer:
            return Reading(value, end, spelling=spelling)
        if not float(value).is_integer():
            return Reading(None, end, Rule.NOT_INTEGER, spelling=spelling)
        return Reading(int(value), end, spelling=spelling)

    def scalar(self, value: Any, /) -> Reading[float] | None:
        """See `reading.Reader.scalar`."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        spelling = f"{value:.9g}" if isinstance(value, float) or abs(value) < 10**15 else "a very large number"
        reading = self._checked(value, 0, spelling)
        return reading if self._integer or reading.value is None else replace(reading, value=float(value))

    def leading(self, _text: str, /) -> Reading[float] | None:
        """Numbers have no such rule."""
        return None

    def prose(self, _text: str, _quoted: list[tuple[int, int]], /) -> Reply[float] | None:
        """Numbers have no such rule: a number in prose counts something else."""
        return None

    def mentioned(self, text: str) -> bool:
        """See `reading.Reader.mentioned`: a number that is not of the scale, or words that make it a bound."""
        return _HEDGE.search(_SCALE.sub("", text)) is not None

    def clause(self, line: str) -> Reading[float]:
        """See `reading.Reader.clause`."""
        return Reading(None, len(line), Rule.OUTSIDE_SET, spelling=line)
