"""`mmrole respond` on the fixtures, against a server on the loopback interface."""

import json
from pathlib import Path

import pytest

from emotion.response_records import read_responses
from mmrole.cli.main import main

FIXTURES = Path(__file__).parents[3] / "fixtures"
FILES = [
    f"--{name}={FIXTURES / name}.{end}"
    for name, end in (("dialogues", "csv"), ("roles", "jsonl"), ("previous", "jsonl"))
]
# by hand, from fixtures/dialogues.csv: all turns but the first of each dialogue
TARGETS = ["01_000_001", "01_000_002", "01_000_003", "01_001_001"]


def says(*_):
    """Plays the agent."""
    return json.dumps({"utterances": [{"text": "好啊！", "face": "微笑", "body": "点头", "speech": "轻快"}]})


@pytest.fixture
def server(endpoint):
    return endpoint(says, more="temperature = 0.2\n")


def respond(*args, out="run", files=FILES):
    return main(["respond", *files, "--agent", "here", "--out", out, *args])


def test_the_whole_way(server, capsys, tmp_path):
    assert respond("--condition", "all", "--dry-run") == 0
    printed = capsys.readouterr().out
    assert "4 replies wanted: 0 stored, 0 in the cache, 4 calls to make" in printed
    assert "asked for once more" in printed
    assert not server.bodies
    assert not (tmp_path / "run").exists()
    assert respond("--condition", "all", "--quiet") == 0
    printed = capsys.readouterr()
    assert "4 turns to play = 4 done + 0 failed; 0 of them reused" in printed.out
    assert "4 utterances, each with face, body and speech" in printed.out
    assert "no turns to play: no_predecessor 2" in printed.out
    assert "-> run/responses.jsonl" in printed.out
    assert printed.err == ""
    found = read_responses(tmp_path / "run/responses.jsonl")
    assert [response.utterance_id for response in found] == TARGETS
    assert {(r.condition, r.agent, r.status) for r in found} == {("all", "here", "ok")}
    body = server.bodies[0]
    # the endpoint's own temperature; the paper's top-p, which it says nothing of
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.2, 0.95, 50)
    assert "人物资料" in body["messages"][0]["content"]
    settings = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))["settings"]
    assert {name: settings["parameters"][name] for name in ("temperature", "top_p")} == {
        "temperature": 0.2,
        "top_p": 0.95,
    }


def test_nothing_is_asked_twice(server, capsys):
    respond("--condition", "none", "--quiet", "--no-cache")
    capsys.readouterr()
    assert respond("--condition", "none", "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["counts"] == {"inputs": 4, "done": 4, "failed": 0, "skipped": 0, "pending": 0, "reused": 4}
    assert outcome["responses"] == "run/responses.jsonl"
    assert len(server.bodies) == 4


def test_failures_are_listed_and_the_exit_code_is_3(server, capsys):
    server.down = "火车来了"
    assert respond("--condition", "none", "--quiet", "--lang", "en") == 3
    out = capsys.readouterr().out
    assert "4 turns to play = 3 done + 1 failed" in out
    assert "failed: 01_001_001 in run 0: bad_request" in out


def test_the_limit_on_cost(server, capsys, tmp_path):
    assert respond("--condition", "none", "--max-cost", "1", "--quiet") == 3
    assert "the responses were not written, because it ended early; the replies are in run" in capsys.readouterr().out
    assert not server.bodies
    assert not (tmp_path / "run/responses.jsonl").exists()


def test_turns_that_cannot_be_played_are_told(server, capsys, tmp_path):
    (tmp_path / "kai.jsonl").write_text((FIXTURES / "roles.jsonl").read_text("utf-8").splitlines()[1] + "\n", "utf-8")
    assert respond("--condition", "prof", "--quiet", files=[FILES[0], "--roles", "kai.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "3 turns to play = 3 done" in out
    assert "1 more turn was not played: no_profile 1" in out
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--condition", "none", "--role", "小唐"], 2, "role '小唐' never speaks in the dialogues; there are 小棠"),
        (["--condition", "none", "--history", "0"], 2, "--history 0 makes no sense"),
        (["--condition", "none", "--context", "media"], 2, "name their features folder with --features"),
        (
            ["--condition", "none", "--context", "media", "--features", "gone"],
            1,
            "gone is no folder of features: run `mmrole extract",
        ),
        (["--condition", "none", "--agent", "there"], 2, "no endpoint 'there'"),
        (["--condition", "none", "--descriptions", "gone.jsonl"], 1, "gone.jsonl: cannot be read"),
        (["--condition", "none", "--nobody", "小棠", "--nobody", "阿凯"], 2, "no turn to play: 6 turns, left out: "),
    ],
)
def test_what_makes_no_sense_is_one_line(server, capsys, tmp_path, args, code, said):
    assert respond(*args, "--quiet") == code
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_condition_has_to_be_named(server, capsys):
    with pytest.raises(SystemExit) as ended:
        respond()
    assert ended.value.code == 2
    assert "--condition" in capsys.readouterr().err
