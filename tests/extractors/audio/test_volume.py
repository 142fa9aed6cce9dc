import numpy as np
import parselmouth
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.volume import SILENCE_DB, frame_levels_db

# Praat's intensity is relative to 2e-5, levels here to 1: 20 lg 2e-5 = -93.98 dB
PRAAT_DB = -20 * np.log10(2e-5)


@pytest.mark.parametrize("level", [1.0, 0.5, 0.001])
def test_a_sine_by_hand(waveform, tone, level):
    # a sine of amplitude A has 20 lg A - 3.01 dBFS
    levels = frame_levels_db(waveform(tone(level=level)))
    np.testing.assert_allclose(levels, 20 * np.log10(level) - 3.01, atol=0.25)


def _praat_levels_db(samples, pad=0):
    sound = parselmouth.Sound(np.pad(samples, pad), sampling_frequency=16_000)
    intensity = sound.to_intensity(minimum_pitch=100, time_step=0.01, subtract_mean=False)
    return intensity.values[0] - PRAAT_DB, intensity.xs() - pad / 16_000


def test_praat_is_the_oracle(waveform, syllables):
    # padded so that the centre of Praat's 64 ms windows lies on the grid: 512 samples before and after the first and last frame
    sound = syllables(8)
    sound = sound[: 160 * ((len(sound) - 1) // 160) + 1]
    praat_db, times_s = _praat_levels_db(sound, 513)
    levels = frame_levels_db(waveform(sound))
    assert times_s[0] == pytest.approx(0, abs=1e-4)
    assert len(praat_db) == len(levels)
    # at the edges Praat counts the padding, we do not
    inside = slice(4, -4)
    assert np.corrcoef(praat_db[inside], levels[inside])[0, 1] > 0.999
    assert np.abs(praat_db[inside] - levels[inside]).max() < 1.0


def test_a_level_may_end_and_begin_anywhere(waveform, vowel):
    # by 90 dB in a step: no frame is minus infinity or below the floor
    sound = np.concatenate([vowel(0.3), vowel(0.3) * 10 ** (-90 / 20), vowel(0.3)])
    levels = frame_levels_db(waveform(sound))
    assert np.nanmin(levels) >= SILENCE_DB
    assert np.nanmax(levels) < 0


@pytest.mark.parametrize("sound", [np.zeros(4800), np.full(4800, 1e-7), np.zeros(1)])
def test_digital_silence_is_missing(waveform, sound):
    assert np.isnan(frame_levels_db(waveform(sound))).all()


def test_silence_within_sound_is_missing(waveform, tone):
    levels = frame_levels_db(waveform(np.concatenate([tone(), np.zeros(16_000), tone()])))
    # the window of 64 ms reaches 32 ms into the silence
    assert np.isnan(levels[104:197]).all()
    assert np.isfinite(levels[:101]).all()
    assert np.isfinite(levels[201:]).all()


def test_what_was_not_measured_is_missing_and_does_not_lower_its_neighbours(waveform, tone):
    sound = np.concatenate([tone(), np.zeros(8000), tone()])
    levels = frame_levels_db(waveform(sound, missing=[(16_000, 24_000)]))
    assert np.isnan(levels[101:150]).all()
    there = np.r_[levels[:101], levels[150:]]
    np.testing.assert_allclose(there, 20 * np.log10(0.125) - 3.01, atol=0.25)


@given(gain_db=st.floats(-40, 20), count=st.integers(1, 4000))
@settings(max_examples=25, deadline=None)
def test_gain_shifts_all_frames(waveform, vowel, gain_db, count):
    sound = vowel(0.25)[:count]
    before, after = (frame_levels_db(waveform(g * sound)) for g in (1, 10 ** (gain_db / 20)))
    np.testing.assert_allclose(after - before, gain_db, atol=1e-3)


@given(shift=st.integers(0, 20))
@settings(max_examples=10, deadline=None)
def test_a_shift_by_frames_shifts_the_frames(waveform, syllables, shift):
    sound = syllables(2)
    late = np.concatenate([np.zeros(160 * shift), sound])
    missing = [(0, 160 * shift)] if shift else []
    levels = frame_levels_db(waveform(late, missing=missing))
    np.testing.assert_allclose(levels[shift + 4 :], frame_levels_db(waveform(sound))[4:], atol=1e-3)


def test_nothing(waveform):
    assert frame_levels_db(waveform(np.zeros(0))).shape == (0,)


@pytest.mark.parametrize("count", [1, 10, 159, 160, 161, 800])
def test_one_value_per_frame(waveform, count):
    wave = waveform(np.full(count, 0.1))
    # 20 lg .1
    np.testing.assert_allclose(frame_levels_db(wave), np.full(wave.frames, -20), atol=1e-3)
