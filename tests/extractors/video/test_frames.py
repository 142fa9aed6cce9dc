import math
import shutil
from fractions import Fraction
from itertools import accumulate
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.container import open_source
from extractors.decoding import Pass
from extractors.tally import StreamTally
from extractors.video.frames import FrameSampler, SkipPlan, spares


def sampled(times_s, fps, last_s=0.0, **limits):
    taken = []
    sampler = FrameSampler(fps, lambda picture, time_s: taken.append((picture, time_s)), **limits)
    for number, time_s in enumerate(times_s):
        sampler.add(number, time_s)
    sampler.finish(last_s)
    assert sampler.taken == len(taken)
    return taken


def nearest(times_s, fps, last_s, start_s, end_s):
    """The reference: for each target by itself the nearest of all pictures, the earlier of two."""
    shown_until_s = times_s[-1] + last_s / 2
    picked = set()
    target_s, step_s = start_s, 1 / fps
    while target_s <= shown_until_s and (end_s is None or target_s < end_s):
        if target_s >= times_s[0] - step_s / 2:
            distances = [abs(time_s - target_s) for time_s in times_s]
            picked.add(distances.index(min(distances)))
        target_s += step_s
    return sorted(picked) or [len(times_s) - 1]


# times and rates are binary fractions, so that every comparison is exact
EXACT_TIMES = st.lists(st.integers(-20, 400), min_size=1, max_size=60, unique=True).map(
    lambda numbers: [number / 64 for number in sorted(numbers)]
)


@given(
    times_s=EXACT_TIMES,
    fps=st.sampled_from([0.25, 0.5, 1, 2, 4, 8, 32]),
    last_s=st.integers(0, 64).map(lambda n: n / 32),
    start_s=st.integers(0, 128).map(lambda n: n / 64),
    length_s=st.none() | st.integers(1, 256).map(lambda n: n / 64),
)
def test_the_picture_nearest_to_each_target_is_sampled(times_s, fps, last_s, start_s, length_s):
    end_s = None if length_s is None else start_s + length_s
    taken = sampled(times_s, fps, last_s, start_s=start_s, end_s=end_s)
    assert [number for number, _ in taken] == nearest(times_s, fps, last_s, start_s, end_s)
    assert [time_s for _, time_s in taken] == [times_s[number] for number, _ in taken]


@given(
    times_s=st.lists(st.floats(0, 20), min_size=1, max_size=80, unique=True).map(sorted),
    fps=st.floats(0.1, 60),
    last_s=st.floats(0, 1),
)
def test_samples_increase_and_no_target_within_the_clip_is_left_out(times_s, fps, last_s):
    taken = [time_s for _, time_s in sampled(times_s, fps, last_s)]
    assert taken == sorted(set(taken))
    assert taken
    for k in range(math.ceil(times_s[0] * fps), math.floor(times_s[-1] * fps) + 1):
        best_s = min(abs(time_s - k / fps) for time_s in times_s)
        assert min(abs(time_s - k / fps) for time_s in taken) <= best_s + 1e-9


def test_pictures_of_25_a_second_at_5_fps():
    """By hand: every fifth; 2 s of pictures end at 1.96 s + 0.04 s, before the sample at 2 s."""
    assert [n for n, _ in sampled([n / 25 for n in range(50)], 5, 0.04)] == list(range(0, 50, 5))


def test_of_two_equally_near_pictures_the_earlier_is_picked():
    assert sampled([0.0, 0.75, 1.25, 2.0], 1) == [(0, 0.0), (1, 0.75), (3, 2.0)]


def test_edges_by_hand():
    # a target half a step before the first picture is its, one at the end of the stretch is not part of it
    assert sampled([0.5, 1.0], 1) == [(0, 0.5), (1, 1.0)]
    assert sampled([0.0, 1.0, 2.0, 3.0], 1, 1.0, end_s=2.0) == [(0, 0.0), (1, 1.0)]


def test_a_clip_has_at_least_one_sample():
    assert sampled([0.3], 0.001) == [(0, 0.3)]
    assert sampled([0.11, 0.13, 0.15], 5, 0.02) == [(2, 0.15)]  # no target near: the last one
    assert sampled([], 5) == []


def test_a_picture_that_stands_is_sampled_once():
    assert sampled([0.0, 10.0], 5, 0.04) == [(0, 0.0), (1, 10.0)]


def test_samples_before_the_first_picture_are_left_out():
    assert [time_s for _, time_s in sampled([1.5 + n / 4 for n in range(5)], 2)] == [1.5, 2.0, 2.5]


def test_a_stretch_counts_from_its_start_and_ends_before_its_end():
    times_s = [n / 25 for n in range(100)]
    taken = sampled([t for t in times_s if 1.07 <= t < 2.0], 5, 0.04, start_s=1.07, end_s=2.0)
    # by hand: targets 1.07 1.27 1.47 1.67 1.87, pictures every 0.04 s from 1.08 s on
    assert [time_s for _, time_s in taken] == [1.08, 1.28, 1.48, 1.68, 1.88]


@pytest.mark.parametrize("time_s", [1e9, 1e15, 9.2e18])
def test_absurd_times_take_no_time(time_s):
    assert sampled([0.0, time_s], 5)[-1] == (1, time_s)
    assert sampled([time_s], 120) == [(0, time_s)]


def seen(path, fps, *, skip):
    """Sampled pictures of a file as (time, pixels), and the pass."""
    source = open_source(path)
    pictures = []
    sampler = FrameSampler(fps, lambda frame, time_s: pictures.append((time_s, frame.to_ndarray())))
    done = Pass(source=source, on_audio=None, on_video=sampler.add, skip=SkipPlan(fps) if skip else None)
    done.run()
    sampler.finish(0.04)
    source.close()
    return pictures, done


X264 = "b-adapt=0:scenecut=0"
IRREGULAR_S = [n / 25 for n in range(30)] + [1.2 + n / 10 + (n % 3) / 50 for n in range(12)]
FILMS = {
    "h264_b.mp4": {"options": {"bf": "3", "x264-params": f"b-pyramid=none:{X264}"}},
    "h264_pyramid.mkv": {"options": {"bf": "8", "x264-params": f"b-pyramid=normal:ref=6:open-gop=1:keyint=20:{X264}"}},
    "h264_deep_b.mkv": {"seconds": 3, "options": {"bf": "16", "x264-params": f"b-pyramid=normal:keyint=40:{X264}"}},
    "h264_b.flv": {"options": {"bf": "4", "x264-params": f"b-pyramid=strict:{X264}"}},
    "h264_b.ts": {"options": {"bf": "4", "x264-params": X264}},
    "h264_irregular.mp4": {"times_s": IRREGULAR_S, "options": {"bf": "4", "x264-params": X264}},
    "hevc_b.mp4": {"codec": "libx265", "options": {"x265-params": "log-level=none:bframes=4:b-pyramid=1:b-adapt=0"}},
    "hevc_irregular.mkv": {"codec": "libx265", "times_s": IRREGULAR_S},
    "mpeg4_b.mp4": {"codec": "mpeg4", "options": {"bf": "2"}},
    "mpeg2_b.mkv": {"codec": "mpeg2video", "options": {"bf": "2"}},
    "mpeg1_b.mpg": {"codec": "mpeg1video", "options": {"bf": "2"}},
    "vp9_irregular.webm": {"codec": "libvpx-vp9", "times_s": IRREGULAR_S},
    "h264_plain.mp4": {"options": {"bf": "0"}},
}
SPARED = {
    name for name in FILMS if "_b." in name or name in ("h264_pyramid.mkv", "h264_irregular.mp4", "hevc_irregular.mkv")
}


@pytest.mark.parametrize("name", FILMS)
def test_skipping_changes_no_sampled_picture(film, tmp_path, name):
    path = film(tmp_path / name, sound=(), **FILMS[name])
    for fps in (1, 2.5, 5, 7.3, 12):
        whole, decoded = seen(path, fps, skip=False)
        spared, skipped = seen(path, fps, skip=True)
        assert [time_s for time_s, _ in spared] == [time_s for time_s, _ in whole]
        assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(spared, whole, strict=True))
        assert skipped.video.end_s == pytest.approx(decoded.video.end_s)
        assert skipped.video.first_s == decoded.video.first_s
        assert skipped.video.intervals_s == pytest.approx(decoded.video.intervals_s)
        assert not skipped.video.broken_s
        assert not skipped.video.repaired_s
        if name in SPARED and fps <= 5:  # else the comparison would say nothing
            assert skipped.video.frames < 0.9 * decoded.video.frames
        else:
            assert skipped.video.frames <= decoded.video.frames


def test_pictures_that_an_edit_list_hides_count_for_nothing(film, tmp_path):
    """The cut that `ffmpeg -ss` makes without encoding: pictures before the edit are in the file and not shown."""
    path = film(tmp_path / "whole.mp4", fps=10, seconds=4, options={"bf": "4", "x264-params": X264})
    data = bytearray(path.read_bytes())
    at = data.index(b"elst") + 16  # media_time of the first edit, ISO/IEC 14496-12, 8.6.6
    timescale = int.from_bytes(data[data.index(b"mdhd") + 16 :][:4], "big")
    media_time = int.from_bytes(data[at : at + 4], "big") + timescale
    data[at : at + 4] = media_time.to_bytes(4, "big")
    path.write_bytes(data)
    whole, decoded = seen(path, 5, skip=False)
    spared, skipped = seen(path, 5, skip=True)
    assert decoded.video.frames == 30  # the first ten of forty are hidden
    assert [time_s for time_s, _ in spared] == [time_s for time_s, _ in whole]
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(spared, whole, strict=True))
    assert len(skipped.video.intervals_s) == 29


def marked(order, times_ms, fps):
    """What the decoder is told at each picture, by its time; packets in this order of decoding, None for one without a time."""
    context = SimpleNamespace(skip_frame=None)
    source = SimpleNamespace(video=SimpleNamespace(codec_context=context), start_s=0.0)
    stream, clock = SimpleNamespace(type="video"), Fraction(1, 1000)
    packets = [
        SimpleNamespace(pts=times_ms[number], time_base=clock, size=1, is_discard=False, duration=1, stream=stream)
        for number in order
    ]
    told = [(packet.pts, context.skip_frame) for packet in SkipPlan(fps).mark(packets, source, StreamTally())]
    assert [pts for pts, _ in told] == [times_ms[number] for number in order]
    return told


@given(
    st.lists(st.integers(1, 90), min_size=1, max_size=120),
    st.sampled_from([1, 5, 12]),
    st.randoms(use_true_random=False),
    st.floats(0, 1),
)
def test_just_what_is_sampled_is_asked_for(steps_ms, fps, random, last_s):
    times_ms = list(accumulate(steps_ms))
    # pictures are decoded up to sixteen places away from where they are shown
    order = sorted(range(len(times_ms)), key=lambda number: number + random.uniform(0, 15))
    asked = {pts for pts, told in marked(order, times_ms, fps) if told == "DEFAULT"}
    needed = {round(1000 * time_s) for _, time_s in sampled([time / 1000 for time in times_ms], fps, last_s)}
    assert needed <= asked
    assert len(asked) <= len(needed) + 1  # the last picture may be shown for longer or shorter


def test_a_picture_without_a_time_ends_the_skipping():
    times_ms = [n * 40 for n in range(200)]
    times_ms[100] = None
    told = marked(range(200), times_ms, 5)
    assert {mark for _, mark in told[100:]} == {"DEFAULT"}
    assert "NONREF" in {mark for _, mark in told[:50]}


def stream_of(path):
    source = open_source(path)
    try:
        return spares(source.video)
    finally:
        source.close()


def test_layers_of_hevc_may_need_pictures_that_say_that_none_needs_them(film, tmp_path):
    layered = "log-level=none:bframes=7:b-pyramid=1:b-adapt=0:temporal-layers=3"
    for name in ("layers.mp4", "layers.ts"):
        assert not stream_of(film(tmp_path / name, codec="libx265", sound=(), options={"x265-params": layered}))
    for name in ("one.mp4", "one.ts"):
        assert stream_of(film(tmp_path / name, codec="libx265", sound=()))


@pytest.mark.parametrize(
    ("codec", "name"), [("libvpx", "vp8.webm"), ("libvpx-vp9", "vp9.webm"), ("mjpeg", "mjpeg.mkv")]
)
def test_codecs_that_spare_nothing_are_decoded_whole(film, tmp_path, codec, name):
    pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    assert not stream_of(film(tmp_path / name, codec=codec, pix_fmt=pix_fmt, sound=()))


def test_damage_is_seen_although_pictures_are_skipped(media, tmp_path):
    _, done = seen(shutil.copy(media("flips_in_video.mkv"), tmp_path), 5, skip=True)
    assert done.video.broken_s
