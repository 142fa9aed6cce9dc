import csv

import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.judge import judge
from mmrole.jobs.judge_sheet import judge_sheet

SAYS = {
    ("exp", "harbour"): [("supporting", "At the harbour", 2), ("contradicting", "He was king", 1)],
    ("rel", "harbour"): "I cannot help with that.",
}


@pytest.fixture
def folder(judged):
    def made(method="evidence", says=SAYS):
        files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
        out = judged.folder / method
        judge(judged.responses, **files, judges=[judged.judge("a", says)], out=out, method=method)
        return out

    return made


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet(folder, tmp_path):
    done = judge_sheet(folder(), out=tmp_path / "s.csv")
    # three responses can be judged, three aspects each
    assert (done.responses, done.judged, done.rows) == (3, 3, 9)
    rows = {row["item"]: row for row in rows_of(tmp_path / "s.csv")}
    assert set(rows) == {f"{turn}/{aspect}" for turn in ("d1_1", "d1_2", "d2_1") for aspect in ("exp", "rel", "cha")}
    row = rows["d1_1/exp"]
    assert row["material"] == (
        "What happened before:\nBo mended nets at the harbour.\n\nCharacteristics:\nHe speaks little and slowly."
    )
    assert rows["d1_1/cha"]["material"] == "Characteristics:\nHe speaks little and slowly."
    assert row["dialogue"] == "Ann: Where were you?"
    assert "At the harbour, mending nets." in row["response"]
    assert row["question"].startswith("The aspect is experience")
    assert row["evidence of the judges"] == (
        "a:\n  +2 “At the harbour” [response]: it says so\n  −1 “He was king” [not found, does not count]: it says so"
    )
    assert rows["d1_1/rel"]["evidence of the judges"] == "a: (refusal)"
    assert rows["d2_1/exp"]["evidence of the judges"] == "a: no evidence"
    assert (row["supporting"], row["contradicting"], row["comment"]) == ("", "", "")


def test_blind_and_subjective(folder, tmp_path):
    judge_sheet(folder("evidence"), out=tmp_path / "blind.csv", blind=True)
    assert not any(
        "He was king" in text or "it says so" in text
        for row in rows_of(tmp_path / "blind.csv")
        for text in row.values()
    )
    done = judge_sheet(folder("subjective", {("exp", "harbour"): 4}), out=tmp_path / "r.csv")
    assert done.fill == ("rating", "comment")
    assert {r["item"]: r for r in rows_of(tmp_path / "r.csv")}["d1_1/exp"][
        "evidence of the judges"
    ] == "a: 4: so it seems"


def test_the_draw_is_seeded(folder, tmp_path):
    made = folder()

    def drawn(name, **options):
        judge_sheet(made, out=tmp_path / name, samples=2, **options)
        return (tmp_path / name).read_bytes()

    assert drawn("a.csv", seed=1) == drawn("b.csv", seed=1)
    assert len({drawn(f"{seed}.csv", seed=seed) for seed in range(6)}) > 1
    assert len(rows_of(tmp_path / "a.csv")) == 6


def test_usage(folder, tmp_path):
    made = folder()
    (tmp_path / "filled.csv").write_text("work of a day")
    with pytest.raises(UsageError, match=r"filled\.csv is there already, maybe with ratings in it"):
        judge_sheet(made, out=tmp_path / "filled.csv")
    assert (tmp_path / "filled.csv").read_text() == "work of a day"
    with pytest.raises(UsageError, match="0 samples make no sheet"):
        judge_sheet(made, out=tmp_path / "s.csv", samples=0)
