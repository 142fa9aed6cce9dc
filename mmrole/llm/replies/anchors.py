"""Where in a text an answer is announced: nouns, verbs and tags that lead to one.

An anchor is a place, not yet an answer: the reader of the kind says what stands there, and most anchors of ordinary prose
("the answer is clear") lead to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mmrole.llm.replies.surroundings import SIDE, SIDE_ZH, begins_clause, conditional, denied, infinitive, modifier_of


@dataclass(frozen=True, slots=True)
class Anchors:
    """The words that announce one kind of answer, each a regular expression without groups.

    Attributes:
        nouns: English nouns: ``answer``, ``emotion``
        nouns_zh: Chinese nouns, longest first
        verbs: English verbs, with what may stand between verb and answer
        verbs_zh: Chinese verbs
        tags: names of XML tags
        conclusions: words after which a clause has to be the answer and nothing else: ``therefore``
        conclusions_zh: ``应该是``
        denials: words that reject the answer after them: ``not``
        denials_zh: ``不选``
        adjacent: an English noun may be followed by the answer at once: ``score 9``
        verbs_reach: a verb's expression takes in what stands between it and the answer: ``label this line as``
    """

    nouns: str
    nouns_zh: str
    verbs: str
    verbs_zh: str
    tags: str
    conclusions: str = ""
    conclusions_zh: str = ""
    denials: str = ""
    denials_zh: str = ""
    adjacent: bool = False
    verbs_reach: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """One announcement.

    Attributes:
        start: where it begins
        value: where the answer should begin
        explicit: a field (``Answer:``) and no sentence
        tag: a tag, a box, double brackets
        denied: the answer after it is rejected
        gap: span of what stands between the noun and the colon or verb: an answer in there means that this is none
        modifier: what stands before the noun, such as ``fluency`` in ``fluency score``, when it says of what
        final: the noun is called final or overall
        alone: the answer must be the whole line, or the whole clause
    """

    start: int
    value: int
    explicit: bool = False
    tag: bool = False
    denied: bool = False
    gap: tuple[int, int] = (0, 0)
    modifier: str = ""
    final: bool = False
    alone: bool = False


_NOT_BEFORE: Final = r"(?<![A-Za-z0-9À-ɏ<])(?<!</)"
_NOT_AFTER: Final = r"(?![A-Za-z0-9À-ɏ])"
_GAP: Final = r"(?:\([^()\n]{0,80}\)|[^\n.;:!?=|()。；！？])"
_BE: Final = re.compile(
    rf"(?P<gap>[\"')\]]{{0,2}}{_GAP}{{0,60}}?)(?<![A-Za-z])(?:(?P<never>is(?:n't| not)|was(?:n't| not)|are(?:n't| not)"
    r"|(?:would|should|could|can|must|will|may)(?:n't| not|not) be|can't be|won't be)"
    r"|is|was|are|would be|should be|must be|has to be|will be|seems to be|appears to be|seems|remains|becomes|'s)"
    rf"{_NOT_AFTER}",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    rf"(?P<gap>[\"')\]]{{0,2}}{_GAP}{{0,60}}?)\s?(?::=|:|=>?|-{{1,2}}>|→|⇒|➜|\||—{{1,2}}|–|-{{1,2}}(?=\s))"
)
_BE_ZH: Final = re.compile(
    r"(?P<gap>[\"')\]]{0,2}(?:\([^()\n]{0,40}\)|[^\n。；;:!?！？=,，()A-Za-z0-9]){0,12}?)(?:(?P<never>不应该?是|不应为|不是|并不是|并非|绝非|不会是|不为|不属于)"
    r"|应该是|应当是|應該是|应是|應是|应为|應為|应选|應選|可能是|就是|必须是|选择|選擇|属于|屬於|判定为|判断为|倾向于|偏向"
    r"|是|为|為|选|選|给|[:=|→⇒]|—{1,2}|-(?=\s))\s?[:=]?"
)
_TAGS: Final = r"<\s?(?:[\w-]{{0,20}}_)?(?:{tags})(?:\s[^<>\n]{{0,60}})?>\s?(?!/)"
_BRACKETS: Final = re.compile(r"\\(?:f?boxed|answer)\s?\{\s?|\[\[\s?")
_HEADING: Final = re.compile(r"[\"')\]]{0,2}\n")


@lru_cache(maxsize=64)
def _compiled(anchors: Anchors) -> dict[bool, tuple[tuple[str, re.Pattern[str]], ...]]:
    """Kind of announcement and its expression, the surest first: for a text with Chinese characters, and for one without."""
    latin = {
        "noun": anchors.nouns,
        "verb": anchors.verbs,
        "conclusion": anchors.conclusions,
        "denial": anchors.denials,
    }
    # a look at the first letter spares most of the places: these expressions run over every character of a reply
    parts = {
        "tag": _TAGS.format(tags=anchors.tags),
        **{kind: rf"(?=[{_initials(part)}]){_NOT_BEFORE}(?:{part})" for kind, part in latin.items() if part},
    }
    parts["noun"] += _NOT_AFTER
    plain = tuple((kind, re.compile(part, re.IGNORECASE)) for kind, part in parts.items())
    zh = {
        "noun_zh": anchors.nouns_zh,
        "verb_zh": anchors.verbs_zh,
        "conclusion": anchors.conclusions_zh,
        "denial": anchors.denials_zh,
    }
    han = tuple((kind, re.compile(rf"(?=[{_initials(part)}])(?:{part})")) for kind, part in zh.items() if part)
    return {False: plain, True: (*plain, *han)}


def _initials(expression: str) -> str:
    """The characters with which an expression of letters and ``(?:...)`` may begin, as the inside of a character class."""
    # levels of brackets at which an alternative has begun, and its first character is still to come
    depth, begins, initials, skip = 0, {0}, set[str](), 0
    for character in expression:
        if skip:
            skip -= 1
        elif character == "(":
            depth, skip = depth + 1, 2  # over "?:"
            if depth - 1 in begins:
                begins |= {depth}
        elif character == ")":
            begins -= {depth, depth - 1}
            depth -= 1
        elif character == "|":
            if depth == 0 or depth - 1 in begins:
                begins |= {depth}
        elif depth in begins:
            initials |= {character.lower(), character.upper()}
            begins -= {depth}
    return "".join(sorted(map(re.escape, initials)))


_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
MOST: Final = 1000
"""Announcements that are looked at, from the end of a reply; no answer has so many, and the last one counts."""


def find_anchors(text: str, anchors: Anchors) -> list[Anchor]:
    """The announcements in a plain text, by where they begin; some overlap, and the first that leads anywhere counts."""
    places = [(match.start(), 0, match.end(), "tag") for match in _BRACKETS.finditer(text)]
    for order, (kind, pattern) in enumerate(_compiled(anchors)[_HAN.search(text) is not None], 1):
        places += [(match.start(), order, match.end(), kind) for match in pattern.finditer(text)]
    places.sort()
    return [anchor for start, _, end, kind in places[-MOST:] for anchor in _at_place(text, anchors, start, end, kind)]


def _at_place(text: str, anchors: Anchors, start: int, end: int, kind: str) -> Iterator[Anchor]:
    if kind == "tag":
        yield Anchor(start, end, explicit=True, tag=True)
    elif kind == "denial":
        yield Anchor(start, end, denied=True)
    elif conditional(text, start):
        return
    elif kind == "conclusion":
        if not denied(text, start) and begins_clause(text, start):
            yield Anchor(start, end, alone=True)
    elif kind == "noun":
        yield from _after_noun(text, start, end, adjacent=anchors.adjacent)
    elif kind == "noun_zh":
        yield from _after_noun_zh(text, start, end)
    elif not infinitive(text, start):
        gap = (start, end) if anchors.verbs_reach else (0, 0)
        yield Anchor(start, end, denied=denied(text, start), gap=gap)


def _after_noun(text: str, start: int, end: int, *, adjacent: bool) -> Iterator[Anchor]:
    modifier, final = modifier_of(text, start)
    if modifier in SIDE:
        return
    noun = Anchor(start, end, denied=denied(text, start), modifier=modifier, final=final)
    be, mark = _BE.match(text, end), _MARK.match(text, end)
    if be and (mark is None or be.end() <= mark.end()):
        yield replace(noun, value=be.end(), denied=noun.denied or bool(be["never"]), gap=be.span("gap"))
        if be["never"]:
            return
    if mark:
        yield replace(noun, value=mark.end(), explicit=True, gap=mark.span("gap"))
    if heading := _HEADING.match(text, end):
        yield replace(noun, value=heading.end(), explicit=True, denied=False, alone=True)
    if adjacent:
        yield noun


def _after_noun_zh(text: str, start: int, end: int) -> Iterator[Anchor]:
    modifier, final = modifier_of(text, start, han=True)
    if any(side in modifier for side in SIDE_ZH):
        return
    noun = Anchor(start, end, denied=denied(text, start), modifier=modifier, final=final)
    if be := _BE_ZH.match(text, end):
        explicit = be[0].rstrip()[-1] in ":=|→⇒—-"
        yield replace(
            noun, value=be.end(), explicit=explicit, denied=noun.denied or bool(be["never"]), gap=be.span("gap")
        )
        if be["never"]:
            return
    if heading := _HEADING.match(text, end):
        yield replace(noun, value=heading.end(), explicit=True, denied=False, alone=True)
    if closing := _CLOSING.match(text, end):
        yield replace(noun, value=closing.end(), explicit="]" in closing[0])


_CLOSING: Final = re.compile(r"[\"')\]]{0,2}")
