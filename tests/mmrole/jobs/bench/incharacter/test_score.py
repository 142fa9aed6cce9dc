import json
from collections import Counter

import pytest

from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.jobs.bench.incharacter import grade, run, score
from textbench.incharacter.evaluation import Choosing

QUICK = Choosing(bootstrap=0)


@pytest.fixture
def graded(built, agent, judge):
    folder = built(methods=("SR", "OC", "ER_batch"), with_roleless=True)
    run(folder, agent().model)
    grade(folder, judge().model)
    return folder


def test_scores_by_hand(graded):
    """Ann is warm and disorderly as labelled; 王五 cold, orderly and restless: all 5 unmasked dimensions are right."""
    result = score(graded, choosing=QUICK)
    scores = result.evaluation.results["ER_batch"]["Tiny"]
    assert (scores["acc_dim"].value, scores["acc_dim"].n, scores["acc_full"].value) == (1.0, 5, 1.0)
    # errors of range 4: 5 - 4, 1 - 2 (Ann); 1 - 2, 5 - 4, 1 - 1.5 (王五)
    assert scores["mae"].value == pytest.approx((1 + 1 + 1 + 1 + 0.5) / 4 / 5)
    assert scores["std_score"].value == 0.0
    assert result.missing == 0
    home = graded / "grades" / "judge"
    assert {p.name for p in home.iterdir()} >= {
        "scores.jsonl", "scores.md", "scores.tex", "measured.json", "counts.jsonl", "problems.jsonl", "ratings.jsonl", "manifest.json"
    }  # fmt: skip
    records = [json.loads(line) for line in (home / "scores.jsonl").read_text("utf-8").splitlines()]
    [acc] = [r for r in records if (r["metric"], r["method"]) == ("acc_dim", "SR") and "by" not in r]
    assert acc["value"] == 1.0
    assert "| ER_batch | **100.0** |" in (home / "scores.md").read_text("utf-8")
    page = (home / "scores.md").read_text("utf-8")
    assert page.startswith("# InCharacter\n\n- agent: ")
    totals = Counter()
    for record in result.evaluation.counts:
        totals.update({(record["method"], kind): record[kind] for kind in ("answered", "refused")})
    assert f"| Tiny | SR | {totals['SR', 'answered']} | {totals['SR', 'refused']} | 0 | 0 | 0 | 0 |" in page
    assert totals["SR", "answered"] + totals["SR", "refused"] == 4 * 2 * 6  # agents, runs, items
    assert r"\begin{tabular}" in (home / "scores.tex").read_text("utf-8")
    measured = json.loads((home / "measured.json").read_text("utf-8"))
    assert measured["Tiny"]["OC"]["roleless-en"]["Warmth"] == [5, 5]


def test_labels_of_a_file(graded, tmp_path):
    label = {"score": 1.0, "type": "L"}
    record = {"pdb": {"ann": {"Tiny": {"Warmth": label}}}}
    (tmp_path / "labels.json").write_text(json.dumps(record))
    scores = score(graded, labels=tmp_path / "labels.json", choosing=QUICK).evaluation.results["OC"]["Tiny"]
    assert (scores["acc_dim"].value, scores["acc_dim"].n, scores["mae"].value) == (0.0, 1, 1.0)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (
            {"pdb": {"ann": {"Tiny": {"Warmth": {"score": 9, "type": "H"}}}}},
            "pdb.ann.Tiny.Warmth.score: has to be a number from 1 to 5",
        ),
        (
            {"pdb": {"ann": {"Tiny": {"Warmth": {"score": 3, "type": "Q"}}}}},
            "pdb.ann.Tiny.Warmth.type: has to be H, L or X",
        ),
        ({"pdb": {"ann": {"Nope": {}}}}, "pdb.ann.Nope: there is no such scale"),
        ({"votes": {}}, "votes: labels are from pdb or annotation"),
    ],
)
def test_malformed_labels_are_told_with_their_key(graded, tmp_path, record, said):
    (tmp_path / "labels.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match=f"labels.json: {said}") as caught:
        score(graded, labels=tmp_path / "labels.json", choosing=QUICK)
    assert "\n" not in str(caught.value)


def test_what_is_missing(graded, built):
    path = graded / "grades" / "judge" / "ratings.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    assert score(graded, choosing=QUICK).missing == 1
    with pytest.raises(UsageError, match="holds no grades"):
        score(built("fresh"))
    with pytest.raises(StoreError, match=r"ratings.jsonl is missing: make it with mmrole bench incharacter grade"):
        score(graded, grades="nobody")
