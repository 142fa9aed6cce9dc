from __future__ import annotations

import asyncio

import pytest

from mmrole.core.errors import DiskError, ModelError, QuotaError, UsageError
from mmrole.core.manifest import Manifest
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
    estimate_batch,
    run_batch,
    user,
)
from mmrole.llm.batch import current_records
from mmrole.llm.repair import Repair
from mmrole.llm.replies import parse_json

PRICES = Prices(currency="EUR", models={"scripted": Price(input_per_million=1e6, output_per_million=0)})


@pytest.fixture
def journal(tmp_path):
    with batch_journal(tmp_path / "replies.jsonl") as opened:
        yield opened


def items(count, word="item", **parameters):
    return [
        BatchItem(
            item_id=str(number),
            request=ChatRequest(messages=(user(f"{word} {number}"),), parameters=Parameters(**parameters)),
        )
        for number in range(count)
    ]


def echo(request):
    return f"{request.messages[-1].text} round {request.round}"


def failing(*numbers, kind=ErrorKind.SERVER_ERROR, detail="down"):
    """A script that fails for some items."""
    texts = {f"item {number}" for number in numbers}

    def answer(request):
        text = request.messages[-1].text
        return ChatReply(error=kind, detail=detail) if text in texts else "happy"

    return answer


def paid(request):
    return ChatReply(text="happy", finish_reason="stop", usage=Usage(prompt_tokens=2), spent=Usage(prompt_tokens=2))


def test_every_item_in_every_round_has_one_record(journal):
    model = ScriptedModel(echo)
    result = run_batch(items(300), model, journal, rounds=2)
    assert (result.total, result.done, result.failed, result.pending, result.reused) == (600, 600, 0, 0, 0)
    records = {record["key"]: record for record in journal.records()}
    assert len(records) == 600
    assert all(record["value"] == f"item {record['item']} round {record['round']}" for record in records.values())
    assert len(journal.path.read_bytes().splitlines()) == 600


def test_a_second_run_asks_for_what_failed_and_nothing_else(journal):
    first = run_batch(items(10), ScriptedModel(failing(3, 7)), journal)
    assert (first.done, first.failed, first.pending) == (8, 2, 0)
    assert sorted(failure["item"] for failure in first.failures) == ["3", "7"]
    assert {failure["reason"] for failure in first.failures} == {"server_error: down"}
    model = ScriptedModel(failing(3))
    second = run_batch(items(10), model, journal)
    assert (second.done, second.failed, second.reused) == (9, 1, 8)
    assert sorted(request.messages[-1].text for request in model.requests) == ["item 3", "item 7"]
    third = ScriptedModel([])
    assert run_batch(items(10)[4:], third, journal).reused == 6
    assert third.calls == 0


def test_another_request_is_asked_anew_and_takes_the_place_of_the_old_record(journal):
    run_batch(items(3), ScriptedModel(echo), journal)
    model = ScriptedModel(echo)
    changed = [*items(2), *items(3, temperature=0.5)[2:]]
    assert run_batch(changed, model, journal).reused == 2
    assert (model.calls, len(journal)) == (1, 3)
    assert run_batch(changed, ScriptedModel([], name="another"), journal).stopped is not None


def test_the_records_of_a_run_are_those_of_its_present_requests(journal):
    fails = failing(1)
    model = ScriptedModel(lambda request: '{"a": 1}' if fails(request) == "happy" else fails(request))
    how = {"parse": lambda _, reply: parse_json(reply.text, dict, reply.finish_reason), "repair": Repair()}
    run_batch(items(2), model, journal, rounds=2, **how)
    found = list(current_records(items(3), model, journal, rounds=3, **how))
    statuses = [None if record is None else (record["key"], record["status"]) for record in found]
    assert statuses == [("0#0", "ok"), ("0#1", "ok"), None, ("1#0", "error"), ("1#1", "error"), *[None] * 4]
    # with another request there is nothing yet
    assert list(current_records(items(1, "other"), model, journal, **how)) == [None]


def test_unparsed_replies_are_final(journal):
    class Unparsed:
        status, value, rule = "unparsed", None, "no_answer"

    run_batch(items(2), ScriptedModel(echo), journal, parse=lambda *_: Unparsed)
    result = run_batch(items(2), ScriptedModel([]), journal, parse=lambda *_: Unparsed)
    assert (result.done, result.reused, result.statuses) == (2, 2, {"unparsed": 2})


def test_half_a_character_in_a_value_is_replaced_and_costs_nothing(journal):
    # JSON can spell half of a surrogate pair, UTF-8 cannot hold it
    model = ScriptedModel(lambda _: '{"label": "half \\ud800 of 😀"}')
    result = run_batch(items(2), model, journal, parse=lambda _, reply: parse_json(reply.text, dict[str, str]))
    assert (result.done, result.failed) == (2, 0)
    assert [record["value"] for record in journal.records()] == [{"label": "half \ufffd of 😀"}] * 2


def test_the_cache_saves_the_calls_of_another_run(tmp_path):
    cache = ReplyCache(tmp_path / "cache")
    for number in range(2):
        model = ScriptedModel(echo)
        with batch_journal(tmp_path / f"{number}.jsonl") as journal:
            result = run_batch(items(20), model, journal, rounds=2, cache=cache)
        assert (result.done, model.calls, result.spent.calls) == (40, 40 * (number == 0), 40 * (number == 0))
    assert cache.stats().replies == 40


def test_progress_tells_how_far_it_is(journal):
    states = []
    run_batch(items(50), ScriptedModel(failing(1)), journal, progress=states.append)
    assert states[-1].total == 50
    assert (states[-1].done, states[-1].failed, states[-1].finished) == (49, 1, 50)
    assert [state.finished for state in states] == sorted(state.finished for state in states)


def test_items_are_read_as_they_are_needed(journal):
    read = answered = most = 0

    def lazily():
        nonlocal read
        for item in items(500):
            read += 1
            yield item

    async def answer(_):
        nonlocal answered, most
        most = max(most, read - answered)
        await asyncio.sleep(0)
        answered += 1
        return "happy"

    result = run_batch(lazily(), ScriptedModel(answer), journal, in_flight=8)
    assert result.total == 500
    assert most <= 8


def test_a_run_ends_before_it_costs_more_than_allowed_and_goes_on_when_raised(journal):
    model = ScriptedModel(paid)
    result = run_batch(items(20), model, journal, prices=PRICES, max_cost=11.0)
    assert result.stopped is not None
    assert result.stopped.kind == "max_cost"
    result.raise_if_stopped()  # that is no error
    # by hand: calls of 2 EUR each, of which 5 fit into 11 EUR
    assert (result.done, result.pending, model.calls, result.spent.cost) == (5, 15, 5, 10.0)
    rest = run_batch(items(20), model, journal, prices=PRICES, max_cost=1000.0)
    assert (rest.done, rest.reused, model.calls, rest.stopped) == (20, result.done, 20, None)
    assert (rest.spent.cost, rest.spent_before.cost) == (40.0 - result.spent.cost, result.spent.cost)


def test_a_cost_limit_needs_a_price(journal):
    with pytest.raises(UsageError, match="needs the price of 'scripted'"):
        run_batch(items(1), ScriptedModel(paid), journal, max_cost=1.0)


def test_a_model_that_fails_for_good_ends_the_run_and_keeps_what_is_done(journal):
    def answer(request):
        return QuotaError("nothing left") if request.messages[-1].text == "item 20" else "happy"

    result = run_batch(items(50), ScriptedModel(answer), journal, in_flight=1)
    assert (result.done, result.failed, result.pending, result.total) == (20, 0, 30, 50)
    assert result.counts == {"inputs": 50, "done": 20, "failed": 30, "skipped": 0, "pending": 30, "reused": 0}
    with pytest.raises(ModelError, match="nothing left"):
        result.raise_if_stopped()
    again = run_batch(items(50), ScriptedModel(["happy"] * 30), journal)
    assert (again.done, again.reused, again.stopped) == (50, 20, None)


def test_what_is_pending_is_counted_without_a_known_total(journal):
    def answer(_):
        return QuotaError("nothing left")

    result = run_batch((item for item in items(40)), ScriptedModel(answer), journal, in_flight=2)
    assert (result.total, result.pending) == (40, 40)


@pytest.mark.parametrize(
    ("kind", "calls"),
    [(ErrorKind.UNREACHABLE, 3), (ErrorKind.NO_API, 3), (ErrorKind.CONNECTION, 10), (ErrorKind.SERVER_ERROR, 100)],
)
def test_error_after_error_ends_the_run(journal, kind, calls):
    model = ScriptedModel(lambda _: ChatReply(error=kind, detail="endpoint x is away: do this"))
    result = run_batch(items(500), model, journal, in_flight=1)
    assert result.stopped is not None
    assert "endpoint x is away: do this" in result.stopped.message
    assert result.failed + result.pending == 500
    assert model.calls == calls


def test_errors_with_replies_between_them_do_not(journal):
    result = run_batch(items(400), ScriptedModel(failing(*range(0, 400, 2))), journal)
    assert (result.done, result.failed, result.stopped) == (200, 200, None)


def test_few_items_that_all_fail_for_the_same_reason_are_told_like_many(journal):
    model = ScriptedModel(lambda _: ChatReply(error=ErrorKind.UNREACHABLE, detail="endpoint x cannot be reached"))
    result = run_batch(items(1), model, journal)
    assert (result.failed, result.stopped.message) == (1, "endpoint x cannot be reached")


@pytest.mark.parametrize(
    ("options", "said"),
    [({"rounds": 0}, "0 rounds"), ({"in_flight": 0}, "0 requests in flight"), ({"in_flight": 257}, "give 1 to 256")],
)
def test_numbers_that_make_no_sense_are_refused(journal, options, said):
    with pytest.raises(UsageError, match=said):
        run_batch(items(1), ScriptedModel(echo), journal, **options)


def test_two_items_with_one_id_are_refused_and_what_came_back_is_kept(journal):
    with pytest.raises(UsageError, match="two items have the id '1'"):
        run_batch([*items(3), items(2)[1]], ScriptedModel(echo), journal, in_flight=1)
    assert len(journal) == 3


def test_a_field_of_the_record_is_refused(journal, request_of):
    item = BatchItem(item_id="1", request=request_of("x"), fields={"status": "mine"})
    with pytest.raises(UsageError, match="field 'status'"):
        run_batch([item], ScriptedModel(echo), journal)


def test_items_that_break_end_the_run_and_keep_what_came_back(journal):
    def breaking():
        yield from items(5)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        run_batch(breaking(), ScriptedModel(echo), journal, in_flight=1)
    assert len(journal) == 5


def test_a_full_disk_ends_the_run_with_its_one_line(journal, monkeypatch):
    def full(_):
        raise DiskError("replies.jsonl: cannot be written: No space left on device")

    monkeypatch.setattr(journal, "append_many", full)
    with pytest.raises(DiskError, match="No space left"):
        run_batch(items(5), ScriptedModel(echo), journal)


def test_it_runs_inside_a_notebook(journal):
    async def in_a_notebook():
        return run_batch(items(3), ScriptedModel(echo), journal)

    assert asyncio.run(in_a_notebook()).done == 3


def test_the_counts_fit_into_a_manifest(journal, tmp_path):
    result = run_batch(items(5), ScriptedModel(failing(2)), journal)
    Manifest(command="recognize", settings={}, counts=result.counts).write(tmp_path / "manifest.json")


def test_an_estimate_says_what_a_run_will_take(journal, tmp_path):
    cache = ReplyCache(tmp_path / "cache")
    wanted = items(10, max_tokens=7)
    run_batch(wanted[:3], ScriptedModel(echo), journal)
    with batch_journal(tmp_path / "other.jsonl") as other:
        run_batch(wanted[3:5], ScriptedModel(echo), other, cache=cache)
    model = ScriptedModel([])
    estimate = estimate_batch(wanted, model, journal, rounds=2, cache=cache, prices=PRICES)
    assert (estimate.total, estimate.stored, estimate.cached, estimate.calls) == (20, 3, 2, 15)
    # by hand: "item 9" has 6 characters, so 2 tokens, and 4 for the message; 15 calls
    assert (estimate.prompt_tokens, estimate.completion_tokens) == (15 * 6, 15 * 7)
    assert (estimate.least_cost, estimate.currency, model.calls) == (90.0, "EUR", 0)
    assert estimate_batch(items(1), model).completion_tokens is None
