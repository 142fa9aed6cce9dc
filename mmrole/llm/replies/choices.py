"""Reads the letter of an option out of a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from mmrole.core.errors import UsageError
from mmrole.llm.replies.anchors import Anchors
from mmrole.llm.replies.cascade import read_reply
from mmrole.llm.replies.fields import CHOICE_FIELDS
from mmrole.llm.replies.folding import folded
from mmrole.llm.replies.gate import opened
from mmrole.llm.replies.kinds import CHOICE_ANCHORS, with_names
from mmrole.llm.replies.letters import Letters, letters_of
from mmrole.llm.replies.predicates import predicated
from mmrole.llm.replies.reading import Reading
from mmrole.llm.replies.reply import Reply, Rule

_EDGES: Final = " \t\n\"'.,;:!()[]{}<>-–—。，；：！、·•~|/\\#+="
_PREFIX: Final = re.compile(
    r"(?:(?:my |the )?(?:final |best |correct )?(?:option|answer|choice|letter)|both|either|i (?:choose|pick|select)"
    r"|选项|選項|答案|选择?|選擇?|我选择?|我選擇?) ?#?",
    re.IGNORECASE,
)
_SUFFIX: Final = re.compile(r"\s?(?:选项|選項|项|項|吧)$")
_INSTEAD: Final = re.compile(
    r"[\"')\]]{0,2},? ?(?:(?:and )?not|rather than|instead of|over|而不是|而非|,?不是|,?不选|,?不選)(?![A-Za-z]) ?[\"'(\[]{0,2}",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(
    r"[\"')\]]{0,2} ?(?:,|/|&|\+|、|(?<=\s)(?:and|or|and/or|as well as)(?![A-Za-z])|和|或者?|与|與|及|以及|还是|還是)"
    r" ?(?:and |or |maybe |possibly |option |选项)?[\"'(\[]{0,2}",
    re.IGNORECASE,
)
_ENDS_LIST: Final = re.compile(
    r"[\"')\]]{0,2}(?:\Z|\s?[\n.,;!)/&+、。，；?]|\s(?:and|or|are|both|equally|is)(?![A-Za-z])|和|或|都|均|还|$)"
)
_CONDITION: Final = re.compile(
    r"[\"')\]]{0,2},?\s(?:if|unless|provided|assuming|or else)(?![A-Za-z])|[\"')\]]{0,2}(?:,?如果|,?除非)",
    re.IGNORECASE,
)
_WRONG: Final = re.compile(
    r"[\"')\]]{0,2} ?(?:[?？]|吗|嗎|的话|的話|意味|等于|代表|表示|是错|是錯|不对|不對|不合适|不行|会(?!选)"
    r"|(?:is|was|would be|seems) (?:not|wrong|incorrect|a bad|the (?:wrong|worst))|isn't"
    r"|(?:would|might|could) (?:be (?:wrong|incorrect)|mean|betray))",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"[\"')\]]{0,2}\s?\([^()\n]{1,80}\)")
_LIST_MARK: Final = re.compile(r"\d{1,2}[.)]\s")
_DELIMITER: Final = re.compile(r"[\"')\]}>]{0,2}\s?[.,:)、。，：-]{0,2}\s?[-–—]?\s?[\"'(]?")
_LEADING_MARK: Final = re.compile(r"[)\]]\s?[:.,-]?\s?|\s?:\s?|、\s?|[.。]\s?|\s[-–—]\s|,\s")
_AFTER_TEXT: Final = re.compile(r" (?:[-–—(]|because|since|as|for|and)")
# fmt: off
_OPENERS: Final = frozenset({
    "because", "since", "as", "the", "this", "that", "it", "he", "she", "they", "i", "we", "my", "his", "her", "their", "given", "due",
    "to", "in", "a", "an", "if", "while", "although", "despite", "for", "by", "based", "from", "at", "it's", "he's", "she's", "being",
    "with",
})
# fmt: on


def parse_choice(
    text: str | None,
    options: Mapping[str, str],
    finish_reason: str | None = "stop",
    fields: Sequence[str] = (),
) -> Reply[str]:
    """Reads one option out of a reply.

    A letter counts where an answer is announced, where it is the whole reply or the whole first or last line, or where the
    reply opens with it and goes on (``B) because ...``); never elsewhere in prose: "A" and "I" are words. A key in the wrong
    case counts when no other key is spelled so. The text of an option counts where its letter would.

    Args:
        text: content of the message, None for null
        options: key -> text of the option (may be empty), as they were shown: ``{"A": "stay", "B": "leave"}``
        finish_reason: as the endpoint said it; ``length`` is `ReplyStatus.TRUNCATED` whatever the text says
        fields: names of the answer field that the prompt asked for, beside the usual ones

    Returns:
        `Reply.value` is a key of `options`, or None

    Raises:
        UsageError: no options, an empty key, or two keys that differ in width only

    >>> two = {"A": "stay", "B": "leave"}
    >>> parse_choice("A good man would leave.", two).status.value
    'unparsed'
    >>> parse_choice("ANSWER: $B$", two).value, parse_choice("不选A，选Ｂ。", two).value
    ('B', 'B')
    """
    reader = ChoiceReader(options, tuple(fields))
    gate = opened(text, finish_reason)
    if isinstance(gate, Reply):
        return replace(gate, raw=text)
    reply = read_reply(reader, gate.text)
    return replace(reply, raw=text, notes=(*gate.notes, *reply.notes))


@lru_cache(maxsize=512)
def _texts(items: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """Folded text of an option -> its keys, longest text first."""
    texts: dict[str, tuple[str, ...]] = {}
    for key, text in items:
        bare = folded(text).strip(_EDGES)
        if bare:
            texts[bare] = (*texts.get(bare, ()), key)
    return dict(sorted(texts.items(), key=lambda item: -len(item[0])))


class ChoiceReader:
    """See `reading.Reader`."""

    many_sided = False

    def __init__(self, options: Mapping[str, str], fields: tuple[str, ...] = ()) -> None:
        if not options:
            raise UsageError("no options to choose from")
        self.fields = CHOICE_FIELDS
        self.own_fields = fields
        self.anchors: Anchors = with_names(CHOICE_ANCHORS, fields)
        self._letters: Letters = letters_of(tuple(options))
        self._texts = _texts(tuple(options.items()))

    def whole(self, line: str) -> Reading[str] | None:
        """See `reading.Reader.whole`."""
        if line.rstrip(" \"')").endswith("?") or (line.startswith("{") and ":" in line):
            return None
        if not self._letters.digits and (mark := _LIST_MARK.match(line)):
            line = line[mark.end() :]
        bare = line.strip(_EDGES)
        if (reading := self._text(folded(bare).strip(_EDGES).removeprefix("to "), bare)) is not None:
            return reading
        bare = _SUFFIX.sub("", bare)
        if (key := self._letters.key(bare)) is not None:
            return Reading(key, len(line), spelling=bare)
        prefix = _PREFIX.match(bare)
        start = prefix.end() if prefix and prefix.end() < len(bare) else 0
        letter = self._letters.match(bare, start)
        if letter is None:
            return self._text(folded(bare[start:]), bare) if start else None
        key, end = letter
        rest = bare[end:]
        if not rest.strip(_EDGES):
            return Reading(key, len(line), spelling=bare)
        if instead := _INSTEAD.match(bare, end):
            other = self._letters.match(bare, instead.end())
            return (
                Reading(key, len(line), None, Rule.STATED, bare)
                if other and not bare[other[1] :].strip(_EDGES)
                else None
            )
        last = end
        while (more := self._more(bare, last)) is not None:
            last = more
        if last > end and not bare[last:].strip(_EDGES):
            return Reading(None, len(line), Rule.SEVERAL_ANSWERS, spelling=bare)
        delimiter = _DELIMITER.match(bare, end)
        named = self._text(folded(bare[delimiter.end() if delimiter else end :]).strip(_EDGES), bare)
        if named is not None:
            return self._with_text(key, named, bare)
        aside = _ASIDE.fullmatch(line.rstrip(" .。*"), line.find(bare) + end)
        return Reading(key, len(line), spelling=bare) if aside and not self._letters.inside(aside[0]) else None

    def at(self, text: str, position: int, *, strict: bool) -> Reading[str] | None:
        """See `reading.Reader.at`."""
        letter = self._letters.match(text, position, strict=strict)
        if letter is None:
            return self._text_at(text, position)
        key, end = letter
        if _WRONG.match(text, end):
            return None
        if _CONDITION.match(text, end):
            return Reading(None, end, Rule.CONDITIONAL, spelling=text[position : position + 60])
        more = self._more(text, end)
        if more is not None:
            if text.startswith(("?", " ?", "吗", "呢"), more):
                return None
            return Reading(None, more, Rule.SEVERAL_ANSWERS, spelling=text[position:more])
        delimiter = _DELIMITER.match(text, end)
        if delimiter and delimiter.end() > end and (named := self._text_at(text, delimiter.end())) is not None:
            return self._with_text(key, named, text[position : position + 80])
        return Reading(key, end, spelling=text[position:end])

    def _more(self, text: str, end: int) -> int | None:
        """Position after a further, different key of the same list; None when there is none."""
        together = _TOGETHER.match(text, end)
        other = self._letters.match(text, together.end()) if together else None
        if other is None or not _ENDS_LIST.match(text, other[1]):
            return None
        return other[1]

    def _with_text(self, key: str, named: Reading[str], spelling: str) -> Reading[str]:
        """A letter and a text: they have to be of one option."""
        keys = self._texts.get(named.spelling, ())
        if named.value == key or key in keys:
            return Reading(key, named.end, None, Rule.LETTER_AND_TEXT, spelling)
        return Reading(None, named.end, Rule.LETTER_TEXT_CONFLICT, spelling=spelling)

    def _text(self, text: str, spelling: str) -> Reading[str] | None:
        """The option that a folded text is."""
        keys = self._texts.get(text)
        if keys is None:
            return None
        if len(keys) > 1:
            return Reading(None, len(spelling), Rule.SEVERAL_ANSWERS, Rule.OPTION_TEXT, text)
        return Reading(keys[0], len(spelling), None, Rule.OPTION_TEXT, text)

    def _text_at(self, text: str, position: int) -> Reading[str] | None:
        """The option whose text begins at a position and ends a clause."""
        for bare in self._texts:
            piece = text[position : position + len(bare) + 8].replace("\n", " ").casefold()
            if not piece.startswith(bare):
                continue
            after = piece[len(bare) :]
            if not after or (not after[0].isalnum() and (after[0] != " " or _AFTER_TEXT.match(after))):
                reading = self._text(bare, bare)
                return reading and replace(reading, end=position + len(bare))
        return None

    def scalar(self, value: Any, /) -> Reading[str] | None:
        """See `reading.Reader.scalar`: ``{"answer": 2}`` among options 1, 2, 3."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        key = self._letters.key(str(value))
        return None if key is None else Reading(key, 0, spelling=key)

    def leading(self, text: str, /) -> Reading[str] | None:
        """The letter that a reply opens with: ``B) because ...``."""
        lines = text.split("\n")
        opening = self._opening(lines[0])
        if opening is not None:
            if any(other is not None and other.value != opening.value for other in map(self._opening, lines[1:200])):
                return Reading(None, len(text), Rule.SEVERAL_ANSWERS, spelling=lines[0])
            return opening
        key = predicated(text, self._letters)
        return None if key is None else Reading(key, len(text), None, Rule.PREDICATE, key)

    def _opening(self, line: str) -> Reading[str] | None:
        line = line.lstrip("-•> ")
        prefix = _PREFIX.match(line)
        start = prefix.end() if prefix else 0
        start += line.startswith(("(", "["), start)
        letter = self._letters.match(line, start)
        mark = _LEADING_MARK.match(line, letter[1]) if letter else None
        if letter is None or mark is None:
            return None
        rest = line[mark.end() :]
        named = self._text_at(line, mark.end())
        if named is not None:
            return self._with_text(letter[0], named, line[:80])
        if letter[0].isdigit():
            return None  # a numbered list
        first = rest.split(" ", 1)[0].casefold().strip(",.;:")
        if mark[0].strip() in (".", ",", "-", "–", "—") and rest[:1].isascii() and first not in _OPENERS:
            return None  # "A. Smith would", "I, for one"
        return Reading(letter[0], len(line), spelling=line[:80])

    def prose(self, _text: str, _quoted: list[tuple[int, int]], /) -> Reply[str] | None:
        """Letters have no such rule."""
        return None

    def mentioned(self, text: str) -> bool:
        """See `reading.Reader.mentioned`."""
        return self._letters.inside(text)

    def clause(self, line: str) -> Reading[str]:
        """See `reading.Reader.clause`."""
        return Reading(None, len(line), Rule.OUTSIDE_SET, spelling=line)
