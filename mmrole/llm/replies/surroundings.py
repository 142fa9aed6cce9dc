"""The words before an announcement: do they make it a condition, deny it, or say of what it is?"""

from __future__ import annotations

import re
from typing import Final

_REACH: Final = 60
_SENTENCE_END: Final = re.compile(r"[.;!?\n。；！？]\s?")
_CONDITION: Final = re.compile(
    r"(?:\b(?:if|whether|when|unless|suppose|supposing|had|were|otherwise|why|should you|were to|not sure)(?: [\w']+){0,4} ?"
    # "if I have to choose, I choose B" is an answer; "if she were weak, she would choose A" is none
    r"|\b(?:if|unless|had|were) (?!i\b|we\b|you\b|forced|pressed|asked|anything)[^,]{1,50}, (?:[\w']+ ){0,4}"
    r"|(?:如果|假如|若|要是|倘若|是否|否则|假设|为什么|为何)[^,]{0,8}"
    r"|(?:如果|假如|若|要是|倘若)(?!我|是我|要我|让我|非要|必须)[^,]{1,24},[^,]{0,6})\Z",
    re.IGNORECASE,
)
_DENIAL: Final = re.compile(
    r"(?:\b(?:not|never|cannot|can't|won't|wouldn't|don't|doesn't|didn't|isn't|shouldn't|couldn't|avoid|refuse to|declin(?:e|ed|ing) to"
    r"|unwilling to|hesitate to|reject(?:ing)?|rather than|instead of|without)(?: [\w']+){0,5} ?"
    r"|(?:不(?!仅|只|但|得不)|没有?|并非|绝不|别|勿|非)"
    r"(?:会|应该?|应当|能|想|要|敢|认为|觉得|建议|可以|可|再|是|宜|太|愿意?)?(?:去|再)?)\Z",
    re.IGNORECASE,
)
_TO: Final = re.compile(
    r"(?:(?:^|[.;!?\n]\s?)|\b(?:decision|choice|option|asked|need|needs|want|wants|going) )to\Z", re.IGNORECASE
)
_MODIFIED: Final = re.compile(r"(?<![A-Za-z])([A-Za-z]{2,20})[ _-]\Z")
_MODIFIED_ZH: Final = re.compile(r"([\u4e00-\u9fff]{1,8})\Z")
_FINAL: Final = re.compile(r"final|overall|total|最终|最後|最后|总|總|综合|綜合", re.IGNORECASE)
_NEUTRAL: Final = re.compile(
    r"^(?:the|my|this|its|your|his|her|their|corrected|revised|new|updated|correct|right|best|primary|main|dominant|predicted|chosen"
    r"|selected|and|so|is|of|then|that|an?|would|be|single|one|numeric|as|with|to|in|for|but|because)$"
    r"|修正|更正|正确|主要|我|本|新|因此|所以|故|那么|的话"
)
SIDE: Final = frozenset(
    {"secondary", "second", "other", "alternative", "possible", "previous", "initial", "tentative", "draft", "wrong", "incorrect",
     "opposite", "earlier", "example", "sample"}
)  # fmt: skip
"""What an answer is called that is not the answer: ``secondary emotion``."""
SIDE_ZH: Final = ("次要", "其他", "第二", "备选", "错误", "初步", "之前", "另一", "示例")


def conditional(text: str, start: int) -> bool:
    """Whether the words before a position make it a condition or a question: "if she were weak, she would"."""
    return _CONDITION.search(_clause(text, start)) is not None


def denied(text: str, start: int) -> bool:
    """Whether the words before a position deny it: "I do not think that"."""
    return _DENIAL.search(_clause(text, start)) is not None


def begins_clause(text: str, start: int) -> bool:
    """Whether a Latin word at a position begins a clause: "so, B" does, "not so" does not. Chinese has no such need."""
    before = text[max(0, start - 6) : start].rstrip(" \"'(")
    return (
        not text[start].isascii()
        or not before
        or not before[-1].isalnum()
        or before.endswith((" and", " but", " is", "'s"))
    )


def _clause(text: str, start: int) -> str:
    return _SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1]


def infinitive(text: str, start: int) -> bool:
    """Whether a verb is only spoken of: "To choose A would betray him"."""
    return _TO.search(text[max(0, start - 20) : start].rstrip()) is not None


def modifier_of(text: str, start: int, *, han: bool = False) -> tuple[str, bool]:
    """What stands before a noun, unless it says nothing of the answer's subject, and whether it says "final"."""
    match = (_MODIFIED_ZH if han else _MODIFIED).search(text, max(0, start - 21), start)
    word = match[1].casefold() if match else ""
    final = _FINAL.search(word) is not None or _FINAL.match(text, start) is not None
    return ("" if final or _NEUTRAL.search(word) else word), final
