from __future__ import annotations

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.llm.chat import Parameters
from mmrole.llm.config import Config, EndpointConfig, read_config
from mmrole.llm.retry import RetryPolicy

WHOLE = """
prices = "prices.toml"

[endpoints.qwen]
base_url = "http://localhost:8000/v1/"
model = "qwen2.5-7b-instruct"
api_key_env = "OPENAI_API_KEY"
temperature = 0.0
max_tokens = 64
stop = ["\\n\\n"]
concurrency = 64
deadline_s = 30
attempts = 3
extra = {chat_template_kwargs = {enable_thinking = false}}

[endpoints.here]
kind = "local"
model = "/models/tiny"

[[experts]]
name = "anything"
"""


def written(folder, text):
    path = folder / "mmrole.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_file_is_read(tmp_path):
    config = read_config(written(tmp_path, WHOLE))
    qwen = config.endpoint("qwen")
    assert (qwen.base_url, qwen.model, qwen.concurrency) == ("http://localhost:8000/v1", "qwen2.5-7b-instruct", 64)
    assert qwen.parameters == Parameters(
        temperature=0.0,
        max_tokens=64,
        stop=("\n\n",),
        extra={"chat_template_kwargs": {"enable_thinking": False}},
    )
    assert qwen.retry == RetryPolicy(attempts=3, deadline_s=30)
    assert config.endpoint("here").kind == "local"
    assert config.prices_path == tmp_path / "prices.toml"


def test_without_a_name_it_is_the_one_in_the_working_folder(tmp_path, monkeypatch):
    written(tmp_path, WHOLE)
    monkeypatch.chdir(tmp_path)
    assert set(read_config().endpoints) == {"qwen", "here"}


def test_a_byte_order_mark_is_no_error(tmp_path):
    path = written(tmp_path, "\ufeff" + WHOLE)
    assert set(read_config(path).endpoints) == {"qwen", "here"}


TABLE = '[endpoints.q]\nbase_url = "http://h/v1"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE + "temprature = 0.5", "endpoints.q.temprature: unknown key; did you mean 'temperature'?"),
        (TABLE + 'api_key = "sk-abcdef"', "endpoints.q.api_key: unknown key; keys are read from the environment"),
        (TABLE + "temperature = -1", "endpoints.q.temperature: input should be greater than or equal to 0"),
        (TABLE + "temperature = nan", "endpoints.q.temperature: input should be"),
        (TABLE + "concurrency = 0", "endpoints.q.concurrency: input should be"),
        (TABLE + 'api_key_env = "sk-abcdef"', "endpoints.q.api_key_env: must be the name of an environment variable"),
        ('[endpoints.q]\nmodel = "m"', "endpoints.q: base_url is missing"),
        ('[endpoints.q]\nbase_url = "http://h/v1"', "endpoints.q.model: field required"),
        ('[endpoints.q]\nmodel = ""\nbase_url = "http://h"', "endpoints.q.model: string should have at least 1"),
        ('[endpoints.q]\nbase_url = "localhost:8000"\nmodel = "m"', "endpoints.q.base_url: must be an address such as"),
        ('[endpoints.q]\nbase_url = "http://h:99999/v1"\nmodel = "m"', "endpoints.q.base_url: must be an address"),
        ('[endpoints.q]\nbase_url = "http://u:sk-abcdef@h/v1"\nmodel = "m"', "endpoints.q.base_url: must hold no user"),
        (
            '[endpoints.q]\nbase_url = "http://h/v1?key=sk-abcdef"\nmodel = "m"',
            "endpoints.q.base_url: must hold no user",
        ),
        ('[endpoints.q]\nkind = "local"\nmodel = "m"\nbase_url = "http://h"', "make no sense with kind"),
        ("[endpoint.q]\nmodel = 1", "endpoint: unknown key; did you mean 'endpoints'?"),
        ("path = 3", "path: unknown key"),
        ('[endpoints.q]\nmodel = "m"\nx = 1\nz = 2\nbase_url = "http://h"', "endpoints.q.x: unknown key; there are"),
        ("[endpoints", "is no TOML"),
        ("endpoints = 3", "endpoints: input should be a valid dictionary"),
    ],
)
def test_errors_are_one_line_with_file_and_key_and_without_what_was_given(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_config(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert said in message
    assert "\n" not in message
    assert "sk-abcdef" not in message


def test_several_errors_are_counted(tmp_path):
    with pytest.raises(InputError, match=r"\(and 1 more\)"):
        read_config(written(tmp_path, TABLE + "temprature = 0.5\ntop_q = 3"))


def test_a_file_that_is_not_utf8_is_told(tmp_path):
    path = tmp_path / "mmrole.toml"
    path.write_bytes("# 模型".encode("gbk"))
    with pytest.raises(InputError, match="is not UTF-8"):
        read_config(path)


def test_a_missing_file_says_what_to_write(tmp_path):
    with pytest.raises(UsageError, match=r"is missing: write it with a table \[endpoints.NAME\]"):
        read_config(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_config(tmp_path)


def test_an_unknown_name_says_which_there_are(tmp_path):
    config = read_config(written(tmp_path, WHOLE))
    with pytest.raises(UsageError, match=r"no endpoint 'qwem': did you mean 'qwen'\?"):
        config.endpoint("qwem")
    with pytest.raises(UsageError, match="no endpoint 'zzz': there are here, qwen"):
        config.endpoint("zzz")
    with pytest.raises(UsageError, match=r"has no endpoints: add a table \[endpoints.q\]"):
        Config().endpoint("q")


def test_a_config_shows_no_more_than_the_name_of_the_variable():
    config = EndpointConfig(base_url="http://h/v1", model="m", api_key_env="MY_KEY")
    assert config.model_dump()["api_key_env"] == "MY_KEY"
