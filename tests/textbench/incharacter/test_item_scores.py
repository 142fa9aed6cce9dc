import numpy as np
import pytest

from mmrole.core.errors import UsageError
from textbench.incharacter.item_scores import KINDS, item_scores
from textbench.incharacter.scales import scale_from_keys

PAIR = scale_from_keys("Pair", {"a": [1, -2], "b": [3]}, choices=(1, 5), fillers=[4])


def kinds_of(run, **options):
    table = item_scores({"Ann": [run]}, PAIR, **options)
    return [KINDS[kind] for kind in table.kinds[0]], table.values[0].tolist()


def test_reversed_items_are_low_plus_high_minus_choice():
    assert kinds_of({"1": 5, "2": 5, "3": "2"}) == (["answered"] * 3, [5, 1, 2])


def test_d_oc_reverses_nothing():
    assert kinds_of({"1": 5, "2": 5, "3": 2}, method="d-OC")[1] == [5, 5, 2]


@pytest.mark.parametrize("refusal", ["x", "X", " x ", "", None])
def test_refusals_are_the_midpoint(refusal):
    assert kinds_of({"1": refusal, "2": 5, "3": 2}) == (["refused", "answered", "answered"], [3, 1, 2])


def test_missing_items_count_as_refusals_and_are_counted_apart():
    assert kinds_of({"2": float("nan"), "3": 2}) == (["missing", "missing", "answered"], [3, 3, 2])


@pytest.mark.parametrize("choice", [0, 6, 666, 3.14, "seven", True, float("inf"), [3]])
def test_what_is_no_option_is_left_out(choice):
    kinds, values = kinds_of({"1": choice, "2": 5, "3": 2})
    assert kinds == ["invalid", "answered", "answered"]
    assert np.isnan(values[0])


@pytest.mark.parametrize(("choice", "value"), [(666, 666), (0, 0), ("3.14", 3.14)])
def test_upstream_ranges_keep_any_number_and_still_count_it(choice, value):
    kinds, values = kinds_of({"1": choice, "2": 5, "3": 2}, upstream_ranges=True)
    assert (kinds[0], values[0]) == ("invalid", value)


def test_upstream_ranges_make_no_number_of_a_word():
    assert np.isnan(kinds_of({"1": "seven", "2": 5, "3": 2}, upstream_ranges=True)[1][0])


def test_refusals_can_be_left_out():
    assert np.isnan(kinds_of({"1": "x", "2": 5, "3": 2}, refusal="excluded")[1][0])


def test_items_may_be_numbers_and_fillers_are_ignored():
    assert kinds_of({1: 5, 2: 5, 3: 2, 4: 1})[1] == [5, 1, 2]


def test_counts_and_columns():
    table = item_scores({"Ann": [{"1": 5, "2": "x", "3": 9}], "Bob": [{"1": 1, "2": 1, "3": 1}, {"1": 1}]}, PAIR)
    assert table.counts() == {"answered": 5, "refused": 1, "missing": 2, "invalid": 1}
    assert table.columns() == {"a": slice(0, 2), "b": slice(2, 3)}
    assert (table.owner.tolist(), table.runs.tolist()) == ([0, 1, 1], [0, 0, 1])


@pytest.mark.parametrize(
    ("choices", "options", "message"),
    [
        ({"Ann": [{"9": 1}]}, {}, "Ann, run 0: Pair has no item '9'"),
        ({"Ann": {"1": 1}}, {}, "Ann: choices are a list of runs"),
        ({}, {"method": "ER_batch"}, "item choices come from SR, SR-CoT, OC, d-OC, not 'ER_batch'"),
        ({}, {"refusal": "zero"}, "refusal is one of midpoint, excluded, not 'zero'"),
    ],
)
def test_errors(choices, options, message):
    with pytest.raises(UsageError, match=message):
        item_scores(choices, PAIR, **options)
