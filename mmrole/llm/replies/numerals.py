"""One number with what belongs to it: thousands, decimals, "of 10", per cent, Chinese numerals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ARABIC: Final = re.compile(
    r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d{1,40})(?:\.\d{1,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,2}(?!\d))?"
)
_HAN_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN: Final = re.compile(
    r"(?P<percent>百分之)?(?P<whole>[零〇一二两兩三四五六七八九十百]{1,6})(?:[点點](?P<part>[零〇一二三四五六七八九]{1,4}))?"
)
_WORDS: Final = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
_WORD: Final = re.compile(rf"(?:{'|'.join(_WORDS)})(?![A-Za-z-])", re.IGNORECASE)
_UNIT: Final = re.compile(
    r"\s?(?:(?:points?|pts?|stars?|marks?)(?![A-Za-z])|颗星|顆星|个星"
    r"|(?:分|星|级|級)(?![钟鐘之半别別析类類数數配手布一二三四五六七八九]))",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"[\])]{0,2}\s?(?:/|out of|of(?= a possible| \d)|over)\s?(?:a (?:possible |maximum |total )?(?:of )?)?"
    r"(?P<top>\d{1,9}(?:\.\d{1,4})?|ten|five|十|五)(?![\d/A-Za-z]|\.\d)"
    r"|\s?[(,]?\s?(?:out of|max(?:imum)?:?|满分|滿分|共|总分)(?:是|为|為)?\s?(?P<full>\d{1,9})"
    r"|\s?[(,]?\s?on (?:a|the) (?:scale (?:of |from )?)?(?:\d{1,3}\s?(?:-|–|to|~)\s?)(?P<scale>\d{1,9})(?:\s?[- ]?(?:point )?scale)?",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"\s?(?:%|percent(?![A-Za-z])|per cent(?![A-Za-z]))", re.IGNORECASE)
_RANGE: Final = re.compile(
    r"\s?(?:-|–|—|~|to|or|and|至|到|或者?|和|&|/)\s?(?:maybe |perhaps )?"
    rf"(?=\.?\d|[一二三四五六七八九十]|(?:{'|'.join(_WORDS)})(?![A-Za-z]))",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"[\])]{0,2}\s?(?:\([^()\n\d]{1,40}\))?\s?(?:,\s|、\s?|;\s)(?:and |or )?[-+]?\.?\d+(?:\.\d+)?(?=\s?(?:\Z|[\n.;)(\]]))"
)
_BROKEN: Final = re.compile(r"[A-Za-z_]|[.,:]\d|\d|\+|\s?[?？]|-[A-Za-z\d]|[°º'\"]\d")
_DATE: Final = re.compile(r"\d{1,4}([/-])\d{1,2}\1\d")
_AFTER_WORD: Final = re.compile(
    r"[\s\])\"']{0,2}(?:[.,;:!)\]}\"'\n。，；：！、）(-]|\Z|左右|(?:because|since|to|or|and)(?![A-Za-z]))"
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as it was written.

    Attributes:
        value: the number
        end: position after it and its unit
        top: what it is "of": 10 in ``8/10``; None when nothing is said
        percent: whether it is a percentage
        several: whether another number is joined to it: ``7-8``
    """

    value: float
    end: int
    top: float | None = None
    percent: bool = False
    several: bool = False


def numeral_at(text: str, position: int) -> Numeral | None:
    """The number that begins at a position of a plain text; None where there is none, or only a part of something else.

    >>> numeral_at("8.5 out of 10", 0)
    Numeral(value=8.5, end=13, top=10.0, percent=False, several=False)
    """
    read = _digits(text, position) or _word(text, position) or _han(text, position)
    if read is None:
        return None
    value, end, percent, word = read
    if unit := _UNIT.match(text, end):
        end = unit.end()
    top: float | None = None
    if per := _PERCENT.match(text, end):
        percent, end = True, per.end()
    elif of := _OF.match(text, end):
        top, end = _top(of["top"] or of["full"] or of["scale"]), of.end()
        if unit := _UNIT.match(text, end):
            end = unit.end()
    if word and not _AFTER_WORD.match(text, end):
        return None  # "one of the best", "一般", "十分满意"
    several = bool(_RANGE.match(text, end) or _LISTED.match(text, end))
    if not several and _BROKEN.match(text, end):
        return None
    return Numeral(value, end, top, percent, several)


def _top(text: str) -> float:
    return float({"ten": 10, "十": 10, "five": 5, "五": 5}.get(text.casefold(), text))


def _digits(text: str, position: int) -> tuple[float, int, bool, bool] | None:
    """Value, end, whether it is a percentage, whether it is a word."""
    match = _ARABIC.match(text, position)
    if match is None or _DATE.match(text, position):
        return None
    return float(match[0].replace(",", "")), match.end(), False, False


def _word(text: str, position: int) -> tuple[float, int, bool, bool] | None:
    match = _WORD.match(text, position)
    return (float(_WORDS[match[0].casefold()]), match.end(), False, True) if match else None


def _han(text: str, position: int) -> tuple[float, int, bool, bool] | None:
    match = _HAN.match(text, position)
    if match is None or (whole := _han_value(match["whole"])) is None:
        return None
    part = "".join(str(_HAN_DIGITS[digit]) for digit in match["part"] or "零")
    return float(f"{whole}.{part}"), match.end(), bool(match["percent"]), True


def _han_value(text: str) -> int | None:
    """A Chinese numeral below 200, or a row of at most three digits; None when it is none."""
    if not any(sign in text for sign in "十百"):
        return int("".join(str(_HAN_DIGITS[digit]) for digit in text)) if len(text) <= 3 else None
    match = _BELOW_200.fullmatch(text)
    if match is None:
        return None
    hundred = 100 if match["hundred"] else 0
    tens = 10 * _HAN_DIGITS.get(match["tens"] or "一", 1) if match["ten"] else 0
    ones = match["ones"] or match["only"]
    return hundred + tens + (_HAN_DIGITS[ones] if ones else 0)


_BELOW_200: Final = re.compile(
    r"(?P<hundred>一?百)?(?:(?P<tens>[一二三四五六七八九])?(?P<ten>十)(?P<ones>[一二三四五六七八九])?|[零〇](?P<only>[一二三四五六七八九]))?"
)
