import numpy as np
import pytest

from extractors.video.keyframe_candidates import Candidates, Moment
from extractors.video.keyframe_choice import PickReason, choose_moments, ends, whole_frames
from extractors.video.motion import Expression
from extractors.video.picture import Picture

PICTURE = Picture.from_rgb(np.zeros((9, 16, 3), np.uint8))


@pytest.fixture
def series(face_of):
    """Candidates of a face whose expression follows the levels, from frame `first` on.

    Levels are in steps of 1/128 (exact in binary) of the mean over the 41 blendshapes that count. Less than .016 (2 steps) is
    noise, two frames within .02 (2 steps) look alike.
    """

    def build(*levels, first=0, fps=5):
        candidates = Candidates("face", peaks=9)
        for index, level in enumerate(levels, start=first):
            look = Expression.of(face_of(mouthSmileLeft=level / 128 * 41))
            candidates.add(
                Moment(index=index, time_s=index / fps, picture=PICTURE, box_px=(0, 0, 9, 9), look=look), 0.5
            )
        candidates.settle(first + len(levels), 0.5)
        return candidates

    return build


def chosen(series, count=4, reach_s=0.5):
    return [(moment.index, str(reason)) for moment, reason in choose_moments(series, count=count, reach_s=reach_s)]


def test_calmest_and_peaks(series):
    # changes by hand: 0 0 10* 0 0 15* 0 0
    assert chosen([series(0, 0, 0, 10, 10, 10, 25, 25, 25)]) == [
        (0, "calmest"),
        (6, "peak_motion"),
        (3, "peak_motion"),
    ]


def test_no_more_than_asked_for(series):
    levels = np.cumsum([0, 0, *[4, 0] * 9])
    assert [len(chosen([series(*levels)], count)) for count in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_a_single_keyframe_is_the_strongest_peak(series):
    assert chosen([series(0, 0, 10, 10, 30, 30)], count=1) == [(4, "peak_motion")]
    assert chosen([series(0, 0, 1)], count=1) == [(0, "calmest")]


def test_a_still_face_has_one_keyframe(series):
    assert chosen([series(*[10] * 20)]) == [(0, "calmest")]


def test_what_looks_the_same_is_left_out(series):
    # three times from 0 to 10 and back: each look once; the peaks are equal, the one farthest from the calmest frame stands out
    levels = [0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 10, 10]
    assert chosen([series(*levels)]) == [(0, "calmest"), (10, "peak_motion")]


def test_a_peak_near_another_keyframe_is_left_out(series):
    # changes by hand: 0 0 12* 3 9* 0 0; at 5 frames a second the second peak is .4 s after the first, at 10 it is .2 s
    levels = [0, 0, 0, 12, 15, 24, 24, 24]
    assert chosen([series(*levels)]) == [(0, "calmest"), (3, "peak_motion"), (5, "peak_motion")]
    # by hand, reach .5 s: 12 (1 - e^-.6) = 5.4 for frame 3, 9 (1 - e^-1) = 5.7 for frame 5, which comes first therefore
    assert [i for i, reason in chosen([series(*levels, fps=10)]) if reason == "peak_motion"] == [5]


def test_a_slow_change_has_no_peak_but_an_end(series):
    # all frames are equally calm: the first one; the last one looks most different from it
    assert chosen([series(*range(21))]) == [(0, "calmest"), (20, "most_different")]


def test_peaks_are_spread_over_the_clip(series):
    """A burst of strong changes, far away a weaker one: with two places for peaks each has one."""
    levels = np.cumsum([0, 0, 10, 0, 12, 0, 10, 0, *[0] * 20, 6, 0, 0])
    picks = chosen([series(*levels)], count=3, reach_s=2.0)
    assert sorted(index for index, reason in picks if reason == "peak_motion") == [6, 28]


def test_one_frame(series):
    assert chosen([series(30)]) == [(0, "only_frame")]


def test_no_motion_was_measured(series):
    """Two frames of a face with a gap between: nothing tells which is calmer, so the surer (here the earlier) is first."""
    assert chosen([series(0), series(30, first=3)]) == [(0, "clearest"), (3, "most_different")]


def test_tracks_of_one_person_are_one_series(series):
    together = [series(0, 0, 10, 10), series(30, 30, 45, 45, first=8)]
    assert chosen(together) == [(0, "calmest"), (10, "peak_motion"), (2, "peak_motion"), (8, "most_different")]


def test_nothing_held():
    assert choose_moments([], count=4, reach_s=1) == []
    assert choose_moments([Candidates("face", peaks=3)], count=4, reach_s=1) == []


def moment(index, motion=None):
    return Moment(index=index, time_s=index / 5, picture=PICTURE, box_px=(0, 0, 9, 9), motion=motion)


def test_whole_frames_show_the_strongest_peak_and_the_calmest_moment():
    calm, weak, strong, gesture = moment(1), moment(4, 0.2), moment(7, 0.4), moment(9, 3.0)
    faces = [(calm, PickReason.CALMEST), (weak, PickReason.PEAK_MOTION), (strong, PickReason.PEAK_MOTION)]
    bodies = [(moment(2), PickReason.CALMEST), (gesture, PickReason.PEAK_MOTION)]
    # motions of faces and bodies have different units: the face's count first
    assert whole_frames(faces, bodies) == [(strong, PickReason.PEAK_MOTION), (calm, PickReason.CALMEST)]
    assert whole_frames(faces[:1], bodies) == [(gesture, PickReason.PEAK_MOTION), (calm, PickReason.CALMEST)]
    assert whole_frames([], bodies) == [(gesture, PickReason.PEAK_MOTION), bodies[0]]
    assert whole_frames(faces[:1], []) == faces[:1]
    assert whole_frames([], []) == []


def test_the_same_frame_is_not_shown_twice():
    calm, gesture = moment(4), moment(4, 3.0)
    frames = whole_frames([(calm, PickReason.CALMEST)], [(gesture, PickReason.PEAK_MOTION)])
    assert frames == [(gesture, PickReason.PEAK_MOTION)]


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ([], []),
        ([0], [(0, "only_frame")]),
        ([0, 1], [(0, "first"), (1, "last")]),
        ([0, 8, 16, 24, 29], [(0, "first"), (29, "last"), (16, "middle")]),
    ],
)
def test_ends(indices, expected):
    assert [(one.index, str(reason)) for one, reason in ends([moment(i) for i in indices])] == expected
