import json

import pytest

from mmrole.core.errors import UsageError
from mmrole.jobs.bench.lifechoice import estimate_grade, grade, run, score
from mmrole.llm import ScriptedModel

METHODS = ["roleless", "human", "bm25", "human+motivation"]


def judge(said='{"reason": "so it is", "score": 3}'):
    return ScriptedModel(said if callable(said) else lambda _: said, name="judge")


@pytest.fixture
def answered(built, agent):
    def made(**more):
        folder = built(methods=METHODS, **more)
        run(folder, agent().model)
        return folder

    return made


def ratings(folder, name="judge"):
    lines = (folder / "grades" / name / "ratings.jsonl").read_text("utf-8").splitlines()
    return {(r["item_id"], r["method"]): r for r in map(json.loads, lines)}


def test_the_judge_sees_profile_and_motivation_between_marks_that_they_cannot_foresee(answered):
    folder, looks = answered(), judge()
    # nothing to judge without a profile, nor where the motivation was given away
    assert estimate_grade(folder, looks).calls == 6
    result = grade(folder, looks)
    assert (result.stage.done, result.left_out, looks.calls) == (6, 6, 6)
    text = looks.requests[0].messages[-1].text
    assert "Ann keeps her word." in text
    assert "[Values and Beliefs] She swore it." in text
    marks = {line for line in text.splitlines() if line.startswith("<text-")}
    assert len(marks) == 1
    assert {rating["score"] for rating in ratings(folder).values()} == {3}
    again = judge()
    assert grade(folder, again).stage.reused == 6
    assert again.calls == 0


def test_what_cannot_be_read_is_asked_again_and_then_counted_apart(answered):
    folder = answered()
    looks = judge(
        lambda r: '{"reason": "", "score": 4}' if "李四" in r.messages[-1].text else '{"reason": "", "score": 2}'
    )
    result = grade(folder, looks, most_regenerations=1)
    assert result.stage.statuses == {"ok": 4, "unparsed": 2}
    assert looks.calls == 4 + 2 * 2
    assert ratings(folder)["li-1", "human"]["score"] is None
    found = score(folder).evaluation.score("human", metric="profile_score")
    assert (found.value, found.n, found.excluded) == (2.0, 2, {"unparsed": 1})


def test_people_and_judge(answered, tmp_path):
    folder = answered()
    scores = {"ann-1": 1, "ann-2": 2, "li-1": 3}
    numbers = {"1 pounds": 1, "2 pounds": 2, "李四": 3}
    grade(
        folder,
        judge(lambda r: json.dumps({"score": next(n for word, n in numbers.items() if word in r.messages[-1].text)})),
    )
    people = tmp_path / "people.csv"
    rows = [f"{item},{method},{value}" for item, value in scores.items() for method in ("human", "bm25")]
    people.write_text("\n".join(["item_id,method,score", *rows]), "utf-8")
    evaluation = score(folder, human=people, bootstrap=0).evaluation
    # the judge gives what people give
    for name in ("pearson", "kappa", "alpha"):
        assert evaluation.score("all", metric=f"profile_{name}").value == pytest.approx(1.0)
    rows[0] = "ann-1,human,3"
    people.write_text("\n".join(["item_id,method,score", *rows]), "utf-8")
    found = score(folder, human=people, bootstrap=0).evaluation.score("all", metric="profile_pearson")
    # by hand: judge 1 1 2 2 3 3, people 3 1 2 2 3 3 (means 2, 7/3): sum of products 2, of squares 4 and 10/3
    assert found.value == pytest.approx(2 / (4 * 10 / 3) ** 0.5)
    assert "profile" in (folder / "scores.md").read_text("utf-8").lower()


def test_options_that_make_no_sense(answered):
    folder = answered()
    with pytest.raises(UsageError, match="13 regenerations"):
        grade(folder, judge(), most_regenerations=13)
    with pytest.raises(UsageError, match="'a/b' is no name"):
        grade(folder, judge(), name="a/b")
    people = folder.parent / "people.csv"
    people.write_text("item_id,method,score\nann-1,human,3\n", "utf-8")
    with pytest.raises(UsageError, match="holds no grades"):
        score(folder, human=people)


def test_there_may_be_nothing_to_judge(built, agent):
    folder = built(methods=["roleless"])
    run(folder, agent().model)
    with pytest.raises(UsageError, match="has no profile that could be judged"):
        grade(folder, judge())
