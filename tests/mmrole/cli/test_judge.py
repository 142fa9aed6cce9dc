"""The commands, against a server on the loopback interface that judges."""

import json
import re

import pytest

from mmrole.cli.main import main


def says(_, text):
    """Finds the words of every response to support it."""
    code, quote = re.search(r"<response-([0-9a-f]{8})>\n1\. content: (.*)", text).groups()
    piece = {"quote": quote, "reason": "it fits", "strength": 2}
    return json.dumps({"code": code, "supporting": [piece], "contradicting": []})


@pytest.fixture
def server(endpoint, judged):
    config = 'prices = "prices.toml"\n[endpoints.one]\n{url}[endpoints.two]\n{url}'
    return endpoint(says, config=config, folder=judged.folder)


FILES = [
    "--responses",
    "responses.jsonl",
    "--dialogues",
    "dialogues.jsonl",
    "--roles",
    "roles.jsonl",
    "--previous",
    "previous.jsonl",
]
BOTH = ["judge", *FILES, "--judge", "one", "two", "--no-cache"]


def test_the_whole_way(server, judged, capsys):
    assert main([*BOTH, "--out", "out", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("9 replies wanted: 0 stored, 0 in the cache, 9 calls to make") == 2
    assert "together: 18 calls to make" in shown
    assert not (judged.folder / "out").exists()
    assert main([*BOTH, "--out", "out", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "9 replies of one = 9 done + 0 failed; 0 of them reused" in out
    assert re.search(
        r"^Exp +5\.000 +3 samples \(coverage 60\.0%\) +no_response 1 sample, no_profile 1 sample$", out, re.MULTILINE
    )
    assert "30 judgements = 18 done + 0 failed + 12 skipped -> out/judgements.jsonl" in out
    assert "mmrole: 1 of 5 responses are not judged: their roles have no profile" in err
    assert len(server.asked) == 18
    # votes on the responses that there are, and their scores
    votes = [
        {"utterance_id": f"{turn}/0", "stream": "all", "expert": "e", "round": 0, "label": "happy"}
        for turn in ("d1_1", "d1_2", "d2_1", "d3_1")
    ]
    (judged.folder / "votes.jsonl").write_text("".join(json.dumps(vote) + "\n" for vote in votes))
    scoring = [
        "score",
        "--dialogues",
        "dialogues.jsonl",
        "--votes",
        "votes.jsonl",
        "--judgements",
        "out/judgements.jsonl",
    ]
    assert main([*scoring, "--out", "scores", "--bootstrap", "0", "--json"]) == 0
    scores = {s["metric"]: s for s in json.loads(capsys.readouterr().out)["scores"]}
    assert (scores["exp"]["value"], scores["exp"]["n"], scores["exp"]["details"]["coverage"]) == (5.0, 3, 0.6)
    page = (judged.folder / "scores" / "scores.md").read_text()
    assert "## Role consistency by episode" in page
    assert "| 9 | 5.00 (n 2) | 5.00 (n 2) | 5.00 (n 2) |" in page
    assert page.index("| 9 |") < page.index("| 10 |") < page.index("| – | –")
    assert main(["plot", "episodes", "scores", "--out", "episodes.png"]) == 0
    assert (judged.folder / "episodes.png").read_bytes().startswith(b"\x89PNG")


def test_json(server, judged, capsys):
    assert main([*BOTH, "--out", "out", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] | {"inputs": 30, "done": 18, "skipped": 12} == told["counts"]
    assert set(told["judges"]) == {"one", "two"}
    assert told["skipped"] == {"no_response": 1, "no_profile": 1}
    assert [score["value"] for score in told["scores"]] == [5.0] * 3
    assert main([*BOTH, "--out", "out", "--json", "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out)["judges"]["two"]["stored"] == 9


def test_failures_and_limits(server, judged, capsys):
    server.down = "I never liked snow"
    assert main([*BOTH, "--out", "out", "--quiet"]) == 3
    out = capsys.readouterr().out
    assert "9 replies of two = 6 done + 3 failed" in out
    assert "failed: evidence/exp/d2_1" in out
    server.down = ""
    asked = len(server.asked)
    assert main([*BOTH, "--out", "out", "--quiet"]) == 0
    assert len(server.asked) - asked == 6
    capsys.readouterr()
    # each call costs ten euros
    assert main([*BOTH, "--out", "dear", "--quiet", "--max-cost", "45"]) == 3
    out, err = capsys.readouterr()
    assert "ended early: the limit on cost is reached" in out
    # what was not asked is no failure: 30 judgements less 12 that nobody can be asked for
    done, pending = re.search(r"30 judgements = (\d+) done \+ 0 failed \+ 12 skipped \+ (\d+) pending", out).groups()
    assert int(done) + int(pending) == 18
    assert "judgements.jsonl was not written: a judge is not through; run again to go on" in err


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["judge", *FILES, "--out", "x"], 2, "the following arguments are required: --judge"),
        ([*BOTH, "--judge", "one", "--out", "x"], 2, "mmrole: two judges are called 'one'"),
        (["judge", *FILES, "--judge", "three", "--out", "x"], 2, "has no endpoint 'three': there are one, two"),
        ([*BOTH, "--roles", "none.jsonl", "--out", "x"], 1, "mmrole: none.jsonl: cannot be read"),
        ([*BOTH, "--aspects", "looks", "--out", "x"], 2, "invalid choice: 'looks'"),
    ],
)  # fmt: skip
def test_one_line_says_what_is_wrong(server, args, code, message, capsys):
    try:
        given = main(args)
    except SystemExit as end:
        given = end.code
    err = capsys.readouterr().err
    assert (given, err.count("\n")) == (code, 1)
    assert message in err
    assert not server.asked
