import pytest

from textbench.lifechoice.leak_scores import leak_records, leak_scores
from textbench.lifechoice.leaks import LeakCase


def case(number, condition, book="One"):
    return LeakCase(
        item_id=f"i{number}", book=book, condition=condition, language="en", end="end", continuation="continuation"
    )


def ok(value):
    return {"status": "ok", "value": value}


CASES = [case(n, condition, "One" if n < 2 else "Two") for n in range(4) for condition in ("plain", "masked")]
ANSWERS = {each.key: ok("text") for each in CASES}


def verdicts(plain, masked):
    given = {"plain": plain, "masked": masked}
    return {each.key: ok(given[each.condition][int(each.item_id[1])]) for each in CASES}


def test_shares_by_book_and_condition_and_their_difference():
    found = {s.part: s for s in leak_scores(CASES, ANSWERS, verdicts([2, 2, 2, 1], [2, 0, 0, 1]), bootstrap=50)}
    # by hand: level 2 is a leak
    assert {part: score.value for part, score in found.items()} == {
        "plain": 0.75, "plain One": 1.0, "plain Two": 0.5, "masked": 0.25, "masked One": 0.5, "masked Two": 0.0,
        "masked - plain": -0.5,
    }  # fmt: skip
    assert found["plain"].details["levels"] == {"0": 0, "1": 1, "2": 3}
    assert found["plain"].details["interval"] == "cluster"
    assert found["plain One"].details["interval"] == "wilson"
    assert {score.direction for score in found.values()} == {"down"}


def test_the_difference_is_over_items_that_were_graded_twice():
    answers = {**ANSWERS, "i0/masked": {"status": "refusal", "value": None}}
    found = {s.part: s for s in leak_scores(CASES, answers, verdicts([2, 0, 0, 0], [2, 0, 0, 0]), bootstrap=0)}
    assert found["masked"].excluded == {"answer_refusal": 1}
    assert (found["masked"].value, found["plain"].value) == (0.0, 0.25)
    assert (found["masked - plain"].value, found["masked - plain"].n) == (0.0, 3)
    assert found["masked - plain"].excluded == {"not_graded_twice": 1}


def test_nothing_in_common_is_null():
    (difference,) = [s for s in leak_scores(CASES, {}, {}) if s.metric == "leak_difference"]
    assert (difference.value, difference.reason, difference.excluded) == (None, "no_items", {"not_graded_twice": 4})


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        (None, None, "answer_missing"),
        (ok("  "), None, "answer_empty"),
        ({"status": "error", "value": None}, None, "answer_error"),
        (ok("text"), None, "judge_missing"),
        (ok("text"), {"status": "unparsed", "value": None}, "judge_unparsed"),
    ],
)
def test_a_record_says_why_there_is_no_level(answer, verdict, reason):
    one = case(0, "plain")
    answers = {} if answer is None else {one.key: answer}
    (record,) = leak_records([one], answers, {} if verdict is None else {one.key: verdict}, agent="a")
    assert (record["level"], record["leak"], record["reason"], record["agent"]) == (None, None, reason, "a")


def test_books_whose_differences_are_all_alike_are_no_certainty():
    (difference,) = [
        score
        for score in leak_scores(CASES, ANSWERS, verdicts([2, 2, 2, 2], [0, 0, 0, 0]), bootstrap=50)
        if score.metric == "leak_difference"
    ]
    assert (difference.value, difference.n, difference.ci) == (-1.0, 4, None)
