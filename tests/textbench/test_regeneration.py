import re
from collections import Counter

import pytest

from mmrole.llm import (
    BatchItem,
    ChatReply,
    ChatRequest,
    ErrorKind,
    Parameters,
    Price,
    Prices,
    ReplyCache,
    ScriptedModel,
    Usage,
    batch_journal,
    user,
)
from mmrole.llm.replies import parse_json
from mmrole.llm.stage import Asking
from textbench.regeneration import ask_until_read, attempts_of, estimate_repeated


def calls(count=3):
    return [
        BatchItem(
            item_id=f"call {n}",
            request=ChatRequest(messages=(user(f"call {n}"),), parameters=Parameters(temperature=0.0)),
            fields={"n": n},
        )
        for n in range(count)
    ]


def parse(item, reply):
    return parse_json(reply.text, dict[str, int], reply.finish_reason)


class Judge:
    """Unreadable until a call has been asked so often."""

    def __init__(self, **readable_at):
        self.readable_at = readable_at
        self.asked = Counter()
        self.model = ScriptedModel(self.answer)

    def answer(self, request):
        name = request.messages[-1].text
        self.asked[name] += 1
        wanted = self.readable_at.get(re.sub(r"\W", "_", name), 1)
        return '{"a": 1}' if self.asked[name] >= wanted else "I would rather talk about it."


def interrupted(judge, end):
    """The judge's script, interrupted at a call."""

    def answer(request):
        if judge.asked.total() == end:
            raise KeyboardInterrupt
        return judge.answer(request)

    return answer


def test_what_cannot_be_read_is_asked_again_warmer(tmp_path):
    judge = Judge(call_1=3)
    result = ask_until_read(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert judge.asked == {"call 0": 1, "call 1": 3, "call 2": 1}
    assert (result.total, result.done, result.failed, result.pending) == (3, 3, 0, 0)
    assert result.statuses == {"ok": 3}
    warmth = [r.parameters.temperature for r in judge.model.requests if r.messages[-1].text == "call 1"]
    assert warmth == [0.0, 0.2, 0.2]
    with batch_journal(tmp_path / "j.jsonl") as journal:
        kept = attempts_of(journal, "call 1")
    assert [record["status"] for record in kept] == ["unparsed", "unparsed", "ok"]
    assert [(record["call"], record["attempt"], record["n"]) for record in kept] == [("call 1", n, 1) for n in range(3)]


def test_it_is_asked_again_at_most_twelve_times(tmp_path):
    judge = Judge(call_0=99)
    result = ask_until_read(calls(1), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert judge.asked["call 0"] == 13
    assert (result.done, result.failed, result.statuses) == (1, 0, {"unparsed": 1})


def test_a_second_run_asks_nothing(tmp_path):
    ask_until_read(calls(), Asking(model=Judge(call_1=3).model), tmp_path / "j.jsonl", parse=parse)
    judge = Judge()
    result = ask_until_read(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert (judge.model.calls, result.reused, result.done) == (0, 3, 3)
    assert estimate_repeated(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse).stored == 3


def test_fewer_regenerations_than_before_find_what_is_stored(tmp_path):
    ask_until_read(calls(), Asking(model=Judge(call_1=3).model), tmp_path / "j.jsonl", parse=parse)
    judge = Judge()
    result = ask_until_read(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse, most=0)
    assert (judge.model.calls, result.statuses, result.reused) == (0, {"ok": 3}, 3)


SIX = Usage(prompt_tokens=6)
PRICE = Price(input_per_million=1e6, output_per_million=0.0)
PRICES = Prices(currency="EUR", models={"judge": PRICE, "scripted": PRICE})


def mumbled(request):
    """6 tokens of a prompt, as they are estimated: 4 a message, 2 for six letters."""
    return ChatReply(text="hm", finish_reason="stop", usage=SIX, spent=SIX)


def test_what_is_stored_counts_when_the_money_ends(tmp_path):
    """A call is 6 EUR: 25 EUR are 3 first attempts and a second one, none of which can be read."""
    model = ScriptedModel(mumbled, name="judge")
    asking = Asking(model=model, prices=PRICES, max_cost=25.0)
    result = ask_until_read(calls(), asking, tmp_path / "j.jsonl", parse=parse)
    assert (model.calls, result.replies) == (4, 4)
    assert (result.done, result.failed, result.pending, result.unread) == (0, 0, 3, 3)
    assert result.statuses == {"unparsed": 3}
    assert result.stopped.kind == "max_cost"
    judge = Judge()
    again = ask_until_read(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert (judge.model.calls, again.done, again.unread, again.reused) == (3, 3, 0, 0)


def test_a_call_that_was_never_made_has_nothing_stored(tmp_path):
    model = ScriptedModel(mumbled, name="judge")
    result = ask_until_read(
        calls(), Asking(model=model, prices=PRICES, max_cost=13.0), tmp_path / "j.jsonl", parse=parse
    )
    assert (model.calls, result.pending, result.unread, result.statuses) == (2, 3, 2, {"unparsed": 2})


def test_the_most_that_it_can_take(tmp_path):
    path, first = tmp_path / "j.jsonl", Judge(call_1=3)

    def estimate(most=12, **more):
        return estimate_repeated(calls(), Asking(model=first.model, **more), path, parse=parse, most=most)

    found = estimate(prices=PRICES)
    assert (found.calls, found.at_most.calls) == (3, 3 * 13)
    assert found.at_most.prompt_tokens == 13 * found.prompt_tokens
    assert "asked for again, 12 times at most: in all at most 39 calls" in str(found)
    assert estimate(most=0).at_most.calls == 3
    ask_until_read(calls(), Asking(model=first.model), path, parse=parse, most=1)
    # call 0 and call 2 are read, call 1 has been asked twice
    found = estimate()
    assert (found.stored, found.calls, found.at_most.calls) == (3, 0, 11)
    assert not path.with_name("other.jsonl").exists()


def test_a_reply_in_the_cache_is_one_that_can_be_read(tmp_path):
    cache, judge = ReplyCache(tmp_path / "cache"), Judge()
    ask_until_read(calls(), Asking(model=judge.model, cache=cache), tmp_path / "j.jsonl", parse=parse)
    other = tmp_path / "other.jsonl"
    found = estimate_repeated(calls(), Asking(model=judge.model, cache=cache), other, parse=parse)
    assert (found.cached, found.calls, found.at_most.calls) == (3, 0, 0)
    assert not other.exists()


def test_progress_says_which_attempt_it_is(tmp_path):
    told = []
    asking = Asking(model=Judge(call_1=3).model, progress=told.append)
    ask_until_read(calls(), asking, tmp_path / "j.jsonl", parse=parse, most=4)
    ends = {each.attempt: (each.finished, each.total, each.part) for each in told}
    assert ends == {1: (3, 3, ""), 2: (1, 1, "attempt 2 of at most 5"), 3: (1, 1, "attempt 3 of at most 5")}


def test_an_error_is_no_unreadable_reply(tmp_path):
    def down(request):
        return (
            ChatReply(error=ErrorKind.SERVER_ERROR, detail="down") if "1" in request.messages[-1].text else '{"a": 1}'
        )

    result = ask_until_read(calls(), Asking(model=ScriptedModel(down)), tmp_path / "j.jsonl", parse=parse)
    assert (result.done, result.failed) == (2, 1)
    assert result.failures == [{"item": "call 1", "round": 0, "reason": "server_error: down"}]
    judge = Judge()
    again = ask_until_read(calls(), Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert (judge.asked, again.done, again.reused) == ({"call 1": 1}, 3, 2)


def test_interrupted_at_any_call_no_finished_call_is_asked_again(tmp_path):
    whole = Judge(call_1=3, call_2=2)
    ask_until_read(calls(), Asking(model=whole.model), tmp_path / "whole.jsonl", parse=parse)
    for end in range(whole.model.calls):
        judge, path = Judge(call_1=3, call_2=2), tmp_path / f"{end}.jsonl"
        with pytest.raises(KeyboardInterrupt):
            ask_until_read(calls(), Asking(model=ScriptedModel(interrupted(judge, end))), path, parse=parse)
        ask_until_read(calls(), Asking(model=judge.model), path, parse=parse)
        assert judge.asked == whole.asked, end


def test_an_answer_that_changed_is_judged_anew(tmp_path):
    ask_until_read(calls(1), Asking(model=Judge(call_0=3).model), tmp_path / "j.jsonl", parse=parse)
    changed = [BatchItem(item_id="call 0", request=ChatRequest(messages=(user("another"),)), fields={})]
    judge = Judge()
    result = ask_until_read(changed, Asking(model=judge.model), tmp_path / "j.jsonl", parse=parse)
    assert (judge.model.calls, result.reused) == (1, 0)
    with batch_journal(tmp_path / "j.jsonl") as journal:
        assert [record["status"] for record in attempts_of(journal, "call 0")] == ["ok"]
