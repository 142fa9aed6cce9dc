"""The whole way on the command line, against a server on the loopback interface."""

import json

import pytest

from mmrole.cli.main import main


def says(_, text):
    """Plays the agent, the judge and the auditor."""
    if '"verdict"' in text:
        return '{"verdict": "following"}'
    return '{"option": "B"}' if '"option"' in text else '{"chosen_option": "A", "reasoning": "so it is"}'


@pytest.fixture
def server(endpoint):
    return endpoint(says)


def bench(*args):
    return main(["bench", "rolecde", *args])


def build(*more):
    return bench("build", "--out", "run", "--role-options", "example", "--orders", "AB", "BA", *more)


def record(capsys):
    return json.loads(capsys.readouterr().out)


def test_every_stage_for_people(server, capsys):
    assert build() == 0
    out = capsys.readouterr().out
    assert "4 personas: goalkeeper, laoban, lighthouse, yaofang" in out
    assert "12 role options: file 12; 4 flagged (see audit.md)" in out
    assert "flagged: persona goalkeeper, mid: A (differs_from_default)" in out
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    assert bench("grade", "run", "--judge", "here", "--quiet") == 0
    assert "choices: ok 24; 24 of 24 decisions judged" in capsys.readouterr().out
    assert bench("score", "run", "--bootstrap", "20") == 0
    out = capsys.readouterr().out
    assert "debiased_dbr   0.500" in out
    assert "position_bias  0.500" in out
    assert "without 4 flagged dilemmas" in out
    assert bench("plot", "decisions", "run", "--out", "p.png") == 0
    assert bench("review", "run", "--sheet", "s.csv", "--sample", "3") == 0
    assert "3 decisions -> s.csv" in capsys.readouterr().out


def test_every_stage_for_machines(server, capsys):
    assert build("--json", "--auditors", "here") == 0
    built = record(capsys)
    assert built["audit"]["dilemmas"] == 12
    assert built["auditors"]["here"]["counts"]["done"] == 24
    # an auditor that always says B has settled nothing: the letter, not the option
    assert {verdict["reason"] for each in built["flagged"] for verdict in each["verdicts"]} == {None, "unsettled"}
    assert bench("run", "run", "--agent", "here", "--json") == 0
    assert record(capsys)["counts"]["done"] == 24
    assert bench("grade", "run", "--judge", "here", "--json") == 0
    assert record(capsys)["judges"]["here"]["judged"] == 24
    assert bench("score", "run", "--json", "--bootstrap", "0") == 0
    scored = record(capsys)
    assert scored["judges"]["here"]["undecided"] == 0
    assert {each["metric"] for each in scored["judges"]["here"]["scores"]} >= {"dbr", "debiased_dbr", "position_bias"}
    assert bench("plot", "dbr", "run", "--out", "p.svg", "--json") == 0
    assert record(capsys) == {"out": "p.svg"}


def test_dry_runs_ask_nobody(server, capsys):
    assert build("--auditors", "here", "--dry-run") == 0
    assert "24 replies wanted" in capsys.readouterr().out
    build()
    assert bench("run", "run", "--agent", "here", "--dry-run") == 0
    assert server.asked == []
    bench("run", "run", "--agent", "here", "--quiet")
    capsys.readouterr()
    assert bench("grade", "run", "--judge", "here", "--dry-run", "--json") == 0
    assert record(capsys)["here"]["calls"] == 24
    assert len(server.asked) == 24


def test_what_failed_gives_3_and_is_asked_again(server, capsys):
    build()
    server.down = "Tom asks to trim"
    assert bench("run", "run", "--agent", "here", "--quiet") == 3
    assert "24 answers = 22 done + 2 failed" in capsys.readouterr().out
    assert bench("grade", "run", "--judge", "here", "--quiet") == 0
    assert bench("score", "run", "--bootstrap", "0") == 3
    assert "without a decision: choice_error 2" in capsys.readouterr().out
    server.down = ""
    assert bench("run", "run", "--agent", "here", "--quiet") == 0
    assert bench("grade", "run", "--judge", "here", "--quiet") == 0
    assert bench("score", "run", "--bootstrap", "0") == 0


def test_a_cost_limit_ends_the_stage(server, capsys):
    """A request is estimated at more than 200 tokens, each at 1 EUR: with 100 none can be made."""
    build()
    assert bench("run", "run", "--agent", "here", "--quiet", "--max-cost", "100") == 3
    assert "24 answers = 0 done + 0 failed + 24 pending" in capsys.readouterr().out
    assert bench("build", "--out", "two", "--auditors", "here", "--max-cost", "100", "--quiet") == 3
    assert "the audit has not come to its end: run the stage build again" in capsys.readouterr().out
    assert server.asked == []


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["build", "--out", "x", "--personas", "gone"], 1, "mmrole: gone: cannot be read"),
        (["build", "--out", "x", "--only", "eve"], 2, "there is no persona 'eve'"),
        (["build", "--out", "x", "--prompt", "upstream", "--orders", "AB", "BA"], 2, "give it no other order"),
        (["build", "--out", "x", "--role-options", "gone.csv"], 1, "gone.csv: cannot be read"),
        (["build", "--out", "x", "--auditors", "nobody"], 2, "nobody"),
        (["run", "gone", "--agent", "here"], 1, "make it with mmrole bench rolecde build"),
        (["score", "run"], 2, "holds no grades"),
        (["grade", "run", "--judge", "here"], 1, "answers.jsonl is missing"),
        (["run", "run", "--outputs", "gone", "--level", "hard"], 1, "gone: cannot be read"),
        (["review", "run", "--read", "gone.csv"], 1, "answers.jsonl is missing"),
    ],
)
def test_mistakes_are_one_line(server, capsys, args, code, message):
    build()
    capsys.readouterr()
    assert bench(*args) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [
        ["build"],
        ["run", "run"],
        ["run", "run", "--agent", "a", "--outputs", "b"],
        ["plot", "pie", "run", "--out", "x.png"],
        [],
    ],
)
def test_usage(server, args):
    with pytest.raises(SystemExit) as caught:
        bench(*args)
    assert caught.value.code == 2
