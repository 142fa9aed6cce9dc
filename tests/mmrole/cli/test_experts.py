import json

import pytest

from mmrole.cli.main import main

WORDS = {"happy": "好开心", "anger": "滚出去", "neutral": "星期三"}


@pytest.fixture
def data(tmp_path):
    records = [
        {
            "dialogue_id": str(number),
            "utterances": [
                {"utterance_id": f"{number}_{k}", "speaker": "A", "text": text * (1 + number % 2), "emotion": label}
                for k, (label, text) in enumerate(WORDS.items())
            ],
        }
        for number in range(6)
    ]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_the_kinds_are_listed(capsys):
    assert main(["experts"]) == 0
    out = capsys.readouterr().out
    for kind in ("llm", "lexicon", "facial-action", "prosody", "trained", "text-classifier", "speech-classifier"):
        assert any(line.startswith(f"{kind} ") for line in out.splitlines())
    assert main(["experts", "--labels", "meld-7", "--json"]) == 0
    kinds = {kind["kind"]: kind for kind in json.loads(capsys.readouterr().out)}
    assert kinds["prosody"]["can_give"] == ["neutral", "joy", "anger", "sadness", "fear"]


def test_train_and_show(data, tmp_path, capsys):
    pytest.importorskip("sklearn")
    out = tmp_path / "e.npz"
    assert main(["experts", "train", "--data", str(data), "--out", str(out), "--folds", "2"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == f"18 utterances = 18 done + 0 failed + 0 skipped -> {out}"
    assert "cross-validation: fold 2 of 2" in said.err
    lines = said.out.splitlines()[:-1]
    assert main(["experts", "show", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == lines
    assert main(["experts", "show", str(out), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["classes"] == ["happy", "anger", "neutral"]
    command = ["experts", "train", "--data", str(data), "--out", str(out), "--folds", "2", "--quiet", "--json"]
    assert main(command) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert json.loads(said.out)["expert"] == record


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "--data", "{data}", "--out", "{data}"], 2, "is the data to train on"),
        (["train", "--data", "{data}", "--out", "{folder}"], 2, "is a folder"),
        (["train", "--data", "{data}", "--out", "{folder}/e", "--folds", "50"], 2, "50 folds need as many groups"),
        (["train", "--data", "{data}", "--out", "{folder}/e", "--ngrams", "0"], 2, "--ngrams has to be"),
        (["train", "--data", "none.csv", "--out", "{folder}/e"], 1, "none.csv"),
        (["train", "--data", "{data}", "--out", "{data}/e"], 1, "cannot be written"),
        (["show", "none.npz"], 1, "none.npz: cannot be read"),
        (["show", "{data}"], 1, "no trained expert"),
    ],
)
def test_errors_are_one_line(data, tmp_path, capsys, arguments, code, message):
    pytest.importorskip("sklearn")
    given = [part.format(data=data, folder=tmp_path) for part in arguments]
    assert main(["experts", *given, *(["--quiet"] if given[0] == "train" else [])]) == code
    said = capsys.readouterr()
    [line] = said.err.splitlines()
    assert message in line
    assert said.out == ""
