import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.pitch import track_f0
from extractors.audio.speech import find_speech
from extractors.audio.volume import frame_levels_db


def _find(wave):
    return find_speech(wave, levels_db=frame_levels_db(wave), f0_hz=track_f0(wave))


def test_speech_is_found_between_silences(waveform, syllables):
    # 2 s of syllables after half a second: frames 50 to 250; the detector holds on for up to about 100 ms
    speech = _find(waveform(syllables(8)))
    assert speech.shape == (300,)
    assert speech[58:242].all()
    assert not speech[:45].any()
    assert not speech[268:].any()


@given(gain_db=st.floats(-45, 10))
@settings(max_examples=15, deadline=None)
def test_gain_hardly_matters(waveform, syllables, gain_db):
    sound = syllables(8, noise_db=-60)
    loud, quiet = (_find(waveform(g * sound)) for g in (1, 10 ** (gain_db / 20)))
    # 12 of 300 frames
    assert (loud != quiet).mean() < 0.04


def test_pauses_from_200_ms_are_no_speech(waveform, vowel):
    rng = np.random.default_rng(0)

    def spoken(pause_s):
        rest = np.zeros(8000)
        sound = np.concatenate([rest, vowel(0.6), np.zeros(round(pause_s * 16_000)), vowel(0.6), rest])
        return _find(waveform(sound + rng.normal(size=len(sound)) * 1e-4))

    assert spoken(0.12)[52:180].all()
    long = spoken(0.6)
    assert not long[130:165].any()
    assert long[60:105].all()
    assert long[175:225].all()


def test_a_click_is_no_speech(waveform, vowel):
    sound = np.random.default_rng(0).normal(size=32_000) * 1e-4
    sound[16_000:16_080] += 0.5
    assert not _find(waveform(sound)).any()


@pytest.mark.parametrize("sound", [np.zeros(0), np.zeros(1), np.zeros(16_000), np.full(16_000, 1e-7)])
def test_silence(waveform, sound):
    wave = waveform(sound)
    assert _find(wave).tolist() == [False] * wave.frames


def test_faint_hum_is_no_speech(waveform, tone):
    # voiced throughout, but the detector hears nothing
    assert not _find(waveform(tone(100, 2, level=10 ** (-70 / 20)))).any()


def test_what_was_not_measured_is_no_speech(waveform, syllables):
    speech = _find(waveform(syllables(8), missing=[(16_000, 24_000)]))
    assert not speech[101:150].any()
    assert speech[60:100].all()


def test_long_sound_is_heard_in_blocks(waveform, syllables):
    # 33 s: frame 3000 is in the second block; what is heard does not depend on where blocks begin
    sound = np.tile(syllables(8, noise_db=-60), 11)
    speech = _find(waveform(sound))
    assert speech.shape == (3300,)
    assert speech[3060:3240].all()
    assert not speech[3280:].any()
