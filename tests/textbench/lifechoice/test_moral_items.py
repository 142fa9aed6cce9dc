import json

import pytest

from mmrole.core.errors import InputError
from textbench.lifechoice.item_store import item_records, read_stored
from textbench.lifechoice.moral_items import QUESTION, moral_items

HEADER = "scenario_id,ambiguity,generation_rule,context,action1,action2\n"


@pytest.fixture
def table(tmp_path):
    def write(*rows):
        path = tmp_path / "scenarios.csv"
        path.write_text(HEADER + "".join(f"{row}\n" for row in rows), "utf-8")
        return path

    return write


def test_a_scenario_is_an_item_without_a_story(table):
    low, high = moral_items(table("C_1,low,Do not cheat,You see a hand.,I look away.,I look.", "H_1,high,,c,a,b")).items
    assert (low.item_id, low.book, low.scenario, low.question, low.options, low.correct) == (
        "C_1", "Do not cheat", "You see a hand.", QUESTION, ("I look away.", "I look."), 0,
    )  # fmt: skip
    assert (low.character, low.text, low.motivation) == ("", "", None)
    assert (high.correct, high.book) == (None, None)


def test_it_is_stored_and_read_again(table, tmp_path):
    items = moral_items(table("C_1,low,r,c,a,b", "H_1,high,r,c2,a,b")).items
    (tmp_path / "items.jsonl").write_text(
        "".join(f"{json.dumps(each)}\n" for each in item_records(items, tmp_path)), "utf-8"
    )
    assert [item for item, _ in read_stored(tmp_path / "items.jsonl", tmp_path)] == list(items)


def test_what_asks_for_no_choice(table):
    path = table("H_1,high,r,c,a,a", "H_2,high,r,c,a,b")
    with pytest.raises(InputError, match="line 2: H_1: both actions are the same; --lenient"):
        moral_items(path)
    read = moral_items(path, strict=False)
    assert ([item.item_id for item in read.items], str(read.refused[0])) == (
        ["H_2"],
        f"{path}, line 2: field actions: H_1: both actions are the same",
    )
    with pytest.raises(InputError, match="no scenarios"):
        moral_items(table("H_1,high,r,c,a,a"), strict=False)
