import sys

import numpy as np
import parselmouth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.pitch import track_f0, voiced_runs
from mmrole.core.errors import MissingExtraError, UsageError


def _praat(samples):
    """Praat's own track of the whole sound, (times, F0; 0 unvoiced)."""
    sound = parselmouth.Sound(np.asarray(samples, np.float64), sampling_frequency=16_000)
    pitch = sound.to_pitch_ac(time_step=0.01, pitch_floor=75.0, pitch_ceiling=500.0)
    return pitch.xs(), pitch.selected_array["frequency"]


@pytest.mark.parametrize("hz", [80, 110, 220, 330, 480])
def test_a_sine(waveform, tone, hz):
    f0 = track_f0(waveform(tone(hz)))
    np.testing.assert_allclose(f0[3:-3], hz, rtol=0.003)


def test_a_glide_is_followed_at_the_right_time(waveform, vowel):
    t = np.arange(32_000) / 16_000
    f0 = track_f0(waveform(vowel(2.0, 100 + 50 * t)))
    grid = np.arange(200) * 0.01
    # 50 Hz per second: 10 ms too late would be off by .5 Hz all along
    off = (f0 - (100 + 50 * grid))[5:-5]
    assert abs(np.nanmean(off)) < 0.1
    assert np.nanmax(np.abs(off)) < 1


def test_praat_is_the_oracle(waveform, syllables):
    # of this length, Praat's first frame is in the middle of the first 642 samples: one sample from our frame 2
    sound = syllables(8, f0_hz=140)
    sound = sound[: 642 + 160 * ((len(sound) - 642) // 160)]
    times_s, praat = _praat(sound)
    assert times_s[0] == pytest.approx(0.02, abs=1e-4)
    f0 = np.nan_to_num(track_f0(waveform(sound)))[2 : 2 + len(praat)]
    assert np.mean((f0 > 0) == (praat > 0)) > 0.98
    both = (f0 > 0) & (praat > 0)
    assert both.sum() > 100
    np.testing.assert_allclose(f0[both], praat[both], rtol=0.005)


def test_chunks_agree_with_the_whole(waveform, syllables, vowel):
    # 70 s, three chunks; the second is 35 dB weaker, so that by its own peak it would be voiced where the whole is silent
    voices = np.concatenate([syllables(12, f0_hz=f0_hz, noise_db=-60) for f0_hz in (90, 140, 210, 300)])
    sound = np.tile(voices, 5)[: 70 * 16_000]
    sound[31 * 16_000 : 63 * 16_000] *= 10 ** (-35 / 20)
    frames = len(sound) // 160
    padded = np.zeros((frames - 1) * 160 + 642)
    padded[321 : 321 + len(sound)] = sound[: len(padded) - 321]
    times_s, whole = _praat(padded)
    assert len(whole) == frames
    assert times_s[0] == pytest.approx(321 / 16_000)
    for begin, end in voiced_runs(whole > 0):
        if end - begin < 3:
            whole[begin:end] = 0
    np.testing.assert_allclose(np.nan_to_num(track_f0(waveform(sound))), whole, rtol=1e-4)
    assert (whole[3200:6200] > 0).mean() < 0.5 * (whole[:3000] > 0).mean()


def test_chunks_without_a_pause_to_join_them(waveform, tone):
    f0 = track_f0(waveform(tone(220, 65)))
    assert f0.shape == (6500,)
    np.testing.assert_allclose(f0, 220, rtol=0.02)
    np.testing.assert_allclose(f0[3:-3], 220, rtol=0.001)


@pytest.mark.parametrize("seconds", [29.99, 30.0, 30.01, 31.99, 32.0, 32.01, 62.005])
def test_lengths_around_the_chunks(waveform, tone, seconds):
    wave = waveform(tone(150, seconds))
    f0 = track_f0(wave)
    assert f0.shape == (wave.frames,)
    np.testing.assert_allclose(f0[3:-3], 150, rtol=0.001)


def test_noise_has_no_pitch(waveform):
    noise = np.random.default_rng(7).normal(size=48_000) * 0.1
    assert np.isnan(track_f0(waveform(noise))).all()


def test_a_voice_shorter_than_its_gate_has_no_pitch(waveform, tone):
    # 25 ms: fewer than five frames can be voiced
    sound = np.zeros(16_000)
    sound[8000:8400] = tone(220)[:400]
    assert np.isnan(track_f0(waveform(sound))).all()


def test_unvoiced_is_missing_never_zero(waveform, syllables):
    f0 = track_f0(waveform(syllables(4)))
    assert np.isnan(f0[:40]).all()
    voiced = f0[np.isfinite(f0)]
    assert 75 <= voiced.min() <= voiced.max() <= 500


def test_what_was_not_measured_is_missing(waveform, tone):
    # a hole whose samples are there, so that only the mark can tell
    f0 = track_f0(waveform(tone(seconds=3), missing=[(16_000, 32_000)]))
    assert np.isnan(f0[101:199]).all()
    assert np.isfinite(f0[:100]).all()


@given(gain_db=st.floats(-50, 30))
@settings(max_examples=10, deadline=None)
def test_gain_does_not_matter(waveform, syllables, gain_db):
    sound = syllables(3, noise_db=-50)
    loud = track_f0(waveform(sound))
    np.testing.assert_allclose(track_f0(waveform(sound * 10 ** (gain_db / 20))), loud, rtol=1e-3)


@pytest.mark.parametrize(
    "sound", [np.zeros(0), np.zeros(1), np.ones(1), np.zeros(16_000), np.ones(161), np.full(16_000, 0.25)]
)
def test_degenerate_input(waveform, sound):
    wave = waveform(sound)
    f0 = track_f0(wave)
    assert f0.shape == (wave.frames,)
    assert np.isnan(f0).all()


def test_voiced_runs():
    assert voiced_runs(np.array([1, 0, 1, 1, 0, 0, 1], bool)).tolist() == [[0, 1], [2, 4], [6, 7]]
    assert voiced_runs(np.zeros(0, bool)).shape == voiced_runs(np.zeros(3, bool)).shape == (0, 2)


def test_no_such_method(waveform):
    with pytest.raises(UsageError, match="pitch 'crepe': there is only parselmouth and pyin"):
        track_f0(waveform(np.ones(16_000)), method="crepe")


@pytest.mark.parametrize("seconds", [0, 1])
def test_pyin_without_librosa(waveform, tone, monkeypatch, seconds):
    monkeypatch.setitem(sys.modules, "librosa", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'mmrole\[librosa\]'"):
        track_f0(waveform(tone(seconds=seconds)), method="pyin")


@pytest.mark.slow  # librosa compiles itself
def test_pyin_agrees_with_praat(waveform, syllables):
    pytest.importorskip("librosa", reason="needs the extra librosa")
    wave = waveform(syllables(6, f0_hz=140))
    pyin, praat = track_f0(wave, method="pyin"), track_f0(wave)
    both = np.isfinite(pyin) & np.isfinite(praat)
    assert both.sum() > 100
    # pYIN's grid of F0 has steps of 10 cents: .6 %
    np.testing.assert_allclose(pyin[both], praat[both], rtol=0.012)
    assert pyin.shape == praat.shape
    assert np.isnan(pyin[:30]).all()


@pytest.mark.parametrize("count", [1, 160, 161, 3000])
def test_pyin_takes_any_length(waveform, tone, count):
    pytest.importorskip("librosa", reason="needs the extra librosa")
    wave = waveform(tone()[:count] + 0.01)
    assert track_f0(wave, method="pyin").shape == (wave.frames,)
