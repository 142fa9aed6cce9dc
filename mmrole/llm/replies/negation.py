"""Whether a label that occurs in a sentence is denied there."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = r"(?: (?!but\b|because\b|since\b|although\b|though\b|while\b|however\b|yet\b|is\b|are\b|was\b|it's\b|she's\b|he's\b)[\w'-]+)"
_DENIED: Final = re.compile(
    r"(?:\b(?:not(?! only| just| merely| simply| surprisingly)|(?:is|are|was|were|do|does|did|has|have|would|could|should|wo|ca)n't"
    r"|never|cannot(?! help)|neither|nor|without(?! (?:a |any )?(?:doubt|question))|hardly|scarcely|barely"
    r"|no(?! doubt| wonder| question|\.| matter)|lack(?:s|ing)?(?: of)?|absence of|rather than|instead of|as opposed to|far from"
    r"|free (?:of|from)|devoid of|unlike|anything but|opposite of|nor)"
    rf"{_WORD}{{0,4}} ?"
    r"|(?:不(?!仅|僅|只|但|光|过|過|禁|由|得不|满|安|错|住|知|自觉|断)|没有?|沒有?|并非|並非|非(?!常)|无(?!疑|比|可|奈|助)|毫无|而非"
    r"|缺乏|谈不上|未(?!来|必))"
    r"(?:[是很太怎么那特别感到觉得显示表现出有任何明显的算会再像应该认为说话人她他它在属于可能]{0,10})"
    r")[\"'(]?\Z",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"[\"')]?(?: ?[,/、] ?| )?(?:(?:or|nor|and)(?![A-Za-z]) ?|或者?|和|与|及|以及|也不是?|,?也没有|还是)?(?:any |a |an |even |the )?[\"'(]?"
)
_IDIOM: Final = re.compile(
    r"(?:happy|glad|grateful|relaxed|afraid|sad|surprised|worried|joyful)"
    r"(?: to (?:help|assist|be|provide|do|answer|continue|clarify|share|discuss|analy[sz]e|take|look|try|proceed|support|work|offer|explain"
    r"|say|report|inform|tell|note|hear|see)\b| that i\b| i\b| if you\b| for (?:your|the opportunity)\b)"
    r"|afraid\b|fear (?:that )?i\b",
    re.IGNORECASE,
)
_I_AM: Final = re.compile(
    r"(?:\b(?:(?:i|we)(?:'m|'re| am| are|'d be| would be|'ll be| will be)|i) (?:really |very |so |always |more than )?|(?:^|[.!?\n])\s?)\Z",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[.;!?\n,:。；！？]| - | – |—")


def denied(text: str, start: int) -> bool:
    """Whether the words before a position, in its clause, deny what stands there: "not", "no sign of", ``并不``."""
    clause = _CLAUSE_END.split(text[max(0, start - 80) : start])[-1]
    return _DENIED.search(clause) is not None


def joined(text: str, end: int, start: int) -> bool:
    """Whether two labels are members of one list: "happy or relaxed", "愤怒、恐惧"."""
    return start - end <= 24 and _JOINED.fullmatch(text, end, start) is not None


def idiom(text: str, start: int) -> bool:
    """Whether the words at a position are politeness of the model: "I'm happy to help", "I'm afraid it is unclear"."""
    match = _IDIOM.match(text, start)
    if match is None or _I_AM.search(text, max(0, start - 30), start) is None:
        return False
    # a sentence may begin with "Afraid": then it is no "I'm afraid"
    return match[0].casefold() != "afraid" or text[max(0, start - 2) : start].casefold() in ("m ", "e ")
