"""The whole way on the command line, against a server on the loopback interface."""

import json
import re

import pytest

from mmrole.cli.main import main


def says(served, text):
    """Plays the agent and the interviewer; `served.mumbled` are words in requests whose reply cannot be read."""
    if served.mumbled and served.mumbled in text:
        return "Well."
    if "Give one choice for each number" in text:
        return json.dumps(dict.fromkeys(re.findall(r"^(\d+)\.$", text, re.MULTILINE), 4))
    return "I like it." if " says: " in text or "说：" in text else '{"analysis": "so it seems", "score": 4}'


@pytest.fixture
def server(endpoint):
    return endpoint(says, mumbled="")


def bench(*args):
    return main(["bench", "incharacter", *args])


def build(*more):
    return bench(
        "build", "--out", "run", "--only", "elizabeth-bennet", "--runs", "1", "--methods", "OC", "ER_all", *more
    )


def outcome(capsys):
    return json.loads(capsys.readouterr().out)


def test_the_whole_way(server, capsys, tmp_path):
    assert build() == 0
    assert "50 questions x 1 runs = 50 -> run" in capsys.readouterr().out
    assert bench("run", "run", "--agent", "here", "--dry-run") == 0
    assert "50 replies wanted: 0 stored, 0 in the cache, 50 calls to make" in capsys.readouterr().out
    assert not server.asked
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    assert "50 answers = 50 done + 0 failed; 0 of them reused" in capsys.readouterr().out
    assert bench("grade", "run", "--interviewer", "here", "--json") == 0
    graded = outcome(capsys)
    assert (graded["counts"]["inputs"], graded["sittings"], graded["graded"]) == (1 + 5, 2, 2)
    assert bench("score", "run", "--bootstrap", "0") == 0
    printed = capsys.readouterr()
    # 4 everywhere by ER: four unmasked dimensions, all labelled high
    assert re.search(r"\| ER_all \| \*\*100\.0\*\* \|", printed.out)
    assert printed.err == ""
    assert bench("plot", "radar", "run", "--out", "radar.png") == 0
    assert (tmp_path / "radar.png").exists()
    assert len(server.asked) == 50 + 6


def test_nothing_is_asked_twice(server, capsys):
    build()
    bench("run", "run", "--agent", "here", "--quiet")
    assert bench("run", "run", "--agent", "here", "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[-1])["counts"]["reused"] == 50
    assert len(server.asked) == 50


def test_failures_are_listed_and_the_exit_code_is_3(server, capsys):
    build()
    server.down = "When people gather to celebrate"
    assert bench("run", "run", "--agent", "here", "--quiet") == 3
    out = capsys.readouterr().out
    assert "50 answers = 49 done + 1 failed" in out
    assert "failed: elizabeth-bennet/IPIP-50/interview/1 in run 0: bad_request" in out
    assert bench("grade", "run", "--interviewer", "here", "--quiet") == 3
    assert "0 of 2 sittings" in capsys.readouterr().out


def test_an_interviewer_that_cannot_be_read(server, capsys):
    build()
    bench("run", "run", "--agent", "here", "--quiet")
    server.mumbled = '"score"'
    grading = ["grade", "run", "--interviewer", "here", "--regenerations", "2"]
    capsys.readouterr()
    assert bench(*grading, "--dry-run") == 0
    # 1 call of OC and 5 of ER_all, three times each
    assert "asked for again, 2 times at most: in all at most 18 calls, about " in capsys.readouterr().out
    assert bench(*grading, "--dry-run", "--json") == 0
    assert outcome(capsys)["at_most"]["calls"] == 18
    assert bench(*grading) == 3
    printed = capsys.readouterr()
    assert "ER_all: nothing that the interviewer said could be read: there are no scores of this method" in printed.out
    assert "2 of 2 sittings" in printed.out
    starts = [line.split(",")[0] for line in printed.err.splitlines()]
    assert starts == [
        "6/6 replies", "5/5 replies (attempt 2 of at most 3)", "5/5 replies (attempt 3 of at most 3)",
    ]  # fmt: skip
    assert bench(*grading, "--json") == 3
    assert outcome(capsys)["methods_unread"] == ["ER_all"]


def test_the_limit_on_cost(server, capsys):
    build("--json")
    assert outcome(capsys)["items"] == 50
    assert bench("run", "run", "--agent", "here", "--max-cost", "1", "--json") == 3
    result = outcome(capsys)
    assert result["counts"]["pending"] == 50
    assert result["stopped"]
    assert not server.asked


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["build", "--out", "x", "--scales", "BFI"], 2, "the items of BFI are not ours to give away"),
        (["build", "--out", "x", "--characters", "none.toml"], 1, "none.toml: cannot be read"),
        (["build", "--out", "x", "--runs", "0"], 2, "0 runs make no sense"),
        (["run", "nothing", "--agent", "here"], 1, "plan.json is missing"),
        (["run", "nothing", "--agent", "there"], 2, "has no endpoint 'there'"),
        (["score", "nothing"], 1, "plan.json is missing"),
        (["labels", "--out", "l.json"], 2, "there is nothing to build labels from"),
    ],
)
def test_an_expected_error_is_one_line(server, capsys, args, code, said):
    assert bench(*args) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1


def test_labels(server, capsys, tmp_path):
    (tmp_path / "sheets.csv").write_text(
        "character,scale,dimension,annotator,score\nann,BFI,Openness,a,5\nann,BFI,Openness,b,4\n"
    )
    assert bench("labels", "--sheets", "sheets.csv", "--out", "labels.json", "--bootstrap", "0") == 0
    assert "1 labels from annotation" in capsys.readouterr().out


def test_usage_is_2(capsys):
    with pytest.raises(SystemExit) as caught:
        bench("run", "folder")
    assert caught.value.code == 2
    assert "--agent" in capsys.readouterr().err


def test_a_dry_run_needs_no_key(server, capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("MMROLE_TEST_KEY", raising=False)
    with (tmp_path / "mmrole.toml").open("a") as file:
        file.write('api_key_env = "MMROLE_TEST_KEY"\n')
    assert build() == 0
    assert bench("run", "run", "--agent", "here", "--dry-run") == 0
    assert "50 calls to make" in capsys.readouterr().out
    assert bench("run", "run", "--agent", "here") == 2
    assert "MMROLE_TEST_KEY is not set" in capsys.readouterr().err
