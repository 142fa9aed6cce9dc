import pytest

from mmrole.core.errors import UsageError
from textbench.entities import entity_map
from textbench.lifechoice.items import Item
from textbench.lifechoice.masked_items import ItemMasker
from textbench.lifechoice.motivations import parse_motivation

ITEM = Item(
    item_id="q1",
    book="The Lamp",
    character="Anna Berg",
    text="Anna came to Millcote. Berg was tired.",
    scenario="Anna's sister wrote to Tom.",
    question="What does Miss Berg do?",
    options=("Go to Millcote", "Ask Tom"),
    correct=1,
    motivation=parse_motivation("[Values and Beliefs] Anna keeps her word."),
    description="Anna Berg of Millcote.",
)
MAP = entity_map(characters=[["Anna Berg", "Anna", "Miss Berg"], "Tom"], places=["Millcote"])


def test_one_map_for_all_that_is_shown():
    masked = ItemMasker(MAP).mask(ITEM)
    item = masked.item
    assert item.character == "[character A]"
    assert item.text == "[character A] came to [place A]. Berg was tired."
    assert item.scenario == "[character A]'s sister wrote to [character B]."
    assert item.question == "What does [character A] do?"
    assert item.options == ("Go to [place A]", "Ask [character B]")
    assert item.description == "[character A] of [place A]."
    assert item.motivation.full == "[Values and Beliefs] [character A] keeps her word."
    assert (item.item_id, item.book, item.correct) == ("q1", "The Lamp", 1)
    assert (masked.residual.replaced, masked.residual.remaining) == (10, {"fragment": 1})


def test_masking_twice_is_masking_once():
    once = ItemMasker(MAP).mask(ITEM).item
    assert ItemMasker(MAP).mask(once).item == once


def test_the_one_who_decides_has_to_be_in_the_map():
    with pytest.raises(UsageError, match="q1: the entity map has no entry for 'Anna Berg', who decides"):
        ItemMasker(entity_map(characters=["Tom"])).mask(ITEM)
