from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.choices import LETTERS, Question, show, shown_of, shuffle, unshuffle

FOUR = Question(item_id="q1", options=("stay", "leave", "ask Jane", "lie"), correct=1, text="What now?")


def test_rendering_and_back():
    shown = show(FOUR, order=(2, 0, 3, 1))
    assert shown.render() == "A. ask Jane\nB. stay\nC. lie\nD. leave"
    assert shown.render(") ").startswith("A) ask Jane\nB) stay")
    assert [shown.option(letter) for letter in "ABCD"] == [2, 0, 3, 1]
    assert [shown.letter(option) for option in range(4)] == ["B", "D", "A", "C"]
    assert shown.correct_letter == "D"
    assert shown_of(FOUR, shown.to_record()) == shown


def test_an_option_stays_on_its_line():
    asked = Question(item_id="q", options=("one\nB. not an option", "two"))
    assert show(asked).render() == "A. one B. not an option\nB. two"
    assert show(asked).correct_letter is None


def test_reading_is_that_of_all_benchmarks():
    shown = show(FOUR, order=(2, 0, 3, 1))
    assert shown.read("Answer: D").value == "D"
    assert shown.read("leave").value == "D"  # the text of an option is its letter
    assert shown.read("A good person would go.").value is None
    assert shown.read("Answer: D", "length").status.value == "truncated"
    assert shown.read('{"pick": "B"}', fields=["pick"]).value == "B"


def test_no_seed_is_the_order_of_the_data_set():
    assert shuffle("q1", 4, None) == (0, 1, 2, 3)
    assert show(FOUR).order == (0, 1, 2, 3)


def test_an_order_is_the_same_on_every_machine():
    # sha256sum of "0\n0\nq2", "0\n1\nq2", ... gives 9776..., 9a0f..., 31ae..., 8ced...: in this order 2, 3, 0, 1
    assert shuffle("q2", 4, 0) == (2, 3, 0, 1)


def test_orders_are_equally_likely_and_the_seed_counts():
    orders = Counter(shuffle(f"item {number}", 3, 7) for number in range(6000))
    assert len(orders) == 6
    # 1000 expected each, standard deviation sqrt(6000 x 1/6 x 5/6) = 29
    assert all(abs(count - 1000) < 5 * 29 for count in orders.values())
    assert [shuffle(f"item {n}", 4, 1) for n in range(9)] != [shuffle(f"item {n}", 4, 2) for n in range(9)]


@given(st.text(min_size=1), st.integers(2, 26), st.integers())
def test_unshuffling_undoes_the_shuffle(item_id, count, seed):
    order = shuffle(item_id, count, seed)
    assert unshuffle([f"text {place}" for place in order], order) == [f"text {place}" for place in range(count)]
    shown = show(Question(item_id=item_id, options=tuple(map(str, range(count)))), seed=seed)
    for letter, text in shown.options.items():
        assert shown.question.options[shown.option(letter)] == text


@pytest.mark.parametrize(
    ("options", "correct", "message"),
    [
        (("one",), None, "q: a question has 2 to 26 options, not 1"),
        (tuple(map(str, range(27))), None, "not 27"),
        (("one", "two"), 2, "q: option 2 is not one of 2, from 0"),
        (("one", "two"), -1, "option -1"),
    ],
)
def test_questions_that_make_no_sense(options, correct, message):
    with pytest.raises(UsageError, match=message):
        Question(item_id="q", options=options, correct=correct)


def test_orders_that_make_no_sense():
    with pytest.raises(UsageError, match=r"\[0, 0, 1, 2\] is no order of 4 options"):
        show(FOUR, order=(0, 0, 1, 2))
    with pytest.raises(UsageError, match="not both"):
        show(FOUR, seed=1, order=(0, 1, 2, 3))
    for letter in ("E", "", "AB", "a"):
        with pytest.raises(UsageError, match="none of the letters A, B, C, D"):
            show(FOUR).option(letter)
    assert len(LETTERS) == 26
