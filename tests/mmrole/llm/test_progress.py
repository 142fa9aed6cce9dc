from __future__ import annotations

from collections import Counter

from mmrole.llm import BatchProgress, Spent, Usage
from mmrole.llm.progress import Meter


def test_a_state_says_what_a_person_wants_to_know():
    state = BatchProgress(
        total=100, done=60, failed=2, reused=10, statuses=Counter(ok=55, unparsed=4, ambiguous=1, error=2),
        spent=Spent(calls=52, usage=Usage(), cost=0.25), currency="EUR", rate_per_s=4.0, remaining_s=9.5,
    )  # fmt: skip
    assert (state.finished, state.unparsed) == (62, 5)
    assert str(state) == "62/100, 2 failed, 5 unparsed, 10 reused, 4.00 a second, 10 s left, 0.2500 EUR so far"


def test_what_is_not_known_is_left_out():
    meter = Meter(None, None)
    meter.seen, meter.done = 5, 2
    state = meter.state()
    assert (state.total, state.remaining_s) == (5, None)
    assert "left" not in str(state)
    assert "so far" not in str(state)


def test_reused_records_are_no_measure_of_speed():
    meter = Meter(10, None)
    meter.seen = meter.done = meter.reused = 5
    assert (meter.state().rate_per_s, meter.state().remaining_s) == (0.0, None)
