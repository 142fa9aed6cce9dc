import json
import os
import subprocess
import sys

import pytest

from emotion.options import ScoreOptions
from mmrole.cli.main import main
from mmrole.core.manifest import read_manifest


def score(world, out, *options, votes=None):
    votes = world.folder / "attentive.jsonl" if votes is None else votes
    return main(["score", "--dialogues", str(world.path), "--votes", str(votes), "--out", str(out), *map(str, options)])


def test_scores_are_printed_and_stored(world, tmp_path, capsys):
    assert score(world, tmp_path / "o", "--bootstrap", 20) == 0
    said = capsys.readouterr()
    assert [line.split(":")[1] for line in said.err.splitlines()] == [
        " the intervals come from 2 dialogues",
        " every draw gave the same value, so that the interval has no width; that is no certainty",
    ]
    lines = said.out.splitlines()
    assert lines[0].split() == ["score", "value", "95", "%", "interval", "n", "left", "out"]
    assert lines[1].startswith("MEC lower")
    assert "0.727" in lines[1]
    assert any("– (no_roles)" in line and "few_transitions 2" in line for line in lines)
    assert lines[-1] == (
        f"8 voted utterances = 8 done + 0 failed + 0 skipped; 4 of 5 turns answered -> {tmp_path / 'o'}"
    )
    assert (tmp_path / "o" / "scores.md").is_file()


def test_json_is_for_machines(world, tmp_path, capsys):
    assert score(world, tmp_path / "o", "--bootstrap", 0, "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["counts"] == {"inputs": 8, "done": 8, "failed": 0, "skipped": 0}
    assert outcome["coverage"]["answered"] == 4
    stored = [json.loads(line) for line in (tmp_path / "o" / "scores.jsonl").read_text("utf-8").splitlines()]
    assert outcome["scores"] == stored


def test_every_option_reaches_the_run(world, tmp_path):
    options = (
        "--threshold 2/3 --min-valid 0.25 --average jaccard --empty miss --min-transitions 3 --kinds same_speaker inter same_speaker "
        "--drop-self-loops --equalise --no-two-speakers-only --nobody Ann --nobody Bob --cec pairwise --ed alpha --method graded "
        "--labels cped-13 --format jsonl --bootstrap 7 --seed 3"
    )
    assert score(world, tmp_path / "o", *options.split()) == 0
    settings = read_manifest(tmp_path / "o" / "manifest.json")["settings"]
    wanted = ScoreOptions(
        threshold="2/3", min_valid="1/4", average="jaccard", empty="miss", min_transitions=3, kinds=("same_speaker", "inter"),
        drop_self_loops=True, equalise=True, two_speakers_only=False, nobody=frozenset({"Ann", "Bob", ""}), cec_measure="pairwise",
        ed_measure="alpha", rc_method="graded",
    )  # fmt: skip
    assert settings["options"] == wanted.to_record()
    assert (settings["bootstrap"], settings["seed"], settings["labels"]["name"]) == (7, 3, "cped-13")


def test_the_defaults_are_those_of_the_library(world, tmp_path):
    assert score(world, tmp_path / "o") == 0
    settings = read_manifest(tmp_path / "o" / "manifest.json")["settings"]
    assert settings["options"] == ScoreOptions().to_record()
    assert (settings["bootstrap"], settings["seed"]) == (1000, 0)


def test_notes_go_to_standard_error(world, tmp_path, capsys):
    votes = tmp_path / "v.jsonl"
    vote = {"utterance_id": "d1_1/0", "stream": "all", "expert": "e\x1b[31m", "round": 0, "label": "bewildered\x1b[31m"}
    votes.write_text(json.dumps(vote))
    assert score(world, tmp_path / "o", "--bootstrap", 0, votes=votes) == 0
    said = capsys.readouterr()
    told = said.err.splitlines()
    assert told[0] == "mmrole: 1 of 1 votes are for a label that is not in cped-13"
    assert told[1].startswith("mmrole: all votes are of one expert")
    assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        ("", 1, "v.jsonl: the file is empty, there are no votes in it"),
        ('{"utterance_id": "d1_1/0"}\n', 1, "v.jsonl, line 1: the vote has no stream"),
        ("PNG\n", 1, "v.jsonl, line 1: no JSON object"),
    ],
)
def test_bad_input_is_one_line(world, tmp_path, capsys, content, code, named):
    votes = tmp_path / "v.jsonl"
    votes.write_text(content)
    assert score(world, tmp_path / "o", votes=votes) == code
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("mmrole: ")
    assert named in line


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--threshold", "1.5"], "--threshold has to be above 0 and at most 1, not 1.5"),
        (["--threshold", "most"], "--threshold has to be a number such as 0.7 or 7/10"),
        (["--bootstrap", "-1"], "--bootstrap is a number of draws"),
        (["--labels", "cped"], "no label set 'cped'; there are cped-13"),
        (["--truth-map", "x"], "no label map 'x'"),
        (["--min-transitions", "0"], "min_transitions has to be 1 or more"),
    ],
)
def test_usage_is_one_line_and_exits_2(world, tmp_path, capsys, options, named):
    assert score(world, tmp_path / "o", *options) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert named in line


def test_the_command_in_a_process_of_its_own(world, tmp_path):
    """A terminal that is not UTF-8, a folder with a space."""
    out = tmp_path / "o 空"
    command = [
        sys.executable,
        "-m",
        "mmrole",
        "score",
        "--dialogues",
        world.path,
        "--votes",
        world.folder / "happy.jsonl",
    ]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ended = subprocess.run(
        [*map(str, command), "--out", str(out), "--bootstrap", "0"], capture_output=True, text=True, env=environment
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (out / "scores.jsonl").is_file()
