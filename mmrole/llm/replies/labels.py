"""Reads a label of a label set out of a reply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from mmrole.core.labels import LabelSet, label_set
from mmrole.llm.replies import negation
from mmrole.llm.replies.anchors import Anchors
from mmrole.llm.replies.cascade import read_reply
from mmrole.llm.replies.fields import LABEL_FIELDS
from mmrole.llm.replies.folding import plain
from mmrole.llm.replies.gate import opened
from mmrole.llm.replies.kinds import LABEL_ANCHORS, with_names
from mmrole.llm.replies.reading import Reading
from mmrole.llm.replies.reply import Note, Reply, Rule, answered, unanswered

_LATIN: Final = r"A-Za-z0-9À-ɏ_"
_HAN: Final = re.compile(r"[㐀-鿿]")
_EDGES: Final = " \t\n\"'.,;:!()[]{}<>-–—。，；：！、·•~|/\\#+="
_TOGETHER: Final = re.compile(
    r"[\"')\]]{0,2} ?(?:,?(?:以及|及|和|或者?|与|與|兼有?|又|还有|还|并|夹杂着?|带有?|混合|也有?)|[,/&+;、→⇒]|[-=]>"
    r"|(?<=\s)(?:and|or|and/or|but also|as well as|mixed with|tinged with|with|along with|plus|to|bordering on"
    r"|leaning towards?)(?![A-Za-z])) ?(?:a (?:bit|hint|touch|little|sense|trace|mix) of"
    r" |(?:and|or|also|possibly|perhaps|maybe|slight(?:ly)?|some|a) |一些|一点|些许|少许|轻微的?|可能)?[\"'(\[]{0,2}",
    re.IGNORECASE,
)
_LIST_MARK: Final = re.compile(r"^\d{1,2}[.)]\s")
_QUESTION: Final = re.compile(r"[\"')\]]{0,2}\s?(?:[?？]|吗|嗎)")
_ASKED: Final = re.compile(r"[^.!?\n。！？;；]{0,120}[?？]|[\"')\]]{0,2}\s?(?:吗|嗎)")
_JOIN_BEFORE: Final = re.compile(r"(?:[,/&+、和与或及]|\b(?:and|or|with)) ?\Z", re.IGNORECASE)


def parse_label(
    text: str | None,
    labels: LabelSet | str = "cped-13",
    finish_reason: str | None = "stop",
    language: str | None = None,
    fields: Sequence[str] = (),
) -> Reply[str]:
    """Reads one label out of a reply.

    Labels, their other spellings and their Chinese names count; case, width and punctuation do not. What is none of
    these (``joyful``, ``hapy``, ``难过``) is no label: a reply is never given the nearest one.

    Args:
        text: content of the message, None for null
        labels: a label set or its name
        finish_reason: as the endpoint said it; ``length`` is `ReplyStatus.TRUNCATED` whatever the text says
        language: the language that was asked for, ``en`` or ``zh``: a label spelled in the other one is noted
            (`Note.LANGUAGE_MISMATCH`). None: no note
        fields: names of the answer field that the prompt asked for, beside the usual ones

    Returns:
        `Reply.value` is a label of the set as the set spells it, or None

    Raises:
        UsageError: no such label set

    >>> parse_label("**Emotion**: Sad.").value
    'sadness'
    >>> parse_label("happy or sad").status.value, parse_label("她并不快乐").rule.value
    ('ambiguous', 'negated')
    """
    reader = _reader(label_set(labels), tuple(fields))
    gate = opened(text, finish_reason)
    if isinstance(gate, Reply):
        return replace(gate, raw=text)
    reply = read_reply(reader, gate.text)
    notes = (*gate.notes, *reply.notes)
    if reply.value is not None and language is not None and not reader.speaks(language, reply.value, gate.text):
        notes = (*notes, Note.LANGUAGE_MISMATCH)
    return replace(reply, raw=text, notes=notes)


@lru_cache(maxsize=64)
def _reader(labels: LabelSet, fields: tuple[str, ...]) -> LabelReader:
    return LabelReader(labels, fields)


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    label: str


class LabelReader:
    """See `reading.Reader`."""

    many_sided = False

    def __init__(self, labels: LabelSet, fields: tuple[str, ...] = ()) -> None:
        self.labels = labels
        self.fields = LABEL_FIELDS
        self.own_fields = fields
        self.anchors: Anchors = with_names(LABEL_ANCHORS, fields)
        spellings = {
            *labels.labels,
            *(other for others in labels.spellings.values() for other in others),
            *(name for names in labels.names.values() for name in names.values()),
        }
        self._label = re.compile(_pattern(spellings), re.IGNORECASE)

    def whole(self, line: str) -> Reading[str] | None:
        """See `reading.Reader.whole`."""
        if len(line) > 80 or "?" in line:
            return None
        bare = _bare(_LIST_MARK.sub("", line))
        label = self.labels.resolve(bare)
        return None if label is None else Reading(label, len(line), spelling=bare)

    def at(self, text: str, position: int, *, strict: bool) -> Reading[str] | None:  # noqa: ARG002  a label is no common word
        """See `reading.Reader.at`."""
        match = self._label.match(text, position)
        if match is None or _QUESTION.match(text, match.end()) or negation.idiom(text, position):
            return None
        label = self.labels.resolve(match[0])
        if label is None:
            return None
        end = match.end()
        together = _TOGETHER.match(text, end)
        other = self._label.match(text, together.end()) if together else None
        while together and other:
            if self.labels.resolve(other[0]) != label:
                return Reading(None, other.end(), Rule.SEVERAL_LABELS, spelling=text[position : other.end()])
            end = other.end()
            together = _TOGETHER.match(text, end)
            other = self._label.match(text, together.end()) if together else None
        return Reading(label, end, spelling=match[0])

    def scalar(self, _value: Any, /) -> Reading[str] | None:
        """A number or truth value is no label."""
        return None

    def leading(self, _text: str, /) -> Reading[str] | None:
        """Labels have no such rule."""
        return None

    def mentioned(self, text: str) -> bool:
        """See `reading.Reader.mentioned`."""
        return self._label.search(text) is not None

    def clause(self, line: str) -> Reading[str]:
        """See `reading.Reader.clause`."""
        mentions = self._mentions(line, [])
        named = {mention.label for mention in mentions}
        if len(named) > 1:
            return Reading(None, len(line), Rule.SEVERAL_LABELS, spelling=line)
        if not named:
            return Reading(None, len(line), Rule.OUTSIDE_SET, spelling=line)
        if _JOIN_BEFORE.search(line[: mentions[0].start]):
            # "upset and sad": two answers, and one of them is of no set
            return Reading(None, len(line), Rule.SEVERAL_LABELS, spelling=line)
        return Reading(named.pop(), len(line), spelling=line)

    def prose(self, text: str, quoted: list[tuple[int, int]], /) -> Reply[str] | None:
        """See `reading.Reader.prose`: the one label that occurs."""
        mentions = self._mentions(text, quoted)
        named = {mention.label for mention in mentions}
        if len(named) == 1:
            return answered(named.pop(), Rule.SINGLE_LABEL)
        if named:
            return unanswered(Rule.SEVERAL_LABELS, " / ".join(sorted(named)))
        if self._label.search(text):
            return unanswered(Rule.NEGATED, "labels occur only denied, asked for or quoted")
        return None

    def _mentions(self, text: str, quoted: list[tuple[int, int]]) -> list[_Mention]:
        """Where labels occur and are meant."""
        meant: list[_Mention] = []
        before: tuple[int, bool] | None = None  # end of the last label, and whether it was denied
        spans = iter(quoted)
        span = next(spans, None)
        for match in self._label.finditer(text):
            start, end = match.span()
            while span and span[1] <= start:
                span = next(spans, None)
            denied = negation.denied(text, start)
            if before and before[1] and negation.joined(text, before[0], start):
                denied = True
            before = (end, denied)
            # a quotation that holds more than the label is of the dialogue
            told = span is not None and span[0] <= start and len(_bare(text[span[0] : span[1]])) > end - start + 2
            label = self.labels.resolve(match[0])
            if denied or told or label is None or _ASKED.match(text, end) or negation.idiom(text, start):
                continue
            meant.append(_Mention(start, end, label))
        return meant

    def speaks(self, language: str, label: str, text: str) -> bool:
        """Whether a label is spelled in a language somewhere in a text."""
        return any(
            (_HAN.search(match[0]) is not None) == (language == "zh")
            for match in self._label.finditer(plain(text))
            if self.labels.resolve(match[0]) == label
        )


def _bare(text: str) -> str:
    """A text without marks and symbols at its ends."""
    text = text.strip(_EDGES)
    while text and not text[0].isalnum() and ord(text[0]) > 0x2000:
        text = text[1:].strip(_EDGES)
    while text and not text[-1].isalnum() and ord(text[-1]) > 0x2000:
        text = text[:-1].strip(_EDGES)
    return text


def _pattern(spellings: set[str]) -> str:
    """One expression for all spellings: Latin ones as whole words, longest first."""
    latin, han = [], []
    for spelling in sorted(spellings, key=len, reverse=True):
        words = re.split(r"[\s_-]+", spelling.strip())
        body = r"[\s_-]{1,3}".join(re.escape(word) for word in words)
        if _HAN.match(spelling):
            guard = "" if spelling.startswith(("其他", "其它")) else "(?<!其他)(?<!其它)"
            han.append(guard + body)
        else:
            latin.append(body)
    groups = []
    if latin:
        first = "".join(sorted({re.escape(body[0]) for body in latin}))
        groups.append(
            rf"(?=[{first}])(?<![{_LATIN}])(?<![{_LATIN}]-)(?:{'|'.join(latin)})(?![{_LATIN}])(?!-[{_LATIN}])"
        )
    if han:
        first = "".join(sorted({spelling[0] for spelling in spellings if _HAN.match(spelling)}))
        groups.append(f"(?=[{first}])(?:{'|'.join(han)})")
    return "|".join(groups)
