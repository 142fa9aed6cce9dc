import json

from mmrole.cli.main import main
from mmrole.core.manifest import read_manifest


def erc(world, out, *options):
    files = ["--dialogues", str(world.path), "--predictions", str(world.folder / "p.jsonl"), "--out", str(out)]
    return main(["erc", *files, *options])


def test_scores_are_printed_and_stored(world, tmp_path, capsys):
    assert erc(world, tmp_path / "o", "--bootstrap", "10") == 0
    said = capsys.readouterr()
    told = said.err.splitlines()
    assert told[0] == "mmrole: 1 of 10 utterances have no prediction; they count as ambiguous ones do"
    assert told[1].startswith("mmrole: the intervals come from 2 dialogues")
    lines = said.out.splitlines()
    assert lines[1].split()[:3] == ["ERC", "accuracy", "0.500"]
    assert lines[-1] == f"9 predictions = 9 done + 0 failed + 0 skipped -> {tmp_path / 'o'}"


def test_json(world, tmp_path, capsys):
    assert erc(world, tmp_path / "o", "--bootstrap", "0", "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["scores"][0]["value"] == 0.5
    assert outcome["per_class"]["happy"]["recall"] == 0.5
    assert outcome["notes"] == ["1 of 10 utterances have no prediction; they count as ambiguous ones do"]


def test_every_option_reaches_the_run(world, tmp_path):
    options = "--labels cped-13 --level upper --without neutral --bootstrap 3 --seed 5 --format jsonl --target emotion"
    assert erc(world, tmp_path / "o", *options.split()) == 0
    settings = read_manifest(tmp_path / "o" / "manifest.json")["settings"]
    assert {name: settings[name] for name in ("level", "without", "bootstrap", "seed", "target", "stream", "format")} == {
        "level": "upper", "without": ["neutral"], "bootstrap": 3, "seed": 5, "target": "emotion", "stream": None, "format": "jsonl",
    }  # fmt: skip


def test_errors_are_one_line(world, tmp_path, capsys):
    assert erc(world, tmp_path / "o", "--without", "joy") == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "'joy' is no label of cped-13" in line
    assert erc(world, tmp_path / "o", "--stream", "face") == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "p.jsonl: there are no predictions of the stream 'face'" in line
