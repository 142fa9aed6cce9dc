import pytest

from extractors.container import open_source
from extractors.decoding import Pass
from extractors.seeking import seek_before

# a key picture every 4 s only, in groups that are open: pictures before a key picture are built on ones before those
LONG_GROUPS = {"g": "100", "bf": "3", "x264-params": "scenecut=0:open-gop=1:keyint=100:min-keyint=100"}
FILES = {
    "clip.mp4": {"options": LONG_GROUPS}, "clip.mkv": {"options": LONG_GROUPS}, "clip.flv": {"options": LONG_GROUPS, "rate_hz": 44_100},
    "clip.ts": {"options": LONG_GROUPS}, "clip.avi": {"options": LONG_GROUPS, "sound": ("libmp3lame",)},
    "plain.avi": {"options": {"g": "100", "bf": "0"}, "sound": ("libmp3lame",)},
    "mpeg2.mpg": {"codec": "mpeg2video", "options": {"g": "100", "bf": "2"}, "sound": ("mp2",)},
    "vp9.webm": {"codec": "libvpx-vp9", "options": {"g": "100"}, "sound": ("libopus",), "rate_hz": 48_000},
    "bare.h264": {"options": LONG_GROUPS, "sound": (), "container": "h264"},
    "fragments.mp4": {"options": LONG_GROUPS, "mux": {"movflags": "frag_keyframe+empty_moov"}},
    "at_50s.ts": {"options": LONG_GROUPS, "video_at_s": 50, "sound_at_s": 50},
}  # fmt: skip
STRETCHES_S = [(0.3, 1.0), (3.9, 4.3), (5.1, 5.9), (7.5, 7.9)]


@pytest.fixture(scope="module", params=FILES)
def path(request, film, tmp_path_factory):
    return film(tmp_path_factory.mktemp("long") / request.param, seconds=8, **FILES[request.param])


def pictures(path, number_of, start_s=None, end_s=None):
    source = open_source(path)
    seen, heard = [], []
    done = Pass(
        source=source,
        on_audio=lambda frame, time_s: heard.append((time_s, time_s + frame.samples / frame.sample_rate)),
        on_video=lambda frame, time_s: seen.append((round(time_s, 3), number_of(frame))),
    )
    done.run(start_s, end_s)
    source.close()
    return seen, heard


def within(seen, start_s, end_s):
    # rounding to a millisecond must not decide which side of an edge a picture is on
    return [(time_s, number) for time_s, number in seen if start_s + 0.005 <= time_s < end_s - 0.005]


def test_a_stretch_shows_what_the_whole_file_shows_there(path, number_of):
    whole, _ = pictures(path, number_of)
    for start_s, end_s in STRETCHES_S:
        part, _ = pictures(path, number_of, start_s, end_s)
        expected = within(whole, start_s, end_s)
        assert len(expected) >= 8
        assert within(part, start_s, end_s) == expected


def test_the_sound_of_a_stretch_is_there_from_its_start(path, number_of):
    if path.suffix == ".h264":
        return
    for start_s, end_s in STRETCHES_S:
        _, heard = pictures(path, number_of, start_s, end_s)
        assert min(begin_s for begin_s, _ in heard) <= start_s
        assert max(stop_s for _, stop_s in heard) >= end_s
        # and decoding does not go on to the end of the file
        assert end_s > 5 or max(stop_s for _, stop_s in heard) < end_s + 3.0


def test_without_the_picture_no_key_picture_is_looked_for(film, tmp_path):
    source = open_source(film(tmp_path / "clip.ts", seconds=8, options=LONG_GROUPS))
    assert seek_before(source, 7.5, picture=False) == 6.5
    # the last key picture before 7.5 s is at 4 s
    assert seek_before(source, 7.5, picture=True) == 3.5
    assert seek_before(source, 0.5, picture=True) == 0.0
    source.close()
