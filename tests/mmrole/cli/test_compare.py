import json

from mmrole.cli.main import main


def compare(world, out, *options):
    folders = [str(world.folder / name) for name in ("attentive", "happy")]
    return main(["compare", *folders, "--out", str(out), *options])


def test_runs_and_differences_are_printed(world, tmp_path, capsys):
    assert compare(world, tmp_path / "o", "--bootstrap", "20") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["score", "attentive", "happy", "better"]
    assert lines[1].split() == ["MEC", "lower", "0.727*", "0.333", "higher"]  # happy, on its five responses: 4 / 12
    start = lines.index("happy minus attentive, on what both have")
    assert lines[start + 2].split()[:3] == ["MEC", "lower", "-0.327"]  # 0.4 - 8 / 11
    assert lines[-1] == f"2 runs -> {tmp_path / 'o'}"


def test_json_and_options(world, tmp_path, capsys):
    assert (
        compare(world, tmp_path / "o", "--names", "A", "B", "--all-pairs", "--bootstrap", "0", "--seed", "2", "--json")
        == 0
    )
    outcome = json.loads(capsys.readouterr().out)
    assert [run["name"] for run in outcome["runs"]] == ["A", "B"]
    [pair] = outcome["differences"]
    assert (pair["first"], pair["second"]) == ("A", "B")
    assert pair["scores"][0]["ci"] is None


def test_errors_are_one_line(world, tmp_path, capsys):
    assert compare(world, tmp_path / "o", "--names", "A") == 2
    assert main(["compare", str(world.folder / "happy"), str(tmp_path), "--out", str(tmp_path / "o")]) == 1
    assert compare(world, tmp_path / "o", "--dialogues", str(tmp_path / "x")) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert "1 names were given for 2 folders" in lines[0]
    assert "is no folder of scores" in lines[1]
    assert "x: there is no such file" in lines[2]
