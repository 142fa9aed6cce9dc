"""`mmrole compare` on folders of RoleCDE; expected numbers by hand."""

import json

import pytest

from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.jobs.bench.rolecde import Similarity, grade, score
from mmrole.jobs.compare import compare


def differences(run):
    lines = (run.out / "differences.jsonl").read_text("utf-8").splitlines()
    return {(r["second_run"], r["metric"], r["part"]): r for r in map(json.loads, lines)}


@pytest.fixture
def scored(graded):
    def made(kind, **more):
        folder = graded(kind, name=kind, **more)
        score(folder, bootstrap=0)
        return folder

    return made


def test_paired_differences_of_agents(scored, tmp_path):
    run = compare([scored("alignment"), scored("role"), scored("first")], out=tmp_path / "out", bootstrap=50)
    found = differences(run)
    assert found["role", "dbr", "all"]["value"] == 1.0
    assert found["first", "debiased_dbr", "all"]["value"] == 0.5
    assert found["role", "debiased_dbr", "without_flagged"]["n"] == 6


def test_judges_of_one_folder(scored, script, tmp_path):
    folder = scored("role")
    with pytest.raises(UsageError, match="holds the grades of one judge"):
        compare([folder], out=tmp_path / "out")
    grade(
        folder, script.judge("other", says=lambda text, _: "hm" if "easy" in text else '{"verdict": "following"}').model
    )
    score(folder, bootstrap=0)
    found = differences(compare([folder], out=tmp_path / "out", bootstrap=0))
    # the other judge could not be read on the 6 easy decisions of 18
    assert found["role: other", "dbr", "all"]["n"] == 12
    assert found["role: other", "dbr", "all"]["excluded"] == {"not_in_both": 6}
    assert found["role: other", "debiased_dbr", "all"]["n"] == 6
    assert found["role: other", "debiased_dbr", "all"]["excluded"] == {"not_in_both": 3}


def test_what_cannot_be_compared(scored, graded, personas, tmp_path):
    one = scored("role")
    other = graded("first", name="assumed", role_option_files=[])
    with pytest.raises(StoreError, match="is not scored: run mmrole bench rolecde score"):
        compare([one, other], out=tmp_path / "out")
    score(other, bootstrap=0)
    with pytest.raises(InputError, match="persona rev, easy, was audited differently in role and assumed"):
        compare([one, other], out=tmp_path / "out")
    path = personas / "persona_ann.json"
    path.write_text(path.read_text("utf-8").replace("share the map", "burn the map"), "utf-8")
    changed = graded("first", name="changed")
    score(changed, bootstrap=0)
    with pytest.raises(InputError, match="persona ann is not the same in role and changed"):
        compare([one, changed], out=tmp_path / "out")
    with pytest.raises(InputError, match="holds no run of mmrole bench rolecde"):
        compare([one, tmp_path], out=tmp_path / "out")
    (one / "grades" / "judge" / "scores.md").write_text("changed")
    with pytest.raises(StoreError, match=r"scores\.md is missing or was changed"):
        compare([one, changed], out=tmp_path / "out")


def test_similarity_where_both_runs_have_it(scored, tmp_path):
    pytest.importorskip("rouge_score", reason="needs the extra similarity")
    folders = [scored("role"), scored("alignment")]
    score(folders[0], similarity=Similarity(), bootstrap=0)
    assert not [key for key in differences(compare(folders, out=tmp_path / "one", bootstrap=0)) if "bleu" in key[1]]
    score(folders[1], similarity=Similarity(), bootstrap=0)
    run = compare(folders, out=tmp_path / "both", bootstrap=20)
    found = differences(run)
    # both agents give the same reasons, whatever they choose
    assert found["alignment", "similarity_rougeL_recall", "all"]["value"] == 0.0
    assert found["alignment", "similarity_bleu", "without_flagged"]["n"] == 12
    assert "similarity_bleu" in {each.metric for each in run.comparison.runs[0].scores}
