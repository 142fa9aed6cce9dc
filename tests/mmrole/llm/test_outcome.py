from __future__ import annotations

import pytest

from mmrole.core.canonical import to_json
from mmrole.llm.outcome import ChatReply, ErrorKind, Outcome, Usage


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (ChatReply(text="happy", finish_reason="stop"), Outcome.STOP),
        (ChatReply(text="happy"), Outcome.STOP),
        (ChatReply(text=None, finish_reason="stop"), Outcome.EMPTY),
        (ChatReply(text=" \n", finish_reason="stop"), Outcome.EMPTY),
        (ChatReply(text="happ", finish_reason="length"), Outcome.LENGTH),
        (ChatReply(text=None, finish_reason="length"), Outcome.LENGTH),
        (ChatReply(text=None, finish_reason="content_filter"), Outcome.CONTENT_FILTER),
        (ChatReply(text=None, finish_reason="tool_calls"), Outcome.TOOL_CALLS),
        (ChatReply(text=None, finish_reason="stop", refusal="I can't."), Outcome.REFUSAL),
        (ChatReply(text="happy", finish_reason="stop", refusal="I can't."), Outcome.REFUSAL),
        (ChatReply(error=ErrorKind.TIMEOUT), Outcome.ERROR),
        (ChatReply(error=ErrorKind.EMPTY), Outcome.EMPTY),
    ],
)
def test_each_reply_has_one_outcome(reply, outcome):
    assert reply.outcome is outcome


def test_a_stored_reply_comes_back():
    reply = ChatReply(text="高兴", finish_reason="stop", model="m", usage=Usage(prompt_tokens=3, completion_tokens=1))
    assert ChatReply.from_record(reply.to_record()) == reply
    assert ChatReply.from_record(ChatReply(refusal="no").to_record()) == ChatReply(refusal="no")


def test_what_it_took_to_get_a_reply_is_not_stored_with_it():
    assert "attempts" not in to_json(ChatReply(text="a", attempts=3, spent=Usage(prompt_tokens=9)).to_record())


def test_usage_adds_up():
    total = Usage(prompt_tokens=1, completion_tokens=2) + Usage(prompt_tokens=10, completion_tokens=20)
    assert total == Usage(prompt_tokens=11, completion_tokens=22)
