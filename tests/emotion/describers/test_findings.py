import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emotion.describers.findings import WHENS, finding, runs, swings

TIMES = np.arange(10) / 5  # 5 frames a second


def active(text):
    return np.array([mark == "x" for mark in text])


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("xxxxxxxxxx", "throughout"),
        ("xxxxxxxxx.", "throughout"),  # .9 of the frames
        ("xxx.......", "beginning"),  # its middle at .11
        (".......xxx", "end"),
        ("...xxxx...", "middle"),
        ("..xxxxxxxx", "onwards"),  # from .22 of the clip to its end
        ("xxxxxxxx..", "at_first"),
        ("xx......xx", "at_times"),
        ("xxxx..xxxx", "throughout"),  # .8 of the frames, at both ends
        ("..xxxxxxx.", "onwards"),  # the last frame of ten is the end, within .15
    ],
)
def test_when_it_holds(text, when):
    assert finding("smile", TIMES, active(text)).when == when


def test_a_blink_is_no_finding():
    assert finding("eyes_closed", TIMES, active("..x....x..")) is None  # two frames of .2 s, apart
    found = finding("eyes_closed", TIMES, active("..xx...x.."))
    assert (found.share, found.onset_s, found.end_s) == (0.2, 0.4, 0.6)  # the short one is left out
    assert finding("eyes_closed", TIMES[:3], active(".x.")).share == pytest.approx(
        1 / 3
    )  # too few frames to ask for a duration


def test_strength_and_peak():
    strength = np.array([0, 0, 0.5, 0.9, 0.6, 0, 0, 0, 0, 0.95])
    found = finding("smile", TIMES, strength >= 0.5, strength, strong=0.75)
    # the last frame is too short; of .5 .9 .6 the upper quartile is .75
    assert (found.peak, found.peak_s, found.strong) == (0.9, 0.6, True)
    assert not finding("smile", TIMES, strength >= 0.5, strength, strong=0.76).strong


def test_runs_by_hand():
    assert list(runs(active("xx..x.xxx"))) == [(0, 1), (4, 4), (6, 8)]
    assert list(runs(active("..."))) == []


def test_swings_by_hand():
    assert swings(np.array([0.0, 3.0, 1.0, 4.0, 2.0]), 5.0) == 0
    assert swings(np.array([0.0, 6.0, 0.0]), 5.0) == 1
    assert swings(np.array([0.0, -6.0, 0.0, -6.0, 0.0]), 5.0) == 3
    assert swings(np.array([0.0, 2.0, 4.0, 6.0, 4.0, 2.0, 0.0]), 5.0) == 1  # slow or fast, the way counts


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_every_frame_pattern_has_a_place_in_time(pattern):
    times = np.arange(len(pattern)) / 5
    found = finding("smile", times, np.array(pattern))
    if found is None:
        assert not any(pattern) or len(pattern) >= 4
    else:
        assert found.when in WHENS
        assert 0 < found.share <= sum(pattern) / len(pattern)
        assert times[0] <= found.onset_s <= found.end_s <= times[-1]


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=30), st.floats(0.5, 20))
def test_swings_are_the_same_backwards_and_upside_down(values, least):
    curve = np.array(values)
    assert swings(curve, least) == swings(-curve, least) <= max(len(values) - 2, 0)
