import json

import pytest

from mmrole.cli.main import main


def test_embedded_from_the_command_line(fixture_features, root, tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "describe",
        "--features",
        str(fixture_features),
        "--dialogues",
        str(root / "fixtures/dialogues.csv"),
        "--out",
        str(out),
    ]
    assert main([*command, "--lang", "zh", "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines() == [
        "18 descriptions = 15 done + 0 failed + 3 skipped; 0 of them reused",
        "  no description of face: no_face 1",
        "  no description of body: no_body 1",
        "  no description of speech: no_audio_stream 1",
        f"-> {out / 'descriptions.jsonl'}",
    ]
    assert main([*command, "--lang", "zh", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"inputs": 18, "done": 15, "failed": 0, "skipped": 3, "pending": 0, "reused": 15}
    assert told["describer"] == "embedded.zh"


def test_what_failed_makes_the_exit_code_3(fixture_features, tmp_path, capsys):
    config = tmp_path / "mmrole.toml"
    # a port that nobody listens on: the model is given up and nothing is written
    config.write_text(
        '[endpoints.gone]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\nattempts = 1\n', encoding="utf-8"
    )
    command = [
        "describe",
        "--features",
        str(fixture_features),
        "--describer",
        "gone",
        "--config",
        str(config),
        "--no-cache",
    ]
    command += ["--out", str(tmp_path / "out")]
    assert main([*command, "--dry-run"]) == 0
    assert "15 calls to make" in capsys.readouterr().out
    assert main([*command, "--quiet"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("mmrole: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "out/descriptions.jsonl").exists()


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--dry-run"], 2, "the embedded describer asks none"),
        (["--describer", "nobody"], 2, "mmrole.toml is missing"),
        (["--roles", "roles.jsonl"], 2, "--roles is for a model that sees pictures"),
        (["--dialogues", "none.csv"], 1, "none.csv: cannot be read"),
    ],
)
def test_errors_are_one_line(fixture_features, tmp_path, capsys, monkeypatch, more, code, said):
    monkeypatch.chdir(tmp_path)
    assert main(["describe", "--features", str(fixture_features), "--out", "out", *more]) == code
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
