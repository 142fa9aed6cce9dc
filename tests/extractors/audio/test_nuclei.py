import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.nuclei import find_nuclei
from extractors.audio.pitch import track_f0


def _find(wave):
    return find_nuclei(wave, f0_hz=track_f0(wave))


@given(count=st.integers(1, 12), rate=st.sampled_from([2.0, 4.0, 6.0, 8.0]), f0_hz=st.sampled_from([100, 180, 260]))
@settings(max_examples=25, deadline=None)
def test_one_nucleus_per_syllable_at_its_peak(waveform, syllables, count, rate, f0_hz):
    nuclei = _find(waveform(syllables(count, rate, f0_hz=f0_hz)))
    # syllable i swells from .5 + i / rate s on and peaks in its middle
    expected = 50 + 100 * (np.arange(count) + 0.5) / rate
    assert len(nuclei) == count
    assert np.abs(nuclei - expected).max() <= 2 + 12 / rate


def test_dips_of_less_than_2_db_do_not_separate(waveform, vowel):
    t = np.arange(32_000) / 16_000

    def swelling_by(decibels):
        depth = 1 - 10 ** (-decibels / 20)
        sound = vowel(2.0) * (1 - depth / 2 + depth / 2 * np.cos(2 * np.pi * 4 * t))
        return len(_find(waveform(sound)))

    # the smoothing makes dips of 1 and of 6 dB shallower: to about .7 and 3.6
    assert swelling_by(1) == 1
    assert swelling_by(6) == 9


def test_hiss_is_no_syllable(waveform, syllables):
    sound = syllables(4, noise_db=-80)
    rng = np.random.default_rng(1)
    burst = np.fft.rfft(rng.normal(size=3200))
    burst[: int(3500 / 8000 * len(burst))] = 0
    sound[-4000:-800] += 10 * np.fft.irfft(burst)[:3200] * 0.02
    assert len(_find(waveform(sound))) == 4


def test_creak_counts_where_the_clip_has_a_voice(waveform, vowel):
    rest = np.zeros(4000)
    # pulses at 45 Hz lie below the range of F0, with the spectrum of a vowel
    fade = np.sin(np.pi * np.arange(4000) / 4000)
    sound = np.concatenate([rest, vowel(0.25) * fade, rest, vowel(0.25, 45.0) * fade, rest])
    sound += np.random.default_rng(0).normal(size=len(sound)) * 1e-4
    wave = waveform(sound)
    f0 = track_f0(wave)
    assert np.isnan(f0[80:]).all()
    assert len(find_nuclei(wave, f0_hz=f0)) == 2
    alone = waveform(sound[8000:])
    assert len(_find(alone)) == 0


def test_faint_peaks_do_not_count(waveform, syllables):
    sound = np.concatenate([syllables(2, noise_db=-90), syllables(2, noise_db=-90) * 10 ** (-40 / 20)])
    assert len(_find(waveform(sound))) == 2


@pytest.mark.parametrize("sound", [np.zeros(0), np.zeros(1), np.ones(1), np.zeros(5000)])
def test_degenerate_input(waveform, sound):
    assert _find(waveform(sound)).tolist() == []


@pytest.mark.parametrize("frames", [1, 2, 3, 6])
def test_few_frames(waveform, tone, frames):
    wave = waveform(tone()[: frames * 160])
    nuclei = find_nuclei(wave, f0_hz=np.full(wave.frames, 220, np.float32))
    assert len(nuclei) == 1
    assert 0 <= nuclei[0] < frames


def test_long_sound_is_analysed_in_blocks(waveform, syllables):
    # 36 s, more than three blocks of 10 s
    assert len(_find(waveform(np.tile(syllables(8), 12)))) == 96


@given(gain_db=st.floats(-40, 20))
@settings(max_examples=10, deadline=None)
def test_gain_does_not_matter(waveform, syllables, gain_db):
    sound = syllables(5)
    assert _find(waveform(sound * 10 ** (gain_db / 20))).tolist() == _find(waveform(sound)).tolist()
