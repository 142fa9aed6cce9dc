import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.incharacter.scales import SCALES, scale
from textbench.incharacter.scoring import batch_scores, choice_counts, dimension_scores, rating_counts

THREES = {str(item): 3 for item in range(1, 45)}
# BFI Neuroticism: 4 14 19 29 39 positive, 9 24 34 reversed
RUN = {**THREES, "4": 5, "14": 5, "19": "x", "29": None, "39": 4, "9": 1, "24": 2, "34": 5}


def neuroticism(run, **options):
    return dimension_scores({"Ann": [run]}, "BFI", **options)["Ann"]["Neuroticism"][0]


def test_plain_mean_with_reversal_and_midpoints():
    assert neuroticism(RUN) == (5 + 5 + 3 + 3 + 4 + 5 + 4 + 1) / 8  # by hand


@pytest.mark.parametrize("bad", [0, 6, 666, 3.14])
def test_invalid_choices_leave_the_mean(bad):
    assert neuroticism({**RUN, "39": bad}) == pytest.approx((5 + 5 + 3 + 3 + 5 + 4 + 1) / 7, abs=1e-15)


def test_upstream_ranges_keep_them():
    assert neuroticism({**RUN, "39": 666}, upstream_ranges=True) == (5 + 5 + 3 + 3 + 666 + 5 + 4 + 1) / 8


def test_refusals_left_out():
    assert neuroticism(RUN, refusal="excluded") == (5 + 5 + 4 + 5 + 4 + 1) / 6


def test_d_oc_is_not_reversed():
    assert neuroticism({**THREES, "9": 5, "24": 5, "34": 5}, method="d-OC") == 30 / 8


def test_sum_is_the_mean_times_the_items():
    assert neuroticism(RUN, aggregate="sum") == 30
    assert neuroticism({**RUN, "39": 9}, aggregate="sum") == pytest.approx(26 / 7 * 8)


def test_nothing_valid_is_none():
    assert dimension_scores({"Ann": [dict.fromkeys(THREES, 9)]}, "BFI")["Ann"]["Openness"] == [None]


def test_keys_of_the_stored_16p_runs():
    run = {str(item): 4 for item in range(1, 61)} | {"25": 7}
    # one of 20 items is 7 instead of 4, or 1 when reversed: mean 4.15 or 3.85 on 1-7
    own, stored = (
        dimension_scores({"A": [run]}, "16Personalities", keys=keys)["A"]["T/F"][0] for keys in (None, "item_25_f")
    )
    assert (own, stored) == (pytest.approx(52.5), pytest.approx(47.5))


def test_lot_r_with_and_without_item_9():
    run = {str(item): 2 for item in range(1, 11)} | {"9": 4}  # reversed: 0
    assert dimension_scores({"A": [run]}, "LOT-R")["A"]["Optimistic"] == [10 / 6]
    assert dimension_scores({"A": [run]}, "LOT-R", keys="upstream_items")["A"]["Optimistic"] == [2]


@given(name=st.sampled_from(SCALES), runs=st.integers(1, 3), data=st.data())
def test_every_scale_against_a_plain_loop(name, runs, data):
    of = scale(name)
    choice = st.integers(of.low, of.high)
    table = [
        {item: data.draw(choice) for item in of.items[:12]} | dict.fromkeys(of.items[12:], of.high) for _ in range(runs)
    ]
    got = dimension_scores({"Ann": table}, name)["Ann"]
    for dimension, key in of.keys.items():
        for run, score in zip(table, got[dimension], strict=True):
            mean = sum(of.low + of.high - run[i] if turned else run[i] for i, turned in key.items()) / len(key)
            wanted = (mean - 1) / 6 * 100 if name == "16Personalities" else mean
            assert score == pytest.approx(wanted, abs=1e-9)


def test_choice_counts():
    counts = choice_counts({"Ann": [RUN, {**THREES, "1": 666}]}, "BFI")["Ann"]
    assert {kind: counts[kind] for kind in ("answered", "refused", "missing", "invalid", "runs")} == {
        "answered": 85, "refused": 2, "missing": 0, "invalid": 1, "runs": 2,
    }  # fmt: skip
    # the first run: 36 + 43 threes, three fives, a four, a one, a two
    assert counts["options"] == {1: 1, 2: 1, 3: 79, 4: 1, 5: 3}


def test_batch_scores_are_the_mean_of_the_batches():
    ratings = {"Ann": {"Openness": [[4, 5.0, 4.5], [None, 3]], "Extraversion": [[None], [9, 2]]}}
    assert batch_scores(ratings, "BFI") == {"Ann": {"Openness": [4.5, 3], "Extraversion": [None, 2]}}
    assert rating_counts(ratings, "BFI") == {"Ann": {"answered": 5, "refused": 2, "invalid": 1}}


def test_a_score_of_0_is_0_or_as_published_the_midpoint():
    ratings = {"Ann": {"Lying": [[0, 1]]}}
    assert batch_scores(ratings, "EPQ-R")["Ann"]["Lying"] == [0.5]
    assert batch_scores(ratings, "EPQ-R", upstream_zero=True)["Ann"]["Lying"] == [0.75]


def test_errors():
    with pytest.raises(UsageError, match="aggregate is one of mean, sum, not 'median'"):
        dimension_scores({}, "BFI", aggregate="median")
    with pytest.raises(UsageError, match="BFI has no dimension 'Lying'"):
        batch_scores({"Ann": {"Lying": [[0]]}}, "BFI")
