import json

import pytest

from mmrole.core.errors import InputError, StoreError, UsageError
from mmrole.jobs.bench.lifechoice import build, run
from mmrole.jobs.bench.lifechoice.stages import opened_folder, stored_items
from textbench.embeddings import ENGLISH


def test_the_packaged_example_needs_no_file(tmp_path):
    result = build(tmp_path / "run")
    assert (result.items, result.books, result.characters, result.questions) == (4, 2, 2, 16)
    assert result.notes == []
    place, plan = opened_folder(tmp_path / "run")
    found = stored_items(place)
    assert [item.language for item, _ in found] == ["en", "en", "zh", "zh"]
    assert all(item.motivation.known and item.description for item, _ in found)
    assert plan.data["name"] == "example"
    # the second decision of a book is told after the first: one text is stored for both
    assert len(list((tmp_path / "run" / "texts").iterdir())) == 2


def test_items_come_back_as_they_were(built, data):
    place, _ = opened_folder(built())
    by_id = {item.item_id: item for item, _ in stored_items(place)}
    for record in json.loads(data.read_text("utf-8")):
        item = by_id[record["item_id"]]
        assert (item.text, item.scenario, list(item.options)) == (
            record["text"], record["scenario"], list(record["options"].values())
        )  # fmt: skip
        assert "ABCD"[item.correct] == record["answer"]


def test_a_text_that_was_changed_is_found(built):
    folder = built()
    path = next((folder / "texts").iterdir())
    path.write_text(path.read_text("utf-8").replace("day", "DAY").replace("镇上", "城里"), "utf-8")
    place, _ = opened_folder(folder)
    with pytest.raises(StoreError, match="item or text was changed"):
        stored_items(place)


def test_a_folder_with_answers_keeps_its_plan(built, agent):
    folder = built(methods=["roleless"])
    run(folder, agent().model)
    built(methods=["roleless"])
    with pytest.raises(UsageError, match="holds answers to another plan"):
        built(methods=["bm25"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"methods": []}, "name a method"),
        ({"methods": ["bm25", "bm25"]}, "named twice"),
        ({"methods": ["human"], "prefixes": 5}, "a supplied description tells of the whole text"),
        ({"methods": ["bm25"], "budget": 100}, "chunks of 60 tokens do not fit"),
        ({"budget": 1}, "a budget of 1 tokens makes no sense"),
        ({"split": 1.0}, "a split of 1.0 makes no sense"),
        ({"runs": 0}, "0 runs make no sense"),
        ({"prefixes": 0}, "0 prefixes make no sense"),
        ({"temperature": 3}, "a temperature of 3 makes no sense"),
        ({"order": "memory"}, "no order 'memory'"),
        ({"data_version": "v3"}, "no version of the data 'v3'"),
        ({"masking": "given"}, "masking by a given map needs the map"),
        ({"only": ["nobody"]}, "there is no item 'nobody'; there are ann-1, ann-2, li-1"),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_folder_is_made(built, tmp_path, more, said):
    with pytest.raises(UsageError, match=said):
        built(**more)
    assert not (tmp_path / "run").exists()


def test_methods_that_no_item_can_be_asked_with(built, data):
    records = json.loads(data.read_text("utf-8"))
    for record in records:
        del record["description"], record["motivation"]
    data.write_text(json.dumps(records), "utf-8")
    for method, field in (("human", "description"), ("motivation", "motivation")):
        with pytest.raises(UsageError, match=f"method {method} needs the {field}"):
            built(methods=[method])


def test_broken_items_are_refused_or_listed(built, data, tmp_path):
    records = json.loads(data.read_text("utf-8"))
    records[0]["answer"] = "E"
    data.write_text(json.dumps(records), "utf-8")
    with pytest.raises(InputError, match=r"items\.json.*Ann.*answer"):
        built()
    result = build(tmp_path / "some", data=data, methods=["roleless"], lenient=True)
    assert (result.items, len(result.refused)) == (2, 1)
    assert json.loads((tmp_path / "some" / "refused.jsonl").read_text("utf-8"))["field"] == "answer"


def test_an_english_encoder_for_chinese_items_is_refused_unless_it_is_named(data, tmp_path):
    with pytest.raises(UsageError, match=r"1 of 3 items are Chinese.*--embedder"):
        build(tmp_path / "run", data=data, methods=["embedding"])
    assert not (tmp_path / "run").exists()
    assert build(tmp_path / "run", data=data, methods=["embedding"], only=["ann-1"]).items == 1
    for embedder in ("some/multilingual-model", ENGLISH):
        assert build(tmp_path / "named", data=data, methods=["embedding"], embedder=embedder).items == 3
    assert build(tmp_path / "bm25", data=data, methods=["bm25"]).items == 3


MORAL = "scenario_id,ambiguity,generation_rule,context,action1,action2\n"


def test_scenarios_of_moralchoice(tmp_path):
    path = tmp_path / "low.csv"
    path.write_text(
        MORAL + "C_1,low,Do not cheat,You play cards.,I look away.,I look.\nC_2,low,Do not kill,A.,b,c\n", "utf-8"
    )
    with pytest.raises(UsageError, match="no story and no role: build with --methods roleless"):
        build(tmp_path / "run", data=path)
    with pytest.raises(UsageError, match="unmasked"):
        build(tmp_path / "run", data=path, methods=["roleless"], masking="model")
    result = build(tmp_path / "run", data=path, methods=["roleless"])
    assert (result.items, result.characters, result.books, result.questions) == (2, 0, 2, 2)
    path.write_text(MORAL + "H_1,high,r,You wait.,I go.,I go.\nH_2,high,r,You wait.,I go.,I stay.\n", "utf-8")
    with pytest.raises(InputError, match=r"low\.csv, line 2: H_1: both actions are the same; --lenient"):
        build(tmp_path / "high", data=path, methods=["roleless"])
    result = build(tmp_path / "high", data=path, methods=["roleless"], lenient=True)
    assert (result.items, [str(each) for each in result.refused]) == (
        1,
        [f"{path}, line 2: field actions: H_1: both actions are the same"],
    )


def test_names_of_a_given_map_have_to_name_who_decides(built, tmp_path):
    path = tmp_path / "names.json"
    path.write_text(json.dumps({"characters": [["Ann"]]}), "utf-8")
    with pytest.raises(UsageError, match="no entry for '李四'"):
        built(masking="given", entities=path)
    path.write_text(json.dumps({"The Red Boat": {"characters": ["Ann"]}, "红船": {"characters": ["李四"]}}), "utf-8")
    _, plan = opened_folder(built(masking="given", entities=path))
    assert set(plan.entities) == {"The Red Boat", "红船"}
    path.write_text("[]", "utf-8")
    with pytest.raises(InputError, match=r"names\.json: no object"):
        built("other", masking="given", entities=path)
