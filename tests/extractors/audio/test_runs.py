import numpy as np
import pytest

from extractors.audio.runs import Run


def _run(pairs):
    run = Run(*pairs[0])
    for frame, time_s in pairs:
        assert run.takes(frame, time_s)
        run.push(frame, time_s)
    run.close()
    return run


def test_takes_the_same_format_without_a_jump(frame):
    run = Run(frame(np.zeros(1024)), 1.0)
    run.push(frame(np.zeros(1024)), 1.0)
    # the next frame is due at 1 + 1024 / 16000 = 1.064 s
    for time_s, taken in [(1.064, True), (1.10, True), (1.03, True), (1.12, False), (1.0, False)]:
        assert run.takes(frame(np.zeros(1024)), time_s) is taken
    assert not run.takes(frame(np.zeros(1024), rate_hz=8000), 1.064)
    assert not run.takes(frame(np.zeros((2, 1024)), layout="stereo"), 1.064)
    assert not run.takes(frame(np.zeros(1024), sample_format="s16"), 1.064)


def test_a_slow_clock_is_no_jump(frames):
    # times run 0.1 % fast: 100 ms in 100 s, but 0.064 ms from frame to frame
    pairs = [(f, t * 1.001) for f, t in frames(np.zeros(16_000 * 100), 1024)]
    run = _run(pairs)
    assert run.marks[-1][1] == pytest.approx(0.0999, abs=2e-4)


@pytest.mark.parametrize("rate_hz", [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_resampling_keeps_times(frames, tone, rate_hz):
    run = _run(frames(tone(300, 0.5, 0.25, rate_hz), 777, rate_hz=rate_hz))
    assert abs(len(run) - 8000) <= 1
    expected = tone(300, 0.5, 0.25)[: len(run)]
    middle = slice(200, 7800)
    # a shift by one millisecond would be an error of 0.45; by one sample 0.03
    assert np.abs(run.mid[middle] - expected[middle]).max() < 1e-3


def test_mid_and_side(frames, tone):
    left, right = tone(300), tone(500)
    run = _run(frames([left, right], layout="stereo"))
    np.testing.assert_allclose(run.mid, (left + right) / 2, atol=1e-6)
    np.testing.assert_allclose(run.side, (left - right) / 2, atol=1e-3)


def test_mono_has_no_side(frames, tone):
    assert _run(frames(tone())).side is None


def test_damage_is_noted(frames, tone):
    sound = tone()
    sound[[5000, 5010, 9000]] = np.nan, np.inf, 1e30
    run = _run(frames(sound))
    # 20 samples on either side are spoilt with each
    assert run.damaged == [(4980, 5031), (8980, 9021)]
    assert np.isfinite(run.mid).all()
    assert run.mid[[5000, 5010, 9000]].tolist() == [0, 0, 0]


def test_damage_of_one_channel_and_another_rate(frames, tone):
    sound = np.tile(tone(rate_hz=48_000), (2, 1))
    sound[1, 24_000] = -np.inf
    run = _run(frames(sound, rate_hz=48_000, layout="stereo"))
    assert np.isfinite(run.mid).all()
    assert np.isfinite(run.side).all()
    ((begin, end),) = run.damaged
    assert begin < 8000 < end
    assert end - begin < 100


def test_loud_integers_written_as_floats_are_no_damage(frames, tone):
    run = _run(frames(tone(level=2.0**31)))
    assert run.damaged == []
    assert np.abs(run.mid).max() == pytest.approx(2.0**31, rel=1e-3)


def test_more_than_eight_planar_channels(frames, tone):
    run = _run(frames(np.tile(tone(), (24, 1)), layout="22.2", sample_format="s16"))
    np.testing.assert_allclose(run.mid[100:-100], tone()[100:-100], atol=1e-4)
