import csv

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.ratings import read_ratings
from mmrole.jobs.judge import judge
from mmrole.jobs.judge_agree import judge_agree
from mmrole.jobs.judge_sheet import judge_sheet

# exp: d1_1 supports (5), d1_2 both (3), d2_1 contradicts (1)
SAYS = {
    ("exp", "harbour"): [("supporting", "At the harbour", 2)],
    ("exp", "brother"): [("supporting", "brother", 2), ("contradicting", "said so", 2)],
    ("exp", "mountains"): [("contradicting", "snow", 2)],
}
ITEMS = ("d1_1/exp", "d1_2/exp", "d2_1/exp")


@pytest.fixture
def reviewed(judged):
    """A folder of judgements, and a function that fills in its sheet."""
    files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
    judges = [judged.judge("j", SAYS), judged.judge("k", {})]
    judge(judged.responses, **files, judges=judges, out=judged.folder / "out", aspects=["exp", "cha"])
    judged.out = judged.folder / "out"
    judge_sheet(judged.out, out=judged.folder / "sheet.csv")

    def fill(name, cells):
        with (judged.folder / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row |= dict(zip(("supporting", "contradicting"), cells.get(row["item"], ("", "")), strict=True))
        path = judged.folder / f"{name}.csv"
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return path

    judged.fill = fill
    return judged


def test_people_and_judges(reviewed):
    yes = reviewed.fill("ann", {"d1_1/exp": ("yes", "no"), "d1_2/exp": ("是", "有"), "d2_1/exp": ("NO", "Y")})
    found = judge_agree(reviewed.out, [yes], bootstrap=0)
    # the table turns what Ann found into 5, 3, 1, which is what j found; k found nothing at all
    alphas = {score.part: (score.value, score.reason, score.n) for score in found.scores}
    assert alphas == {
        "exp/j": (1.0, None, 3), "exp/k": (None, "no_pairable_units", 0), "exp/all judges": (1.0, None, 3),
    }  # fmt: skip
    assert found.people == {"ann": 3}


def test_the_mean_of_the_people_is_the_truth(reviewed):
    ann = reviewed.fill("ann", {"d1_1/exp": ("yes", "no"), "d1_2/exp": ("yes", "no"), "d2_1/exp": ("no", "yes")})
    bob = reviewed.fill("bob", {"d1_1/exp": ("yes", "no"), "d1_2/exp": ("no", "yes"), "d2_1/exp": ("no", "no")})
    found = judge_agree(reviewed.out, {"Ann": ann, "Bob": bob}, out=reviewed.folder / "r", bootstrap=0)
    alphas = {score.part: score for score in found.scores}
    # by hand: Ann 5 5 1, Bob 5 1 -; the means 5 3 1 are what j found
    assert alphas["exp/j"].value == 1.0
    assert (alphas["exp/people"].n, found.no_evidence) == (2, 1)
    # by hand: the units (5, 5) and (5, 1) have n_5 = 3, n_1 = 1; Do = 2 d / 4 and De = 2 x 3 x 1 d / 12 are equal
    assert alphas["exp/people"].value == pytest.approx(0.0)
    table = read_ratings(found.tables["exp"])
    assert table.raters == ("Ann", "Bob", "j", "k")
    by_unit = dict(zip(table.units, zip(*table.ratings, strict=True), strict=True))
    assert by_unit["d1_2"] == (5.0, 1.0, 3.0, None)
    assert set(found.tables) == {"exp"}  # nobody rated cha


def test_several_methods(reviewed):
    files = {name: getattr(reviewed, name) for name in ("dialogues", "roles", "previous")}
    rated = {("exp", "harbour"): 5, ("exp", "brother"): 3, ("exp", "mountains"): 2}
    judge(
        reviewed.responses, **files, judges=[reviewed.judge("j", rated)], out=reviewed.folder / "s", aspects=["exp"],
        method="subjective",
    )  # fmt: skip
    ann = reviewed.fill("ann", {"d1_1/exp": ("yes", "no"), "d1_2/exp": ("yes", "yes"), "d2_1/exp": ("no", "yes")})
    found = judge_agree([reviewed.out, reviewed.folder / "s"], [ann], bootstrap=0)
    parts = [score.part for score in found.scores]
    assert parts == ["exp/j (evidence)", "exp/k (evidence)", "exp/all judges (evidence)", "exp/j (subjective)"]
    assert found.scores[0].value == 1.0
    assert 0 < found.scores[3].value < 1


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            ("yes", ""),
            r"row 2, column contradicting: the cell is empty, but the other side is filled in: say yes or no",
        ),
        (("", "no"), r"row 2, column supporting: the cell is empty"),
        (("maybe", "no"), r"row 2, column supporting: input should be 'yes' or 'no', got 'maybe'"),
    ],
)
def test_cells_that_do_not_fit(reviewed, cells, message):
    sheet = reviewed.fill("ann", dict.fromkeys(ITEMS, cells))
    with pytest.raises(InputError, match=message):
        judge_agree(reviewed.out, [sheet])


def test_rows_that_do_not_fit(reviewed):
    sheet = reviewed.fill("ann", dict.fromkeys(ITEMS, ("yes", "no")))
    text = sheet.read_text("utf-8-sig")
    for old, new, message in (
        ("d1_2/exp", "d9_9/exp", "column item: nothing of that name was judged, got 'd9_9/exp'"),
        ("d1_2/exp", "d1_2/rel", "column item: nothing of that name was judged, got 'd1_2/rel'"),
        ("d1_2/exp", "d1_1/exp", "column item: the item is there a second time, got 'd1_1/exp'"),
        ("item,", "id,", "row 1: no column 'item'"),
    ):
        sheet.write_text(text.replace(old, new), "utf-8")
        with pytest.raises(InputError, match=message):
            judge_agree(reviewed.out, [sheet])
    sheet.write_text("item,supporting,contradicting,rating\nd1_1/exp,yes,no,4\n")
    with pytest.raises(InputError, match="evidence and a rating in one row"):
        judge_agree(reviewed.out, [sheet])
    sheet.write_text("item,rating\nd1_1/exp,6\n")
    with pytest.raises(InputError, match=r"row 2, column rating: .*less than or equal to 5, got '6'"):
        judge_agree(reviewed.out, [sheet])


def test_usage(reviewed):
    with pytest.raises(InputError, match=r"sheet\.csv: nothing is filled in"):
        judge_agree(reviewed.out, [reviewed.folder / "sheet.csv"])
    sheet = reviewed.fill("j", dict.fromkeys(ITEMS, ("yes", "no")))
    with pytest.raises(UsageError, match="two raters are called 'j': name a sheet as NAME=FILE"):
        judge_agree(reviewed.out, [sheet])
    with pytest.raises(UsageError, match="there is no sheet"):
        judge_agree(reviewed.out, [])
    with pytest.raises(UsageError, match="two judges are called 'j"):
        judge_agree([reviewed.out, reviewed.out], {"ann": sheet})
