from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import time
from dataclasses import replace

import pytest

import mmrole.llm.cache as cache_module
from mmrole.core.errors import DiskError
from mmrole.llm import (
    CachedModel,
    ChatReply,
    ChatRequest,
    ErrorKind,
    ReplyCache,
    ScriptedModel,
    Usage,
    ask,
    request_key,
    user,
)
from mmrole.llm.cache import cache_folder
from mmrole.llm.chat import AudioPart, ImagePart, Message, Parameters, TextPart, system
from mmrole.llm.config import EndpointConfig
from mmrole.llm.endpoint import Endpoint

REPLY = ChatReply(text="高兴", finish_reason="stop", model="m-1", usage=Usage(prompt_tokens=3, completion_tokens=1))
FULL = ChatRequest(
    messages=(system("Be brief."), user("Hello", ImagePart(data=b"i"), AudioPart(data=b"a"))),
    parameters=Parameters(
        temperature=0.5, top_p=0.9, max_tokens=5, seed=1, stop=("x",), response_format={"a": 1}, extra={"k": 1}
    ),
    round=0,
)
CONFIG = EndpointConfig(base_url="http://h/v1", model="m", temperature=0.1, max_tokens=9)


def key_of(request=FULL, config=CONFIG):
    return request_key(Endpoint("e", config).identity, request)


def with_part(number, part):
    parts = list(FULL.messages[1].parts)
    parts[number] = part
    return replace(FULL, messages=(FULL.messages[0], replace(FULL.messages[1], parts=tuple(parts))))


CHANGED = {
    "system text": replace(FULL, messages=(system("Be brief!"), FULL.messages[1])),
    "user text": with_part(0, TextPart(text="Hello!")),
    "picture": with_part(1, ImagePart(data=b"j")),
    "picture type": with_part(1, ImagePart(data=b"i", media_type="image/png")),
    "sound": with_part(2, AudioPart(data=b"b")),
    "sound format": with_part(2, AudioPart(data=b"a", format="mp3")),
    "order of messages": replace(FULL, messages=FULL.messages[::-1]),
    "role": replace(FULL, messages=(replace(FULL.messages[0], role="user"), FULL.messages[1])),
    "one message in two": replace(FULL, messages=(*FULL.messages, Message(role="user", parts=()))),
    "round": FULL.in_round(1),
    **{
        name: replace(FULL, parameters=replace(FULL.parameters, **{name: value}))
        for name, value in {
            "temperature": 0.6, "top_p": 0.8, "max_tokens": 6, "seed": 2, "stop": ("y",), "response_format": {"a": 2},
            "extra": {"k": 2},
        }.items()
    },
    **{
        f"no {name}": replace(FULL, parameters=replace(FULL.parameters, **{name: None}))
        for name in ("temperature", "top_p", "max_tokens", "seed", "response_format")
    },
}  # fmt: skip
CHANGED_CONFIGS = {
    "address": CONFIG.model_copy(update={"base_url": "http://g/v1"}),
    "model": CONFIG.model_copy(update={"model": "n"}),
    "default": CONFIG.model_copy(update={"top_p": 0.5}),
    "default extra": CONFIG.model_copy(update={"extra": {"k": 1}}),
}


def test_every_field_changes_the_key(monkeypatch):
    keys = {"": key_of()}
    keys |= {name: key_of(request) for name, request in CHANGED.items()}
    keys |= {name: key_of(config=config) for name, config in CHANGED_CONFIGS.items()}
    monkeypatch.setattr(cache_module, "REQUEST_VERSION", cache_module.REQUEST_VERSION + 1)
    keys["version of the code"] = key_of()
    for (one, first), (other, second) in itertools.combinations(keys.items(), 2):
        assert first != second, (one, other)


def test_every_field_of_parameters_and_request_is_tried_above():
    names = {name.removeprefix("no ") for name in CHANGED}
    assert set(Parameters.__dataclass_fields__) | {"round"} <= names


def test_the_same_request_has_the_same_key_whatever_does_not_decide_the_reply():
    same = CONFIG.model_copy(
        update={"concurrency": 3, "timeout_s": 1.0, "attempts": 1, "api_key_env": None, "stream": True}
    )
    assert key_of(config=same) == key_of()
    reordered = replace(FULL, parameters=replace(FULL.parameters, extra=dict(reversed({"k": 1}.items()))))
    assert key_of(reordered) == key_of()


def test_a_reply_comes_back_and_costs_nothing(tmp_path):
    cache = ReplyCache(tmp_path)
    assert cache.get("ab" * 32) is None
    cache.put("ab" * 32, REPLY)
    found = cache.get("ab" * 32)
    assert (found.text, found.usage, found.cached, found.spent) == ("高兴", REPLY.usage, True, Usage())


@pytest.mark.parametrize(
    "reply",
    [
        ChatReply(error=ErrorKind.TIMEOUT),
        ChatReply(text="", finish_reason="stop"),
        ChatReply(text=None, finish_reason="stop"),
        ChatReply(text="happ", finish_reason="length"),
        ChatReply(finish_reason="content_filter"),
        ChatReply(refusal="no"),
        ChatReply(finish_reason="tool_calls"),
    ],
)
def test_only_whole_replies_are_kept(tmp_path, reply, request_of):
    cache = ReplyCache(tmp_path)
    with pytest.raises(ValueError, match="only whole replies"):
        cache.put("ab" * 32, reply)
    model = ScriptedModel([reply, "happy"])
    cached = CachedModel(model, cache)
    assert ask(cached, request_of("x")) == reply
    assert ask(cached, request_of("x")).text == "happy"
    assert model.calls == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"null", b'{"key": "x", "reply": {}}', b"\xff\xfe"])
def test_a_damaged_file_counts_as_absent_and_is_replaced(tmp_path, damage):
    cache = ReplyCache(tmp_path)
    key = "cd" * 32
    cache.put(key, REPLY)
    [path] = tmp_path.rglob("*.json")
    path.write_bytes(damage)
    assert cache.get(key) is None
    cache.put(key, REPLY)
    assert cache.get(key).text == REPLY.text


def test_a_reply_under_a_wrong_name_counts_as_absent(tmp_path):
    cache = ReplyCache(tmp_path)
    cache.put("cd" * 32, REPLY)
    [path] = tmp_path.rglob("*.json")
    path.rename(path.with_name("cd" * 31 + "ef.json"))
    assert cache.get("cd" * 31 + "ef") is None


def test_a_cached_model_asks_once(tmp_path, request_of):
    model = ScriptedModel(lambda request: f"reply {request.round}")
    cached = CachedModel(model, ReplyCache(tmp_path))
    first, again = ask(cached, request_of("x")), ask(cached, request_of("x"))
    assert (first.text, again.text, first.cached, again.cached) == ("reply 0", "reply 0", False, True)
    assert ask(cached, request_of("x").in_round(1)).text == "reply 1"
    assert model.calls == 2


def test_equal_requests_at_the_same_time_are_one_call(tmp_path, request_of):
    async def slowly(_):
        await asyncio.sleep(0.01)
        return "happy"

    model = ScriptedModel(slowly)
    cached = CachedModel(model, ReplyCache(tmp_path))

    async def all_at_once():
        return await asyncio.gather(*(cached.complete(request_of("x")) for _ in range(50)))

    replies = asyncio.run(all_at_once())
    assert {reply.text for reply in replies} == {"happy"}
    assert model.calls == 1
    assert sum(reply.cached for reply in replies) == 49


def test_a_reply_that_cannot_be_used_is_neither_kept_nor_given_again(tmp_path, request_of):
    model = ScriptedModel(["nonsense", "happy"])
    cached = CachedModel(model, ReplyCache(tmp_path))

    def readable(reply):
        return reply.text == "happy"

    texts = [asyncio.run(cached.complete_if(request_of("x"), readable)).text for _ in range(3)]
    assert texts == ["nonsense", "happy", "happy"]
    assert model.calls == 2


def test_a_cache_that_cannot_be_written_is_told_once_and_loses_no_reply(tmp_path, request_of, caplog):
    (tmp_path / "replies").write_text("a file where the folder should be")
    cached = CachedModel(ScriptedModel(["a", "b"]), ReplyCache(tmp_path))
    assert [ask(cached, request_of(text)).text for text in ("1", "2")] == ["a", "b"]
    [record] = caplog.records
    assert "no more replies are cached" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_write_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    cache = ReplyCache(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DiskError, match="No space left on device"):
        cache.put("ab" * 32, REPLY)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def _fill(folder, seed):
    cache = ReplyCache(folder)
    for number in range(100):
        key = f"{(number * 7 + seed) % 100:064x}"
        cache.put(key, replace(REPLY, text=f"reply {int(key, 16)}" + "x" * 5000))
        found = cache.get(key)
        assert found is not None
        assert found.text.startswith(f"reply {int(key, 16)}x")


def test_several_processes_share_a_folder(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(tmp_path, seed)) for seed in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert ReplyCache(tmp_path).stats().replies == 100
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".unfinished")]


def test_what_is_in_it_is_shown_and_pruned(tmp_path):
    cache = ReplyCache(tmp_path)
    assert (cache.stats().replies, cache.stats().oldest) == (0, None)
    for number in range(4):
        cache.put(f"{number:064x}", REPLY)
    paths = sorted(tmp_path.rglob("*.json"))
    now = time.time()
    for days, path in zip((0, 1, 10, 30), paths, strict=True):
        os.utime(path, (now - days * 86400, now - days * 86400))
    left_by_a_killed_run = paths[0].with_name(".unfinished-abc")
    left_by_a_killed_run.write_text("x")
    os.utime(left_by_a_killed_run, (now - 2 * 86400, now - 2 * 86400))
    stats = cache.stats()
    assert (stats.replies, stats.size_bytes) == (4, sum(path.stat().st_size for path in paths))
    assert (stats.oldest, stats.newest) == (pytest.approx(now - 30 * 86400), pytest.approx(now))
    removed = cache.prune(older_than_days=5, now=now)
    assert (removed.replies, cache.stats().replies) == (2, 2)
    assert not left_by_a_killed_run.exists()
    assert (cache.prune().replies, cache.stats().replies) == (2, 0)


def test_what_another_run_is_writing_just_now_is_left_alone(tmp_path):
    cache = ReplyCache(tmp_path)
    cache.put("00" * 32, REPLY)
    writing = next(tmp_path.rglob("*.json")).with_name(".unfinished-abc")
    writing.write_text("x")
    cache.prune()
    assert writing.exists()


def test_the_folder_is_the_argument_or_the_variable_or_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("MMROLE_CACHE", "/b")
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    assert str(cache_folder("/a")) == "/a"
    assert str(cache_folder()) == "/b"
    monkeypatch.delenv("MMROLE_CACHE")
    assert str(cache_folder()) == "/c/mmrole"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "mmrole"
