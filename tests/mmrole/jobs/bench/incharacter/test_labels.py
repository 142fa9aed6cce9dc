import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.incharacter.labels import build_labels


def test_votes_and_sheets_become_a_labels_file(tmp_path):
    (tmp_path / "pdb.csv").write_text("character,type,votes\nann,ESTJ,3\nann,INTJ,1\n")
    rows = [f"ann,BFI,Openness,{who},{score}" for who, score in (("a", 5), ("b", 4))]
    (tmp_path / "sheets.csv").write_text("\n".join(["character,scale,dimension,annotator,score", *rows, ""]))
    result = build_labels(tmp_path / "labels.json", pdb=tmp_path / "pdb.csv", sheets=tmp_path / "sheets.csv")
    stored = json.loads((tmp_path / "labels.json").read_text())
    assert stored["pdb"]["ann"]["16Personalities"]["E/I"] == {"score": 75.0, "type": "H"}  # 3 of 4 votes
    assert stored["annotation"]["ann"]["BFI"]["Openness"] == {"score": 4.5, "type": "H"}  # (5 + 4) / 2
    assert result.counts == {"pdb": 4, "annotation": 1}
    assert set(result.kappas) == {"BFI"}


def test_what_makes_no_sense(tmp_path):
    with pytest.raises(UsageError, match="there is nothing to build labels from"):
        build_labels(tmp_path / "labels.json")
    (tmp_path / "pdb.csv").write_text("character,type,votes\nann,ESXJ,3\n")
    with pytest.raises(UsageError, match="'Lying': --mirror takes SCALE:DIMENSION"):
        build_labels(tmp_path / "labels.json", pdb=tmp_path / "pdb.csv", mirror=["Lying"])
    with pytest.raises(InputError, match=r"pdb.csv, line 2: 'ESXJ' is no type") as caught:
        build_labels(tmp_path / "labels.json", pdb=tmp_path / "pdb.csv")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "labels.json").exists()
