from __future__ import annotations

import pytest

from mmrole.core.errors import UsageError
from mmrole.llm import Endpoint, EndpointConfig
from mmrole.llm.connection import key_of

CONFIG = EndpointConfig(base_url="http://127.0.0.1:9/v1", model="m", api_key_env="MMROLE_TEST_KEY")


def test_a_missing_key_names_its_variable(monkeypatch):
    monkeypatch.delenv("MMROLE_TEST_KEY", raising=False)
    with pytest.raises(UsageError, match="MMROLE_TEST_KEY is not set: export the key"):
        Endpoint("e", CONFIG)


def test_white_space_around_a_key_is_no_part_of_it(monkeypatch):
    monkeypatch.setenv("MMROLE_TEST_KEY", " secret-key\n")
    assert key_of("e", CONFIG) == "secret-key"


@pytest.mark.parametrize("key", ["secret\nkey", "secret\u201dkey", "secret\tkey"])
def test_what_can_be_no_key_is_refused_and_not_repeated(monkeypatch, key):
    monkeypatch.setenv("MMROLE_TEST_KEY", key)
    with pytest.raises(UsageError, match="is no key") as caught:
        Endpoint("e", CONFIG)
    assert "secret" not in str(caught.value)


def test_no_variable_no_key():
    assert key_of("e", CONFIG.model_copy(update={"api_key_env": None})) is None


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch, endpoint, request_of):
    from mmrole.llm import ask

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(endpoint(), request_of("x")).text == "happy"
