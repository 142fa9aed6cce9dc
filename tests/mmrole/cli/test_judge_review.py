import json
import re

import pytest

from mmrole.cli.main import main
from mmrole.jobs.judge import judge


@pytest.fixture
def folder(judged, monkeypatch):
    monkeypatch.chdir(judged.folder)
    files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
    judge(judged.responses, **files, judges=[judged.judge("one", {}), judged.judge("two", {})], out="out")
    return judged.folder


def test_sheets_out_and_back(folder, capsys):
    assert main(["judge-sheet", "out", "--out", "sheet.csv", "--samples", "2"]) == 0
    assert capsys.readouterr().out == (
        "2 of 3 judged responses, 6 rows; to fill in: supporting, contradicting, comment -> sheet.csv\n"
    )
    text = (folder / "sheet.csv").read_text("utf-8-sig")
    (folder / "ann.csv").write_text(text.replace(",,,\n", ",yes,no,\n"), "utf-8")
    (folder / "bo.csv").write_text(text.replace(",,,\n", ",yes,yes,\n"), "utf-8")
    agreeing = ["judge-agree", "out", "--sheets", "Ann=ann.csv", "bo.csv", "--out", "ratings", "--bootstrap", "0"]
    assert main(agreeing) == 0
    out = capsys.readouterr().out
    assert "Ann: 6 ratings, bo: 6 ratings" in out
    # by hand: two units (5, 3): Do = d, De = 2 x 2 x 2 d / 12
    assert re.search(r"^exp +one another +-0\.500 +2 +0\.000$", out, re.MULTILINE)
    assert re.search(r"^cha +all judges +– \(no_pairable_units\)", out, re.MULTILINE)
    assert "-> ratings/ratings_cha.csv" in out
    assert (folder / "ratings" / "ratings_exp.csv").read_text().splitlines()[0] == "unit,Ann,bo,one,two"
    assert main(["agree", "ratings/ratings_exp.csv", "--level", "ordinal", "--bootstrap", "0"]) == 0


def test_json(folder, capsys):
    assert main(["judge-sheet", "out", "--out", "sheet.csv", "--json", "--blind"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "out": "sheet.csv", "responses": 3, "rows": 9, "judged": 3, "fill": ["supporting", "contradicting", "comment"],
    }  # fmt: skip
    text = (folder / "sheet.csv").read_text("utf-8-sig")
    (folder / "ann.csv").write_text(text.replace(",,,\n", ",no,no,\n"), "utf-8")
    assert main(["judge-agree", "out", "--sheets", "ann.csv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["people"], told["no_evidence"], told["scores"], told["tables"]) == ({"ann": 0}, 9, [], {})


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["judge-sheet", "nowhere", "--out", "s.csv"], 1, "mmrole: nowhere is no folder of judgements: make it with mmrole judge"),
        (["judge-sheet", "out", "--out", "roles.jsonl"], 2, "mmrole: roles.jsonl is there already"),
        (["judge-sheet", "out", "--out", "s.csv", "--samples", "0"], 2, "mmrole: 0 samples make no sheet"),
        (["judge-sheet", "out", "--out", "s.csv", "--roles", "previous.jsonl"], 1, "mmrole: previous.jsonl: not the roles that out is of"),
        (["judge-agree", "out", "--sheets", "a.csv", "a=b.csv"], 2, "two sheets of 'a': name them as NAME=FILE"),
        (["judge-agree", "out", "--sheets", "none.csv"], 1, "mmrole: none.csv: cannot be read"),
        (["judge-agree", "out", "--sheets", "roles.jsonl"], 1, "mmrole: roles.jsonl, row 1: no column 'item'"),
        (["judge-agree", "out", "--sheets", "a.csv", "--bootstrap", "-1"], 2, "mmrole: --bootstrap is a number of draws from 0"),
    ],
)  # fmt: skip
def test_one_line_says_what_is_wrong(folder, args, code, message, capsys):
    assert main(args) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err
