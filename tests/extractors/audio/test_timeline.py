import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.audio.runs import Run
from extractors.audio.timeline import Piece, pieces_of, place


def _piece(start_s, seconds, run=0):
    return Piece(run=run, begin=0, end=round(seconds * 16_000), start_s=start_s)


def _run_with(frames, deviations_s):
    """A run of 1024-sample frames whose times are off by these deviations."""
    pairs = frames(np.zeros(1024 * len(deviations_s)), 1024)
    run = Run(pairs[0][0], 0.0)
    for (frame, time_s), deviation_s in zip(pairs, deviations_s, strict=True):
        run.push(frame, time_s + deviation_s)
    run.close()
    return run


@pytest.mark.parametrize("clock_s", [0.001, 1 / 90_000, 1 / 600])
def test_rounded_clocks_move_nothing(frames, clock_s):
    times = np.arange(400) * 1024 / 16_000
    run = _run_with(frames, np.round(times / clock_s) * clock_s - times)
    assert [(p.begin, p.end, p.start_s) for p in pieces_of(0, run)] == [(0, 400 * 1024, 0.0)]


def test_jitter_moves_nothing(frames):
    # every third frame 26 ms late, as in AVI with MP3
    run = _run_with(frames, [0.026 if i % 3 == 2 else 0.0 for i in range(60)])
    assert len(pieces_of(0, run)) == 1


@pytest.mark.parametrize("lost_at", [5, 30, 55])
def test_a_lost_frame_is_a_step_where_it_was_lost(frames, lost_at):
    run = _run_with(frames, [0.0] * lost_at + [0.0213] * (60 - lost_at))
    first, second = pieces_of(0, run)
    assert (first.end, second.begin) == (lost_at * 1024, lost_at * 1024)
    assert second.start_s - first.end_s == pytest.approx(0.0213)


def test_a_step_back_is_seen_too(frames):
    run = _run_with(frames, [0.0] * 20 + [0.0213] * 20 + [0.0] * 20)
    assert [p.begin for p in pieces_of(0, run)] == [0, 20 * 1024, 40 * 1024]


def test_a_run_that_gave_no_sample_has_no_piece(frame):
    run = Run(frame(np.zeros(3), rate_hz=48_000), 0.0)
    run.push(frame(np.zeros(3), rate_hz=48_000), 0.0)
    run.close()
    assert pieces_of(0, run) == []


def test_holes_are_counted():
    line = place([_piece(0, 1), _piece(1.5, 1), _piece(2.505, 1)])
    assert [p.start_s for p in line.pieces] == [0, 1.5, 2.505]
    # the second hole, of 5 ms, is shorter than a step of the grid
    assert (line.holes, line.holes_s, line.repaired) == (1, 0.5, False)


def test_a_late_start_is_no_hole():
    assert place([_piece(2, 1)]).holes == 0


def test_of_what_overlaps_the_earlier_is_kept():
    line = place([_piece(0, 1), _piece(0.98, 1)])
    assert [(p.begin, p.start_s) for p in line.pieces] == [(0, 0), (320, 1.0)]
    assert not line.repaired
    line = place([_piece(0, 1), _piece(0.8, 1)])
    assert [(p.begin, p.start_s) for p in line.pieces] == [(0, 0), (3200, 1.0)]
    assert line.repaired


def test_what_is_overlapped_wholly_is_dropped():
    line = place([_piece(0, 1), _piece(0.6, 0.3), _piece(1, 1)])
    assert [p.start_s for p in line.pieces] == [0, 1]


def test_a_clock_set_anew_goes_on():
    line = place([_piece(0, 5), _piece(0, 5), _piece(5, 5)])
    assert [p.start_s for p in line.pieces] == [0, 5, 10]
    assert (line.holes, line.repaired) == (0, True)


@pytest.mark.parametrize("wrong_s", [0.0, 50.0, 95_443.7, -95_443.7])
def test_one_wrong_time_between_right_ones(wrong_s):
    line = place([_piece(0, 5), _piece(wrong_s, 0.02), _piece(5.02, 5)])
    assert [p.start_s for p in line.pieces] == pytest.approx([0, 5, 5.02])
    assert (line.holes, line.repaired) == (0, True)


def test_a_hole_beyond_belief_is_closed():
    line = place([_piece(0, 1), _piece(95_443.7, 1)])
    assert [p.start_s for p in line.pieces] == pytest.approx([0, 1])
    assert line.repaired
    line = place([_piece(95_443.7, 1), _piece(95_444.7, 1)])
    assert [p.start_s for p in line.pieces] == pytest.approx([0, 1])
    assert line.repaired


def test_a_segment_may_begin_anywhere():
    line = place([_piece(95_443.7, 1)], first_s=None)
    assert [p.start_s for p in line.pieces] == [95_443.7]
    assert not line.repaired


def test_nothing():
    assert place([]).pieces == ()


@given(st.lists(st.tuples(st.floats(-5, 1e5), st.floats(0.001, 3)), max_size=8))
def test_never_overlapping_never_absurd(parts):
    line = place([_piece(start_s, seconds, i) for i, (start_s, seconds) in enumerate(parts)])
    for before, after in zip(line.pieces, line.pieces[1:], strict=False):
        assert after.start_s >= before.end_s - 1 / 16_000
        assert after.start_s - before.end_s <= 600.001
    assert all(p.end > p.begin >= 0 for p in line.pieces)
