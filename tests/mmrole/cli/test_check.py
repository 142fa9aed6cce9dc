import json

import pytest

from mmrole.cli.main import main


def write(tmp_path, utterances):
    rows = [{"speaker": "A", "text": "words", "emotion": "happy", **utterance} for utterance in utterances]
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"dialogue_id": "d", "utterances": rows}), "utf-8")
    return path


@pytest.fixture
def faulty(tmp_path):
    return write(tmp_path, [{"utterance_id": "u0", "index": 0}, {"utterance_id": "u2", "index": 2, "emotion": "joy"}])


def test_faults_are_listed_and_exit_3(faulty, capsys):
    assert main(["check", str(faulty), "--labels", "cped-13"]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{faulty}: jsonl, 1 dialogue, 2 utterances"
    assert lines[1] == "faults: 2"
    assert lines[2].startswith("  utterance_gap: 1: ")
    assert "d: 1 missing" in lines[2]
    assert lines[3].startswith("  unknown_label: 1: ")
    assert lines[4] == "notes, which are no faults: 1"
    assert lines[5].startswith("  one_speaker: 1: ")


def test_notes_alone_exit_0(tmp_path, capsys):
    path = write(tmp_path, [{"utterance_id": "u0"}])
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "faults: none"


def test_json(faulty, capsys):
    assert main(["check", str(faulty), "--labels", "cped-13", "--json"]) == 3
    outcome = json.loads(capsys.readouterr().out)
    assert (outcome["format"], outcome["utterances"], outcome["faults"], outcome["clips"]) == ("jsonl", 2, 2, None)
    assert outcome["defects"][1]["first"] == [{"place": "u2", "value": "'joy'"}]


def test_clips(root, capsys):
    clips = root / "fixtures" / "clips"
    assert main(["check", str(root / "fixtures" / "dialogues.csv"), "--clips", str(clips), "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[0].endswith("6 utterances, 6 clips (0 other files)")


def test_errors_are_one_line(tmp_path, capsys):
    (tmp_path / "p.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    assert main(["check", str(tmp_path / "p.csv")]) == 1
    assert main(["check", str(write(tmp_path, [{"utterance_id": "u"}])), "--clips", str(tmp_path / "none")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "p.csv: is no text file" in first
    assert "none does not exist" in second


def test_a_name_that_would_change_the_terminal_is_escaped(tmp_path, capsys):
    path = write(tmp_path, [{"utterance_id": "u\x1b[31m", "emotion": None}])
    assert main(["check", str(path)]) == 3
    assert "\x1b" not in capsys.readouterr().out
