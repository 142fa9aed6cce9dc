import csv
import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde import compare_reviews, write_review


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def filled(path, rows, form):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "form": form(row)} for row in rows)
    return path


def test_the_sheet_shows_what_a_judge_saw_and_nothing_of_its_verdict(graded, tmp_path):
    folder = graded()
    assert write_review(folder, tmp_path / "s.csv", sample=7) == 7
    rows = rows_of(tmp_path / "s.csv")
    assert list(rows[0]) == ["item", "description", "option_A", "option_B", "chosen", "reasoning", "form"]
    assert {row["form"] for row in rows} == {""}
    assert len({row["item"] for row in rows}) == 7
    row = next(row for row in rows if row["item"].startswith("ann"))
    order = row["item"].split("/")[2]
    assert row["option_A"].startswith("share" if order == "AB" else "keep")
    write_review(folder, tmp_path / "t.csv", sample=7)
    assert (tmp_path / "s.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()
    write_review(folder, tmp_path / "t.csv", sample=7, seed=1)
    assert (tmp_path / "s.csv").read_bytes() != (tmp_path / "t.csv").read_bytes()
    assert write_review(folder, tmp_path / "t.csv", sample=999) == 18


def test_judge_and_annotators_side_by_side(graded, tmp_path):
    folder = graded()
    write_review(folder, tmp_path / "s.csv", sample=18)
    rows = rows_of(tmp_path / "s.csv")
    same = filled(
        tmp_path / "eve.csv", rows, lambda row: "Compromise" if "Although" in row["reasoning"] else "following"
    )
    part = filled(tmp_path / "kim.csv", rows, lambda row: "following" if "easy" in row["item"] else "")
    scores = {(each.metric, each.part): each for each in compare_reviews(folder, [same, part])}
    assert scores["kappa_cohen", "eve+judge"].value == 1.0
    assert scores["kappa_cohen", "kim+judge"].details["observed_agreement"] == 0.0  # the easy ones are compromises
    assert scores["kappa_cohen", "kim+judge"].n == 6
    assert set(scores["alpha", "nominal"].details["distributions"]) == {"eve", "kim", "judge"}
    stored = (folder / "review_agreement.jsonl").read_text("utf-8").splitlines()
    assert len(stored) == len(scores)
    assert json.loads(stored[0])["metric"] == "alpha"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: [{**rows[0], "form": "RC"}], r"row 2, column form: .* got 'RC'"),
        (lambda rows: [{**rows[0], "item": "x"}], r"row 2, column item: 'x' is no decision of this folder"),
        (lambda rows: [{**rows[0], "form": "following"}] * 2, r"row 3, column item: .* is there twice"),
        (lambda rows: rows, "the column form is empty"),
    ],
)
def test_sheets_that_cannot_be_used(graded, tmp_path, change, message):
    folder = graded()
    write_review(folder, tmp_path / "s.csv", sample=2)
    path = filled(tmp_path / "eve.csv", change(rows_of(tmp_path / "s.csv")), lambda row: row["form"])
    with pytest.raises(InputError, match=message):
        compare_reviews(folder, [path])


def test_two_sheets_of_one_name_and_samples_that_make_no_sense(graded, tmp_path):
    folder = graded()
    write_review(folder, tmp_path / "s.csv", sample=2)
    path = filled(tmp_path / "eve.csv", rows_of(tmp_path / "s.csv"), lambda _: "following")
    with pytest.raises(UsageError, match="two sheets are called eve"):
        compare_reviews(folder, [path, path])
    with pytest.raises(UsageError, match="a sample of 0 makes no sense"):
        write_review(folder, tmp_path / "s.csv", sample=0)
