"""Reads a judge's reply.

The reply carries the code of its request, which no text that it was shown can know: an object that the judge merely repeats from
the response is never taken for its verdict. A reply without any code counts as long as there is only one object in it that fits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from mmrole.llm import BatchItem, ChatReply
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.reply import Note, Reply, Rule, unanswered


def _no_truth_value(given: object) -> object:
    if isinstance(given, bool):
        raise ValueError("a truth value is no number")
    return given


class Piece(BaseModel):
    """A piece of evidence as a judge gives it.

    Attributes:
        quote: copied from the response or the material
        strength: 0 nothing, 1 weak, 2 clear
        reason: why it is evidence
    """

    quote: str
    strength: Annotated[int, BeforeValidator(_no_truth_value), Field(ge=0, le=2)]
    reason: str | None = None


class _Coded(BaseModel):
    code: str | None = None


class EvidenceReply(_Coded):
    """Evidence of both sides.

    Attributes:
        supporting: evidence for
        contradicting: evidence against
    """

    supporting: list[Piece]
    contradicting: list[Piece]


class SubjectiveReply(_Coded):
    """A judge's own score.

    Attributes:
        explanation: of the rating
        rating: from 1 to 5
    """

    explanation: str
    rating: Annotated[int, BeforeValidator(_no_truth_value), Field(ge=1, le=5)]


_SCHEMAS: Final[dict[str, type[_Coded]]] = {"evidence": EvidenceReply, "subjective": SubjectiveReply}


def read_reply(call: BatchItem, reply: ChatReply) -> Reply[Any]:
    """Reads a reply to a request of `emotion.judging.requests.judge_item`.

    Returns:
        ``value`` an `EvidenceReply` or a `SubjectiveReply`; ``ambiguous`` where several objects fit and none has the code
    """
    schema, code = _SCHEMAS[call.fields["method"]], call.fields["code"]
    with_code = parse_json(reply.text, _bound(schema, code), reply.finish_reason)
    if with_code.ok:
        return with_code
    without = parse_json(reply.text, _bound(schema, None), reply.finish_reason)
    if without.ok and Note.MULTIPLE in without.notes:
        several: Reply[Any] = unanswered(Rule.SEVERAL_ANSWERS, "several verdicts, none of them with the code")
        return replace(several, raw=reply.text)
    return without


def _bound(schema: type[_Coded], code: str | None) -> Any:
    """The schema of replies that have this very code, None for those that have none."""

    def checked(instance: _Coded) -> _Coded:
        given = None if instance.code is None else instance.code.strip().lower()
        if given != code:
            raise ValueError("the code is missing" if given is None else "the code is another one than in the request")
        return instance

    return Annotated[schema, AfterValidator(checked)]
