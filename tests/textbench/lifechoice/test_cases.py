import pytest

from textbench.lifechoice.cases import Case, told, unit_key, units
from textbench.lifechoice.plan import LifeChoicePlan


def case(item_id="a", text="It rained. We stayed in. He left. She came."):
    return Case(
        item_id=item_id, content="0", book="b", character="Ann", language="en", text=text, scenario="s", question="q",
        options=("w", "x", "y", "z"), correct=2,
    )  # fmt: skip


def test_units():
    plan = LifeChoicePlan(methods=("roleless", "bm25"), prefixes=2, runs=3)
    found = list(units(plan, [case("a"), case("b")]))
    assert len(found) == len({unit.key for unit in found}) == 2 * 2 * 3 * 2
    assert found[0].key == "a/roleless/part1of2/run0"
    assert unit_key(LifeChoicePlan(methods=("bm25",)), "a", "bm25", 1, 0) == "a/bm25"
    assert [unit.told.text for unit in found[:7:6]] == ["It rained. ", case().text]


def test_an_order_belongs_to_an_item_and_a_run():
    plan = LifeChoicePlan(methods=("roleless", "bm25"), runs=2)
    assert case().shown(plan, 0).order == case().shown(plan, 0).order
    orders = {case(str(n)).shown(plan, run).order for n in range(20) for run in range(2)}
    assert len(orders) > 10
    assert case().shown(LifeChoicePlan(methods=("bm25",), seed=None), 0).order == (0, 1, 2, 3)


@pytest.mark.parametrize("prefixes", [1, 5])
def test_the_last_prefix_is_the_whole(prefixes):
    found = list(told(LifeChoicePlan(methods=("bm25",), prefixes=prefixes), case()))
    assert (len(found), found[-1].text, found[-1].source.name) == (prefixes, case().text, "Ann")
