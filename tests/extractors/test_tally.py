import pytest

from extractors.tally import StreamTally


def tally_of(intervals_s):
    return StreamTally(intervals_s=list(intervals_s))


def test_the_stretch_goes_from_the_first_frame_to_the_end_of_the_last():
    tally = StreamTally()
    for time_s, duration_s in ((0.2, 0.1), (0.1, 0.1), (0.4, 0.1), (0.3, 500.0)):
        tally.saw(time_s, duration_s)
    # the frame at 0.3 s ends where the one at 0.4 s begins, whatever its duration says
    assert (tally.frames, tally.first_s, tally.last_s, tally.end_s) == (4, 0.1, 0.4, 0.5)


def test_frames_that_are_spared_the_decoder_count_for_the_stretch_only():
    tally = StreamTally()
    tally.saw(0.0, 0.04)
    tally.saw(0.04, 0.04, decoded=False)
    assert (tally.frames, tally.end_s) == (1, 0.08)


def test_what_fails_without_a_time_belongs_to_the_frame_before():
    tally = StreamTally()
    tally.failed(None)
    tally.saw(1.0, 0.04)
    tally.failed(None)
    tally.failed(3.0)
    tally.dropped_s.append(4.0)
    assert tally.errors_s == [0.0, 1.0, 3.0]
    assert tally.broken_s == [0.0, 1.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("intervals_s", "variable"),
    [
        ([], False), ([0.04, 0.4], False), ([0.04] * 50, False),
        ([0.033, 0.034] * 30, False),  # 30 a second in a container of milliseconds
        ([0.04] * 47 + [0.08] * 3, False),  # the end of a cut file
        ([1 / 30] * 60 + [1 / 10] * 20, True), ([0.1, 0.2, 0.3, 0.4] * 5, True),
    ],
)  # fmt: skip
def test_variable_frame_rate(intervals_s, variable):
    assert tally_of(intervals_s).variable() is variable
