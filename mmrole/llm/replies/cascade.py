"""The cascade that labels, letters and numbers share.

These are asked in order, until one of them decides:

1. The reply is the answer and nothing else.
2. Places where answers are announced: declared fields of JSON objects, tags, ``Answer: B``, "the answer is B". **The last one
   that can be read counts**, wherever the others stand, since models correct themselves. What is quoted (quotation marks, lines
   that begin with ``>``) announces nothing. A caller that shows a model foreign text puts it between delimiters of its own and
   never asks for it to be repeated: what a model writes outside of quotation marks after its verdict is its verdict.
3. The first or the last line is the answer, and no other line is one.
4. Sentences without an anchor that leave one reading: ``B) because ...``, "B fits best".
5. A refusal.
6. For labels: one label of the set occurs, not negated.

A place that names two answers ("A or B") is ambiguous; nothing later in the list overrules it. A declared field that holds
something else than an answer ends the search before step 6: a label mentioned beside it is not the answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, cast

from mmrole.llm.replies.anchors import Anchor, find_anchors
from mmrole.llm.replies.fields import INNER_FIELDS, declared
from mmrole.llm.replies.folding import PLACE, mask, plain, quoted_spans, unquoted
from mmrole.llm.replies.objects import Found, scan_objects
from mmrole.llm.replies.reading import Reader, Reading
from mmrole.llm.replies.refusals import declined
from mmrole.llm.replies.reply import Note, Reply, Rule, answered, unanswered

T = TypeVar("T")

_FILLER: Final = re.compile(
    r"(?:clearly|definitely|certainly|probably|likely|most likely|mostly|mainly|primarily|predominantly|obviously|therefore|thus"
    r"|simply|just|still|indeed|of course|actually|now|really|best described as|one of|that of|as|to be|to|a|an|the|option"
    r"|answer|choice|letter|number|about|around|approximately|roughly|exactly|label|score of|rating of|emotion of|feeling of"
    r"|in favou?r of|both|either|between|with|on|for|is|it is|it's|that|likely to be|my|final|overall|score|rating)(?![A-Za-z])[ :]{0,2}"
    r"|选项|選項|应该|應該|应|可能|大概|大约|约|明显|主要|一种|更|比较|还是|就是|是|为|為|属于|了|我会?|选择?|選擇?|的|第|评分|分数|给|打"
    r"|(?:[\"'(\[{#:]|<(?!\s?\d))\s?",
    re.IGNORECASE,
)
_BUT: Final = re.compile(
    r"[^\n.;!?。；！？]{0,60}?(?:(?<![A-Za-z])(?:but|rather|instead)(?: rather| instead)?(?: it is| is)?(?![A-Za-z])"
    r"|而是|却是|应该?是|改?选|,是)\s?",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"(?:not(?! only| just| merely)|never|neither|no|nothing but)(?![A-Za-z])|(?:并不是|不是|并非|不(?!仅|只|但))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Candidate(Generic[T]):
    position: int
    reading: Reading[T]
    rule: Rule
    weak: bool = False
    lenient: bool = False
    modifier: str = ""
    final: bool = False


def read_reply(reader: Reader[T], text: str) -> Reply[T]:
    """Reads one answer out of a reply that passed the gate."""
    first = plain(text)
    if (whole := reader.whole(unquoted(first))) is not None:
        return _outcome(whole, Rule.WHOLE_REPLY)
    found: list[Found] = []
    if "{" in text or "｛" in text:
        scan = scan_objects(text)
        if scan.cut:
            return unanswered(Rule.UNCLOSED_JSON, "an object is not closed")
        if scan.tangled:
            return unanswered(Rule.TOO_TANGLED, "brackets that cannot be told apart")
        found = scan.found
        first = plain(mask(text, [(each.start, each.end) for each in found])) if found else first
    return _read_plain(reader, unquoted(first), found)


def _read_plain(reader: Reader[T], text: str, found: list[Found], *, inner: bool = False) -> Reply[T]:
    quoted = quoted_spans(text)
    candidates = [*_from_objects(reader, text, found), *_from_anchors(reader, text, quoted)]
    candidates.sort(key=lambda candidate: candidate.position)
    read = [candidate for candidate in candidates if candidate.reading.problem is not Rule.OUTSIDE_SET]
    read = [candidate for candidate in read if not candidate.weak] or read
    prose = text.replace(PLACE, "").strip()
    if read:
        last = _verdict(read) if reader.many_sided else read[-1]
        notes: tuple[Note, ...] = ()
        if any(c.reading.value != last.reading.value for c in read if c.reading.problem is None):
            notes = (Note.MULTIPLE,)
        if last.lenient:
            notes = (*notes, Note.LENIENT_JSON)
        if prose and not inner and declined(prose):
            notes = (*notes, Note.REFUSAL_PHRASE)
        return _outcome(last.reading, last.rule, notes)
    for reading, rule in ((_own_line(reader, text), Rule.OWN_LINE), (reader.leading(text), Rule.LEADING_LETTER)):
        if reading is not None:
            return _outcome(reading, rule)
    if refusal := declined(prose):
        return unanswered(refusal, "the model declined")
    if candidates:
        return unanswered(Rule.OUTSIDE_SET, candidates[-1].reading.spelling[:80])
    if found and not any(character.isalnum() for character in prose):
        return unanswered(Rule.FIELD_MISSING, "no declared field")
    return reader.prose(text, quoted) or unanswered(Rule.NO_ANSWER, "no answer found")


def _verdict(read: list[_Candidate[T]]) -> _Candidate[T]:
    """The candidate that counts where a reply may score several sides: the overall one, else the last, unless sides differ."""
    final = [candidate for candidate in read if candidate.final]
    sides = {candidate.modifier: candidate.reading.value for candidate in read if candidate.modifier}
    if final or not read[-1].modifier or len(set(sides.values())) < 2:
        return (final or read)[-1]
    return replace(read[-1], reading=Reading(None, 0, Rule.SEVERAL_ANSWERS, spelling=" / ".join(sides)))


def _outcome(reading: Reading[T], rule: Rule, notes: tuple[Note, ...] = ()) -> Reply[T]:
    if reading.problem is not None:
        return unanswered(reading.problem, reading.spelling[:80], notes)
    return answered(cast(T, reading.value), reading.rule or rule, notes)  # without a problem there is a value


# ---- declared fields ----


def _from_objects(reader: Reader[T], text: str, found: list[Found]) -> Iterator[_Candidate[T]]:
    position = -1
    for each in found:
        position = text.find(PLACE, position + 1)
        hit = declared(each.value, reader.fields, reader.own_fields)
        if hit is None:
            continue
        reading = _agreed([_item(reader, value) for value in hit.values])
        if hit.repeated:
            reading = Reading(None, 0, Rule.REPEATED_KEY)
        yield _Candidate(position, reading, Rule.JSON_FIELD, lenient=each.lenient)


def _agreed(readings: list[Reading[T]]) -> Reading[T]:
    """What several fields, or the items of a list, say together."""
    valid = [reading for reading in readings if reading.problem is None]
    if not valid:
        return readings[-1] if readings else Reading(None, 0, Rule.OUTSIDE_SET)
    if any(reading.value != valid[0].value for reading in valid):
        return Reading(None, 0, Rule.SEVERAL_ANSWERS, spelling=" / ".join(reading.spelling for reading in valid))
    return valid[-1]


def _item(reader: Reader[T], value: Any, depth: int = 0) -> Reading[T]:
    """The answer in the value of a declared field."""
    nothing: Reading[T] = Reading(
        None, 0, Rule.OUTSIDE_SET, spelling=str(value)[:80] if not isinstance(value, float) else ""
    )
    if isinstance(value, str):
        return _in_text(reader, plain(value)) or nothing
    if isinstance(value, list) and value and depth < 3:
        return _agreed([_item(reader, each, depth + 1) for each in value])
    if isinstance(value, dict) and depth < 3:
        hit = declared(value, reader.fields | INNER_FIELDS, reader.own_fields)
        if hit is None or hit.repeated:
            return Reading(None, 0, Rule.REPEATED_KEY) if hit else nothing
        return _agreed([_item(reader, each, depth + 1) for each in hit.values])
    return reader.scalar(value) or nothing


def _in_text(reader: Reader[T], text: str) -> Reading[T] | None:
    if (whole := reader.whole(unquoted(text))) is not None:
        return Reading(whole.value, whole.end, whole.problem, None, whole.spelling)
    if (opening := reader.at(text, 0, strict=True)) is not None:
        return opening
    reply = _read_plain(reader, text, [], inner=True)
    if reply.rule in (Rule.NO_ANSWER, Rule.OUTSIDE_SET):
        return None
    if reply.ok:
        return Reading(reply.value, 0, None, None, text)
    return Reading(None, 0, reply.rule, None, text)


# ---- anchors ----


def _from_anchors(reader: Reader[T], text: str, quoted: list[tuple[int, int]]) -> Iterator[_Candidate[T]]:
    taken = -1
    for anchor in find_anchors(text, reader.anchors):
        if anchor.start < taken:
            continue  # inside an answer that was read: "the answer is option B"
        gap = text[anchor.gap[0] : anchor.gap[1]]
        if gap and reader.mentioned(_ASIDE.sub("", gap)):
            continue
        if _inside(quoted, anchor.start, anchor.value):
            continue
        reading = _after(reader, text, anchor)
        if reading is None:
            field = text[anchor.start] == "<" if anchor.tag else anchor.explicit and _opens_line(text, anchor.start)
            if field and not (anchor.alone or anchor.denied):
                yield _Candidate(anchor.value, reader.clause(_clause(text, anchor.value)), Rule.ANCHORED, weak=True)
            continue
        taken = reading.end
        rule = Rule.TAG if anchor.tag else Rule.ANCHORED if anchor.explicit else Rule.STATED
        yield _Candidate(anchor.value, reading, rule, modifier=anchor.modifier, final=anchor.final)


_ASIDE: Final = re.compile(r"\([^()\n]{0,80}\)")


def _inside(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a place lies within one of the spans, anchor and answer both."""
    before = bisect_right(spans, (start, end)) - 1
    return before >= 0 and spans[before][0] <= start and end < spans[before][1]


def _opens_line(text: str, position: int) -> bool:
    """Whether at most three words stand before a position on its line."""
    return len(text[max(0, position - 60) : position].split("\n")[-1].split()) <= 3


def _line(text: str, position: int) -> str:
    """The rest of a line, as far as an answer may reach."""
    return text[position : position + 300].split("\n", 1)[0]


def _after(reader: Reader[T], text: str, anchor: Anchor) -> Reading[T] | None:
    if anchor.alone:
        return reader.whole(_line(text, anchor.value)) or reader.whole(_clause(text, anchor.value))
    if anchor.denied:
        return _contrast(reader, text, anchor.value)
    return _seek(reader, text, anchor.value, strict=not anchor.explicit)


def _seek(reader: Reader[T], text: str, position: int, *, strict: bool, turns: int = 3) -> Reading[T] | None:
    """The answer at a position, over the small words that may stand before it."""
    if text.startswith(("\n", " \n"), position):
        position = text.index("\n", position) + 1
        strict = True
    for _ in range(6):
        if text.startswith(" ", position):
            position += 1
        if (reading := reader.at(text, position, strict=strict)) is not None:
            return reading
        if denial := _NOT.match(text, position):
            return _contrast(reader, text, denial.end(), turns - 1) if turns else None
        filler = _FILLER.match(text, position)
        if filler is None:
            return None
        position = filler.end()
    return None


def _contrast(reader: Reader[T], text: str, position: int, turns: int = 3) -> Reading[T] | None:
    """The answer in "not A but B"; None where only A is denied."""
    but = _BUT.match(text, position)
    return _seek(reader, text, but.end(), strict=True, turns=turns) if but else None


# ---- lines ----

_CLAUSE_END: Final = re.compile(r"[.;!?](?=\s|\Z)|[。；！？<]")


def _clause(text: str, position: int) -> str:
    """The rest of a sentence."""
    return _CLAUSE_END.split(_line(text, position).strip())[0]


_LIST_MARK: Final = re.compile(r"(?:[-•·+>]|\d{1,2}[.)])\s")


def _own_line(reader: Reader[T], text: str) -> Reading[T] | None:
    lines = [line for line in text.split("\n") if line != PLACE]
    if len(lines) < 2:
        return None
    readings = [reader.whole(line) if len(line) < 400 else None for line in lines]
    valid = [reading for reading in readings if reading is not None]
    if not valid:
        return None
    if any(reading.value != valid[0].value or reading.problem for reading in valid):
        return Reading(None, 0, Rule.SEVERAL_ANSWERS, spelling=" / ".join(r.spelling for r in valid[:4]))
    if readings[0] is None and readings[-1] is None:
        return None
    return valid[0]
