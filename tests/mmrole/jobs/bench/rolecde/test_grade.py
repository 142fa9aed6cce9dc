import json
from collections import Counter

import pytest

from mmrole.core.errors import ModelError, QuotaError, StoreError, UsageError
from mmrole.jobs.bench.rolecde import estimate_grade, grade, run
from mmrole.llm import ChatReply, ErrorKind, ScriptedModel


def ratings(folder, name="judge"):
    lines = (folder / "grades" / name / "ratings.jsonl").read_text("utf-8").splitlines()
    return {f"{r['persona']}/{r['level']}/{r['order']}": r for r in map(json.loads, lines)}


@pytest.fixture
def answered(built, script):
    def made(name="run", says=None, kind="role", **more):
        folder = built(name, **more)
        run(folder, script.agent(kind, says=says).model)
        return folder

    return made


def test_a_judge_says_the_form_alone(answered, script):
    folder, judge = answered(), script.judge()
    assert estimate_grade(folder, judge.model)["judge"].calls == 18
    (result,) = grade(folder, judge.model)
    assert (result.decisions, result.judged, result.waiting, result.choices) == (18, 18, 0, {"ok": 18})
    found = ratings(folder)
    assert (found["rev/easy/BA"]["option"], found["rev/easy/BA"]["form"]) == ("A", "compromise")
    assert (found["ann/hard/AB"]["option"], found["ann/hard/AB"]["form"]) == ("B", "following")
    assert found["ann/easy/AB"]["markers"] == ["although"]


def test_several_judges_each_in_a_folder_of_its_own(answered, script):
    folder = answered()
    other = script.judge("other/one", says=lambda *_: '{"verdict": "following"}')
    results = grade(folder, [script.judge().model, other.model])
    assert [each.name for each in results] == ["judge", "other-one"]
    assert {each["form"] for each in ratings(folder, "other-one").values()} == {"following"}
    with pytest.raises(UsageError, match="holds the replies of the judge judge, not other/one"):
        grade(folder, other.model, name="judge")
    with pytest.raises(UsageError, match="one name for several judges"):
        grade(folder, [other.model, other.model], name="x")
    with pytest.raises(UsageError, match="two models are called other-one"):
        grade(folder, [other.model, other.model])


def test_what_cannot_be_judged_is_counted_and_not_asked(answered, script):
    def says(text, _):
        if "Decision easy of ann" in text:
            return "I cannot decide that."
        if "Decision mid of ann" in text:
            return "B"  # no reasons
        return '{"chosen_option": "A or B"}' if "hard" in text else '{"chosen_option": "A", "reasoning": "mine"}'

    folder, judge = answered(says=says), script.judge()
    (result,) = grade(folder, judge.model)
    assert result.choices == {"ok": 10, "refusal": 2, "ambiguous": 6}
    assert (result.judged, judge.answered.total()) == (8, 8)
    found = ratings(folder)
    assert Counter(each["form_status"] for each in found.values()) == {"ok": 8, "no_reasoning": 2, None: 8}
    assert len(found) == 18


def test_a_judge_that_cannot_be_read(answered, script):
    folder = answered()
    mute = script.judge("mute", says=lambda *_: "hm")
    estimated = estimate_grade(folder, mute.model, most_regenerations=1)["mute"]
    (found,) = grade(folder, mute.model, most_regenerations=1)
    assert (found.judged, found.unread) == (0, True)
    assert estimated.at_most.calls == mute.model.calls == 2 * estimated.calls
    assert not grade(folder, script.judge().model)[0].unread


def test_regenerations_are_counted_and_limited(answered, script):
    folder = answered()
    stubborn = script.judge("stubborn", says=lambda *_: '{"verdict": "RC"}')
    (result,) = grade(folder, stubborn.model, most_regenerations=1)
    assert (stubborn.answered.total(), result.judged, result.stage.statuses) == (36, 0, {"unparsed": 18})
    found = ratings(folder, "stubborn")["ann/easy/AB"]
    assert (found["form"], found["form_status"], found["regenerations"]) == (None, "unparsed", 1)
    with pytest.raises(UsageError, match="13 regenerations make no sense"):
        grade(folder, stubborn.model, most_regenerations=13)


def test_interrupted_at_any_call_no_finished_call_is_asked_again(answered, script):
    folder = answered()

    def says(text, number):
        return "hm" if number % 5 == 1 else '{"verdict": "following"}'  # some are asked again

    whole = script.judge(says=says)
    grade(folder, whole.model, name="whole")
    total = whole.answered.total()
    assert total > 18
    for end in range(total):
        judge = script.judge(end=end, says=says)
        with pytest.raises(KeyboardInterrupt):
            grade(folder, judge.model, name=f"cut{end}")
        assert not (folder / "grades" / f"cut{end}" / "ratings.jsonl").exists()
        grade(folder, judge.model, name=f"cut{end}")
        assert judge.answered == whole.answered
        same = [(folder / "grades" / name / "ratings.jsonl").read_bytes() for name in ("whole", f"cut{end}")]
        assert same[0] == same[1]


def test_a_call_that_failed_waits_for_the_next_time(answered, script):
    folder, judge = answered(), script.judge()

    def shaky(request):
        if "Decision mid of rev" in request.messages[-1].text:
            return ChatReply(error=ErrorKind.SERVER_ERROR, detail="down")
        return judge.answer(request)

    (result,) = grade(folder, ScriptedModel(shaky, name="judge"))
    assert (result.stage.failed, result.waiting, result.judged) == (2, 2, 16)
    assert ratings(folder)["rev/mid/AB"]["form_status"] == "error"
    (result,) = grade(folder, judge.model)
    assert (result.waiting, result.judged) == (0, 18)
    assert set(judge.answered.values()) == {1}


def test_a_judge_that_cannot_answer_leaves_earlier_ratings(answered, script):
    folder = answered()
    grade(folder, script.judge().model)
    before = (folder / "grades" / "judge" / "ratings.jsonl").read_bytes()
    with pytest.raises(ModelError, match="nothing left"):
        grade(folder, ScriptedModel(lambda _: QuotaError("nothing left"), name="none"))
    assert (folder / "grades" / "judge" / "ratings.jsonl").read_bytes() == before
    assert not (folder / "grades" / "none" / "ratings.jsonl").exists()


def test_nothing_to_grade(built, script):
    with pytest.raises(StoreError, match=r"answers.jsonl is missing: ask the agent with mmrole bench rolecde run"):
        grade(built(), script.judge().model)


def test_names_of_judges(answered, script):
    with pytest.raises(UsageError, match=r"'../x' is no name for the grades of a judge"):
        grade(answered(), script.judge().model, name="../x")
