import csv
import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde import construct, verify


@pytest.fixture
def made(script, tmp_path):
    (tmp_path / "seeds.txt").write_text("A captain of a ferry\nA keeper of a light\n")
    construct(tmp_path / "seeds.txt", script.author().model, out=tmp_path / "made", sheets=2)
    return tmp_path / "made"


@pytest.fixture
def filled(made):
    """Fills a sheet as somebody would who takes the option of those who paid for the role's; `odd`: row -> cells."""

    def fill(path, odd=(), to=None):
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        with (to or path).open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            for number, row in enumerate(rows):
                role = "A" if row["option_A"] == "Those who paid." else "B"
                writer.writerow(
                    {**row, "valid": "1", "role_option": role, "salience": "2", **dict(odd).get(number, {})}
                )
        return to or path

    return fill


def test_what_both_say_alike_stands_and_the_leader_decides_the_rest(made, filled):
    first, second = (made / "sheets" / f"annotator-{number}.csv" for number in (1, 2))
    filled(first)
    filled(second, {1: {"salience": "0"}, 4: {"valid": "no", "role_option": "", "salience": ""}}.items())
    result = verify(made, [first, second])
    assert sum(len(each.dilemmas) for each in result.found.accepted) == 4
    assert result.disputed == made / "verified" / "disputed.csv"
    assert result.disputed.read_text("utf-8-sig").count("salience: 2, 0") == 1
    # a leader who fills in the sheet where it lies does not lose it
    filled(result.disputed, {1: {"valid": "0"}}.items())
    assert verify(made, [first, second]).kept
    done = verify(made, [first, second], leader=result.disputed)
    assert done.disputed is None
    assert "2 dilemmas" not in (made / "verified" / "verification.md").read_text()
    assert [json.loads(line) for line in (made / "verified" / "rejected.jsonl").read_text().splitlines()] == [
        {"persona": "2", "level": "mid", "reason": "invalid"}
    ]
    personas = [json.loads(line) for line in (made / "verified" / "personas.jsonl").read_text().splitlines()]
    assert [sorted(each["dilemmas"]) for each in personas] == [["easy", "hard", "mid"], ["easy", "hard"]]
    manifest = json.loads((made / "verified" / "manifest.json").read_text())
    assert manifest["counts"] == {"inputs": 6, "done": 6, "failed": 0, "skipped": 0}
    assert len(manifest["inputs"]) == 4


def test_the_figures_stand_beside_those_of_the_paper(made, filled):
    sheets = [
        filled(made / "sheets" / f"annotator-{number}.csv", {0: {"salience": str(number)}}.items()) for number in (1, 2)
    ]
    verify(made, sheets)
    page = (made / "verified" / "verification.md").read_text()
    # by hand: one of six dilemmas
    assert "| salience | share that went to arbitration | 16.67 % | 6 | 7.79 % |" in page
    assert "| valid | mean pairwise Pearson | – (no_variation) | 0 | .59 to .72 |" in page
    scores = [json.loads(line) for line in (made / "verified" / "scores.jsonl").read_text().splitlines()]
    assert len(scores) == 9


def test_people_correct_the_role_option(made, filled):
    path = made / "sheets" / "annotator-1.csv"
    row = list(csv.DictReader(path.read_text("utf-8-sig").splitlines(keepends=True)))[3]
    assert (row["persona"], row["level"]) == ("2", "easy")  # the profile's line breaks are inside of cells
    other = {3: {"role_option": "B" if row["option_A"] == "Those who paid." else "A"}}
    result = verify(made, [filled(made / "sheets" / f"annotator-{n}.csv", other.items()) for n in (1, 2)])
    assert result.changed_options == 1
    assert "In 1 of those that stand" in (made / "verified" / "verification.md").read_text()


def test_bytes_are_the_same_every_time(made, filled):
    sheets = [
        filled(made / "sheets" / f"annotator-{number}.csv", {0: {"salience": str(number)}}.items()) for number in (1, 2)
    ]
    names = ("personas.jsonl", "rejected.jsonl", "decisions.jsonl", "scores.jsonl", "verification.md", "disputed.csv")
    verify(made, sheets)
    before = [(made / "verified" / name).read_bytes() for name in names]
    verify(made, sheets)
    assert [(made / "verified" / name).read_bytes() for name in names] == before


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        ({0: {"valid": "maybe"}}, r"annotator-2\.csv, row 2, column valid: write 1 for usable, 0 for not, got 'maybe'"),
        ({1: {"salience": "3"}}, r"row 3, column salience"),
        ({1: {"salience": ""}}, r"row 3, column salience: the cell is empty"),
        ({2: {"valid": ""}}, r"row 4, column valid: the cell is empty"),
        ({2: {"role_option": "C"}}, r"row 4, column role_option"),
        ({2: {"persona": "9"}}, r"row 4: there is no dilemma hard of persona '9'"),
        ({2: {"level": "easy"}}, r"row 4: 1 easy is there a second time"),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_is_written(made, filled, odd, message):
    sheets = [filled(made / "sheets" / "annotator-1.csv"), filled(made / "sheets" / "annotator-2.csv", odd.items())]
    with pytest.raises(InputError, match=message):
        verify(made, sheets)
    assert not (made / "verified").exists()


def test_sheets_and_folders_that_cannot_be(made, filled, tmp_path):
    sheet = filled(made / "sheets" / "annotator-1.csv")
    with pytest.raises(UsageError, match="is given twice"):
        verify(made, [sheet, sheet])
    with pytest.raises(UsageError, match="two or more"):
        verify(made, [sheet])
    with pytest.raises(InputError, match="make it with mmrole bench rolecde construct"):
        verify(tmp_path / "nowhere", [sheet, sheet.with_name("annotator-2.csv")])
    assert not (tmp_path / "nowhere").exists()
