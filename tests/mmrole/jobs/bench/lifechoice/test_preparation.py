import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.lifechoice.preparation import EVERY_BOOK, library_of, prepared, stored_maps, write_masking
from mmrole.jobs.bench.lifechoice.stages import opened_folder, stored_items
from textbench.entities import entity_map
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.residuals import Residual

ANN, LI = entity_map(characters=["Ann"]), entity_map(characters=["李四"])


@pytest.fixture
def items(built):
    place, _ = opened_folder(built())
    return stored_items(place)


def test_without_maps_names_are_left(items):
    ready = prepared(items, None)
    assert ([case.character for case in ready.cases], ready.residual) == (["Ann", "Ann", "李四"], None)


def test_each_book_has_its_map_and_the_others_the_one_for_all(items):
    ready = prepared(items, {"The Red Boat": ANN, EVERY_BOOK: LI})
    assert [case.character for case in ready.cases] == ["[character A]"] * 3
    assert not any("Ann" in case.text or "李四" in case.text for case in ready.cases)
    assert [case.content for case in ready.cases] == [
        content for _, content in items
    ]  # of what was read, not of what is shown
    assert ready.residual.replaced > 60


def test_a_book_without_a_map_or_a_map_without_the_character_is_refused(items):
    with pytest.raises(StoreError, match="no map of names for the book '红船' of li-1"):
        prepared(items, {"The Red Boat": ANN})
    with pytest.raises(UsageError, match="no entry for '李四'"):
        prepared(items, {EVERY_BOOK: ANN})


def test_maps_of_a_folder(built):
    place, plan = opened_folder(built())
    assert stored_maps(plan, place) is None
    place, plan = opened_folder(built("model", masking="model"))
    with pytest.raises(
        StoreError, match=r"entities\.json is missing: the names are found by mmrole bench lifechoice run"
    ):
        stored_maps(plan, place)
    (place.path / "entities.json").write_text("{", "utf-8")
    with pytest.raises(StoreError, match=r"entities\.json"):
        stored_maps(plan, place)


def test_masking_is_told_where_names_are_replaced(built):
    place, _ = opened_folder(built())
    write_masking(place, None, None)
    assert not (place.path / "masking.json").exists()
    write_masking(place, {"b": ANN}, Residual(replaced=3, remaining={}))
    assert ANN.sha256 in (place.path / "masking.json").read_text("utf-8")


def test_nothing_is_embedded_where_no_method_wants_it_or_only_sizes_matter(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)  # the extra is not there
    library_of(LifeChoicePlan(methods=("bm25",)))
    library = library_of(LifeChoicePlan(methods=("embedding",)), estimating=True)
    assert library.ranked("Ann left.", "embedding", ["Ann"]) != [[]]
