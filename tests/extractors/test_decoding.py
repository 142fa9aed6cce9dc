from itertools import pairwise

import av
import av.error
import numpy as np
import pytest

from extractors.container import open_source
from extractors.decoding import Pass, damage, end_s, stream_cautions
from mmrole.core.media import Caution, Reason


class Seen:
    """A pass over a whole file, and what it handed out: times and numbers of pictures, times and lengths of sounds."""

    def __init__(self, path, number_of, start_s=None, stop_s=None, *, sound=True, picture=True):
        self.pictures, self.sounds, self.sizes_px = [], [], set()
        self._number_of = number_of
        source = open_source(path)
        self.start_s = source.start_s
        self.done = Pass(source=source, on_audio=self.hear if sound else None, on_video=self.see if picture else None)
        self.done.run(start_s, stop_s)
        self.whole, self.parts = damage(self.done)
        self.cautions = stream_cautions(self.done)
        source.close()

    def hear(self, frame, time_s):
        self.sounds.append((time_s, frame.samples / frame.sample_rate))

    def see(self, frame, time_s):
        self.pictures.append((time_s, self._number_of(frame)))
        self.sizes_px.add((frame.width, frame.height))

    @property
    def times_s(self):
        return [time_s for time_s, _ in self.pictures]

    @property
    def numbers(self):
        return [number for _, number in self.pictures]


@pytest.fixture
def see(number_of):
    return lambda path, *span, **streams: Seen(path, number_of, *span, **streams)


WHOLE = [
    "base.mp4", "base.mkv", "base.flv", "base.ts", "faststart.mp4", "hevc.mp4", "vp9.webm", "mpeg2.mkv", "mpeg4.mkv", "mjpeg422.mov",
    "10bit.mkv", "420_odd.webm", "late_video.mkv", "at_100s.ts", "b_frames.avi", "base.avi", "wide_pixels.mp4", "two_tracks.mkv",
]  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_each_picture_is_at_its_time(media, see, name):
    """Picture n of 50 was made for n / 25 s; a container's clock may be 1 ms."""
    seen = see(media(name))
    assert seen.numbers == list(range(50))
    first_s = seen.times_s[0]
    assert seen.times_s == pytest.approx([first_s + n / 25 for n in range(50)], abs=0.0011)
    assert not seen.done.video.repaired_s
    assert (seen.whole, seen.parts) == (None, {})
    assert seen.done.video.end_s == pytest.approx(first_s + 2.0, abs=0.0011)


@pytest.mark.parametrize(("name", "first_s"), [("base.mp4", 0.0), ("late_video.mkv", 0.8), ("b_frames.avi", 0.0)])
def test_the_first_picture_is_at_its_time(media, see, name, first_s):
    assert see(media(name)).times_s[0] == pytest.approx(first_s, abs=0.001)


def test_other_codecs_have_all_their_pictures(media, see):
    assert len(see(media("av1.mp4")).pictures) == 25
    assert see(media("ffv1_odd.mkv")).numbers == list(range(50))
    assert see(media("444_odd.mp4")).numbers == list(range(50))
    assert see(media("tiny.mp4")).times_s == pytest.approx([n / 25 for n in range(50)])


@pytest.mark.parametrize(
    "name", ["base.mp4", "base.mkv", "base.flv", "base.ts", "pause.mkv", "tone.wav", "5.1.mkv", "cover.mp3"]
)
def test_sound_follows_without_overlap(media, see, name):
    sounds = see(media(name), picture=False).sounds
    holes_s = [later - (time_s + length_s) for (time_s, length_s), (later, _) in pairwise(sounds)]
    expected = [0.6] if name == "pause.mkv" else []  # 0.6 s to 1.2 s were left out; packets of 64 ms
    assert [hole for hole in holes_s if abs(hole) > 0.0015] == pytest.approx(expected, abs=0.065)
    assert not see(media(name), picture=False).done.audio.repaired_s


def test_variable_times_are_kept(media, see):
    seen = see(media("variable.mp4"))
    assert seen.times_s == pytest.approx([n / 25 for n in range(25)] + [1 + n / 10 for n in range(10)])
    assert seen.numbers == list(range(35))
    assert Caution.VARIABLE_FRAME_RATE in seen.cautions


@pytest.mark.parametrize(
    ("name", "caution"), [("late_audio.mkv", Caution.AUDIO_STARTS_LATE), ("late_video.mkv", Caution.VIDEO_STARTS_LATE)]
)
def test_late_streams_are_said(media, see, name, caution):
    assert see(media(name)).cautions == [caution]
    assert see(media("base.mkv")).cautions == []


def test_one_picture_and_one_a_second(media, see):
    one, slow = see(media("one_picture.mp4")), see(media("1fps.mp4"))
    assert (one.times_s, one.whole) == ([0.0], None)
    assert (slow.times_s, slow.done.video.end_s) == ([0.0, 1.0, 2.0, 3.0, 4.0], 5.0)
    assert slow.cautions == []


def test_what_is_not_asked_for_is_not_decoded(media, see):
    assert see(media("base.mp4"), sound=False).sounds == []
    assert see(media("base.mp4"), picture=False).pictures == []
    nothing = see(media("base.mp4"), sound=False, picture=False).done
    assert end_s(nothing.audio, nothing.video) is None


# ---- damage ----


@pytest.mark.parametrize("name", ["cut.mp4", "cut.mkv", "cut.flv", "cut.wav", "cut.avi"])
def test_a_cut_file_is_truncated(media, see, name):
    seen = see(media(name))
    assert seen.whole == Reason.TRUNCATED
    assert end_s(seen.done.audio, seen.done.video) < 1.5
    for time_s, number in seen.pictures[:-4]:  # pictures before the last ones may be lost with the cut
        assert number == round((time_s - seen.times_s[0]) * 25)


def test_spoilt_sound_leaves_the_picture_whole(media, see):
    seen = see(media("flips_in_audio.mkv"))
    assert seen.parts == {"audio": Reason.CORRUPT}
    assert seen.numbers == list(range(50))
    assert seen.done.audio.errors_s == sorted(seen.done.audio.errors_s)
    assert all(0 <= time_s < 2.1 for time_s in seen.done.audio.errors_s)


def test_pictures_that_are_built_on_spoilt_ones_are_left_out(media, see):
    seen = see(media("flips_in_video.mkv"))
    assert seen.parts == {"video": Reason.CORRUPT}
    assert seen.done.audio.broken_s == []
    assert seen.done.video.dropped_s
    assert len(seen.pictures) + len(seen.done.video.dropped_s) == seen.done.video.frames
    assert not set(seen.times_s) & set(seen.done.video.dropped_s)


def test_a_picture_after_a_key_picture_is_whole_again(film, see, tmp_path):
    """Pictures 12 and 13 are noise behind their NAL headers; every tenth is a key picture, so 20 to 49 are whole."""

    def spoil(kind, number, data):
        return data[:5] + b"\xff" * (len(data) - 5) if kind == "video" and number in (12, 13) else data

    seen = see(
        film(tmp_path / "clip.mkv", sound=(), options={"g": "10", "bf": "0", "x264-params": "scenecut=0"}, spoil=spoil)
    )
    assert seen.numbers == [*range(12), *range(20, 50)]
    assert seen.times_s == pytest.approx([n / 25 for n in seen.numbers], abs=0.001)
    assert seen.done.video.broken_s
    assert min(seen.done.video.broken_s) == pytest.approx(12 / 25, abs=0.041)


def test_an_error_of_the_container_ends_the_pass(media):
    source = open_source(media("base.mkv"))
    done = Pass(source=source, on_audio=None, on_video=lambda frame, time_s: None)

    def packets(error):
        yield from source.container.demux(source.video)
        raise error

    assert sum(packet.size > 0 for packet in done._packets(packets(av.error.InvalidDataError(1, "x")), None, 1)) == 50
    assert done.broken
    source.close()


def test_a_stream_that_appears_on_the_way_ends_nothing(media):
    """PyAV raises IndexError at the end of a file in which a stream appeared that was not there on opening."""
    source = open_source(media("base.mkv"))
    done = Pass(source=source, on_audio=None, on_video=lambda frame, time_s: None)

    def packets():
        yield from source.container.demux(source.video)
        raise IndexError("list index out of range")

    assert sum(packet.size > 0 for packet in done._packets(packets(), None, 1)) == 50
    assert not done.broken
    source.close()


def test_sound_that_cannot_be_converted_is_an_error_of_the_sound(media):
    def refuse(frame, time_s):
        raise av.error.ArgumentError(22, "Invalid argument")

    source = open_source(media("base.mkv"))
    seen = []
    done = Pass(source=source, on_audio=refuse, on_video=lambda frame, time_s: seen.append(time_s))
    done.run()
    source.close()
    assert len(seen) == 50
    assert damage(done)[1] == {"audio": Reason.CORRUPT}


# ---- time stamps ----


@pytest.mark.parametrize(("name", "leap_s"), [("clip.mkv", 172_800), ("clip.mp4", 10_000)])
def test_a_leap_beyond_belief_is_repaired(film, see, tmp_path, name, leap_s):
    """From picture 20 on hours later, and in MP4 one picture lasts as long: one wrong number must not stand for hours of nothing."""
    times_s = [n / 25 + (leap_s if n >= 20 else 0) for n in range(40)]
    seen = see(film(tmp_path / name, sound=(), times_s=times_s))
    assert seen.numbers == list(range(40))
    assert seen.times_s == pytest.approx([n / 25 for n in range(40)], abs=0.03)
    assert seen.done.video.repaired_s == pytest.approx([0.8], abs=0.03)
    assert seen.done.video.end_s == pytest.approx(1.6, abs=0.05)


def test_a_pause_in_the_pictures_is_kept(film, see, tmp_path):
    times_s = [n / 25 + (30 if n >= 20 else 0) for n in range(40)]
    seen = see(film(tmp_path / "clip.mkv", sound=(), times_s=times_s))
    assert seen.times_s == pytest.approx(times_s, abs=0.001)
    assert not seen.done.video.repaired_s


def test_equal_times_are_spread(film, see, tmp_path):
    """Three pictures share each time: they stay in order, and the first of each three is where it was."""
    path = tmp_path / "equal.mkv"
    with (
        av.open(str(film(tmp_path / "clip.mkv", sound=(), options={"bf": "0"}))) as source,
        av.open(str(path), "w") as out,
    ):
        stream = out.add_stream_from_template(source.streams.video[0])
        for number, packet in enumerate(p for p in source.demux() if p.size):
            packet.pts = packet.dts = number // 3 * 120  # ms
            packet.stream = stream
            out.mux(packet)
    seen = see(path)
    assert seen.numbers == list(range(50))
    assert seen.times_s == sorted(set(seen.times_s))
    assert seen.times_s[::3] == pytest.approx([n * 3 / 25 for n in range(17)], abs=0.001)
    assert min(later - earlier for earlier, later in pairwise(seen.times_s)) > 0.015
    assert len(seen.done.video.repaired_s) == 33


def test_two_streams_one_behind_the_other_go_on(media, see, tmp_path):
    path = tmp_path / "twice.mkv"
    path.write_bytes(media("base.mkv").read_bytes() * 2)
    seen = see(path)
    assert seen.numbers == list(range(50)) * 2
    assert seen.times_s == sorted(seen.times_s)
    assert seen.times_s[-1] == pytest.approx(3.96 + seen.times_s[0], abs=0.05)
    assert seen.done.audio.end_s == pytest.approx(4.1, abs=0.1)


def test_a_stream_without_times_has_those_of_its_rate(film, see, tmp_path):
    seen = see(film(tmp_path / "clip.h264", sound=(), container="h264"))
    assert seen.numbers == list(range(50))
    assert seen.times_s == pytest.approx([n / 25 for n in range(50)])
    assert len(seen.done.video.repaired_s) == 50


def test_a_long_duration_of_one_picture_makes_no_long_clip(film, see, tmp_path):
    """In MP4 a picture lasts to the next *decoded* one: with B-pictures around a pause that is not how long it is shown."""
    times_s = [n / 25 + (100 if n >= 20 else 0) for n in range(40)]
    seen = see(film(tmp_path / "clip.mp4", sound=(), times_s=times_s, options={"bf": "3"}))
    assert seen.done.video.end_s == pytest.approx(times_s[-1] + 0.04, abs=0.2)


def test_pictures_have_one_size(film, see, tmp_path):
    """A broadcast switches from 64x48 to 128x96; marks would have two scales."""
    for name, size_px, at_s in (("a.ts", (64, 48), 1.0), ("b.ts", (128, 96), 2.0)):
        film(tmp_path / name, sound=(), seconds=1, size_px=size_px, video_at_s=at_s, options={"bf": "0"})
    (tmp_path / "ab.ts").write_bytes((tmp_path / "a.ts").read_bytes() + (tmp_path / "b.ts").read_bytes())
    seen = see(tmp_path / "ab.ts")
    assert len(seen.pictures) == 50
    assert seen.sizes_px == {(64, 48)}
    assert len(seen.done.video.resized_s) == 25
    assert np.allclose(min(seen.done.video.resized_s), 1.0, atol=0.05)
