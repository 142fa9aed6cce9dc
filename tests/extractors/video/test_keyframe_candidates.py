import math

import numpy as np
import pytest

from extractors.video.keyframe_candidates import Candidates, Moment, Reel, prominence
from extractors.video.motion import Expression, Pose
from extractors.video.picture import Picture

WHOLE = (0.0, 0.0, 16.0, 9.0)


def moment(index, look=None, *, fps=5.0, score=0.9, **options):
    picture = Picture.from_rgb(np.zeros((9, 16, 3), np.uint8))
    return Moment(index=index, time_s=index / fps, picture=picture, box_px=WHOLE, look=look, score=score, **options)


def fill(candidates, looks, reach_s=0.25):
    """Gives the looks to the candidates, None for a frame without; returns the moments."""
    moments = [None if look is None else moment(index, look) for index, look in enumerate(looks)]
    for index, one in enumerate(moments):
        if one is not None:
            candidates.add(one, reach_s)
        candidates.settle(index, reach_s)
    candidates.settle(len(moments), reach_s)
    return moments


@pytest.fixture
def smiles(face_of):
    """Expressions from levels in steps of 1/128 (exact in binary) of the mean over the 41 blendshapes that count."""
    return lambda *levels: [None if v is None else Expression.of(face_of(mouthSmileLeft=v / 128 * 41)) for v in levels]


def test_motion_is_change_per_second(smiles):
    moments = fill(Candidates("face", peaks=5), smiles(0, 1, 1, 4))
    # by hand: 1 and 3 steps of 1/128 in a fifth of a second
    assert [one.motion for one in moments] == [None, *(pytest.approx(v / 128 * 5) for v in (1, 0, 3))]
    assert [one.motion_after for one in moments] == [*(pytest.approx(v / 128 * 5) for v in (1, 0, 3)), None]


def test_peaks_are_where_motion_is_largest(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(0, 5, 15, 18, 18, 10, 10, 13))
    # changes by hand: 5 10* 3 0 8* 0 3*; the last one has nothing after it
    assert [peak.index for peak in candidates.peaks] == [2, 5, 7]


def test_equal_changes_have_one_peak(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(0, 5, 10, 15, 15))
    assert [peak.index for peak in candidates.peaks] == [1]


def test_flicker_has_no_peak(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(0, 2, 0, 2, 0))  # 2/128 is less than .016
    assert candidates.peaks == []


def test_a_jump_over_a_gap_is_no_motion(smiles):
    candidates = Candidates("face", peaks=5)
    moments = fill(candidates, smiles(0, 0, None, 20, 20))
    assert candidates.peaks == []
    assert (moments[3].motion, moments[1].motion_after) == (None, None)


def test_a_body_that_jumps_is_another_one(body_of):
    candidates = Candidates("body", peaks=5)
    here, there = Pose.of(body_of(centre=(30, 50))), Pose.of(body_of(centre=(62, 50)))
    moments = fill(candidates, [here, here, there, there])  # 32 px = 1.6 torsos
    assert (candidates.peaks, moments[2].motion) == ([], None)


def test_the_calmest_frame_is_calm_before_and_after(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(0, 2, 6, 7, 8, 12))
    assert candidates.calmest.index == 3  # changes by hand: 2 4 1 1 4: only frame 3 has 1 on both sides


def test_the_calmest_frame_has_open_eyes(face_of):
    candidates = Candidates("face", peaks=5)
    blinks = {"eyeBlinkLeft": 0.8, "eyeBlinkRight": 0.8}
    fill(candidates, [Expression.of(face_of(**shut)) for shut in (blinks, blinks, {}, blinks)])
    assert candidates.calmest.index == 2


def test_without_motion_the_surest(smiles):
    candidates = Candidates("face", peaks=5)
    looks = smiles(0, 10, 20)
    for index, score in zip((0, 2, 4), (0.6, 0.9, math.nan), strict=True):
        candidates.add(moment(index, looks[index // 2], score=score), 0.2)
        candidates.settle(index + 1, 0.2)
    assert candidates.calmest.index == 2


def test_a_frame_without_measured_motion_is_not_called_calm(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(0, None, 3, 4, 6))
    assert candidates.calmest.index == 2


def test_varied_frames_lie_far_apart(smiles):
    candidates = Candidates("face", peaks=5)
    fill(candidates, smiles(*range(21)))  # a smile that grows slowly, without a peak
    assert candidates.peaks == []
    assert [one.index for one in candidates.varied] == [0, 20]


def test_few_peaks_are_held_spread_in_time(smiles):
    """Strong peaks side by side and a weaker one far away: it stays, one of the crowd goes."""
    candidates = Candidates("face", peaks=2)
    levels = [0, 10, 10, 20, 20, 30, *[30] * 20, 35, 35]
    fill(candidates, smiles(*levels), reach_s=2.0)
    assert [peak.index for peak in candidates.peaks] == [1, 26]


def test_prominence_by_hand():
    peak, near = moment(5, motion=0.4), moment(0)  # one second apart
    assert prominence(peak, [], 1.0) == 0.4
    assert prominence(peak, [near], 1.0) == pytest.approx(0.4 * (1 - math.exp(-1)))
    assert prominence(peak, [peak], 1.0) == 0


def test_released_pictures_are_gone(smiles):
    candidates = Candidates("face", peaks=5)
    moments = fill(candidates, smiles(0, 10, 10, 30))
    candidates.release({id(one.picture) for one in moments[1:]})
    assert {one.index for one in candidates.held()} == {0}
    assert not candidates.empty
    candidates.release({id(moments[0].picture)})
    assert candidates.empty


@pytest.mark.parametrize(
    ("frames", "held"),
    # by hand: four at most and the last; every second, fourth, ... is kept when there are more
    [(1, [0]), (4, [0, 1, 2, 3]), (5, [0, 2, 4]), (6, [0, 2, 4, 5]), (9, [0, 4, 8]), (30, [0, 8, 16, 24, 29])],
)
def test_reel(frames, held):
    reel = Reel()
    for index in range(frames):
        reel.add(moment(index))
    assert [one.index for one in reel.held()] == held
