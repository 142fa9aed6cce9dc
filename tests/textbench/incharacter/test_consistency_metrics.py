import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.incharacter.consistency_metrics import consistency
from textbench.incharacter.scales import scale_from_keys

FIRST = {str(item): 3 for item in range(1, 45)}
SECOND = {**FIRST, "9": 5}  # reversed: 3 becomes 1
PAIR = scale_from_keys("Pair", {"a": [1, -2], "b": [3, 4]}, choices=(1, 5))


def test_two_runs_by_hand():
    got = consistency({"Ann": [FIRST, SECOND]}, "BFI")
    assert got["std_item"].value == pytest.approx(1 / 4 / 44)  # one of 44 items: population std 1, span 4
    within = (4 / 8 - (2 / 8) ** 2) ** 0.5  # Neuroticism of the second run: seven 3 and one 1
    assert got["std_dim"].value == pytest.approx(within / 2 / 5 / 4)  # two runs, five dimensions
    assert "std_score" not in got


def test_scores_by_hand():
    got = consistency(scores={"Ann": {"Extraversion": [3.0, 4.0], "Openness": [2.0, 2.0]}}, scale="BFI")
    assert list(got) == ["std_score"]
    assert got["std_score"].value == pytest.approx(0.5 / 2 / 4)


def test_the_mean_is_over_characters():
    scores = {"Ann": {"Openness": [3.0, 4.0]}, "Bob": {"Openness": [3.0, 3.0], "Neuroticism": [1.0, 5.0]}}
    got = consistency(scores=scores)["std_score"]
    assert got.value == pytest.approx((0.5 + (0 + 2) / 2) / 2 / 4)
    assert (got.n, got.direction, got.bounds) == (2, "down", (0.0, 0.5))


def test_one_run_has_no_spread_over_runs_and_is_counted():
    got = consistency({"Ann": [FIRST], "Bob": [FIRST, SECOND]}, scores={"Ann": {"Openness": [3.0]}})
    assert (got["std_item"].n, got["std_item"].excluded) == (1, {"fewer_than_two_runs": 1})
    assert (got["std_dim"].n, got["std_dim"].value) == (2, pytest.approx((4 / 8 - 1 / 16) ** 0.5 / 2 / 5 / 4 / 2))
    assert (got["std_score"].value, got["std_score"].reason) == (None, "fewer_than_two_runs")


def test_nobody_is_undefined():
    assert {score.reason for score in consistency({}, scores={}).values()} == {"no_characters"}


def test_invalid_choices_leave_the_spread_unless_upstream():
    runs = [{"1": 1, "2": 3, "3": 3, "4": 3}, {"1": 666, "2": 3, "3": 3, "4": 3}]
    got = consistency({"Ann": runs}, PAIR)
    assert got["std_item"].value == 0  # item 1 has one valid run, so no std
    assert got["std_item"].details["choices"] == {"answered": 7, "refused": 0, "missing": 0, "invalid": 1}
    # run 0: a = 1 and 3 reversed to 3, std 1; run 1: a single valid item, left out
    assert got["std_dim"].value == pytest.approx((1 + 0) / 2 / 4)
    kept = consistency({"Ann": runs}, PAIR, upstream_ranges=True)["std_item"]
    assert kept.value == pytest.approx(665 / 2 / 4 / 4)
    assert kept.bounds == (0.0, None)


def test_d_oc_spread_within_a_dimension_is_of_the_ratings():
    run = {"1": 1, "2": 5, "3": 3, "4": 3}
    assert consistency({"Ann": [run]}, PAIR, method="OC")["std_dim"].value == 0
    assert consistency({"Ann": [run]}, PAIR, method="d-OC")["std_dim"].value == pytest.approx(2 / 2 / 4)


@given(shape=st.tuples(st.integers(1, 4), st.integers(2, 4)), data=st.data())
def test_against_numpy(shape, data):
    characters, runs = shape
    choice = st.integers(1, 5)
    cube = np.array(
        [[[data.draw(choice) for _ in range(4)] for _ in range(runs)] for _ in range(characters)], dtype=float
    )
    choices = {str(c): [{str(i + 1): int(x) for i, x in enumerate(run)} for run in cube[c]] for c in range(characters)}
    got = consistency(choices, PAIR)
    keyed = cube.copy()
    keyed[:, :, 1] = 6 - keyed[:, :, 1]
    assert got["std_item"].value == pytest.approx(keyed.std(axis=1).mean() / 4, abs=1e-12)
    within = np.stack([keyed[:, :, :2].std(axis=2), keyed[:, :, 2:].std(axis=2)])
    assert got["std_dim"].value == pytest.approx(within.mean() / 4, abs=1e-12)


def test_the_interval_is_of_characters():
    scores = {str(c): {"Openness": [3.0, 3.0 + c / 10]} for c in range(12)}
    got = consistency(scores=scores, bootstrap=200, seed=1)["std_score"]
    low, high = got.ci
    assert low < got.value < high


def test_errors():
    with pytest.raises(UsageError, match="consistency needs choices, scores, or both"):
        consistency()
