import json

import pytest

from mmrole.core.errors import InputError, LockedError, StoreError, UsageError
from mmrole.core.lock import RunLock
from mmrole.core.review import write_sheet
from mmrole.jobs.bench.lifechoice import build, filter_reviewed
from textbench.lifechoice.construction import CRITERIA, review_rows
from textbench.lifechoice.construction.filtering import COLUMNS, FILL
from textbench.lifechoice.items import read_items


@pytest.fixture
def folder(data, tmp_path):
    home = tmp_path / "set"
    home.mkdir()
    records = [item.to_record() for item in read_items(data).items]
    (home / "items.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in records), "utf-8")
    return home


@pytest.fixture
def sheet(folder):
    def fill(name, *points):
        rows = review_rows(read_items(folder / "items.jsonl").items)
        marked = [
            {**row, **dict.fromkeys(CRITERIA, 2), "reason": last} for row, last in zip(rows, points, strict=False)
        ]
        write_sheet(folder / name, COLUMNS, marked, fill=FILL)
        return folder / name

    return fill


def test_what_is_kept_is_read_by_build(folder, sheet, tmp_path):
    sheets = [sheet("a.csv", 2, 0, 1), sheet("b.csv", 2, 0, 0)]
    result = filter_reviewed(folder, sheets)
    # by hand: totals 8 and 8, 6 and 6 (not above 6), 7 and 6
    marks = [json.loads(line) for line in (folder / "filtered" / "marks.jsonl").read_text("utf-8").splitlines()]
    assert [(mark["totals"], mark["mean"], mark["kept"]) for mark in marks] == [
        ([8, 8], 8.0, True),
        ([6, 6], 6.0, False),
        ([7, 6], 6.5, True),
    ]
    kept = read_items(result.items).items
    assert [item.item_id for item in kept] == ["ann-1", "li-1"]
    assert kept == tuple(item for item in read_items(folder / "items.jsonl").items if item.item_id != "ann-2")
    assert build(tmp_path / "run", data=result.items, methods=["roleless"]).items == 2
    manifest = json.loads((folder / "filtered" / "manifest.json").read_text("utf-8"))
    assert (manifest["counts"]["inputs"], manifest["counts"]["kept"]) == (3, 2)
    assert len({each["sha256"] for each in manifest["inputs"]["sheets"]}) == 2
    agreement = [json.loads(line) for line in (folder / "filtered" / "agreement.jsonl").read_text("utf-8").splitlines()]
    assert {each["part"] for each in agreement} == set(CRITERIA)


def test_it_gives_the_same_again(folder, sheet):
    sheets = [sheet("a.csv", 2, 1, 2)]
    names = ("items.jsonl", "marks.jsonl", "agreement.jsonl")
    filter_reviewed(folder, sheets)
    first = [(folder / "filtered" / name).read_bytes() for name in names]
    filter_reviewed(folder, sheets)
    assert [(folder / "filtered" / name).read_bytes() for name in names] == first


def test_a_sheet_of_other_items_is_refused(folder, sheet):
    path = sheet("a.csv", 2, 2, 2)
    text = (folder / "items.jsonl").read_text("utf-8")
    (folder / "items.jsonl").write_text(text.replace("What does Ann do?", "Where does Ann go?", 1), "utf-8")
    with pytest.raises(InputError, match=r"a\.csv, row 2, column question: item 'ann-1' was another one"):
        filter_reviewed(folder, [path])


def test_what_a_spreadsheet_does_to_line_breaks_and_marks_is_no_change(folder, sheet):
    path = sheet("a.csv", 2, 2, 2)
    path.write_bytes(path.read_bytes().replace(b"\nB: ", b"\r\nB:  "))
    assert len(filter_reviewed(folder, [path]).found.kept) == 3


def test_what_makes_no_sense_is_refused(folder, sheet, tmp_path):
    path = sheet("a.csv", 2, 2, 2)
    with pytest.raises(UsageError, match="named twice"):
        filter_reviewed(folder, [path, folder / "." / "a.csv"])
    with pytest.raises(UsageError, match="at least one"):
        filter_reviewed(folder, [])
    with pytest.raises(InputError, match="'li-1' is missing"):
        filter_reviewed(folder, [sheet("part.csv", 2, 2)])
    with pytest.raises(StoreError, match="construct"):
        filter_reviewed(tmp_path / "nowhere", [path])
    with RunLock(folder), pytest.raises(LockedError):
        filter_reviewed(folder, [path])
    assert not (folder / "filtered").exists()
