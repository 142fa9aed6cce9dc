"""The endpoint against a server that misbehaves; see conftest.py for what the commands in ``<<...>>`` make it do."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import pickle
import time

import pytest

from mmrole.core.errors import EndpointError, QuotaError, UsageError
from mmrole.llm import (
    ChatRequest,
    Endpoint,
    EndpointConfig,
    ErrorKind,
    ImagePart,
    Outcome,
    Parameters,
    RetryPolicy,
    ask,
    user,
)
from mmrole.llm.outcome import Usage

ONCE = Usage(prompt_tokens=10, completion_tokens=5)  # what the server says of each reply


@pytest.mark.parametrize(
    ("step", "outcome", "text"),
    [
        ("ok", Outcome.STOP, "happy"),
        ("ok:高兴", Outcome.STOP, "高兴"),
        ("fenced", Outcome.STOP, '```json\n{"label": "happy"}\n```'),
        ("thinking", Outcome.STOP, "<think>sad? no</think>happy"),
        ("nofinish", Outcome.STOP, "happy"),
        ("length:happ", Outcome.LENGTH, "happ"),
        ("length", Outcome.LENGTH, None),
        ("filtered", Outcome.CONTENT_FILTER, None),
        ("filter400", Outcome.CONTENT_FILTER, None),
        ("refused", Outcome.REFUSAL, None),
        ("tools", Outcome.TOOL_CALLS, None),
    ],
)
def test_a_reply_that_ended_is_an_outcome_and_asked_once(endpoint, server, request_of, step, outcome, text):
    reply = ask(endpoint(), request_of(f"<<{step}>>"))
    assert (reply.outcome, reply.text, reply.attempts) == (outcome, text, 1)
    assert server.asked[f"<<{step}>>"] == 1


@pytest.mark.parametrize(
    "steps",
    [
        "429", "429:0", "429date:0", "500", "502", "503:0", "408", "409", "reset", "close", "cutbody", "cutjson", "empty", "null",
        "error200", "nochoices", "list", "html", "plain", "aborted", "500, 429, reset, cutjson", "echo:500",
    ],
)  # fmt: skip
def test_what_may_pass_is_asked_again(endpoint, server, request_of, steps):
    text = f"<<{steps}, ok>>"
    reply = ask(endpoint(), request_of(text))
    assert (reply.outcome, reply.text) == (Outcome.STOP, "happy")
    assert reply.attempts == server.asked[text] == steps.count(",") + 2


@pytest.mark.parametrize(
    ("step", "kind", "attempts"),
    [
        ("429", ErrorKind.RATE_LIMIT, 6),
        ("500", ErrorKind.SERVER_ERROR, 6),
        ("408", ErrorKind.TIMEOUT, 6),
        ("reset", ErrorKind.CONNECTION, 6),
        ("close", ErrorKind.CONNECTION, 6),
        ("cutbody", ErrorKind.CONNECTION, 6),
        ("cutjson", ErrorKind.CUT_OFF, 6),
        ("aborted", ErrorKind.CUT_OFF, 6),
        ("error200", ErrorKind.PROVIDER_ERROR, 6),
        ("nochoices", ErrorKind.PROVIDER_ERROR, 6),
        ("list", ErrorKind.PROVIDER_ERROR, 6),
        ("plain", ErrorKind.PROVIDER_ERROR, 6),
        ("empty", ErrorKind.EMPTY, 2),
        ("null", ErrorKind.EMPTY, 2),
        ("badrequest", ErrorKind.BAD_REQUEST, 1),
        ("toolong", ErrorKind.TOO_LONG, 1),
    ],
)
def test_what_does_not_pass_is_an_error_after_bounded_attempts(endpoint, server, request_of, step, kind, attempts):
    reply = ask(endpoint(), request_of(f"<<{step}>>"))
    assert (reply.error, reply.text, reply.attempts) == (kind, None, attempts)
    assert server.asked[f"<<{step}>>"] == attempts
    assert reply.detail
    assert "\n" not in reply.detail


def test_tokens_of_all_attempts_are_counted(endpoint, request_of):
    reply = ask(endpoint(), request_of("<<empty, ok>>"))
    assert (reply.usage, reply.spent) == (ONCE, ONCE + ONCE)
    assert ask(endpoint(), request_of("<<empty>>")).spent == ONCE + ONCE


def test_missing_usage_is_no_error(endpoint, request_of):
    reply = ask(endpoint(), request_of("<<nousage>>"))
    assert (reply.text, reply.usage) == ("happy", None)


@pytest.mark.parametrize("step", ["429:0.3", "503:0.3", "500:0.3", "429date:2"])
def test_the_server_is_given_the_time_it_asks_for(endpoint, request_of, step):
    began = time.monotonic()
    assert ask(endpoint(), request_of(f"<<{step}, ok>>")).text == "happy"
    # our own waits are at most 0.02 s here; a date of two seconds ahead is at least one second away, for it has no fractions
    assert time.monotonic() - began >= (0.3 if "date" not in step else 1.0)


@pytest.mark.parametrize("step", ["429:86400", "503:61", "429date:3600"])
def test_a_server_that_asks_for_too_much_time_is_not_waited_for(endpoint, server, request_of, step):
    reply = ask(endpoint(), request_of(f"<<{step}, ok>>"))
    assert (reply.outcome, reply.attempts) == (Outcome.ERROR, 1)
    assert "longer than the 60 s allowed" in reply.detail


def test_an_answer_that_does_not_come_is_given_up(endpoint, request_of):
    quick = endpoint(timeout_s=0.2)
    assert ask(quick, request_of("<<after:30, ok>>")).text == "happy"
    reply = ask(endpoint(timeout_s=0.1, retry=RetryPolicy(attempts=2, base_s=0.01)), request_of("<<after:30>>"))
    assert (reply.error, reply.attempts) == (ErrorKind.TIMEOUT, 2)
    assert "no answer within 0.1 s" in reply.detail


def test_the_deadline_covers_all_attempts_and_waits(endpoint, request_of):
    patient = endpoint(retry=RetryPolicy(attempts=1000, base_s=0.1, deadline_s=0.5))
    reply = ask(patient, request_of("<<500>>"))  # a thousand attempts would take minutes
    assert (reply.error, "no time for another within 0.5 s" in reply.detail) == (ErrorKind.SERVER_ERROR, True)


@pytest.mark.parametrize("step", ["quota", "quota200"])
def test_an_empty_account_is_asked_once_and_ends_everything(endpoint, server, request_of, step):
    with pytest.raises(QuotaError, match="nothing left to spend") as caught:
        ask(endpoint(), request_of(f"<<{step}>>"))
    assert server.asked[f"<<{step}>>"] == 1
    assert "\n" not in str(caught.value)


def test_a_wrong_key_says_which_variable_holds_it(endpoint, monkeypatch, request_of):
    monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
    with pytest.raises(EndpointError, match="refused the key in MMROLE_TEST_KEY") as caught:
        ask(endpoint(api_key_env="MMROLE_TEST_KEY"), request_of("<<auth>>"))
    assert "very-secret-key" not in str(caught.value)
    with pytest.raises(EndpointError, match=r"wants a key .*: name its environment variable with api_key_env"):
        ask(endpoint(), request_of("<<auth>>"))


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("nomodel", "does not have the model 'tiny'"),
        ("html", "is no API (the answer is a web page, not JSON): correct base_url in mmrole.toml, most end in /v1"),
    ],
)
def test_an_endpoint_that_never_answered_and_never_will_says_what_to_do(endpoint, request_of, step, said):
    new = endpoint()
    reply = ask(new, request_of(f"<<{step}>>"))
    assert reply.error is ErrorKind.NO_API
    assert said in reply.detail
    ask(new, request_of("<<ok>>"))
    assert ask(new, request_of(f"<<{step}>>")).error is not ErrorKind.NO_API  # it does answer: only this request fails


def test_a_wrong_path_says_what_to_do(endpoint, server, request_of):
    reply = ask(endpoint(url=server.url + "/chat/completions/x"), request_of("x"))
    assert reply.error is ErrorKind.NO_API
    assert "does not have this address or the model 'tiny'" in reply.detail


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"])
def test_a_dead_host_says_what_to_do(endpoint, request_of, url):
    reply = ask(endpoint(url=url), request_of("x"))
    assert (reply.error, reply.attempts) == (ErrorKind.UNREACHABLE, 3)
    assert f"endpoint t ({url}) cannot be reached" in reply.detail
    assert "start the server or correct base_url in mmrole.toml" in reply.detail


class TestStreams:
    @pytest.mark.parametrize("step", ["ok", "429, ok"])
    def test_a_whole_stream_is_a_reply(self, endpoint, request_of, step):
        reply = ask(endpoint(stream=True), request_of(f"<<{step}>>"))
        assert (reply.text, reply.finish_reason, reply.usage, reply.model) == ("happy", "stop", ONCE, "tiny-1")

    @pytest.mark.parametrize(
        ("step", "kind"),
        [
            ("cutstream", ErrorKind.CONNECTION),
            ("resetstream", ErrorKind.CONNECTION),
            ("endstream", ErrorKind.CUT_OFF),
            ("badstream", ErrorKind.CUT_OFF),
            ("errorstream", ErrorKind.PROVIDER_ERROR),
        ],
    )
    def test_a_stream_that_is_cut_off_is_no_reply(self, endpoint, request_of, step, kind):
        assert ask(endpoint(stream=True), request_of(f"<<{step}, ok>>")).text == "happy"
        reply = ask(endpoint(stream=True), request_of(f"<<{step}>>"))
        assert (reply.error, reply.text) == (kind, None)

    def test_a_page_in_place_of_a_stream_is_no_reply(self, endpoint, request_of):
        assert ask(endpoint(stream=True), request_of("<<html>>")).error is ErrorKind.NO_API


def test_requests_really_go_side_by_side_up_to_the_limit(endpoint, server, request_of):
    server.gather_at = 20

    async def many(model):
        await asyncio.gather(*(model.complete(request_of(str(number))) for number in range(60)))
        await model.close()

    asyncio.run(many(endpoint(concurrency=20)))
    assert server.most_in_flight == 20


def test_256_slow_requests_overlap(endpoint, server, request_of):
    server.gather_at = 256  # no one is answered before all are there

    async def many(model):
        replies = await asyncio.gather(*(model.complete(request_of(str(number))) for number in range(256)))
        await model.close()
        return replies

    replies = asyncio.run(many(endpoint(concurrency=256)))
    assert {reply.text for reply in replies} == {"happy"}
    assert server.most_in_flight == 256


def test_what_is_sent_is_what_was_asked(endpoint, server, monkeypatch):
    monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
    model = endpoint(
        api_key_env="MMROLE_TEST_KEY", temperature=0.3, extra={"top_k": 5}, max_tokens_name="max_completion_tokens"
    )
    picture = ImagePart(data=b"x")
    ask(model, ChatRequest(messages=(user("What?", picture),), parameters=Parameters(max_tokens=4, seed=1), round=2))
    [body] = server.bodies
    assert {name: value for name, value in body.items() if name != "messages"} == {
        "model": "tiny", "temperature": 0.3, "top_k": 5, "max_completion_tokens": 4, "seed": 3,
    }  # fmt: skip
    assert body["messages"][0]["content"][1]["image_url"]["url"] == "data:image/jpeg;base64,eA=="
    assert server.headers[0]["authorization"] == "Bearer very-secret-key"


class TestTheKey:
    @pytest.fixture
    def keyed(self, endpoint, monkeypatch):
        monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
        return endpoint(api_key_env="MMROLE_TEST_KEY")

    @pytest.mark.parametrize("step", ["echo:400", "echo:500", "echo:403", "auth", "echoreply"])
    def test_it_is_nowhere_in_what_comes_back(self, keyed, request_of, step):
        try:
            said = repr(ask(keyed, request_of(f"<<{step}>>")))
        except EndpointError as error:
            said = repr(error) + repr(error.__cause__)
        assert "[key]" in said
        assert "very-secret-key" not in said

    def test_it_is_nowhere_in_the_object_or_its_identity(self, keyed):
        assert (
            "very-secret-key"
            not in repr(keyed) + str(keyed.identity) + repr(keyed.config) + keyed.config.model_dump_json()
        )
        with pytest.raises(TypeError, match="make it anew"):
            pickle.dumps(keyed)  # holding a key, it must not go to another process or a file

    def test_it_is_in_no_log_line(self, keyed, request_of, caplog):
        with caplog.at_level(logging.DEBUG):
            ask(keyed, request_of("<<429, reset, echo:500, ok>>"))
        assert caplog.records
        assert "very-secret-key" not in caplog.text
        assert "very-secret-key" not in "".join(repr(record.__dict__) for record in caplog.records)


def test_another_transport_takes_the_place_of_the_network(request_of):
    # the HTTP library of the SDK's third and of its second major version
    httpx = importlib.import_module("httpx2" if importlib.util.find_spec("httpx2") else "httpx")
    seen = []

    def handle(request):
        seen.append(str(request.url))
        return httpx.Response(200, json={"choices": [{"message": {"content": "mocked"}, "finish_reason": "stop"}]})

    config = EndpointConfig(base_url="https://api.invalid/v1", model="m")
    assert ask(Endpoint("e", config, transport=httpx.MockTransport(handle)), request_of("x")).text == "mocked"
    assert seen == ["https://api.invalid/v1/chat/completions"]


def test_a_local_model_is_no_endpoint():
    with pytest.raises(UsageError, match="is no HTTP endpoint"):
        Endpoint("e", EndpointConfig(kind="local", model="/m"))


def test_an_estimate_needs_no_key_and_asks_nothing(monkeypatch, request_of):
    monkeypatch.delenv("MMROLE_TEST_KEY", raising=False)
    config = EndpointConfig(base_url="https://api.invalid/v1", model="m", api_key_env="MMROLE_TEST_KEY")
    with pytest.raises(UsageError, match="MMROLE_TEST_KEY is not set"):
        Endpoint("e", config)
    for_estimate = Endpoint("e", config, asks=False)
    monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
    assert for_estimate.identity == Endpoint("e", config).identity
    with pytest.raises(UsageError, match="opened for an estimate"):
        ask(for_estimate, request_of("x"))
