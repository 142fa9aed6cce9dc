import json

import pytest

from mmrole.core.errors import ModelError, QuotaError, StoreError, UsageError
from mmrole.jobs.bench.incharacter import estimate_grade, grade, run
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel


def ratings(folder, name="judge"):
    lines = (folder / "grades" / name / "ratings.jsonl").read_text("utf-8").splitlines()
    return {f"{r['character']}/{r['method']}/{r['run']}": r for r in map(json.loads, lines)}


@pytest.fixture
def answered(built, agent):
    """A folder with answers, and its agent."""

    def made(name="run", **more):
        folder, who = built(name, **more), agent()
        run(folder, who.model)
        return folder, who

    return made


def test_every_method_end_to_end(answered, judge):
    folder, who = answered(methods=("SR", "OC", "d-OC", "ER_all", "ER_batch"))
    asked, looks = who.model.calls, judge()
    # per character and run: SR 1 (item 6 alone; 王五 says 5), OC 1, d-OC 3, ER 3 + 3
    assert estimate_grade(folder, looks.model).calls == 2 * (1 + 10) + 2 * 10
    result = grade(folder, looks.model)
    assert (result.sittings, result.graded, result.incomplete) == (20, 20, 0)
    assert who.model.calls == asked  # the agent was not asked
    found = ratings(folder)
    assert found["ann/SR/0"]["choices"] == {"1": 5, "2": 5, "3": 1, "4": 1, "5": 5, "6": 5}
    assert found["ann/OC/1"]["choices"] == {"1": 5, "2": 5, "3": 1, "4": 1, "5": 5, "6": 5}
    assert found["wang/d-OC/0"]["choices"] == {"1": 1, "2": 1, "3": 5, "4": 5, "5": 1, "6": 1}
    assert found["ann/ER_batch/0"]["batches"] == {
        "Warmth": [[["1", "2"], 5]], "Order": [[["3", "4"], 1]], "Calm": [[["5", "6"], 5]]
    }  # fmt: skip
    assert found["ann/OC/0"]["sources"] == {"parsed": 0, "converted": 6, "refused": 0, "missing": 0, "unread": 0}


def test_a_second_interviewer_does_not_touch_the_first(answered, judge):
    folder, _ = answered()
    grade(folder, judge().model)
    before = (folder / "grades" / "judge" / "ratings.jsonl").read_bytes()
    other = ScriptedModel(lambda _: '{"score": 3, "1": 3, "2": 3, "3": 3, "4": 3, "5": 3, "6": 3}', name="other/judge")
    grade(folder, other)
    assert (folder / "grades" / "judge" / "ratings.jsonl").read_bytes() == before
    assert ratings(folder, "other-judge")["ann/ER_batch/0"]["batches"]["Calm"] == [[["5", "6"], 3]]
    with pytest.raises(UsageError, match="holds the replies of the interviewer judge, not other/judge"):
        grade(folder, other, name="judge")


def test_methods_one_after_the_other(answered, judge):
    folder, _ = answered()
    grade(folder, judge().model, methods=["OC"])
    assert len(ratings(folder)) == 4
    grade(folder, judge().model, methods=["ER_batch"])
    assert len(ratings(folder)) == 8
    looks = judge()
    assert grade(folder, looks.model).stage.reused == looks.model.calls + 4 * (1 + 3)
    with pytest.raises(UsageError, match="the plan has no method 'SR': it has OC, ER_batch"):
        grade(folder, looks.model, methods=["SR"])


def test_regenerations_are_counted_and_limited(answered, judge):
    folder, _ = answered(methods=("OC",), runs=1)
    assert grade(folder, judge(unreadable="Ann Lee").model).stage.statuses == {"ok": 2}
    assert ratings(folder)["ann/OC/0"]["regenerations"] == 2
    stubborn = ScriptedModel(lambda _: '{"1": 4, "2": 666}', name="stubborn")
    result = grade(folder, stubborn, most_regenerations=2)
    assert (stubborn.calls, result.stage.statuses, result.graded) == (6, {"unparsed": 2}, 2)
    # what is missing after the last reply is a refusal, counted; 666 is kept, to be counted as invalid
    found = ratings(folder, "stubborn")["ann/OC/0"]
    assert found["choices"] == {"1": 4, "2": 666, "3": "x", "4": "x", "5": "x", "6": "x"}
    assert found["sources"] == {"parsed": 0, "converted": 2, "refused": 0, "missing": 4, "unread": 0}
    with pytest.raises(UsageError, match="13 regenerations make no sense"):
        grade(folder, stubborn, most_regenerations=13)


def test_a_method_of_which_nothing_can_be_read(answered, judge):
    folder, _ = answered(runs=1)
    looks = judge()

    def says(request):
        return looks.answer(request) if "Give one choice for each number" in request.messages[-1].text else "hm"

    # OC is asked in both languages, and read in English alone
    found = grade(folder, ScriptedModel(says, name="judge"), most_regenerations=1)
    assert (found.graded, found.unread) == (4, ["ER_batch"])
    assert estimate_grade(folder, looks.model, name="new", most_regenerations=1).at_most.calls == 2 * (2 * (1 + 3))
    mute = grade(folder, ScriptedModel(lambda _: "hm", name="mute"), most_regenerations=0)
    assert mute.unread == ["OC", "ER_batch"]
    with pytest.raises(UsageError, match="13 regenerations make no sense"):
        estimate_grade(folder, looks.model, most_regenerations=13)


def test_interrupted_at_any_call_no_finished_call_is_asked_again(answered, judge):
    folder, _ = answered(runs=1)
    whole = judge(unreadable="Ann Lee")
    grade(folder, whole.model, name="whole")
    total = whole.answered.total()
    assert total == 2 + 6 + 2
    for end in range(total):
        looks = judge(end=end, unreadable="Ann Lee")
        with pytest.raises(KeyboardInterrupt):
            grade(folder, looks.model, name=f"cut{end}")
        assert not (folder / "grades" / f"cut{end}" / "ratings.jsonl").exists()
        grade(folder, looks.model, name=f"cut{end}")
        assert looks.answered == whole.answered
        assert ratings(folder, f"cut{end}") == ratings(folder, "whole")


def test_a_sitting_that_lacks_an_answer_waits(built, agent, judge):
    folder, who = built(runs=1), agent()

    def shaky(request):
        if "Question 2" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return who.answer(request)

    run(folder, ScriptedModel(shaky, name="agent"))
    looks = judge()
    result = grade(folder, looks.model)
    assert (result.sittings, result.graded, result.incomplete) == (4, 2, 2)
    assert set(ratings(folder)) == {"wang/OC/0", "wang/ER_batch/0"}
    run(folder, who.model)
    assert grade(folder, looks.model).graded == 4
    assert set(looks.answered.values()) == {1}


def test_an_interviewer_that_cannot_answer_leaves_earlier_ratings(answered, judge):
    folder, _ = answered(runs=1)
    grade(folder, judge().model, methods=["OC"])
    model = ScriptedModel(lambda _: QuotaError("nothing left"), name="judge")
    with pytest.raises(ModelError, match="nothing left"):
        grade(folder, model)
    assert set(ratings(folder)) == {"ann/OC/0", "wang/OC/0"}


def test_nothing_to_grade(built, judge):
    with pytest.raises(StoreError, match=r"answers.jsonl is missing: ask the agent with mmrole bench incharacter run"):
        grade(built(), judge().model)


def test_names_of_grades(answered, judge):
    folder, _ = answered(runs=1)
    with pytest.raises(UsageError, match=r"'../x' is no name for the grades of a judge"):
        grade(folder, judge().model, name="../x")
