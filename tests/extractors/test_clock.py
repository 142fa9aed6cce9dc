import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.clock import LONGEST_JUMP_S, Clock


def read_all(stamps_s, step_s=0.04, begin_s=0.0):
    clock, times_s, moved, reached_s = Clock(begin_s), [], [], None
    for stamp_s in stamps_s:
        time_s, overruled = clock.read(stamp_s, reached_s, step_s)
        times_s.append(time_s)
        moved.append(overruled)
        reached_s = time_s + step_s
    return times_s, moved


@given(st.lists(st.floats(0, LONGEST_JUMP_S - 1), min_size=1, max_size=30), st.floats(-5, 590))
def test_stamps_that_go_on_are_left_as_they_are(steps_s, first_s):
    stamps_s = [first_s]
    for step_s in steps_s:
        stamps_s.append(stamps_s[-1] + step_s)
    assert read_all(stamps_s) == (stamps_s, [False] * len(stamps_s))


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30), st.floats(0.001, 10))
def test_whatever_the_stamps_are_times_go_on_and_never_leap(stamps_s, step_s):
    times_s, _ = read_all(stamps_s, step_s)
    slack_s = max(0.5, 2 * step_s)
    reached_s = None
    for time_s in times_s:
        if reached_s is not None:
            assert reached_s - slack_s - 1e-6 <= time_s <= reached_s + LONGEST_JUMP_S + 1e-6
        reached_s = time_s + step_s


def test_a_clock_that_starts_anew_goes_on_from_where_the_stream_is():
    """Two files one behind the other; by hand: the second 1 s is 1 s ... 2 s."""
    stamps_s = [n / 25 for n in range(25)] * 2
    times_s, moved = read_all(stamps_s)
    assert times_s == pytest.approx([n / 25 for n in range(50)])
    assert moved == [n == 25 for n in range(50)]


def test_distances_are_kept_after_a_new_start():
    times_s, _ = read_all([0.0, 0.04, 0.08, 50_000.0, 50_000.5, 50_000.52])
    assert times_s == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.62, 0.64])


def test_one_wrong_stamp_costs_one_frame_its_time():
    stamps_s = [0.0, 0.04, 1e6, 0.12, 0.16, -1e6, 0.24]
    times_s, moved = read_all(stamps_s)
    assert times_s == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.16, 0.20, 0.24])
    assert moved == [False, False, True, False, False, True, False]


def test_a_first_stamp_far_from_the_start_is_moved_to_it():
    assert read_all([4_294_967.0, 4_294_967.04])[0] == pytest.approx([0.0, 0.04])
    assert read_all([30.0, 30.04]) == ([30.0, 30.04], [False, False])  # a stream that starts late
    assert read_all([1000.0], begin_s=999.0) == ([1000.0], [False])


def test_slow_pictures_may_be_early_by_more():
    """At one picture in two seconds a second is no new start."""
    assert read_all([0.0, 2.0, 4.0, 5.0], step_s=2.0) == ([0.0, 2.0, 4.0, 5.0], [False] * 4)
