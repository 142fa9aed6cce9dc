"""CharMap, first step: a model picks the segments of a description that bear on a decision. One call per item and description.

LIFECHOICE (arXiv 2404.12138): the segments, and not the question, are what the memory is looked up with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict, StrictStr

from mmrole.core.canonical import content_key
from mmrole.core.languages import Language
from mmrole.llm import BatchItem, ChatReply
from mmrole.llm.items import OK
from mmrole.llm.replies import Reply, parse_json
from mmrole.llm.replies.folding import folded
from textbench.lifechoice.rounds import Answer, call_of
from textbench.lifechoice.summaries import prompt
from textbench.retrieval import tokens

MOST_SEGMENTS: Final = 8
ENOUGH: Final = 0.8
"""A segment is one of the description when so much of its words stand there."""
_BLANK: Final = re.compile(r"\s+")


class _Segments(BaseModel):
    model_config = ConfigDict(extra="ignore")

    segments: list[StrictStr]


@dataclass(frozen=True, kw_only=True)
class Segments:
    """What the step gave.

    Attributes:
        texts: segments, the most important first; empty where the question has to be used instead
        reason: why there are none: ``none_given``, ``not_in_description``, or the status of the reply; None where there are some
        dropped: how many were left out because they are not in the description
        again: whether the next run asks again; then there is nothing to go on with
    """

    texts: tuple[str, ...]
    reason: str | None = None
    dropped: int = 0
    again: bool = False


def segments_call(*, name: str, language: Language, description: str, scenario: str, question: str) -> BatchItem:
    """The one call of the step."""
    template = prompt("segments", language)
    mark = f"text-{content_key(description=description, scenario=scenario, question=question)[:8]}"
    text = template.fill(
        name=name,
        description=description.strip(),
        scenario=scenario,
        question=question,
        mark=mark,
        most=str(MOST_SEGMENTS),
    )
    return call_of("segments", text, template)


def read_segments(_call: BatchItem, reply: ChatReply) -> Reply[list[str]]:
    """Reads the reply; see `mmrole.llm.items.Parse`."""
    found = parse_json(reply.text, _Segments, finish_reason=reply.finish_reason)
    value = None if found.value is None else [text.strip() for text in found.value.segments if text.strip()]
    return Reply(
        status=found.status, value=value, rule=found.rule, raw=found.raw, notes=found.notes, detail=found.detail
    )


def segments_of(answer: Answer, description: str) -> Segments:
    """The segments that are of the description, in their order, none twice.

    Args:
        answer: to the call
        description: that the model was shown
    """
    if answer.status != OK:
        return Segments(texts=(), reason=answer.status, again=answer.again)
    given: Sequence[str] = list(dict.fromkeys(answer.value))[:MOST_SEGMENTS]
    if not given:
        return Segments(texts=(), reason="none_given")
    whole, words = _flat(description), set(tokens(description))
    kept = tuple(text for text in given if _is_of(text, whole, words))
    return Segments(texts=kept, reason=None if kept else "not_in_description", dropped=len(given) - len(kept))


def _is_of(segment: str, whole: str, words: set[str]) -> bool:
    if _flat(segment) in whole:
        return True
    own = tokens(segment)
    return bool(own) and sum(word in words for word in own) >= ENOUGH * len(own)


def _flat(text: str) -> str:
    return _BLANK.sub(" ", folded(text)).strip()
