import pytest

from mmrole.core.errors import LockedError, StoreError, UsageError
from mmrole.core.prompts import Prompt
from mmrole.llm import ScriptedModel
from mmrole.llm.stage import Asking
from textbench.benchmark import BenchmarkFolder, is_folder_of, item_record

PROMPT = Prompt(name="p.en", text="$q", sha256="0f")


def item(name, text="hello"):
    return item_record(name, [("system", "be"), ("user", text)], prompts=[PROMPT], temperature=0.5, group="g")


@pytest.fixture
def folder(tmp_path):
    found = BenchmarkFolder(tmp_path / "run", "toy")
    with found.locked():
        found.write_plan({"colour": "red"}, [item("a"), item("b")])
    return found


def test_a_plan_and_its_items_come_back(folder):
    assert folder.plan()["colour"] == "red"
    first, second = folder.items()
    assert (first.item_id, second.item_id) == ("a", "b")
    assert [(m.role, m.text) for m in first.request.messages] == [("system", "be"), ("user", "hello")]
    assert first.request.parameters.temperature == 0.5
    assert first.fields == {"group": "g", "prompts": {"p.en": "0f"}}


def test_another_plan_is_refused_once_there_are_answers(folder):
    with folder.locked():
        folder.write_plan({"colour": "blue"}, [item("a")])
        folder.run(Asking(model=ScriptedModel(lambda _: "yes")), runs=1)
        folder.write_plan({"colour": "blue"}, [item("a")])
        with pytest.raises(UsageError, match="holds answers to another plan: choose another folder"):
            folder.write_plan({"colour": "green"}, [item("a")])
    assert folder.plan()["colour"] == "blue"


def test_run_stores_a_record_per_item_and_run(folder):
    model = ScriptedModel(lambda request: f"round {request.round}")
    with folder.locked():
        estimate = folder.estimate_run(Asking(model=model), runs=2)
        assert (estimate.total, estimate.calls, model.calls) == (4, 4, 0)
        assert not (folder.path / "answers.jsonl").exists()
        result = folder.run(Asking(model=model), runs=2)
        assert folder.estimate_run(Asking(model=model), runs=2).stored == 4
    assert result.counts == {"inputs": 4, "done": 4, "failed": 0, "skipped": 0, "pending": 0, "reused": 0}
    assert {(r["item"], r["round"], r["value"]) for r in folder.answers()} == {
        (name, number, f"round {number}") for name in "ab" for number in (0, 1)
    }


def test_what_is_missing_is_named_with_the_stage_that_makes_it(tmp_path):
    empty = BenchmarkFolder(tmp_path, "toy")
    with pytest.raises(StoreError, match=r"plan.json is missing: make it with mmrole bench toy build"):
        empty.plan()
    with pytest.raises(StoreError, match=r"items.jsonl is missing: make it with mmrole bench toy build"):
        list(empty.items())
    with pytest.raises(StoreError, match=r"answers.jsonl is missing: ask the agent with mmrole bench toy run"):
        empty.answers()
    with pytest.raises(UsageError, match="holds no grades: make them with mmrole bench toy grade"):
        empty.grades()


@pytest.mark.parametrize(
    ("content", "said"), [("{", "plan.json is damaged"), ('{"benchmark": "chess"}', "plan.json is no plan of toy")]
)
def test_a_plan_that_is_none(tmp_path, content, said):
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(StoreError, match=said):
        BenchmarkFolder(tmp_path, "toy").plan()


def test_several_grades_have_to_be_named(tmp_path):
    found = BenchmarkFolder(tmp_path, "toy")
    for name in ("one", "two"):
        (tmp_path / "grades" / name).mkdir(parents=True)
        (tmp_path / "grades" / name / "ratings.jsonl").write_text("")
    with pytest.raises(UsageError, match="holds grades of one, two: say which with --grades"):
        found.grades()
    assert found.grades("two").name == "two"


def test_one_run_at_a_time(folder):
    with folder.locked(), pytest.raises(LockedError, match="is in use by another run"), folder.locked():
        pass


def test_a_folder_is_known_by_its_plan(tmp_path):
    BenchmarkFolder(tmp_path / "run", "one").path.mkdir()
    BenchmarkFolder(tmp_path / "run", "one").write_plan({}, [])
    assert is_folder_of("one", tmp_path / "run")
    assert not is_folder_of("other", tmp_path / "run")
    assert not is_folder_of("one", tmp_path)
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe")
    assert not is_folder_of("one", tmp_path)
