"""Reads the answer of an agent."""

from __future__ import annotations

from pydantic import BaseModel, Field

from emotion.response_records import UtteranceForm
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.reply import Reply


class AnswerForm(BaseModel):
    """The form of an answer."""

    utterances: list[UtteranceForm] = Field(min_length=1)


def read_answer(text: str | None, finish_reason: str | None = "stop") -> Reply[AnswerForm]:
    """Reads the utterances of a reply: one or more, each with a text that is not blank; other parts may be missing.

    Args:
        text: the reply
        finish_reason: as the endpoint said it

    Returns:
        ``ok`` only when all utterances could be read; a part of an answer is never taken for the whole

    >>> read_answer('{"utterances": [{"text": "Hello!", "face": "smiles", "body": "", "speech": null}]}').value
    AnswerForm(utterances=[UtteranceForm(text='Hello!', face='smiles', body=None, speech=None)])
    >>> read_answer('{"utterances": []}').detail
    'utterances: List should have at least 1 item after validation, not 0'
    """
    return parse_json(text, AnswerForm, finish_reason)
