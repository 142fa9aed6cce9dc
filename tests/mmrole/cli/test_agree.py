import json

import pytest

from mmrole.cli.main import main

WIDE = "unit,A,B\nu1,1,1\nu2,2,3\nu3,3,3\nu4,,1\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(WIDE)
    return path


def test_all_figures_are_printed(table, capsys):
    assert main(["agree", str(table), "--level", "ordinal", "--bootstrap", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 units, 2 raters, 3 values, ordinal level"
    names = [line.split("  ")[0] for line in lines[2:-1]]
    assert names == [
        "Krippendorff's alpha", "Cohen's kappa", "Cohen's kappa", "Pearson's r", "Spearman's rho", "Kendall's tau-b",
    ]  # fmt: skip
    assert "fewer_than_two_ratings 1" in lines[2]


def test_json(table, capsys):
    assert main(["agree", str(table), "--bootstrap", "0", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert (outcome["raters"], outcome["units"], outcome["values"]) == (["A", "B"], 4, [1.0, 2.0, 3.0])
    assert [score["metric"] for score in outcome["scores"]] == ["alpha", "kappa_fleiss", "ac1", "kappa_cohen"]


def test_what_is_undefined_has_its_reason(tmp_path, capsys):
    path = tmp_path / "same.csv"
    path.write_text("unit,A,B\na,1,1\nb,1,1\n")
    assert main(["agree", str(path)]) == 0
    assert "– (no_variation)" in capsys.readouterr().out


def test_errors_are_one_line(table, tmp_path, capsys):
    (tmp_path / "t.csv").write_text("unit,rater,rating\na,x,1\na,x,2\n")
    assert main(["agree", str(tmp_path / "t.csv")]) == 1
    assert main(["agree", str(table), "--level", "ordinal", "--order", "low, high"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "t.csv, line 3: a second rating of 'a' by 'x'" in first
    assert "--order low,high: the ratings of" in second
