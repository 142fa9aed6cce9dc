import dataclasses
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mmrole.core.errors import UsageError
from textbench.choices import Answer, accuracy, share, wilson_interval


def answer(number, chosen=0, *, status="ok", correct=0, cluster=None, count=4):
    there = chosen if status == "ok" else None
    return Answer(
        item_id=f"q{number}",
        status=status,
        count=count,
        chosen=there,
        position=there,
        correct=correct,
        correct_position=correct,
        cluster=cluster,
    )


@given(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95, 0.99])
)
def test_wilson_is_that_of_scipy(counts, level):
    successes, n = counts
    low, high = wilson_interval(successes, n, level)
    reference = binomtest(successes, n).proportion_ci(level, method="wilson")
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert 0 <= low <= successes / n <= high <= 1


def test_twenty_items_leave_much_open():
    # the example of the specification: with n = 20 a share of 25 % has an interval of about +- 18 %
    low, high = wilson_interval(5, 20)
    assert (high - low) / 2 == pytest.approx(0.18, abs=0.005)
    assert wilson_interval(0, 0) is None


def test_two_denominators_and_everything_counted():
    answers = [
        *(answer(n, 0) for n in range(3)),
        answer(3, 1),
        *(answer(n, status="unparsed") for n in (4, 5)),
        answer(6, status="refusal"),
        answer(7, status="error"),
        answer(8, 0, correct=None),
    ]
    scores = accuracy(answers, part="all")
    over_all, parsed = scores["accuracy"], scores["accuracy_parsed"]
    assert (over_all.value, over_all.n) == (3 / 7, 7)
    assert (parsed.value, parsed.n) == (3 / 4, 4)
    assert over_all.excluded == {"error": 1, "no_right_option": 1}
    assert parsed.excluded == {"error": 1, "no_right_option": 1, "unparsed": 2, "refusal": 1}
    for score in scores.values():
        assert (score.details["right"], score.details["wrong"]) == (3, 1)
        assert score.details["unread"] == {"refusal": 1, "unparsed": 2}
        assert score.n + sum(score.excluded.values()) == len(answers)
        assert score.ci == tuple(score.details["wilson"]) == wilson_interval(3, score.n)
        assert score.details["interval"] == "wilson"


def test_no_answer_has_no_accuracy():
    nothing = accuracy([])["accuracy"]
    assert (nothing.value, nothing.reason, nothing.ci, nothing.n) == (None, "no_items", None, 0)
    unread = accuracy([answer(0, status="unparsed")])
    assert (unread["accuracy"].value, unread["accuracy_parsed"].value) == (0.0, None)
    assert unread["accuracy_parsed"].excluded == {"unparsed": 1}


def test_chance_is_the_mean_of_one_over_the_options():
    scores = accuracy([answer(0, count=4), answer(1, count=2)])
    assert scores["accuracy"].details["chance"] == (1 / 4 + 1 / 2) / 2


def test_books_are_drawn_whole():
    alike = [
        answer(n, 0 if n < 40 else 1, cluster=f"book {n // 10}") for n in range(80)
    ]  # a book is all right or all wrong
    mixed = [answer(n, n % 2, cluster=f"book {n // 10}") for n in range(80)]
    wide, narrow = accuracy(alike)["accuracy"], accuracy(mixed)["accuracy"]
    assert wide.value == narrow.value == 0.5
    # 8 books of share 0 or 1: standard error sqrt(.25 / 8) = .18, where 80 items would have .056
    assert wide.ci[1] - wide.ci[0] == pytest.approx(2 * 1.96 * 0.1768, abs=0.08)
    assert wide.details["interval"] == "cluster"
    assert wide.details["clusters"] == 8
    assert wide.ci == tuple(wide.details["cluster"])
    assert wide.details["wilson"] == narrow.details["wilson"]
    # all books have the same share: no draw differs, which is no certainty
    assert narrow.details["cluster"] is None
    assert narrow.ci == tuple(narrow.details["wilson"])


def test_one_book_cannot_be_drawn_from():
    score = accuracy([answer(n, n % 3, cluster="one") for n in range(9)])["accuracy"]
    assert (score.details["clusters"], score.details["interval"]) == (1, "wilson")


def test_the_same_item_asked_twice_is_one_cluster():
    score = accuracy([answer(n % 5, 0 if n % 5 < 2 else 1) for n in range(10)])["accuracy"]
    assert (score.details["clusters"], score.details["interval"]) == (5, "cluster")


def test_an_item_without_a_book_is_its_own():
    some = [answer(0, cluster="b"), answer(1, 1, cluster="b"), answer(2), answer(3, 1)]
    assert accuracy(some)["accuracy"].details["clusters"] == 3


def test_draws_can_be_left_out_and_the_seed_decides_them():
    answers = [answer(n, n % 3 > 0, cluster=n // 4) for n in range(24)]
    assert accuracy(answers, bootstrap=0)["accuracy"].details["interval"] == "wilson"
    first, again, other = (accuracy(answers, seed=seed)["accuracy"].ci for seed in (1, 1, 2))
    assert first == again != other
    with pytest.raises(UsageError, match="from 0, not -1"):
        accuracy(answers, bootstrap=-1)


def test_a_share_of_anything():
    score = share([True, False, True, True], metric="leaks", definition="leak/v1", details={"method": "bm25"})
    assert (score.value, score.details["successes"], score.details["method"]) == (0.75, 3, "bm25")
    assert share([], metric="leaks", definition="leak/v1", reason="nothing_graded").reason == "nothing_graded"


@pytest.mark.parametrize("seed", range(6))
def test_against_a_plain_loop(seed):
    """Both denominators, their counts and the interval from the definitions, on answers at random; the draws are those of NumPy."""
    rng = random.Random(seed)
    answers = [
        answer(
            number,
            rng.randrange(2),
            status=rng.choice(["ok"] * 5 + ["refusal", "unparsed", "error"]),
            correct=rng.randrange(2),
            cluster=rng.choice([None, "a", "b", "c"]),
            count=rng.choice([2, 4, 6]),
        )
        for number in range(60)
    ]
    found = accuracy(answers, bootstrap=200, seed=seed)
    for metric, left_out in (("accuracy", {"error"}), ("accuracy_parsed", {"error", "refusal", "unparsed"})):
        score = found[metric]
        over = [each for each in answers if each.status not in left_out]
        books = [each.cluster or each.item_id for each in over]
        right = [each.status == "ok" and each.chosen == each.correct for each in over]
        assert (score.value, score.n) == (pytest.approx(sum(right) / len(over)), len(over))
        assert score.excluded == Counter(each.status for each in answers if each.status in left_out)
        assert score.details["chance"] == pytest.approx(sum(1 / each.count for each in over) / len(over))
        sums = [[0, 0] for _ in dict.fromkeys(books)]
        for book, is_right in zip(books, right, strict=True):
            place = list(dict.fromkeys(books)).index(book)
            sums[place][0] += is_right
            sums[place][1] += 1
        drawn = np.random.default_rng(seed).integers(0, len(sums), size=(200, len(sums)), dtype=np.int32)
        shares = [sum(sums[b][0] for b in row) / sum(sums[b][1] for b in row) for row in drawn]
        assert score.details["cluster"] == pytest.approx(np.quantile(shares, [0.025, 0.975]))


def test_runs_of_an_item_are_no_further_items_for_wilson():
    # five of six items right, each asked ten times; without books, and all in one
    for cluster in (None, "the one book"):
        answers = [
            Answer(
                item_id=f"i{n}",
                status="ok",
                count=4,
                chosen=int(n == 0),
                position=0,
                correct=0,
                correct_position=0,
                cluster=cluster,
            )
            for n in range(6)
            for _ in range(10)
        ]
        score = accuracy(answers, bootstrap=50)["accuracy"]
        assert (score.n, score.value) == (60, pytest.approx(5 / 6))
        assert score.details["wilson"] == pytest.approx(wilson_interval(5, 6))


def test_why_no_reply_came_is_counted_by_its_own_name():
    answers = [Answer(item_id=name, status=name, count=2) for name in ("error", "not_asked", "no_description")]
    answers = [dataclasses.replace(answer, correct=0, correct_position=0) for answer in answers]
    score = accuracy(answers)["accuracy"]
    assert (score.n, score.excluded) == (0, {"error": 1, "no_description": 1, "not_asked": 1})
