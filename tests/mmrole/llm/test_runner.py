"""Whole runs against a server that misbehaves, and runs that are ended from outside."""

from __future__ import annotations

import json
import logging
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from mmrole.llm import BatchItem, Repair, ReplyCache, batch_journal, run_batch

LABELS = {"happy", "sad", "高兴"}


class Found:
    def __init__(self, status, value=None, rule=None):
        self.status, self.value, self.rule = status, value, rule


def label(_item, reply):
    """A strict reader: thoughts and fences go, what is left must be a label."""
    text = re.sub(r"<think>.*?</think>", "", reply.text, flags=re.S).strip()
    fenced = re.fullmatch(r"```json\n(.*)\n```", text)
    text = json.loads(fenced[1])["label"] if fenced else text
    return Found("ok", text, "label") if text in LABELS else Found("unparsed", None, "no_answer")


# what the server does -> status of the first run, whether the server is asked again in the second run
STEPS = {
    "ok": ("ok", False),
    "ok:sad": ("ok", False),
    "ok:高兴": ("ok", False),
    "429, ok:sad": ("ok", False),
    "429:0, 429date:0, ok:sad": ("ok", False),
    "500, 502, 503, ok": ("ok", False),
    "reset, close, ok": ("ok", False),
    "after:9, ok": ("ok", False),
    "cutjson, ok": ("ok", False),
    "cutbody, ok": ("ok", False),
    "empty, ok": ("ok", False),
    "null, ok": ("ok", False),
    "error200, nochoices, ok": ("ok", False),
    "html, plain, list, ok": ("ok", False),
    "nousage": ("ok", False),
    "fenced": ("ok", False),
    "thinking": ("ok", False),
    "ok:traurig": ("unparsed", False),
    "ok:I think that he is happy or sad": ("unparsed", False),
    "refused": ("refusal", False),
    "filtered": ("refusal", False),
    "filter400": ("refusal", False),
    "length": ("truncated", False),
    "length:happy": ("truncated", False),
    "tools": ("unparsed", False),
    "429:86400": ("error", True),
    "500": ("error", True),
    "reset": ("error", True),
    "cutjson": ("error", True),
    "cutbody": ("error", True),
    "empty": ("error", True),
    "null": ("error", True),
    "error200": ("error", True),
    "nochoices": ("error", True),
    "aborted": ("error", True),
    "badrequest": ("error", True),
    "toolong": ("error", True),
    # these fail through the first run and are well in the second
    "500, 500, 500, 500, 500, 500, ok:sad": ("error", True),
    "empty, empty, ok:sad": ("error", True),
}
RIGHT = {"ok": "happy", "ok:sad": "sad", "ok:高兴": "高兴", "429, ok:sad": "sad", "429:0, 429date:0, ok:sad": "sad"}
WELL_LATER = ("500, 500, 500, 500, 500, 500, ok:sad", "empty, empty, ok:sad")


def items_of(steps, request_of):
    return [BatchItem(item_id=step, request=request_of(f"<<{step}>>"), fields={"utterance_id": step}) for step in steps]


@pytest.mark.parametrize("in_flight", [1, 256])
def test_nothing_is_lost_and_nothing_is_invented(endpoint, server, request_of, tmp_path, in_flight):
    model = endpoint(timeout_s=1.0, concurrency=256)
    wanted = items_of(STEPS, request_of)
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        first = run_batch(wanted, model, journal, parse=label, in_flight=in_flight)
        assert (first.total, first.done + first.failed, first.pending) == (len(STEPS), len(STEPS), 0)
        records = {record["item"]: record for record in journal.records()}
        assert {step: record["status"] for step, record in records.items()} == {
            step: status for step, (status, _) in STEPS.items()
        }
        for step, record in records.items():
            right = RIGHT.get(step, "happy") if record["status"] == "ok" else None
            assert record["value"] == right, step
            assert (record["reason"] is None) == (record["status"] == "ok" or record["rule"] == "no_answer")
        asked = dict(server.asked)
        second = run_batch(wanted, model, journal, parse=label, in_flight=in_flight)
        again = {step for step in STEPS if server.asked[f"<<{step}>>"] > asked[f"<<{step}>>"]}
        assert again == {step for step, (_, retried) in STEPS.items() if retried}
        assert second.reused == first.done
        assert (second.done, second.failed) == (first.done + 2, first.failed - 2)
        assert {journal.get(f"{step}#0")["value"] for step in WELL_LATER} == {"sad"}
        assert len(journal) == len(STEPS)


def test_the_same_with_streams(endpoint, server, request_of, tmp_path):
    steps = {
        "ok": "ok",
        "cutstream": "error",
        "endstream": "error",
        "errorstream": "error",
        "badstream": "error",
        "resetstream": "error",
    }
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(items_of(steps, request_of), endpoint(stream=True), journal, parse=label)
        assert {record["item"]: record["status"] for record in journal.records()} == steps
        assert all((record["value"] == "happy") == (record["status"] == "ok") for record in journal.records())
        assert (result.done, result.failed) == (1, 5)


def test_a_repair_request_is_made_once(endpoint, server, request_of, tmp_path):
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(
            items_of(["ok:traurig"], request_of),
            endpoint(),
            journal,
            parse=label,
            repair=Repair(english="Again, in English."),
        )
        record = journal.get("ok:traurig#0")
    # the server knows no command in the repair request, and says happy
    assert (result.statuses, record["value"]) == ({"ok": 1}, "happy")
    assert [reply["text"] for reply in record["replies"]] == ["traurig", "happy"]
    assert server.asked["Again, in English."] == 1


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("auth", "refused the key in MMROLE_TEST_KEY"),
        ("quota", "nothing left to spend"),
        ("nomodel", "does not have the model 'tiny'"),
        ("html", "is no API"),
    ],
)
def test_what_would_fail_each_time_ends_the_run_with_one_line(
    endpoint, server, request_of, monkeypatch, tmp_path, step, said
):
    monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
    wanted = [BatchItem(item_id=str(number), request=request_of(f"{number} <<{step}>>")) for number in range(100)]
    model = endpoint(api_key_env="MMROLE_TEST_KEY", concurrency=4)
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(wanted, model, journal, parse=label)
    assert (result.total, result.done, result.failed + result.pending) == (100, 0, 100)
    assert said in result.stopped.message
    assert "\n" not in result.stopped.message
    # three items and what else was in flight then; a page is asked for three times
    assert sum(server.asked.values()) <= (3 + 4) * (3 if step == "html" else 1)


def test_a_dead_host_ends_the_run_with_one_line(endpoint, request_of, tmp_path):
    wanted = [BatchItem(item_id=str(number), request=request_of(str(number))) for number in range(100)]
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(wanted, endpoint(url="http://127.0.0.1:9/v1"), journal)
    assert result.stopped.message == (
        "endpoint t (http://127.0.0.1:9/v1) cannot be reached (Connection refused): "
        "start the server or correct base_url in mmrole.toml"
    )


def test_no_secret_is_in_any_file_or_log_line(endpoint, request_of, monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("MMROLE_TEST_KEY", "very-secret-key")
    steps = ["ok", "echo:400", "echo:500", "echoreply", "429, ok", "reset, ok", "fenced"]
    with caplog.at_level(logging.DEBUG), batch_journal(tmp_path / "replies.jsonl") as journal:
        model = endpoint(api_key_env="MMROLE_TEST_KEY")
        result = run_batch(
            items_of(steps, request_of), model, journal, parse=None, cache=ReplyCache(tmp_path / "cache")
        )
        model = endpoint(api_key_env="MMROLE_TEST_KEY")
        stopped = run_batch(items_of(["auth"], request_of), model, journal)
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 3  # the journal and several cached replies
    assert not any(b"very-secret-key" in content for content in written)
    assert b"[key]" in b"".join(written)  # the server did show it
    assert "very-secret-key" not in repr(result) + repr(stopped) + repr(result.failures)
    assert not any("very-secret-key" in repr(record.__dict__) + record.getMessage() for record in caplog.records)


RUN = """
import signal, sys
from mmrole.llm import BatchItem, ChatRequest, Endpoint, EndpointConfig, RetryPolicy, batch_journal, run_batch, user

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, interrupt)
url, path = sys.argv[1:]
config = EndpointConfig(base_url=url, model="tiny", concurrency=8)
steps = ["ok:sad", "ok", "500, ok:sad", "ok:traurig", "length:hap", "reset, ok"]

class Found:
    def __init__(self, text):
        self.status, self.value, self.rule = ("ok", text, "label") if text in ("sad", "happy") else ("unparsed", None, "no_answer")

items = [
    BatchItem(item_id=str(n), request=ChatRequest(messages=(user(f"{n} <<{steps[n % len(steps)]}>>"),)))
    for n in range(120)
]
with batch_journal(path) as journal:
    model = Endpoint("t", config, retry=RetryPolicy(base_s=0.01))
    result = run_batch(items, model, journal, parse=lambda item, reply: Found(reply.text))
print(result.total, result.done, result.failed, result.pending)
"""
WHOLE = ["120", "120", "0", "0"]


def lines_of(path):
    content = path.read_bytes() if path.exists() else b""
    return [json.loads(line) for line in content[: content.rfind(b"\n") + 1].splitlines()]


def start(server, path):
    command = [sys.executable, "-c", RUN, server.url, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_records(process, path, count):
    while process.poll() is None and len(lines_of(path)) < count:
        time.sleep(0.005)


def latest(path):
    records = {record["key"]: record for record in lines_of(path)}
    assert len(records) == 120
    return records


def test_killed_at_random_and_resumed_no_finished_call_is_repeated(server, tmp_path):
    server.pace_s = 0.02
    path = tmp_path / "killed.jsonl"
    rng = random.Random(5)
    asked_then = {}  # how often the server had been asked an item when the item was found finished
    for _ in range(3):
        process = start(server, path)
        wait_for_records(process, path, len(lines_of(path)) + rng.randint(1, 40))
        time.sleep(rng.uniform(0, 0.03))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for record in lines_of(path):
            asked_then.setdefault(record["item"], asked_for(server, record["item"]))
    assert 3 <= len(asked_then) < 120
    out, err = communicate(start(server, path))
    assert (out.split(), err) == (WHOLE, "")
    assert {item: asked_for(server, item) for item in asked_then} == asked_then

    whole = tmp_path / "whole.jsonl"
    assert communicate(start(server, whole))[0].split() == WHOLE
    assert latest(path) == latest(whole)


def asked_for(server, item):
    return sum(count for text, count in server.asked.items() if text.startswith(f"{item} <<"))


def communicate(process):
    return process.communicate(timeout=120)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_stores_what_has_come_back_and_the_next_run_goes_on(server, tmp_path, sent):
    server.pace_s = 0.02
    path = tmp_path / "replies.jsonl"
    process = start(server, path)
    wait_for_records(process, path, 20)
    process.send_signal(sent)
    _, err = communicate(process)
    assert process.returncode == -signal.SIGINT  # how Python ends on KeyboardInterrupt
    assert err.rstrip().endswith("KeyboardInterrupt")
    finished = {record["key"] for record in lines_of(path)}
    assert 20 <= len(finished) < 120
    assert path.read_bytes().endswith(b"\n")
    asked = {key: asked_for(server, key.partition("#")[0]) for key in finished}
    out, err = communicate(start(server, path))
    assert (out.split(), err) == (WHOLE, "")
    assert {key: asked_for(server, key.partition("#")[0]) for key in finished} == asked
    latest(path)
