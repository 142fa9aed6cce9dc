"""Our endpoint against a server that is not ours: ``transformers serve`` with a tiny model.

Run with ``pip install 'transformers[serving]' 'mmrole[local]'`` and ``pytest -m server``.
"""

from __future__ import annotations

import importlib.util
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from mmrole.llm import (
    BatchItem,
    ChatRequest,
    Config,
    Endpoint,
    EndpointConfig,
    ErrorKind,
    LocalChatModel,
    Parameters,
    ask,
    batch_journal,
    check_endpoint,
    run_batch,
    system,
    user,
)

pytestmark = pytest.mark.server
QUIETLY = Parameters(temperature=0.0, max_tokens=8)


@pytest.fixture(scope="module")
def address(chat_folder, tmp_path_factory):
    if importlib.util.find_spec("uvicorn") is None or importlib.util.find_spec("fastapi") is None:
        pytest.skip("needs transformers[serving]")
    command = shutil.which("transformers", path=Path(sys.executable).parent)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as output:
        served = subprocess.Popen(
            [command, "serve", str(chat_folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        ends = time.monotonic() + 120
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                    break
            except (urllib.error.URLError, OSError):
                if served.poll() is not None or time.monotonic() > ends:
                    pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        served.terminate()
        served.wait(30)


def request_of(text):
    return ChatRequest(messages=(system("Answer."), user(text)), parameters=QUIETLY)


@pytest.mark.parametrize("stream", [False, True])
def test_the_server_says_what_the_model_says_in_this_process(address, chat_folder, stream):
    endpoint = Endpoint("real", EndpointConfig(base_url=address, model=str(chat_folder), stream=stream))
    served = ask(endpoint, request_of("How are you?"))
    here = ask(LocalChatModel(chat_folder), request_of("How are you?"))
    assert served.text == here.text
    assert served.finish_reason == here.finish_reason == "length"
    assert served.usage == here.usage


def test_a_run_over_many_items(address, chat_folder, tmp_path):
    endpoint = Endpoint("real", EndpointConfig(base_url=address, model=str(chat_folder), concurrency=4))
    items = [BatchItem(item_id=str(number), request=request_of(f"item {number}")) for number in range(20)]
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(items, endpoint, journal, parse=None)
        assert result.total == 20
        # cut at 8 tokens, or ended by chance: either way each item has its record
        assert result.done == 20
        assert {record["item"] for record in journal.records()} == {str(number) for number in range(20)}


def test_wrong_names_and_addresses_are_told(address, chat_folder):
    model = Endpoint("real", EndpointConfig(base_url=address, model="none-such"))
    reply = ask(model, request_of("x"))
    assert (reply.error, "none-such" in reply.detail) == (ErrorKind.NO_API, True)
    config = Config(
        endpoints={
            "good": EndpointConfig(base_url=address, model=str(chat_folder)),
            "bad": EndpointConfig(base_url=address.removesuffix("/v1"), model=str(chat_folder)),
        }
    )
    assert check_endpoint(config, "good").ok
    check = check_endpoint(config, "bad")
    assert (check.ok, "most end in /v1" in check.detail) == (False, True)
