import socket

import pytest

from extractors.container import open_source
from mmrole.core.errors import MediaError
from mmrole.core.media import Caution, Reason

HEAD_BYTES = 100


@pytest.fixture
def opened():
    """Opens files and closes them again."""
    sources = []

    def open_one(path):
        sources.append(open_source(path))
        return sources[-1]

    yield open_one
    for source in sources:
        source.close()


def reason_of(path):
    with pytest.raises(MediaError) as raised:
        open_source(path).close()
    assert "\n" not in str(raised.value)
    return raised.value.reason


# of each file: whether there is a picture, whether there is sound, what was seen on opening
FILES = {
    "base.mp4": (True, True, []), "base.mkv": (True, True, []), "base.avi": (True, True, []), "base.flv": (True, True, []),
    "base.ts": (True, True, []), "no_audio.mp4": (True, False, []), "audio_only.mp4": (False, True, []), "tone.wav": (False, True, []),
    "0_samples.wav": (False, True, [Caution.NO_DURATION]), "mp3_named.wav": (False, True, [Caution.EXTENSION_MISMATCH]),
    "two_tracks.mkv": (True, True, [Caution.SEVERAL_AUDIO_TRACKS]), "cover.mp3": (False, True, []), "vp9.webm": (True, True, []),
    "mjpeg422.mov": (True, True, []), "one_picture.mp4": (True, False, []),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_streams_are_found(media, opened, name):
    picture, sound, cautions = FILES[name]
    source = opened(media(name))
    assert (source.video is not None, source.audio is not None) == (picture, sound)
    assert source.absent.get("video") == (None if picture else Reason.NO_VIDEO_STREAM)
    assert source.absent.get("audio") == (None if sound else Reason.NO_AUDIO_STREAM)
    assert source.cautions == cautions
    assert all(s.codec_context.thread_count == 1 for s in (source.video, source.audio) if s)


def test_the_default_track_is_the_sound(media, opened):
    assert opened(media("two_tracks.mkv")).audio.codec_context.name.startswith("mp3")


def test_time_begins_where_the_container_begins(media, opened):
    # 100 s less the 1024 samples at 16 kHz by which AAC starts early
    assert opened(media("at_100s.ts")).start_s == pytest.approx(100 - 1024 / 16_000, abs=1e-3)
    assert opened(media("base.mp4")).start_s == 0.0


def test_the_length_that_is_declared(media, opened):
    assert opened(media("tone.wav")).declared_s == pytest.approx(2.0)
    assert opened(media("no_audio.mp4")).declared_s == pytest.approx(2.0)
    assert opened(media("0_samples.wav")).declared_s is None
    assert opened(media("base.mkv")).declares_duration
    assert not opened(media("base.ts")).declares_duration
    assert opened(media("base.avi")).decoding_times_only
    assert not opened(media("base.mp4")).decoding_times_only


@pytest.mark.parametrize(
    ("name", "reason"),
    [("empty.mp4", Reason.EMPTY_FILE), ("html.mp4", Reason.NOT_MEDIA), ("no_index.mp4", Reason.TRUNCATED)],
)
def test_files_that_cannot_be_opened(media, name, reason):
    assert reason_of(media(name)) == reason


@pytest.mark.parametrize("name", ["base.mkv", "base.avi", "base.flv", "vp9.webm", "tone.wav"])
def test_the_head_of_a_media_file_is_corrupt_and_no_stranger(media, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(media(name).read_bytes()[:HEAD_BYTES])
    if name == "tone.wav":  # 44 bytes of header are a whole one
        source = open_source(path)
        source.close()
        assert source.cut
    else:
        assert reason_of(path) == Reason.CORRUPT


def test_the_head_of_an_mp4_lacks_its_index(media, tmp_path):
    for size in (8, 40, HEAD_BYTES, 700):
        path = tmp_path / f"{size}.mp4"
        path.write_bytes(media("faststart.mp4").read_bytes()[:size])
        assert reason_of(path) == Reason.TRUNCATED


def test_a_transport_stream_is_known_by_two_packets_and_not_by_a_letter(tmp_path):
    packets, text = tmp_path / "packets.ts", tmp_path / "text.ts"
    packets.write_bytes((b"G" + bytes(187)) * 2)
    text.write_text("Get the file again. " * 100)
    assert reason_of(packets) == Reason.CORRUPT
    assert reason_of(text) == Reason.NOT_MEDIA


@pytest.mark.parametrize("noise", [b"\0" * 5000, bytes(range(256)) * 40, b"GIF89a", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_media_says_so(tmp_path, noise):
    path = tmp_path / "clip.mp4"
    path.write_bytes(noise)
    assert reason_of(path) == Reason.NOT_MEDIA


def test_subtitles_named_like_media_are_none(tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_text("1\n00:00:00,000 --> 00:00:02,000\nhello\n\n2\n00:00:02,000 --> 00:00:03,000\nthere\n")
    assert reason_of(path) == Reason.NOT_MEDIA


@pytest.mark.parametrize("name", ["clip.mp4", b"clip_\xff\xfe.mp4"])
def test_a_play_list_in_disguise_fetches_nothing(tmp_path, name):
    path = bytes(tmp_path) + b"/" + (name if isinstance(name, bytes) else name.encode())
    path = path.decode("utf-8", "surrogateescape")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/a.ts"
        for text in (
            f"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:3,\n{address}\n#EXT-X-ENDLIST\n",
            f"ffconcat version 1.0\nfile '{address}'\n",
            f"[playlist]\nFile1={address}\nNumberOfEntries=1\n",
        ):
            with open(path, "w") as file:
                file.write(text)
            assert reason_of(path) == Reason.NOT_MEDIA
            with pytest.raises(BlockingIOError):
                server.accept()


def test_names_that_mean_something_elsewhere_are_names(media, tmp_path, opened):
    for name in (
        "-i.mp4",
        "a:b.mp4",
        "http:..x.mp4",
        "%03d.mp4",
        "new\nline.mp4",
        "空 格.mp4",
        b"bytes_\xff.mp4".decode("utf-8", "surrogateescape"),
    ):
        path = f"{tmp_path}/{name}"
        with open(path, "wb") as file:
            file.write(media("base.mp4").read_bytes())
        assert opened(path).video is not None


def test_unreadable_paths(tmp_path):
    (tmp_path / "link.mp4").symlink_to(tmp_path / "nowhere.mp4")
    (tmp_path / "loop.mp4").symlink_to(tmp_path / "loop.mp4")
    (tmp_path / "folder.mp4").mkdir()
    for name in ("link.mp4", "loop.mp4", "folder.mp4", "missing.mp4"):
        assert reason_of(tmp_path / name) == Reason.UNREADABLE


def test_a_codec_that_no_decoder_knows(media, tmp_path, opened):
    path = tmp_path / "clip.mkv"
    path.write_bytes(media("base.mkv").read_bytes().replace(b"V_MPEG4/ISO/AVC", b"V_MPEG4/ISO/XXX"))
    source = opened(path)
    assert source.video is None
    assert source.absent == {"video": Reason.DECODER_MISSING}
    assert source.audio is not None


@pytest.mark.parametrize(("at", "value"), [(24, 1), (24, 999), (24, 4_000_000), (22, 65)])
def test_a_sound_that_cannot_be_is_damaged(media, tmp_path, at, value, opened):
    """Rate (byte 24) and channels (byte 22) of a WAV header: one sample a second would be hours of sound."""
    data = bytearray(media("tone.wav").read_bytes())
    size = 4 if at == 24 else 2
    data[at : at + size] = value.to_bytes(size, "little")
    path = tmp_path / "clip.wav"
    path.write_bytes(data)
    source = opened(path)
    assert source.audio is None
    assert source.absent == {"audio": Reason.CORRUPT, "video": Reason.NO_VIDEO_STREAM}


def test_a_riff_file_that_is_shorter_than_it_says_is_cut(media, tmp_path, opened):
    for name in ("tone.wav", "base.avi"):
        assert not opened(media(name)).cut
    for name in ("cut.wav", "cut.avi"):
        assert opened(media(name)).cut


@pytest.mark.parametrize("size", [0, 0x7FFFFFFF, 0xFFFFFFFF])
def test_a_length_that_a_writer_could_not_know_is_no_cut(media, tmp_path, opened, size):
    data = bytearray(media("tone.wav").read_bytes())
    data[4:8] = data[40:44] = size.to_bytes(4, "little")
    path = tmp_path / "stream.wav"
    path.write_bytes(data)
    source = opened(path)
    assert not source.cut
    assert source.audio is not None
