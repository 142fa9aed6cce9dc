import json

from mmrole.cli.main import main
from mmrole.core.label_maps import label_maps
from mmrole.core.labels import label_set, label_sets


def test_all_sets_and_maps_are_listed(capsys):
    assert main(["labels"]) == 0
    out = capsys.readouterr().out
    for name in (*label_sets(), *label_maps()):
        assert any(line.startswith(f"{name} ") for line in out.splitlines())


def test_one_whole(capsys):
    assert main(["labels", "cped-13"]) == 0
    assert capsys.readouterr().out.splitlines() == label_set("cped-13").lines()
    assert main(["labels", "iemocap-6-to-4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "iemocap-6-to-4: from iemocap-6 to iemocap-4"
    assert "  excited -> happy" in lines
    assert "  frustrated -> (dropped)" in lines


def test_a_file_of_ones_own(tmp_path, capsys):
    (tmp_path / "s.toml").write_text('name = "s"\nlabels = ["好"]\n', "utf-8")
    assert main(["labels", str(tmp_path / "s.toml")]) == 0
    assert "  0 好" in capsys.readouterr().out.splitlines()
    (tmp_path / "s.toml").write_text('name = "s"\nlabels = 3\n', "utf-8")
    assert main(["labels", str(tmp_path / "s.toml")]) == 1
    assert "s.toml: field labels" in capsys.readouterr().err


def test_json(capsys):
    assert main(["labels", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert [names["name"] for names in outcome["sets"]] == list(label_sets())
    assert outcome["maps"][0]["map"]["excited"] == "happy"
    assert main(["labels", "meld-7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == label_set("meld-7").to_record()
    assert main(["labels", "iemocap-6-to-4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["drop"] == ["frustrated"]


def test_an_unknown_name_exits_2(capsys):
    assert main(["labels", "cped"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "no label set or map 'cped'; there are cped-13" in line
