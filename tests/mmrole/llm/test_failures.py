from __future__ import annotations

import pytest

from mmrole.core.errors import EndpointError, QuotaError
from mmrole.llm.failures import deepest_reason, of_body_text, of_connection, of_error_body, of_status, one_line
from mmrole.llm.outcome import ErrorKind


def error(message="", code=None, kind=None):
    return {"error": {"message": message, "code": code, "type": kind}}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_statuses_that_may_pass_are_retried(status):
    failure = of_status(status, error("try later"), wait_s=3.0)
    assert (failure.retry, failure.wait_s, failure.fatal) == (True, 3.0, None)


@pytest.mark.parametrize("status", [400, 404, 405, 413, 415, 422, 451])
def test_statuses_that_stay_are_not(status):
    failure = of_status(status, error("no"), wait_s=None)
    assert (failure.retry, failure.fatal) == (False, None)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, error("You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
        (429, error("quota", kind="insufficient_quota")),
        (402, error("Insufficient Balance")),
        (429, error("billing_hard_limit_reached")),
        (400, error("Your credit balance is too low")),
        (403, error("账户余额不足")),
    ],
)
def test_an_empty_account_ends_the_run(status, body):
    failure = of_status(status, body, wait_s=None)
    assert (failure.fatal, failure.retry) == (QuotaError, False)


def test_an_ordinary_rate_limit_is_no_empty_account():
    failure = of_status(429, error("Rate limit reached for requests", "rate_limit_exceeded"), wait_s=None)
    assert (failure.kind, failure.retry) == (ErrorKind.RATE_LIMIT, True)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_ends_the_run(status):
    assert of_status(status, error("Incorrect API key"), wait_s=None).fatal is EndpointError


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, error("filtered", "content_filter")),
        (400, {"error": {"message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
        (400, error("x", "content_policy_violation")),
        (400, error("Input data may contain inappropriate content.", "data_inspection_failed")),
        (403, error("Your input was flagged", None, "moderation")),
    ],
)
def test_a_content_filter_is_an_outcome_not_a_refused_key(status, body):
    failure = of_status(status, body, wait_s=None)
    assert (failure.filtered, failure.retry, failure.fatal) == (True, False, None)


@pytest.mark.parametrize(
    "body",
    [
        error("This model's maximum context length is 8192 tokens", "context_length_exceeded"),
        error("the request exceeds the available context size"),
        error("prompt is too long: 210000 tokens"),
    ],
)
def test_a_request_that_is_too_long_is_known(body):
    assert of_status(400, body, wait_s=None).kind is ErrorKind.TOO_LONG


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, error("The model `x` does not exist", "model_not_found")),
        (404, error('model "x" not found, try pulling it first')),
        (400, error("x is not a valid model ID: no such model")),
        (404, "<html>not here</html>"),
    ],
)
def test_an_unknown_model_or_address_is_the_same_for_each_request(status, body):
    assert of_status(status, body, wait_s=None).kind_at_first is ErrorKind.NO_API


@pytest.mark.parametrize(
    ("body", "kind", "retry"),
    [
        (error("overloaded", 503), ErrorKind.PROVIDER_ERROR, True),
        (error("overloaded"), ErrorKind.PROVIDER_ERROR, True),
        (error("bad parameter", 400), ErrorKind.BAD_REQUEST, False),
        (error("x", "content_filter"), ErrorKind.BAD_REQUEST, False),
        (None, ErrorKind.PROVIDER_ERROR, True),
    ],
)
def test_errors_inside_a_good_status(body, kind, retry):
    failure = of_error_body("the answer is an error", body)
    assert (failure.kind, failure.retry) == (kind, retry)
    assert "status" not in failure.detail


@pytest.mark.parametrize(
    ("body", "fatal"), [(error("bad key", 401), EndpointError), (error("none left", "insufficient_quota"), QuotaError)]
)
def test_errors_inside_a_good_status_can_end_the_run(body, fatal):
    assert of_error_body("the answer is an error", body).fatal is fatal


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!doctype html><p>hi", ErrorKind.PROVIDER_ERROR),
        ('{"choices": [{"mess', ErrorKind.CUT_OFF),
        ("", ErrorKind.PROVIDER_ERROR),
        ("upstream connect error", ErrorKind.PROVIDER_ERROR),
    ],
)
def test_answers_that_are_no_json(text, kind):
    failure = of_body_text(text)
    assert (failure.kind, failure.retry) == (kind, True)


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefgh12345678.",
        "header Authorization: Bearer abcdef123456",
        "key my-very-own-secret refused",
        "hf_abcdefghijklmnop",
    ],
)
def test_no_key_stands_in_a_line(text):
    line = one_line(text, "my-very-own-secret")
    assert "[key]" in line
    assert not any(secret in line for secret in ("abcdef", "my-very-own-secret"))


def test_a_line_is_one_line_of_bounded_length():
    line = one_line("a\n b\t" + "c" * 1000 + "\ud83d")
    assert line.startswith("a b ccc")
    assert len(line) == 300
    one_line("\ud83d").encode()


def test_the_reason_is_what_the_operating_system_said():
    outer = RuntimeError("Connection error.")
    outer.__cause__ = ValueError(OSError(111, "Connect call failed ('127.0.0.1', 9)"))
    assert deepest_reason(outer) == "Connection refused"
    assert deepest_reason(ExceptionGroup("several", [ConnectionResetError(104, "x")])) == "Connection reset by peer"
    assert deepest_reason(RuntimeError("only this")) == "only this"
    assert deepest_reason(RuntimeError()) == "RuntimeError"
    cycle = RuntimeError("round")
    cycle.__cause__ = cycle
    assert deepest_reason(cycle) == "round"


def test_a_host_that_hung_up_is_not_one_that_cannot_be_reached():
    class ConnectError(Exception):
        pass

    assert of_connection(ConnectError("x")).kind_at_first is ErrorKind.UNREACHABLE
    assert of_connection(ConnectionResetError(104, "x")).kind_at_first is None
