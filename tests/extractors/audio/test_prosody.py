import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.prosody import measure_prosody
from mmrole.core.media import Caution, Reason


def _summary(prosody):
    names = ("speech_s", "syllables", "rate_syll_s", "f0_median_hz", "volume_mean_db")
    return {name: getattr(prosody, name) for name in names}


def _nothing_invented(prosody):
    curves = [prosody.f0_hz, prosody.volume_db, prosody.local_rate_syll_s]
    assert {len(c) for c in [*curves, prosody.time_s, prosody.speech, prosody.measured]} == {len(prosody.time_s)}
    assert not any(np.isinf(c).any() for c in curves)
    for value in _summary(prosody).values():
        assert value is None or np.isfinite(value)
    assert np.isnan(prosody.f0_hz).all() or np.nanmin(prosody.f0_hz) >= 75
    assert np.isnan(prosody.volume_db).all() or np.nanmin(prosody.volume_db) >= -100


def test_eight_syllables(waveform, syllables):
    prosody = measure_prosody(waveform(syllables(8, 4.0, f0_hz=140)))
    _nothing_invented(prosody)
    assert (prosody.reason, prosody.cautions) == (None, ())
    assert (prosody.syllables, prosody.syllables_from) == (8, "sound")
    # 2 s, and the up to 90 ms that the detector holds on
    assert prosody.speech_s == pytest.approx(2.0, abs=0.15)
    assert prosody.rate_syll_s == pytest.approx(8 / prosody.speech_s)
    assert prosody.f0_median_hz == pytest.approx(140, rel=0.01)
    spoken = prosody.volume_db[prosody.speech]
    assert prosody.volume_mean_db == pytest.approx(spoken.mean(), abs=1e-3)
    assert prosody.time_s[[0, 1, -1]].tolist() == pytest.approx([0, 0.01, 2.99])


def test_a_transcript_overrides_the_nuclei(waveform, syllables):
    prosody = measure_prosody(waveform(syllables(8)), text="今天天气很好我们走吧")
    assert (prosody.syllables, prosody.syllables_from) == (10, "transcript")
    assert prosody.rate_syll_s == pytest.approx(10 / prosody.speech_s)
    # the local curve is scaled to it
    assert np.nanmean(prosody.local_rate_syll_s) == pytest.approx(prosody.rate_syll_s, rel=1e-4)


@pytest.mark.parametrize("text", ["", "……", "こんにちは"])
def test_a_transcript_without_a_count_leaves_it_to_the_sound(waveform, syllables, text):
    assert measure_prosody(waveform(syllables(8)), text=text).syllables_from == "sound"


def test_a_transcript_that_does_not_fit_gives_no_rate(waveform, syllables):
    prosody = measure_prosody(waveform(syllables(4)), text="一" * 80)
    assert (prosody.syllables, prosody.rate_syll_s) == (80, None)
    assert prosody.cautions == (Caution.TRANSCRIPT_MISMATCH,)
    assert prosody.features.speed.moments.count == 0


def test_summaries_are_those_of_the_curves(waveform, syllables):
    prosody = measure_prosody(waveform(syllables(8, f0_hz=140)))
    features = prosody.features
    voiced = np.log(prosody.f0_hz[np.isfinite(prosody.f0_hz)])
    assert features.pitch.moments.count == len(voiced)
    assert features.pitch.moments.mean == pytest.approx(voiced.mean(), rel=1e-6)
    assert features.volume.moments.count == prosody.speech.sum()
    assert features.volume.moments.mean == pytest.approx(prosody.volume_mean_db)
    assert features.speed.moments.mean == pytest.approx(prosody.rate_syll_s, rel=1e-5)
    # half a second of 3 s at either end has no speech, and its first and last stretch of 150 ms neither
    for feature in (features.pitch, features.volume, features.speed):
        assert feature.stretches[0] is feature.stretches[-1] is None
        assert None not in feature.stretches[5:14]


def test_a_sine_is_measured(waveform, tone):
    # amplitude .125: -18.06 - 3.01 dBFS
    prosody = measure_prosody(waveform(tone(220, 3)))
    assert prosody.reason is None
    assert prosody.f0_median_hz == pytest.approx(220, abs=0.1)
    assert np.nanmedian(prosody.volume_db) == pytest.approx(-21.07, abs=0.05)
    assert np.isfinite(prosody.f0_hz).all()


def test_no_speech_leaves_pitch_and_frame_levels(waveform, tone):
    prosody = measure_prosody(waveform(tone(150, 2, level=10 ** (-60 / 20))))
    assert Caution.NO_SPEECH in prosody.cautions
    assert prosody.reason is None
    assert _summary(prosody) == {
        "speech_s": 0.0,
        "syllables": None,
        "rate_syll_s": None,
        "f0_median_hz": pytest.approx(150, rel=0.001),
        "volume_mean_db": None,
    }
    assert np.nanmedian(prosody.volume_db) == pytest.approx(-63, abs=0.1)
    assert prosody.features.volume.moments.count == prosody.features.speed.moments.count == 0


def test_noise_is_unvoiced(waveform):
    noise = np.random.default_rng(7).normal(size=48_000) * 0.0577
    prosody = measure_prosody(waveform(noise))
    assert prosody.reason is Reason.UNVOICED
    assert (prosody.f0_median_hz, prosody.syllables, prosody.rate_syll_s) == (None, None, None)
    # 20 lg .0577
    assert np.nanmedian(prosody.volume_db) == pytest.approx(-24.8, abs=0.3)


@pytest.mark.parametrize("sound", [np.zeros(48_000), np.full(48_000, 2e-6)])
def test_silence(waveform, sound):
    prosody = measure_prosody(waveform(sound))
    _nothing_invented(prosody)
    assert prosody.reason is Reason.SILENT
    assert _summary(prosody) == {**dict.fromkeys(_summary(prosody)), "speech_s": 0.0}
    assert np.isnan(prosody.volume_db).all()


@pytest.mark.parametrize("count", [1, 160, 799])
def test_too_short(waveform, tone, count):
    prosody = measure_prosody(waveform(tone()[:count]), text=None)
    _nothing_invented(prosody)
    assert prosody.reason is Reason.TOO_SHORT
    assert set(_summary(prosody).values()) == {None}
    assert not prosody.measured.any()
    assert np.isnan(prosody.volume_db).all()


def test_the_shortest_that_is_measured(waveform, tone):
    # 50 ms
    prosody = measure_prosody(waveform(tone()[:800]))
    assert prosody.reason is None
    assert prosody.f0_median_hz == pytest.approx(220, rel=0.02)


def test_little_sound_in_a_long_clip_is_too_short(waveform, tone):
    sound = np.r_[tone()[:500], np.zeros(15_500)]
    assert measure_prosody(waveform(sound, missing=[(500, 16_000)])).reason is Reason.TOO_SHORT


@pytest.mark.parametrize("missing", [[], [(0, 16_000)]])
def test_no_sound(waveform, missing):
    prosody = measure_prosody(waveform(np.zeros(16_000 if missing else 0), missing=missing))
    assert prosody.reason is Reason.EMPTY_AUDIO
    assert set(_summary(prosody).values()) == {None}
    assert prosody.features.pitch.stretches == (None,) * 20


def test_cautions_of_the_waveform_come_first(build, frames, syllables):
    sound = syllables(4)
    prosody = measure_prosody(build([*frames(sound), *frames(sound, start_s=3)]))
    assert prosody.cautions == (Caution.GAPS_FILLED,)
    assert not prosody.measured[205:295].any()
    assert np.isnan(prosody.volume_db[205:295]).all()


def test_damaged_and_clipped_sound(build, frames, syllables):
    sound = syllables(8, f0_hz=140)
    sound[::4000] = np.nan
    clipped = np.clip(np.nan_to_num(syllables(8, f0_hz=140)) * 20, -1, 1)
    for made in (sound, clipped):
        prosody = measure_prosody(build(frames(made)))
        _nothing_invented(prosody)
        assert prosody.f0_median_hz == pytest.approx(140, rel=0.02)
        assert prosody.syllables == pytest.approx(8, abs=1)


@given(shift=st.integers(0, 150))
@settings(max_examples=8, deadline=None)
def test_a_late_start_shifts_the_grid_only(build, frames, syllables, shift):
    sound = syllables(5, f0_hz=150)
    plain, late = (measure_prosody(build(frames(sound, start_s=s))) for s in (0, shift * 0.01))
    assert len(late.time_s) == len(plain.time_s) + shift
    assert late.f0_median_hz == pytest.approx(plain.f0_median_hz, rel=1e-4)
    assert late.volume_mean_db == pytest.approx(plain.volume_mean_db, abs=0.3)
    assert late.syllables == plain.syllables
    np.testing.assert_allclose(late.volume_db[shift + 5 :], plain.volume_db[5:], atol=0.01)


@given(st.integers(0, 4000), st.floats(0, 1), st.sampled_from(["noise", "tone", "steps"]))
@settings(max_examples=40, deadline=None)
def test_any_sound_is_measured_or_has_a_reason(waveform, tone, count, level, kind):
    rng = np.random.default_rng(count)
    sound = {"noise": rng.normal(size=count), "tone": tone()[:count], "steps": rng.integers(-1, 2, count)}[kind] * level
    prosody = measure_prosody(waveform(sound))
    _nothing_invented(prosody)
    assert prosody.reason is not None or prosody.f0_median_hz is not None
