from dataclasses import replace

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.review import read_sheet, write_sheet
from textbench.lifechoice.construction import CRITERIA, filter_items, review_rows
from textbench.lifechoice.construction.filtering import COLUMNS, FILL, ReviewRow
from textbench.lifechoice.items import Item


@pytest.fixture
def items():
    return [
        Item(item_id=f"b/{n}", book="b", character="M", text="story", scenario="s", question="q", options=("w", "x", "y", "z"), correct=1)
        for n in range(3)
    ]  # fmt: skip


@pytest.fixture
def filled(tmp_path, items):
    def fill(name, points, only=None):
        rows = [{**row, **dict(zip(CRITERIA, points[row["item_id"]], strict=True))} for row in review_rows(items)]
        write_sheet(tmp_path / name, COLUMNS, rows if only is None else rows[:only], fill=FILL)
        return read_sheet(tmp_path / name, ReviewRow)

    return fill


def test_an_item_is_kept_when_the_mean_total_is_above_six(items, filled):
    first = filled("a.csv", {"b/0": (2, 2, 2, 2), "b/1": (2, 2, 1, 1), "b/2": (2, 2, 2, 1)})
    second = filled("b.csv", {"b/0": (2, 2, 2, 1), "b/1": (2, 2, 1, 1), "b/2": (2, 2, 1, 1)})
    found = filter_items(items, [first, second])
    # by hand: means 7.5, 6 (not above), 6.5
    assert [one["mean"] for one in found.marks] == [7.5, 6.0, 6.5]
    assert [item.item_id for item in found.kept] == ["b/0", "b/2"]
    assert found.dropped == ("b/1",)
    assert {score.part for score in found.agreement} == set(CRITERIA)
    assert next(s for s in found.agreement if s.part == "significance").reason == "no_variation"


def test_the_sheet_shows_options_with_letters_and_the_right_one(items):
    row = next(iter(review_rows(items)))
    assert (row["options"], row["correct"]) == ("A: w\nB: x\nC: y\nD: z", "B")


def test_a_sheet_of_an_item_that_was_another_one_is_refused(items, filled):
    sheet = filled("a.csv", {f"b/{n}": (2, 2, 2, 2) for n in range(3)})
    changed = [replace(items[0], options=("w", "x", "y", "v")), *items[1:]]
    with pytest.raises(InputError, match="row 2, column options: item 'b/0' was another one"):
        filter_items(changed, [sheet])


def test_the_end_of_the_story_begins_with_a_word(items):
    story = "It rained all night. " * 100
    end = next(iter(review_rows([replace(items[0], text=story)])))["end_of_story"]
    assert end in story
    assert end.split()[0] in ("It", "rained", "all", "night.")
    assert len(end) > 580


def test_sheets_that_do_not_fit_are_refused(items, filled, tmp_path):
    full = {f"b/{n}": (2, 2, 2, 2) for n in range(3)}
    with pytest.raises(UsageError, match="at least one"):
        filter_items(items, [])
    with pytest.raises(InputError, match="'b/2' is missing"):
        filter_items(items, [filled("part.csv", full, only=2)])
    with pytest.raises(InputError, match="row 2: there is no item 'b/0'"):
        filter_items(items[1:], [filled("all.csv", full)])
    with pytest.raises(InputError, match="column evidence: give 0, 1 or 2 points, got '3'"):
        filled("bad.csv", {**full, "b/1": (2, 3, 2, 2)})
