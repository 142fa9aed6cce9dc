import json
from dataclasses import replace

import pytest

from mmrole.core.errors import StoreError
from textbench.lifechoice.item_store import content_of, item_records, read_stored
from textbench.lifechoice.items import Item
from textbench.lifechoice.motivations import parse_motivation

ITEM = Item(
    item_id="a", book=None, character="Ann", text="It rained.\r\n\u3000 We stayed in. 雨。" * 20, scenario="s", question="q",
    options=("A. x", "y"), correct=1, motivation=parse_motivation("[Values and Beliefs] so"), genres=("Historical", "own"),
    description="d", language="en", extra={"source": {"page": 3}},
)  # fmt: skip


def stored(items, folder):
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in item_records(items, folder)), "utf-8")
    return path


def test_items_come_back(tmp_path):
    items = [ITEM, replace(ITEM, item_id="b", text=ITEM.text[:300], motivation=None, description=None, extra={})]
    found = read_stored(stored(items, tmp_path), tmp_path)
    assert [item for item, _ in found] == items
    assert [content for _, content in found] == [content_of(item) for item in items]
    assert len(list((tmp_path / "texts").iterdir())) == 1


def test_texts_that_only_begin_alike_stay_two(tmp_path):
    items = [
        ITEM,
        replace(ITEM, item_id="b", text=ITEM.text + " more"),
        replace(ITEM, item_id="c", text=ITEM.text + " other"),
    ]
    assert [item for item, _ in read_stored(stored(items, tmp_path), tmp_path)] == items
    assert len(list((tmp_path / "texts").iterdir())) == 2


@pytest.mark.parametrize("field", ["text", "scenario", "question", "options", "correct", "description", "character"])
def test_the_content_is_all_that_decides(field):
    other = {"options": ("A. x", "z"), "correct": 0}.get(field, "other")
    assert content_of(replace(ITEM, **{field: other})) != content_of(ITEM)
    assert content_of(replace(ITEM, extra={})) == content_of(ITEM)


def test_what_is_damaged_is_told(tmp_path):
    path = stored([ITEM], tmp_path)
    whole = path.read_text("utf-8")
    path.write_text(whole.replace('"scenario": "s"', '"scenario": "t"'), "utf-8")
    with pytest.raises(StoreError, match="line 1: item or text was changed"):
        read_stored(path, tmp_path)
    path.write_text('{"item": {}}\n', "utf-8")
    with pytest.raises(StoreError, match="line 1 is damaged"):
        read_stored(path, tmp_path)
    path.write_text(whole, "utf-8")
    next((tmp_path / "texts").iterdir()).unlink()
    with pytest.raises(StoreError, match=r"\.txt is missing"):
        read_stored(path, tmp_path)
    with pytest.raises(StoreError, match="make it with mmrole bench lifechoice build"):
        read_stored(tmp_path / "none.jsonl", tmp_path)
