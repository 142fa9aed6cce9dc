import pytest

from textbench.lifechoice.cases import Case
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.results import results_of

PLAN = LifeChoicePlan(methods=("roleless",), seed=0)
CASE = Case(
    item_id="a", content="0", book="b", character="Ann", language="en", text="t", scenario="s", question="q",
    options=("go", "stay", "wait", "ask"), correct=1,
)  # fmt: skip
SHOWN = CASE.shown(PLAN, 0)


def record(text, status="ok", finish_reason="stop", **more):
    return {
        "key": "a/roleless#0", "status": status, "content": "0", "order": list(SHOWN.order), "options": SHOWN.options,
        "replies": [{"text": text, "finish_reason": finish_reason}] if text else [], "profile": None, "query": None,
    } | more  # fmt: skip


def only(answers, unasked=()):
    [found] = results_of(PLAN, [CASE], answers, unasked)
    return found


def test_a_letter_is_put_back_into_the_order_of_the_data():
    found = only([record(f"Answer: {SHOWN.letter(1)}")])
    assert (found.answer.chosen, found.answer.right, found.status) == (1, True, "ok")
    assert found.to_record()["correct_letter"] == SHOWN.letter(1)


@pytest.mark.parametrize(
    ("stored", "status"),
    [
        (record("no idea at all, both", status="unparsed"), "unparsed"),
        (record(f"Answer: {SHOWN.letter(1)}", status="unparsed"), "ok"),  # read anew, by a parser that can
        (record(None, status="refusal"), "refusal"),
        (record("Answ", status="truncated", finish_reason="length"), "truncated"),
        (record(None, status="error"), "error"),
        (record("Answer: A", order=[3, 2, 1, 0] if SHOWN.order != (3, 2, 1, 0) else [0, 1, 2, 3]), "not_asked"),
        (record("Answer: A", content="1"), "not_asked"),
    ],
)
def test_what_a_record_comes_to(stored, status):
    found = only([stored])
    assert found.status == status
    assert found.answer.right is (True if status == "ok" else None)


def test_why_a_question_was_not_asked():
    assert (
        only([], [{"key": "a/roleless", "reason": "no_description: not_shorter"}]).status
        == "no_description: not_shorter"
    )
    assert only([]).status == "not_asked"
