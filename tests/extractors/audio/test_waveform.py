import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.audio.grid import SAMPLE_RATE_HZ
from extractors.audio.waveform import WaveformBuilder
from mmrole.core.media import Caution


def _rms_db(samples):
    return 10 * np.log10(np.mean(np.square(samples, dtype=np.float64)))


# ---- time ----


def test_sample_0_is_time_0(build, frames, tone):
    wave = build(frames(tone()))
    np.testing.assert_allclose(wave.samples, tone(), atol=1e-6)
    assert (wave.duration_s, wave.measured_s, wave.sound_start_s, wave.sound_end_s) == (1, 1, 0, 1)
    assert wave.missing.shape == (0, 2)
    assert wave.cautions == ()


@given(
    rate_hz=st.sampled_from([8000, 16_000, 22_050, 44_100, 48_000]),
    sizes=st.lists(st.integers(1, 3000), min_size=1, max_size=6),
    channels=st.sampled_from(["mono", "stereo", "5.1"]),
)
@settings(max_examples=40, deadline=None)
def test_how_the_sound_is_cut_into_frames_does_not_matter(build, frames, rate_hz, sizes, channels):
    count = {"mono": 1, "stereo": 2, "5.1": 6}[channels]
    sound = np.random.default_rng(0).normal(size=(count, rate_hz // 2)) * 0.1
    whole = build(frames(sound, 10**6, rate_hz=rate_hz, layout=channels))
    cut = build(frames(sound, [*sizes, 500], rate_hz=rate_hz, layout=channels))
    np.testing.assert_allclose(cut.samples, whole.samples, atol=1e-6)
    assert cut.cautions == whole.cautions == ()


@given(start_s=st.floats(0, 3), clock_s=st.sampled_from([0.0, 0.001, 1 / 90_000]))
@settings(max_examples=30, deadline=None)
def test_a_late_start_shifts_and_nothing_else(build, frames, tone, start_s, clock_s):
    wave = build(frames(tone(), 1152, start_s=start_s, clock_s=clock_s))
    first = round(wave.sound_start_s * SAMPLE_RATE_HZ)
    assert abs(wave.sound_start_s - start_s) <= clock_s / 2 + 0.5 / SAMPLE_RATE_HZ + 1e-9
    np.testing.assert_allclose(wave.samples[first:], tone(), atol=1e-6)
    assert not wave.samples[:first].any()
    assert wave.missing.tolist() == ([[0, first]] if first else [])
    assert wave.measured_s == pytest.approx(1)
    assert (Caution.AUDIO_STARTS_LATE in wave.cautions) is (wave.sound_start_s > 0.1)
    assert wave.gaps == 0


def test_what_comes_before_time_0_is_cut(build, frames, tone):
    wave = build(frames(tone(), start_s=-0.25))
    np.testing.assert_allclose(wave.samples, tone()[4000:], atol=1e-6)
    assert wave.missing.shape == (0, 2)


def test_a_hole_is_filled_and_counted(build, frames, tone):
    wave = build([*frames(tone(), 512), *frames(tone(), 512, start_s=1.5)])
    assert wave.missing.tolist() == [[16_000, 24_000]]
    assert (wave.gaps, wave.gaps_s) == (1, 0.5)
    assert wave.cautions == (Caution.GAPS_FILLED,)
    np.testing.assert_allclose(wave.samples[24_000:], tone(), atol=1e-6)
    assert (wave.duration_s, wave.measured_s) == (2.5, 2.0)


def test_one_lost_frame_is_a_hole(build, frames, tone):
    pairs = frames(tone(seconds=2), 320)
    del pairs[40]
    wave = build(pairs)
    assert wave.missing.tolist() == [[40 * 320, 41 * 320]]
    # up to the mean, which is no longer that of whole periods
    np.testing.assert_allclose(wave.samples[41 * 320 :], tone(seconds=2)[41 * 320 :], atol=1e-3)


@pytest.mark.parametrize("rate_hz", [44_100, 48_000])
def test_a_millisecond_clock_makes_no_hole(build, frames, tone, rate_hz):
    sound = tone(seconds=5, rate_hz=rate_hz)
    wave = build(frames(sound, 1152, rate_hz=rate_hz, clock_s=0.001))
    assert wave.missing.shape == (0, 2)
    assert wave.cautions == ()
    np.testing.assert_allclose(wave.samples[200:79_800], tone(seconds=5)[200:79_800], atol=1e-3)


def test_a_frame_that_overlaps_is_cut(build, frames, tone):
    sound = tone(seconds=2)
    wave = build([*frames(sound[:16_000], 1000), *frames(sound[12_800:], 1000, start_s=0.8)])
    np.testing.assert_allclose(wave.samples, sound, atol=1e-6)
    assert wave.cautions == (Caution.TIMESTAMPS_REPAIRED,)


def test_the_end_of_the_clip_may_be_later(build, frames, tone):
    wave = build(frames(tone()), clip_end_s=3.0)
    assert (wave.duration_s, wave.measured_s, wave.sound_end_s) == (3.0, 1.0, 1.0)
    assert wave.missing.tolist() == [[16_000, 48_000]]
    assert build(frames(tone()), clip_end_s=0.5).duration_s == 1.0


# ---- segments ----


@given(begin=st.integers(0, 60_000), length=st.integers(1, 40_000), size=st.integers(100, 5000))
@settings(max_examples=30, deadline=None)
def test_a_segment_is_a_cut_of_the_whole(build, frames, begin, length, size):
    sound = np.random.default_rng(1).normal(size=80_000) * 0.1
    cut = build(frames(sound, size), start_s=begin / 16_000, end_s=(begin + length) / 16_000)
    expected = sound[begin : begin + length].astype(np.float32)
    np.testing.assert_allclose(cut.samples, expected - expected.mean(), atol=1e-5)
    assert cut.missing.shape == (0, 2)
    assert cut.cautions == ()


def test_a_segment_with_a_late_start_and_another_rate(build, frames, tone):
    sound = tone(300, 4, rate_hz=44_100)
    wave = build(frames(sound, 1152, start_s=1000, rate_hz=44_100), start_s=999.5, end_s=1001)
    assert wave.duration_s == 1.5
    assert wave.missing.tolist() == [[0, 8000]]
    np.testing.assert_allclose(wave.samples[8200:], tone(300, 4)[200:16_000], atol=1e-3)


def test_a_segment_beyond_the_sound_is_empty(build, frames, tone):
    assert len(build(frames(tone()), start_s=5.0, end_s=6.0).samples) == 0


def test_a_segment_keeps_no_more_than_it_needs(frames, tone):
    builder = WaveformBuilder(start_s=30, end_s=31)
    for frame, time_s in frames(tone(seconds=60), 1600):
        builder.add(frame, time_s)
    assert sum(map(len, builder._runs)) <= 1.5 * SAMPLE_RATE_HZ
    assert builder.finish().duration_s == 1


# ---- level and layout ----


@pytest.mark.parametrize("sample_format", ["u8", "u8p", "s16", "s16p", "s32", "s32p", "flt", "fltp", "dbl", "dblp"])
def test_formats_give_equal_levels(build, frames, tone, sample_format):
    wave = build(frames(tone(level=0.5), sample_format=sample_format))
    # a sine of amplitude .5 has 20 lg .5 - 3.01 = -9.03 dBFS
    assert _rms_db(wave.samples) == pytest.approx(-9.03, abs=0.05)


@pytest.mark.parametrize("layout", ["mono", "stereo", "quad", "5 channels", "7.1", "22.2"])
def test_equal_channels_have_the_level_of_one(build, frames, tone, layout):
    count = {"mono": 1, "stereo": 2, "quad": 4, "5 channels": 5, "7.1": 8, "22.2": 24}[layout]
    wave = build(frames(np.tile(tone(), (count, 1)), layout=layout, sample_format="s16"))
    np.testing.assert_allclose(wave.samples, tone(), atol=1e-4)
    assert (Caution.UNKNOWN_LAYOUT in wave.cautions) is (layout == "5 channels")


def test_dialogue_in_the_centre_channel_stays(build, frames, tone):
    sound = np.zeros((6, 16_000))
    sound[2] = tone(level=0.3)
    wave = build(frames(sound, layout="5.1"))
    # 1 of 3.4142 by BS.775: -10.67 dB against the -13.47 dBFS of the channel
    assert _rms_db(wave.samples) == pytest.approx(-24.13, abs=0.05)
    assert wave.cautions == ()


@pytest.mark.parametrize(("left", "right", "expected"), [(1, -1, 1), (1, -0.7, 1), (0.7, -1, -1), (-1, 1, -1)])
def test_opposite_phase_takes_the_louder_channel(build, frames, tone, left, right, expected):
    wave = build(frames([left * tone(), right * tone()], layout="stereo"))
    np.testing.assert_allclose(wave.samples, expected * tone(), atol=1e-3)
    assert wave.cautions == (Caution.PHASE_CANCELLED,)


def test_opposite_phase_of_unknown_channels(build, frames, tone):
    wave = build(frames(np.array([[1], [-1], [1], [-1]]) * tone(), layout="4 channels"))
    np.testing.assert_allclose(wave.samples, tone(), atol=1e-3)
    assert set(wave.cautions) == {Caution.PHASE_CANCELLED, Caution.UNKNOWN_LAYOUT}


def test_opposite_phase_with_dialogue_in_the_centre_is_mixed(build, frames, tone):
    sound = np.zeros((6, 16_000))
    sound[:3] = tone(500), -tone(500), tone(220)
    wave = build(frames(sound, layout="5.1"))
    np.testing.assert_allclose(wave.samples, tone(220) / 3.4142, atol=1e-3)
    assert wave.cautions == ()


@pytest.mark.parametrize("right", [0.0, 0.2, 1.0])
def test_other_stereo_is_the_mean(build, frames, tone, right):
    wave = build(frames([tone(), right * tone(330)], layout="stereo"))
    np.testing.assert_allclose(wave.samples, (tone() + right * tone(330)) / 2, atol=1e-6)
    assert wave.cautions == ()


def test_the_format_may_change_in_mid_stream(build, frames, tone):
    sound = tone(300, 3)
    parts = [
        *frames(sound[:16_000], sample_format="s16"),
        *frames([tone(300, 1, rate_hz=48_000)] * 2, start_s=1, rate_hz=48_000, layout="stereo"),
        *frames(sound[32_000:], start_s=2),
    ]
    wave = build(parts)
    assert wave.missing.shape == (0, 2)
    assert wave.cautions == ()
    # at the joints the resampler sees the edge of its run
    for second in (0, 1, 2):
        inside = slice(second * 16_000 + 200, (second + 1) * 16_000 - 200)
        np.testing.assert_allclose(wave.samples[inside], sound[inside], atol=1e-3)


def test_a_constant_is_taken_off(build, frames, tone):
    wave = build([*frames(tone() + 0.25), *frames(tone() + 0.25, start_s=2)])
    np.testing.assert_allclose(wave.samples[:16_000], tone(), atol=1e-5)
    # and not given to the hole
    assert not wave.samples[16_000:32_000].any()


def test_a_constant_alone_is_silence(build, frames):
    assert np.abs(build(frames(np.full(16_000, 0.25))).samples).max() < 1e-6


# ---- damaged and degenerate input ----


def test_damaged_samples_are_missing(build, frames, tone):
    sound = tone()
    sound[8000] = np.nan
    sound[12_000:12_100] = np.inf
    wave = build(frames(sound))
    assert np.isfinite(wave.samples).all()
    # each with the 20 samples around it that a resampler would have spoilt
    assert wave.missing.tolist() == [[7980, 8021], [11_980, 12_120]]
    assert wave.damaged_s == pytest.approx((41 + 140) / 16_000)
    good = wave.measured()
    np.testing.assert_allclose(wave.samples[good], sound[good], atol=2e-3)


def test_all_damaged(build, frames):
    wave = build(frames(np.full(16_000, np.nan)))
    assert wave.measured_s == 0
    assert not wave.samples.any()
    assert wave.sound_start_s is None


def test_clipped_sound_is_taken_as_it_is(build, frames, tone):
    sound = np.clip(tone(level=4.0), -1, 1)
    np.testing.assert_allclose(build(frames(sound)).samples, sound, atol=1e-6)


def test_nothing_at_all(build):
    wave = build([])
    assert (wave.duration_s, wave.measured_s, wave.frames) == (0, 0, 0)
    assert wave.missing.shape == (0, 2)
    assert wave.measured_frames().shape == wave.time_s.shape == (0,)
    assert wave.sound_start_s is None


def test_no_sound_in_a_clip_with_a_length(build):
    wave = build([], clip_end_s=2.0)
    assert (wave.duration_s, wave.measured_s) == (2, 0)
    assert not wave.measured_frames().any()


def test_empty_frames_are_passed_over(build, frame, frames, tone):
    wave = build([(frame(np.zeros(0)), 77.0), *frames(tone())])
    np.testing.assert_allclose(wave.samples, tone(), atol=1e-6)


@pytest.mark.parametrize("count", [1, 2, 159, 160, 161])
def test_few_samples(build, frames, count):
    wave = build(frames(np.linspace(-0.1, 0.1, count)))
    assert len(wave.samples) == count
    assert wave.frames == (2 if count > 160 else 1)
    assert wave.measured_frames().all()


# ---- grid ----


def test_grid_times(waveform):
    np.testing.assert_allclose(waveform(np.ones(1601)).time_s, np.arange(11) * 0.01, atol=1e-12)
    assert waveform(np.ones(1600)).time_s[-1] == pytest.approx(0.09)


def test_frames_are_measured_by_the_10_ms_around_them(waveform):
    # frame k is about samples 160 k - 80 to 160 k + 80
    wave = waveform(np.ones(1600), missing=[(0, 80), (560, 640), (1000, 1081)])
    # frame 0 has only the samples 0 to 80, all missing; 4 has lost exactly half; 6 has lost 1000-1040, 7 1040-1081 of 1040-1200
    assert np.flatnonzero(~wave.measured_frames()).tolist() == [0]
    wave = waveform(np.ones(1600), missing=[(559, 640), (1520, 1600)])
    assert np.flatnonzero(~wave.measured_frames()).tolist() == []
    wave = waveform(np.ones(1600), missing=[(560, 641)])
    assert np.flatnonzero(~wave.measured_frames()).tolist() == [4]


@given(st.integers(1, 2000), st.lists(st.integers(0, 2000), max_size=6))
@settings(max_examples=50)
def test_measured_frames_agree_with_counting(waveform, length, edges):
    edges = sorted({min(e, length) for e in edges})
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    wave = waveform(np.ones(length), missing=spans)
    good = wave.measured()
    for k, measured in enumerate(wave.measured_frames()):
        hop = good[max(160 * k - 80, 0) : 160 * k + 80]
        assert measured == (2 * hop.sum() >= len(hop))
