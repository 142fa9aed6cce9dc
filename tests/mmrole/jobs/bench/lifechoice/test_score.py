import json

import pytest

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.lifechoice import run, score


def first(request):
    return "Answer: A"


def right(request):
    """The option that keeps the boat, under whatever letter it stands."""
    for line in request.messages[-1].text.splitlines():
        if "keeps it" in line or line.endswith("留下"):
            return f"I would choose {line[0]}.\nAnswer: {line[0]}"
    raise AssertionError("the right option is not shown")


@pytest.fixture
def scored(built, agent):
    def made(choice, name="run", **more):
        folder = built(name, **{"methods": ["roleless", "human"]} | more)
        run(folder, agent(choice=choice).model)
        return folder

    return made


def test_who_always_chooses_what_is_right(scored):
    evaluation = score(scored(right)).evaluation
    assert [evaluation.score("human", metric=name).value for name in ("accuracy", "accuracy_parsed")] == [1.0, 1.0]
    by_motivation = evaluation.score("human", "motivation", "Values and Beliefs")
    assert (by_motivation.n, by_motivation.value) == (2, 1.0)
    assert evaluation.names("motivation") == ["Values and Beliefs", "Desires and Goals"]
    assert evaluation.names("class") == ["character-driven"]
    assert (evaluation.score("human", "genre", "Historical").n, evaluation.score("human", "genre", "Mystery").n) == (
        3,
        1,
    )
    assert evaluation.names("time") == []


def test_who_always_answers_a_shows_it(scored):
    folder = scored(first, runs=40)
    evaluation = score(folder).evaluation
    bias = evaluation.score("roleless", metric="position_bias")
    # by hand: all 120 answers at the first of four places: 1/2 (3/4 + 3 * 1/4)
    assert (bias.value, bias.n) == (0.75, 120)
    assert bias.details["counts"] == {"A": 120, "B": 0, "C": 0, "D": 0}
    # the right option is at the first place in about one of four orders
    assert abs(evaluation.score("roleless").value - 0.25) < 0.13
    unshuffled = score(scored(first, "plain", runs=4, seed=None)).evaluation
    assert unshuffled.score("roleless").value == 0.0  # B is right everywhere


def test_what_cannot_be_read_is_not_wrong(scored):
    folder = scored(lambda request: "Hard to say." if "2 pounds" in request.messages[-1].text else right(request))
    evaluation = score(folder).evaluation
    whole, parsed = (evaluation.score("human", metric=name) for name in ("accuracy", "accuracy_parsed"))
    assert (whole.value, whole.n, whole.details["wrong"]) == (2 / 3, 3, 0)
    assert (parsed.value, parsed.n) == (1.0, 2)
    assert whole.details["unread"] == {"unparsed": 1}
    assert whole.details["chance"] == 0.25


def test_intervals_draw_whole_books(scored):
    folder = scored(lambda request: right(request) if "pounds" in request.messages[-1].text else first(request))
    found = score(folder).evaluation.score("human")
    assert found.details["clusters"] == 2
    assert found.details["wilson"] is not None
    note = "**note**: the intervals come from 2 books: from fewer than 30 they are mostly too narrow"
    assert note in (folder / "scores.md").read_text("utf-8")
    plain = score(folder, bootstrap=0).evaluation.score("human")
    assert plain.details["interval"] == "wilson"
    assert "**note**" not in (folder / "scores.md").read_text("utf-8")


def test_what_is_written(scored):
    folder = scored(right)
    result = score(folder)
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 6
    assert {line["right"] for line in lines} == {True}
    assert {line["method"] for line in lines} == {"roleless", "human"}
    scores = [json.loads(line) for line in (folder / "scores.jsonl").read_text("utf-8").splitlines()]
    assert {record["by"] for record in scores} == {"all", "motivation", "class", "genre"}
    text = (folder / "scores.md").read_text("utf-8")
    assert "| human | 1.000" in text
    assert "Published" not in text
    assert result.missing == 0
    before = {
        name: (folder / name).read_bytes() for name in ("scores.jsonl", "scores.md", "results.jsonl", "counts.jsonl")
    }
    score(folder)
    assert before == {name: (folder / name).read_bytes() for name in before}


def test_published_figures_stand_beside_their_own_data_only(scored):
    with pytest.raises(UsageError, match="cannot stand beside results on data that are said to be 'own'"):
        score(scored(right), reference="v1")
    folder = scored(right, "v2", data_version="v2")
    with pytest.raises(UsageError, match="figures of v1 are over its own 1,401 decisions"):
        score(folder, reference="v1")
    result = score(folder, reference="v2")
    assert (result.reference.version, result.reference.decisions) == ("v2", 1462)
    text = (folder / "scores.md").read_text("utf-8")
    assert "Published accuracies, version v2 (1,462 decisions)" in text
    assert "0.679" in text
    assert "0.77" not in text


def test_what_is_missing_is_told(built, agent):
    folder = built(methods=["roleless", "human"])
    with pytest.raises(StoreError, match="ask the agent with mmrole bench lifechoice run"):
        score(folder)
    run(folder, agent().model)
    path = folder / "answers.jsonl"
    path.write_text("\n".join(path.read_text("utf-8").splitlines()[:4]) + "\n", "utf-8")
    result = score(folder)
    assert result.missing == 2
    outcomes = {record["method"]: record["outcomes"] for record in result.evaluation.counts}
    assert sum(counts.get("not_asked", 0) for counts in outcomes.values()) == 2


def test_prefixes_make_a_curve(built, agent):
    folder = built(methods=["bm25"], prefixes=5)
    run(folder, agent(choice=right).model)
    evaluation = score(folder).evaluation
    assert evaluation.names("time") == ["1/5", "2/5", "3/5", "4/5", "5/5"]
    assert evaluation.score("bm25").n == 3  # the whole text alone
    assert evaluation.score("bm25", "time", "5/5").value == evaluation.score("bm25").value
