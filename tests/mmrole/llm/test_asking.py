from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from mmrole.core.errors import QuotaError
from mmrole.llm import BatchItem, ChatReply, ErrorKind, Price, Repair, ReplyCache, ScriptedModel, Usage
from mmrole.llm.asking import Asker
from mmrole.llm.cost import Budget
from mmrole.llm.items import HALFWAY

USED = Usage(prompt_tokens=100, completion_tokens=10)


@dataclass(frozen=True)
class Found:
    status: str
    value: object = None
    rule: str | None = "test"
    detail: str = ""
    notes: tuple[str, ...] = ()


def one_word(_item, reply):
    """A parser: one word is the answer, more than one is unparsed."""
    words = reply.text.split()
    return Found("ok", words[0]) if len(words) == 1 else Found("unparsed", detail="more than a word", notes=("long",))


def said(text, **more):
    return ChatReply(text=text, finish_reason="stop", usage=USED, spent=USED, **more)


DEAR = Price(input_per_million=1e6, output_per_million=0)  # one unit of money per prompt token


def asked(script, request_of, *, before=None, parse=one_word, repair=None, cache=None, kept=None, price=DEAR):
    async def run():
        model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
        asker = Asker(model, parse=parse, repair=repair, cache=cache, budget=Budget(None, None), price=price)
        item = BatchItem(item_id="u1", request=request_of("x"), fields={"utterance_id": "u1"})
        keep = None if kept is None else kept.append
        return await asker.record(item, 0, asker.request_hash(item, 0), before, keep=keep), asker

    return asyncio.run(run())


def test_a_record_holds_what_was_found_and_what_was_said(request_of):
    record, _ = asked([said("happy")], request_of)
    assert len(record.pop("request")) == 64
    assert record == {
        "utterance_id": "u1", "key": "u1#0", "item": "u1", "round": 0,
        "status": "ok", "reason": None, "value": "happy", "rule": "test", "notes": [],
        "replies": [{"text": "happy", "finish_reason": "stop", "refusal": None, "model": None,
                     "usage": {"prompt_tokens": 100, "completion_tokens": 10}}],
        "spent": {"calls": 1, "prompt_tokens": 100, "completion_tokens": 10, "unmetered": 0, "cost": 100.0},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        (ChatReply(text="happ", finish_reason="length"), "truncated", "length"),
        (
            ChatReply(finish_reason="content_filter", detail="HTTP status 400"),
            "refusal",
            "content_filter: HTTP status 400",
        ),
        (ChatReply(refusal="I can't"), "refusal", "refusal"),
        (ChatReply(finish_reason="tool_calls"), "unparsed", "tool_calls"),
        (ChatReply(text=" "), "error", "empty"),
        (ChatReply(error=ErrorKind.EMPTY, detail="nothing"), "error", "empty: nothing"),
        (ChatReply(error=ErrorKind.TIMEOUT, detail="too slow"), "error", "timeout: too slow"),
    ],
)
def test_what_is_no_whole_reply_never_reaches_the_parser(request_of, reply, status, reason):
    def never(_item, _reply):
        raise AssertionError

    record, _ = asked([reply], request_of, parse=never, repair=Repair())
    assert (record["status"], record["reason"], record["value"], record["rule"]) == (status, reason, None, None)


def test_without_a_parser_the_text_is_the_value(request_of):
    record, _ = asked([said("a b c")], request_of, parse=None, repair=Repair())
    assert (record["status"], record["value"]) == ("ok", "a b c")


def test_one_repair_request_follows_a_reply_that_cannot_be_read(request_of):
    model = ScriptedModel([said("well, happy"), said("happy")])
    record, asker = asked(model, request_of, repair=Repair(english="Again."))
    assert (record["status"], record["value"]) == ("ok", "happy")
    assert [reply["text"] for reply in record["replies"]] == ["well, happy", "happy"]
    assert [message.text for message in model.requests[1].messages] == ["x", "well, happy", "Again."]
    assert (record["spent"]["calls"], record["spent"]["cost"]) == (2, 200.0)
    assert asker.spent.calls == 2


def test_there_is_no_second_repair_request(request_of):
    model = ScriptedModel([said("well, happy"), said("still too long")])
    record, _ = asked(model, request_of, repair=Repair())
    assert (record["status"], record["value"], record["reason"], record["notes"]) == (
        "unparsed", None, "more than a word", ["long"],
    )  # fmt: skip
    assert model.calls == 2


@pytest.mark.parametrize("status", ["ambiguous", "refusal", "truncated"])
def test_only_a_format_failure_is_repaired(request_of, status):
    model = ScriptedModel([said("x")])
    record, _ = asked(model, request_of, parse=lambda *_: Found(status), repair=Repair())
    assert (record["status"], model.calls) == (status, 1)


def test_the_first_reply_is_kept_before_the_repair_request_and_not_asked_for_again(request_of):
    kept = []
    broken = ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
    record, _ = asked([said("well, happy"), broken], request_of, repair=Repair(), kept=kept)
    assert (kept[0]["status"], kept[0]["reason"]) == ("error", HALFWAY)
    assert (record["status"], record["reason"]) == ("error", "server_error: down")
    for before in (kept[0], record):
        assert [reply["text"] for reply in before["replies"]] == ["well, happy"]
        model = ScriptedModel([said("happy")])
        again, _ = asked(model, request_of, before=before, repair=Repair())
        assert (again["status"], again["value"], model.calls) == ("ok", "happy", 1)
        assert [reply["text"] for reply in again["replies"]] == ["well, happy", "happy"]
        assert again["spent"]["calls"] == before["spent"]["calls"] + 1


def test_another_request_does_not_inherit_a_first_reply(request_of):
    kept = []
    asked([said("well, happy"), said("happy")], request_of, repair=Repair(), kept=kept)
    model = ScriptedModel([said("glad")])
    record, _ = asked(model, request_of, before=kept[0], repair=Repair(english="Another wording."))
    assert (record["value"], model.calls) == ("glad", 1)


def test_a_reply_is_kept_when_the_account_runs_empty_before_its_repair(request_of):
    record, _ = asked([said("well, happy"), QuotaError("nothing left")], request_of, repair=Repair())
    assert (record["status"], record["reason"]) == ("error", "repair: nothing left")
    assert len(record["replies"]) == 1


def test_spending_goes_on_over_failures(request_of):
    failed, _ = asked([ChatReply(error=ErrorKind.EMPTY, detail="x", spent=USED)], request_of)
    assert (failed["status"], failed["spent"]["cost"]) == ("error", 100.0)
    record, asker = asked([said("happy")], request_of, before=failed)
    assert (record["spent"]["calls"], record["spent"]["cost"]) == (2, 200.0)
    assert asker.spent.cost == 100.0  # this run's own


def test_tokens_that_were_not_told_have_no_cost(request_of):
    record, _ = asked([ChatReply(text="happy", finish_reason="stop")], request_of)
    assert (record["spent"]["unmetered"], record["spent"]["cost"]) == (1, None)
    record, _ = asked([said("happy")], request_of, price=None)
    assert (record["spent"]["prompt_tokens"], record["spent"]["cost"]) == (100, None)


def test_a_reply_from_the_cache_costs_nothing(request_of, tmp_path):
    cache = ReplyCache(tmp_path)
    asked([said("happy")], request_of, cache=cache)
    model = ScriptedModel([])
    record, _ = asked(model, request_of, cache=cache)
    assert (record["value"], record["spent"]["calls"], model.calls) == ("happy", 0, 0)


def test_a_reply_that_cannot_be_read_is_not_in_the_cache(request_of, tmp_path):
    cache = ReplyCache(tmp_path)
    asked([said("well, happy"), said("happy")], request_of, cache=cache, repair=Repair())
    assert cache.stats().replies == 1  # the repaired one


def test_a_parser_that_breaks_costs_its_item_and_keeps_the_reply(request_of):
    def broken(_item, _reply):
        raise KeyError("label")

    record, _ = asked([said("happy")], request_of, parse=broken)
    assert (record["status"], record["reason"]) == ("error", "internal: the parser failed: KeyError: 'label'")
    assert record["replies"][0]["text"] == "happy"
    model = ScriptedModel([])
    again, _ = asked(model, request_of, before=record)  # with the parser mended, nothing has to be asked again
    assert (again["value"], model.calls) == ("happy", 0)


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_a_value_that_cannot_be_stored_costs_its_item(request_of, value):
    record, _ = asked([said("happy")], request_of, parse=lambda *_: Found("ok", value))
    assert (record["status"], record["value"]) == ("error", None)


def test_a_value_may_be_a_pydantic_model(request_of):
    class Verdict(BaseModel):
        score: int

    record, _ = asked([said("happy")], request_of, parse=lambda *_: Found("ok", Verdict(score=3)))
    assert record["value"] == {"score": 3}


def test_a_bug_in_a_model_costs_its_item(request_of):
    record, _ = asked([ZeroDivisionError("oops")], request_of)
    assert (record["status"], record["reason"]) == ("error", "internal: ZeroDivisionError: oops")
