import pytest
from scipy.stats import chisquare

from textbench.choices import Question, position_bias, read_answer, show


def answers(letters, *, count=4, seed=0, correct=1):
    options = tuple(f"option {n}" for n in range(count))
    for number, letter in enumerate(letters):
        shown = show(Question(item_id=f"q{number}", options=options, correct=correct), seed=seed)
        yield read_answer(shown, shown.read(letter))


@pytest.mark.parametrize(("count", "bias"), [(2, 0.5), (4, 0.75)])
def test_always_a(count, bias):
    # by hand: A has a share of 1 instead of 1/k, each of k - 1 others 0 instead of 1/k: half the sum is 1 - 1/k
    score = position_bias(answers(["A"] * 40, count=count))
    assert (score.value, score.n) == (pytest.approx(bias), 40)
    assert score.details["counts"]["A"] == 40
    assert score.details["p_value"] < 1e-6


def test_no_preference():
    score = position_bias(answers(["A", "B", "C", "D"] * 10))
    assert score.value == pytest.approx(0)
    assert score.details["p_value"] == pytest.approx(1)


def test_an_agent_that_is_always_right_has_none_beyond_the_shuffle():
    shown = [show(Question(item_id=f"q{n}", options=("a", "b", "c", "d"), correct=2), seed=3) for n in range(400)]
    score = position_bias([read_answer(each, each.correct_letter) for each in shown])
    assert score.value < 0.08  # mean by chance about .03 with 400 answers
    assert score.details["p_value"] > 0.001
    assert all(row[letter] == sum(row.values()) for letter, row in score.details["by_correct"].items())


def test_the_test_is_pearsons():
    letters = "A" * 19 + "B" * 11 + "C" * 6 + "D" * 4
    score = position_bias(answers(letters))
    assert score.details["p_value"] == pytest.approx(chisquare([19, 11, 6, 4]).pvalue)
    assert score.value == pytest.approx((9 + 1 + 4 + 6) / (2 * 40))  # by hand: differences from 10 each
    assert score.details["shares"] == {"A": 19 / 40, "B": 11 / 40, "C": 6 / 40, "D": 4 / 40}


def test_what_was_not_read_has_no_position():
    score = position_bias(answers(["A", "no idea", "B"], count=2))
    assert (score.n, score.excluded) == (2, {"unparsed": 1})
    assert score.details["p_value"] is None  # an expected count of 1
    nothing = position_bias([])
    assert (nothing.value, nothing.reason) == (None, "no_items")


def test_items_of_different_sizes_are_expected_by_their_own():
    mixed = [*answers(["A"] * 10, count=2), *answers(["D"] * 10, count=4)]
    score = position_bias(mixed)
    # by hand: expected A, B: (5 + 2.5) / 20, C, D: 2.5 / 20; shares .5, 0, 0, .5
    assert score.details["expected"] == pytest.approx({"A": 0.375, "B": 0.375, "C": 0.125, "D": 0.125})
    assert score.value == pytest.approx((0.125 + 0.375 + 0.125 + 0.375) / 2)
    assert score.details["p_value"] is None


def test_an_item_without_a_right_option_counts():
    score = position_bias(answers(["A", "B"], correct=None))
    assert (score.n, score.details["by_correct"]) == (2, {})
