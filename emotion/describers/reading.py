"""Reads the description out of a model's reply, and says of everything else what it is."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from mmrole.core.languages import Language
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.folding import plain
from mmrole.llm.replies.refusals import declined

LONGEST: Final = {"en": 900, "zh": 400}
"""Characters of one or two sentences with much to spare (ours): 60 English words are about 350. Longer is no description but a
report, or a loop."""
LETTERS: Final = 0.5
"""So large a share of the visible characters has to be letters (ours)."""
FEWEST_LETTERS: Final = 2
LOOP: Final = 8
"""A piece that is said so often in a row is no language."""

_FIRST_SENTENCE: Final = re.compile(r"[^.!?。！？\n]*")
_LOOP: Final = re.compile(rf"(.{{1,40}}?)\1{{{LOOP - 1},}}", re.DOTALL)
_HAN: Final = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")


class _Answer(BaseModel):
    description: str


@dataclass(frozen=True, kw_only=True)
class DescriptionReply:
    """What was found in a reply.

    Attributes:
        status: ok, ambiguous, unparsed, refusal or truncated
        value: the description; None unless the status is ok
        rule: what decided: a rule of `mmrole.llm.replies`, or empty, too_long, not_language
        notes: what else was noticed; language_mismatch where it is written in another language than the one asked for
        detail: what was wrong, in a few words
    """

    status: str
    value: str | None
    rule: str
    notes: tuple[str, ...] = ()
    detail: str = ""


def read_description(text: str | None, language: Language, finish_reason: str | None = "stop") -> DescriptionReply:
    """Reads a description.

    Args:
        text: content of the reply
        language: that was asked for
        finish_reason: as the endpoint said it

    >>> read_description('{"description": "She smiles."}', "en").value
    'She smiles.'
    >>> read_description('{"description": "..."}', "en").rule
    'not_language'
    """
    reply = parse_json(text, _Answer, finish_reason)
    notes = tuple(map(str, reply.notes))
    if reply.value is None:
        return DescriptionReply(
            status=str(reply.status), value=None, rule=str(reply.rule), notes=notes, detail=reply.detail
        )
    said = " ".join(reply.value.description.split())
    flaw = _flaw(said, language)
    if flaw is not None:
        rule, detail = flaw
        return DescriptionReply(status="unparsed", value=None, rule=rule, notes=notes, detail=detail)
    first = _FIRST_SENTENCE.match(said)
    refusal = declined(plain(first[0] if first else said))
    if refusal is not None:
        return DescriptionReply(
            status="refusal", value=None, rule=str(refusal), notes=notes, detail="the model declined"
        )
    if bool(_HAN.search(said)) != (language == "zh"):
        notes = (*notes, "language_mismatch")
    return DescriptionReply(status="ok", value=said, rule=str(reply.rule), notes=notes)


def _flaw(said: str, language: Language) -> tuple[str, str] | None:
    """Why a text is no description: a rule and a few words."""
    if not said:
        return "empty", "the description is empty"
    loop = _LOOP.search(said)
    if loop is not None:
        return "not_language", f"{loop[1][:20]!r} again and again"
    if len(said) > LONGEST[language]:
        return "too_long", f"{len(said):,} characters; one or two sentences were asked for"
    visible = [character for character in said if not character.isspace()]
    letters = sum(unicodedata.category(character).startswith(("L", "M")) for character in visible)
    if letters < FEWEST_LETTERS or letters < LETTERS * len(visible):
        return "not_language", f"{letters} letters in {len(visible)} characters"
    return None


def parse_of(language: Language) -> Any:
    """The parser for `mmrole.llm.run_batch`."""
    return lambda _item, reply: read_description(reply.text, language, reply.finish_reason)
