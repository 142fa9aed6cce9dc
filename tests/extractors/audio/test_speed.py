import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.audio.speed import speaking_rate


def _mask(frames, *spans):
    speech = np.zeros(frames, bool)
    for begin, end in spans:
        speech[begin:end] = True
    return speech


def test_by_the_transcript():
    # 12 syllables in 2 + 1 s of speech
    speech = _mask(400, (50, 250), (300, 400))
    rate = speaking_rate(speech=speech, nuclei=np.array([80, 200, 350]), transcript_syllables=12)
    assert (rate.syllables, rate.rate_syll_s) == (12, pytest.approx(4.0))
    assert np.nanmean(rate.curve_syll_s) == pytest.approx(4.0)
    assert (np.isfinite(rate.curve_syll_s) == speech).all()


def test_by_the_sound():
    # 3 nuclei in speech, one outside, 2 s of speech
    rate = speaking_rate(speech=_mask(400, (50, 250)), nuclei=np.array([10, 80, 120, 200]), transcript_syllables=None)
    assert (rate.syllables, rate.rate_syll_s) == (3, pytest.approx(1.5))


def test_the_curve_is_faster_where_nuclei_are_closer():
    # 2 per second, then 8 per second
    nuclei = np.r_[np.arange(25, 400, 50), np.arange(400, 800, 12.5)].astype(int)
    curve = speaking_rate(speech=_mask(800, (0, 800)), nuclei=nuclei, transcript_syllables=None).curve_syll_s
    assert curve[100:300].mean() == pytest.approx(2.0, rel=0.05)
    assert curve[500:700].mean() == pytest.approx(8.0, rel=0.05)


def test_the_curve_does_not_fall_towards_pauses_and_edges():
    nuclei = np.r_[np.arange(10, 200, 20), np.arange(310, 500, 20)]
    rate = speaking_rate(speech=_mask(500, (0, 200), (300, 500)), nuclei=nuclei, transcript_syllables=None)
    assert rate.rate_syll_s == pytest.approx(5.0)
    np.testing.assert_allclose(rate.curve_syll_s[_mask(500, (0, 200), (300, 500))], 5.0, rtol=0.15)


def test_no_nucleus_gives_a_rate_without_a_curve():
    rate = speaking_rate(speech=_mask(100, (0, 50)), nuclei=np.zeros(0, int), transcript_syllables=2)
    assert rate.rate_syll_s == pytest.approx(4.0)
    assert np.isnan(rate.curve_syll_s).all()


@pytest.mark.parametrize("syllables", [None, 7])
def test_no_speech_gives_no_rate(syllables):
    rate = speaking_rate(speech=_mask(100), nuclei=np.array([50]), transcript_syllables=syllables)
    assert (rate.syllables, rate.rate_syll_s, rate.plausible) == (syllables, None, True)
    assert np.isnan(rate.curve_syll_s).all()


def test_speech_without_a_syllable_has_no_rate():
    rate = speaking_rate(speech=_mask(100, (0, 50)), nuclei=np.zeros(0, int), transcript_syllables=None)
    assert (rate.syllables, rate.rate_syll_s) == (None, None)


def test_a_transcript_that_nobody_could_speak_gives_no_rate():
    # 21 syllables in a second
    rate = speaking_rate(speech=_mask(100, (0, 100)), nuclei=np.array([50]), transcript_syllables=21)
    assert (rate.syllables, rate.rate_syll_s, rate.plausible) == (21, None, False)
    assert np.isnan(rate.curve_syll_s).all()


def test_nothing():
    rate = speaking_rate(speech=_mask(0), nuclei=np.zeros(0, int), transcript_syllables=None)
    assert rate.curve_syll_s.shape == (0,)


@given(st.lists(st.booleans(), min_size=1, max_size=200), st.data())
def test_the_mean_over_speech_is_the_rate(speech, data):
    speech = np.array(speech)
    nuclei = np.array(sorted(data.draw(st.sets(st.integers(0, len(speech) - 1), max_size=20))), int)
    count = data.draw(st.none() | st.integers(1, 4))
    rate = speaking_rate(speech=speech, nuclei=nuclei, transcript_syllables=count)
    curve = rate.curve_syll_s[np.isfinite(rate.curve_syll_s)]
    if len(curve):
        assert curve.mean() == pytest.approx(rate.rate_syll_s, rel=1e-5)
        assert len(curve) == speech.sum()
        assert curve.min() >= 0
