from __future__ import annotations

import importlib.util

import pytest

from mmrole.core.errors import MissingExtraError, UsageError
from mmrole.llm import Config, Endpoint, EndpointConfig, ask, check_endpoint, open_model


@pytest.fixture
def config(server):
    good = EndpointConfig(base_url=server.url, model="tiny")
    return Config(
        endpoints={
            "good": good,
            "dead": EndpointConfig(base_url="http://127.0.0.1:9/v1", model="tiny"),
            "elsewhere": EndpointConfig(base_url=server.url + "/chat/completions/x", model="tiny"),
            "keyed": good.model_copy(update={"api_key_env": "MMROLE_TEST_KEY"}),
            "here": EndpointConfig(kind="local", model="/nowhere"),
        }
    )


def test_a_name_opens_an_endpoint(config, request_of):
    model = open_model(config, "good")
    assert isinstance(model, Endpoint)
    assert ask(model, request_of("x")).text == "happy"


def test_an_endpoint_that_answers_passes_the_check(config, server):
    check = check_endpoint(config, "good")
    assert (check.ok, check.detail) == (True, "tiny-1 answers")
    assert check.seconds > 0
    assert sum(server.asked.values()) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dead", "cannot be reached (Connection refused)"),
        ("elsewhere", "most end in /v1"),
        ("keyed", "MMROLE_TEST_KEY is not set"),
        ("goood", "did you mean 'good'?"),
    ],
)
def test_what_is_wrong_with_an_endpoint_is_told_in_one_line(config, monkeypatch, name, said):
    monkeypatch.delenv("MMROLE_TEST_KEY", raising=False)
    check = check_endpoint(config, name)
    assert (check.ok, said in check.detail, "\n" in check.detail) == (False, True, False)


@pytest.mark.parametrize(
    ("step", "ok", "said"),
    [
        ("length", True, "longer than 16 tokens"),
        ("refused", True, "answers, but with refusal"),
        ("empty", False, "the reply is empty"),
        ("500", False, "HTTP status 500"),
        ("html", False, "is no API"),
        ("quota", False, "nothing left to spend"),
    ],
)
def test_the_check_asks_once_whatever_comes(config, server, step, ok, said):
    server.default = step
    check = check_endpoint(config, "good")
    assert (check.ok, said in check.detail, sum(server.asked.values())) == (ok, True, 1)


def test_a_local_model_that_is_not_there_fails_the_check(config):
    check = check_endpoint(config, "here")  # with or without the extra
    assert not check.ok


def test_an_unknown_name_is_refused(config):
    with pytest.raises(UsageError, match="no endpoint 'other'"):
        open_model(config, "other")


def test_a_local_model_without_the_extra_says_how_to_install_it(config, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else find(name, *rest))
    with pytest.raises(MissingExtraError, match=r"needs torch: pip install 'mmrole\[local\]'"):
        open_model(config, "here")
