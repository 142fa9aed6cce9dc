import random

import pytest

from textbench.choices import read_answer
from textbench.lifechoice.cases import Case, unit_key
from textbench.lifechoice.evaluation import evaluate
from textbench.lifechoice.motivations import parse_motivation
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.results import Result

PLAN = LifeChoicePlan(methods=("bm25",), prefixes=2, seed=None)
RECORD = {"profile": {"memory": [], "description_cut": False, "tokens": 7}, "query": {"fallback": "none_given"}}


def result(number, letter, motivation, prefix=2, genres=("Mystery",), status="ok"):
    case = Case(
        item_id=str(number), content="0", book=f"b{number % 2}", character="Ann", language="en", text="t", scenario="s",
        question="q", options=("w", "x", "y", "z"), correct=0, genres=genres,
        motivation=None if motivation is None else parse_motivation(motivation),
    )  # fmt: skip
    answer = read_answer(case.shown(PLAN, 0), letter)
    key = unit_key(PLAN, case.item_id, "bm25", prefix, 0)
    return Result(
        key=key,
        case=case,
        method="bm25",
        prefix=prefix,
        run=0,
        answer=answer,
        status=status if letter else "error",
        record=RECORD,
    )


RESULTS = [
    result(0, "A", "[Power and Control] x"),
    result(1, "B", "[Values and Beliefs] x"),
    result(2, "A", "[Values and Beliefs] x", genres=("own genre", "Mystery")),
    result(3, None, "[Boredom] x"),
    result(4, "A", None),
    result(0, "C", "[Power and Control] x", prefix=1),
]


def test_parts_by_hand():
    found = evaluate(PLAN, RESULTS, bootstrap=0)
    assert (found.score("bm25").value, found.score("bm25").n, found.score("bm25").excluded) == (3 / 4, 4, {"error": 1})
    assert found.names("motivation") == [
        "Values and Beliefs",
        "Power and Control",
        "Boredom",
    ]  # the list's order, then others
    assert found.score("bm25", "motivation", "Values and Beliefs").value == pytest.approx(1 / 2)
    assert found.score("bm25", "motivation", "Boredom").reason == "no_items"
    assert found.score("bm25", "class", "character-driven").n == 2
    assert found.score("bm25", "class", "plot-driven").value == 1.0
    assert found.names("genre") == ["Mystery", "own genre"]
    assert (found.score("bm25", "genre", "own genre").n, found.score("bm25", "genre", "Mystery").n) == (1, 4)
    assert [found.score("bm25", "time", part).value for part in ("1/2", "2/2")] == [0.0, 3 / 4]
    assert found.score("bm25", "all", metric="position_bias").n == 4
    assert found.score("none") is None


def test_counts():
    [record] = evaluate(PLAN, RESULTS, bootstrap=0).counts
    assert record == {
        "method": "bm25", "questions": 6, "outcomes": {"error": 1, "ok": 5}, "segments_fallback": {"none_given": 6},
        "memory_empty": 6, "description_cut": 0, "most_tokens": 7,
    }  # fmt: skip


def test_parts_against_a_plain_loop():
    """Every item is in the parts that it belongs to and in no other, whatever came of it."""
    rng = random.Random(0)
    names = [None, "[Power and Control] x", "[Values and Beliefs] x", "[Boredom] x", "no type"]
    made = [
        result(
            number,
            rng.choice("ABCD") if rng.random() < 0.8 else None,
            rng.choice(names),
            prefix=rng.choice([1, 2]),
            genres=rng.sample(["Mystery", "Western", "own"], rng.randrange(3)),
        )
        for number in range(200)
    ]
    belongs = {
        "all": lambda each: ["all"],
        "motivation": lambda each: [each.case.motivation.type] if each.case.motivation else [],
        "class": lambda each: [each.case.motivation.motivation_class] if each.case.motivation else [],
        "genre": lambda each: each.case.genres,
    }
    found = evaluate(PLAN, made, bootstrap=0)
    counted = 0
    for part in (each for each in found.parts if each.score.metric == "accuracy"):
        name = part.score.part
        if part.by == "time":
            some = [each for each in made if f"{each.prefix}/2" == name]
        else:
            some = [each for each in made if each.prefix == 2 and name in belongs[part.by](each)]
        replied = [each for each in some if each.status == "ok"]
        right = sum(each.answer.chosen == 0 for each in replied)
        assert (part.score.value, part.score.n) == (pytest.approx(right / len(replied)), len(replied))
        assert part.score.excluded.get("error", 0) == len(some) - len(replied)
        counted += 1
    assert counted == 1 + 3 + 2 + 3 + 2
