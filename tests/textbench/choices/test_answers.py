import pytest

from mmrole.core.errors import UsageError
from textbench.choices import Answer, Question, read_answer, show

SHOWN = show(Question(item_id="q", options=("a", "b", "c"), correct=0, cluster="book"), order=(2, 0, 1))


def test_a_letter_is_put_back_into_the_order_of_the_data_set():
    answer = read_answer(SHOWN, SHOWN.read("Answer: B"))
    assert (answer.status, answer.chosen, answer.position, answer.right) == ("ok", 0, 1, True)
    assert (answer.correct, answer.correct_position, answer.cluster, answer.count) == (0, 1, "book", 3)
    assert read_answer(SHOWN, "A").chosen == 2
    assert read_answer(SHOWN, "A").right is False


@pytest.mark.parametrize(
    ("reply", "finish_reason", "status"),
    [
        ("No idea what he would do.", "stop", "unparsed"),
        ("I cannot help with that.", "stop", "refusal"),
        ("Answer: A or B", "stop", "ambiguous"),
        ("Answer: A", "length", "truncated"),
        (None, "stop", "unparsed"),
    ],
)
def test_what_cannot_be_read_is_neither_right_nor_wrong(reply, finish_reason, status):
    answer = read_answer(SHOWN, SHOWN.read(reply, finish_reason))
    assert (answer.status, answer.chosen, answer.position, answer.right) == (status, None, None, None)


def test_no_reply_is_an_error_and_no_answer():
    assert read_answer(SHOWN, None).status == "error"


def test_as_a_record():
    assert read_answer(SHOWN, "C").to_record() == {
        "chosen": 1,
        "chosen_letter": "C",
        "cluster": "book",
        "correct": 0,
        "correct_letter": "B",
        "item_id": "q",
        "options": 3,
        "right": False,
        "status": "ok",
    }


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"status": "ok"}, "status ok with choice None"),
        ({"status": "unparsed", "chosen": 1, "position": 1}, "status unparsed with choice 1"),
        ({"status": "ok", "chosen": 3, "position": 0}, "place 3 is not one of 3"),
        ({"status": "error", "correct": 1}, "go together"),
    ],
)
def test_answers_that_make_no_sense(fields, message):
    with pytest.raises(UsageError, match=message):
        Answer(item_id="q", count=3, **fields)
    with pytest.raises(UsageError, match="none of the letters"):
        read_answer(SHOWN, "D")
