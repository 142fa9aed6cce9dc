import os
from dataclasses import dataclass, field

import pytest

from extractors.clip import measure_file
from extractors.video.observation import FrameObservation
from mmrole.core.errors import MediaError
from mmrole.core.extraction import ExtractSettings
from mmrole.core.media import Caution, Clip, Reason, Segment

SETTINGS = ExtractSettings()


@dataclass
class Onlooker:
    """Stands for the models: sees nobody, and remembers what it was shown."""

    clips: int = 0
    shown: list = field(default_factory=list)

    def start_clip(self):
        self.clips += 1

    def observe(self, picture, time_s):
        self.shown.append((self.clips, round(time_s, 3), picture.width_px, picture.height_px))
        return FrameObservation(time_s=time_s, faces=(), bodies=())


def measure(path, *segments, settings=SETTINGS, observer=None):
    clips = [
        Clip(clip_id=f"s{n}", path=str(path), segment=Segment(start_s=a, end_s=b)) for n, (a, b) in enumerate(segments)
    ]
    clips = clips or [Clip(clip_id="clip", path=str(path))]
    return list(measure_file(str(path), clips, settings, observer))


def record_of(path, **how):
    [measured] = measure(path, observer=Onlooker(), **how)
    return measured.record


OK, PARTIAL, FAILED, MISSING = "ok", "partial", "failed", "missing"
GOOD = (OK, None)
NOBODY = (PARTIAL, Reason.NO_FACE)
NO_SOUND, NO_PICTURE = (MISSING, Reason.NO_AUDIO_STREAM), (MISSING, Reason.NO_VIDEO_STREAM)
CUT = (PARTIAL, Reason.TRUNCATED)

# of each file: status, sound, picture, sampled pictures, displayed size, length in seconds, cautions.
# The films are 2 s long, and 10 samples at 5 fps; sound in AAC and MP3 is up to two packets longer (64 and 36 ms).
KINDS = {
    "base.mp4": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "base.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "base.avi": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "base.flv": (PARTIAL, GOOD, NOBODY, None, (64, 48), 2.0, []),
    "base.ts": (PARTIAL, GOOD, NOBODY, None, (64, 48), 2.0, []),
    "no_audio.mp4": (PARTIAL, NO_SOUND, NOBODY, 10, (64, 48), 2.0, []),
    "audio_only.mp4": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "audio_10ms.mkv": (PARTIAL, (FAILED, Reason.TOO_SHORT), NOBODY, 10, (64, 48), 2.0, []),
    "empty_audio.mkv": (PARTIAL, (FAILED, Reason.EMPTY_AUDIO), NOBODY, 10, (64, 48), 2.0, []),
    "empty_video.mkv": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "0_samples.wav": (FAILED, (FAILED, Reason.EMPTY_AUDIO), NO_PICTURE, None, None, None, ["no_duration"]),
    "silence.wav": (PARTIAL, (PARTIAL, Reason.SILENT), NO_PICTURE, None, None, 2.0, ["no_speech"]),
    "dc.wav": (PARTIAL, (PARTIAL, Reason.SILENT), NO_PICTURE, None, None, 2.0, ["no_speech"]),
    "variable.mp4": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, ["variable_frame_rate"]),
    "rotated.mp4": (PARTIAL, GOOD, NOBODY, 10, (48, 64), 2.0, ["rotated"]),
    "cut.mp4": (PARTIAL, CUT, CUT, 6, (64, 48), 1.16, []),
    "cut.mkv": (PARTIAL, CUT, CUT, None, (64, 48), 1.26, []),
    "cut.wav": (PARTIAL, CUT, NO_PICTURE, None, None, 1.2, []),
    "flips_in_audio.mkv": (PARTIAL, (PARTIAL, Reason.CORRUPT), NOBODY, 10, (64, 48), 2.0, ["gaps_filled"]),
    "flips_in_video.mkv": (PARTIAL, GOOD, (PARTIAL, Reason.CORRUPT), None, (64, 48), 2.0, None),
    "hevc.mp4": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "vp9.webm": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "av1.mp4": (PARTIAL, GOOD, NOBODY, 5, (64, 64), 1.0, []),
    "mpeg2.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "mpeg4.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "mjpeg422.mov": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "ffv1_odd.mkv": (PARTIAL, GOOD, NOBODY, 10, (65, 49), 2.0, []),
    "10bit.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "444_odd.mp4": (PARTIAL, GOOD, NOBODY, 10, (65, 49), 2.0, []),
    "420_odd.webm": (PARTIAL, NO_SOUND, NOBODY, 10, (65, 49), 2.0, []),
    "5.1.mkv": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "mask_0.wav": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, ["unknown_layout"]),
    "24bit.wav": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "float.wav": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "8bit.wav": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "mp3_named.wav": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, ["extension_mismatch"]),
    "late_audio.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.8, ["audio_starts_late"]),
    "late_video.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.8, ["video_starts_late"]),
    "at_100s.ts": (PARTIAL, GOOD, NOBODY, None, (64, 48), 2.0, []),
    "pause.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, ["gaps_filled"]),
    "b_frames.avi": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, []),
    "one_picture.mp4": (PARTIAL, NO_SOUND, NOBODY, 1, (64, 48), 0.04, []),
    "1fps.mp4": (PARTIAL, NO_SOUND, NOBODY, 5, (64, 48), 5.0, []),
    "tiny.mp4": (PARTIAL, NO_SOUND, NOBODY, 10, (16, 16), 2.0, []),
    "two_tracks.mkv": (PARTIAL, GOOD, NOBODY, 10, (64, 48), 2.0, ["several_audio_tracks"]),
    "cover.mp3": (PARTIAL, GOOD, NO_PICTURE, None, None, 2.0, []),
    "wide_pixels.mp4": (PARTIAL, GOOD, NOBODY, 10, (128, 48), 2.0, []),
}  # fmt: skip


def block(record, kind):
    return record[kind]["status"], record[kind]["reason"]


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_files(media, name):
    status, sound, picture, frames, size_px, length_s, cautions = KINDS[name]
    record = record_of(media(name))
    assert record["status"] == status
    assert (block(record, "audio"), block(record, "video")) == (sound, picture)
    assert length_s is None or record["duration_s"] == pytest.approx(length_s, abs=0.13)
    video = record["video"]
    assert frames is None or video["frames"] == frames
    assert size_px is None or (video["width_px"], video["height_px"]) == size_px
    if cautions is not None:
        reasons = {str(reason) for reason in Reason}
        assert [warning for warning in record["warnings"] if warning not in reasons] == cautions
    if sound[0] == OK:
        # a 220 Hz sine of amplitude 1/8: 20 log10(0.125 / sqrt(2)) = -21.1 dB; the lossy codecs' edges cost up to 1 dB
        assert record["audio"]["f0_median_hz"] == pytest.approx(220, rel=0.005)
        assert record["audio"]["volume_mean_db"] == pytest.approx(-21.1, abs=1.0)


@pytest.mark.parametrize("name", ["html.mp4", "empty.mp4", "no_index.mp4"])
def test_what_is_no_clip_at_all_is_an_error(media, name):
    with pytest.raises(MediaError, match=name):
        measure(media(name), observer=Onlooker())


def test_nothing_that_was_not_measured_has_a_number(media):
    record = record_of(media("0_samples.wav"))
    assert record["reason"] == Reason.EMPTY_AUDIO
    assert record["duration_s"] is None
    assert record["audio"] == {"status": "failed", "reason": "empty_audio"}
    assert record["video"] == {"status": "missing", "reason": "no_video_stream"}
    silent = record_of(media("silence.wav"))["audio"]
    assert silent["f0_median_hz"] is silent["volume_mean_db"] is silent["rate_syll_s"] is None
    [measured] = measure(media("0_samples.wav"))
    assert measured.prosody is measured.track is None
    assert measured.keyframes == {}
    assert measured.detail == "nothing could be measured (sound empty_audio, picture no_video_stream)"


def test_the_same_file_gives_the_same_record(media):
    assert record_of(media("late_audio.mkv")) == record_of(media("late_audio.mkv"))


def test_pictures_are_sampled_at_the_rate_of_the_settings(media):
    for fps, times_s in ((1, [0, 1]), (2.5, [0, 0.4, 0.8, 1.2, 1.6]), (25, [n / 25 for n in range(50)])):
        onlooker = Onlooker()
        measure(media("no_audio.mp4"), settings=ExtractSettings(fps=fps), observer=onlooker)
        assert [time_s for _, time_s, _, _ in onlooker.shown] == pytest.approx(times_s)


def test_modalities_that_are_off(media):
    sound = record_of(media("base.mp4"), settings=ExtractSettings(video=False))
    assert (sound["status"], sound["video"]) == ("ok", {"status": "off", "reason": None})
    picture = record_of(media("base.mp4"), settings=ExtractSettings(audio=False))
    assert (picture["status"], picture["audio"]) == ("partial", {"status": "off", "reason": None})
    assert picture["duration_s"] == pytest.approx(2.0)
    nothing = record_of(media("no_audio.mp4"), settings=ExtractSettings(video=False))
    assert (nothing["status"], nothing["reason"]) == ("failed", Reason.NO_AUDIO_STREAM)


def test_without_models_the_sound_is_measured(media):
    [measured] = measure(media("base.mp4"))
    assert block(measured.record, "video") == ("failed", Reason.MODELS_MISSING)
    assert block(measured.record, "audio") == GOOD
    assert measured.track is None


def test_a_damaged_file_is_decoded_whole(media):
    """Pictures that are spared the decoder may be needed where others are broken: the second pass spares none."""
    onlooker = Onlooker()
    [measured] = measure(media("flips_in_video.mkv"), observer=onlooker)
    assert onlooker.clips == 2
    last = [time_s for clip, time_s, _, _ in onlooker.shown if clip == 2]
    assert measured.record["video"]["frames"] == len(last)
    assert measured.record["video"]["pictures_dropped"] > 0
    whole = Onlooker()
    measure(media("base.mkv"), observer=whole)
    assert whole.clips == 1


def test_files_are_closed(media):
    before = len(os.listdir("/proc/self/fd"))
    for name in ("base.mp4", "flips_in_video.mkv", "0_samples.wav"):
        measure(media(name), observer=Onlooker())
    with pytest.raises(MediaError):
        measure(media("html.mp4"))
    assert len(os.listdir("/proc/self/fd")) == before


# ---- segments ----


def test_segments_count_from_their_own_start(media):
    onlooker = Onlooker()
    first, second = measure(media("base.mp4"), (0.2, 1.0), (1.0, 1.8), observer=onlooker)
    for measured in (first, second):
        assert measured.record["duration_s"] == pytest.approx(0.8)
        assert block(measured.record, "audio") == GOOD
        assert measured.record["video"]["frames"] == 4
    assert onlooker.clips == 2
    assert [time_s for _, time_s, _, _ in onlooker.shown] == pytest.approx([0, 0.2, 0.4, 0.6] * 2, abs=0.021)
    assert first.prosody.time_s[0] == 0.0


def test_segments_beyond_the_end_have_no_length(media):
    inside, across, outside = measure(media("base.mp4"), (0.5, 1.5), (1.5, 3.5), (10.0, 11.0), observer=Onlooker())
    assert inside.record["status"] == "partial"  # nobody in it
    assert block(inside.record, "audio") == GOOD
    assert (block(across.record, "audio"), block(across.record, "video")) == (CUT, CUT)
    assert across.record["duration_s"] == pytest.approx(0.5, abs=0.05)
    assert (outside.record["status"], outside.record["reason"]) == ("failed", Reason.TRUNCATED)
    assert outside.record["duration_s"] is None
    assert outside.detail.startswith("10 to 11 s: nothing could be measured")
    assert "the file ends at 2.0" in outside.detail


def test_damage_counts_where_it_is(film, tmp_path):
    """Pictures 55 to 57 of 100 are noise behind their NAL headers; each tenth is a key picture: 2.2 s to 2.4 s are lost."""

    def spoil(kind, number, data):
        return data[:5] + b"\xff" * (len(data) - 5) if kind == "video" and number in (55, 56, 57) else data

    path = film(
        tmp_path / "clip.mkv", seconds=4, options={"g": "10", "bf": "0", "x264-params": "scenecut=0"}, spoil=spoil
    )
    before, hit, after = measure(path, (0.5, 1.5), (2.0, 3.0), (3.0, 3.9), observer=Onlooker())
    assert block(before.record, "video") == block(after.record, "video") == NOBODY
    assert block(hit.record, "video") == (PARTIAL, Reason.CORRUPT)
    assert hit.record["video"]["pictures_dropped"] > 0
    assert "pictures_dropped" not in before.record["video"]
    assert [block(m.record, "audio") for m in (before, hit, after)] == [GOOD] * 3


def test_cautions_count_where_they_are(film, tmp_path):
    times_s = [n / 25 + (0 if n < 60 else 86_400) for n in range(100)]
    path = film(tmp_path / "clip.mkv", seconds=4, times_s=times_s)
    before, across = measure(path, (0.2, 1.0), (2.2, 3.0), observer=Onlooker())
    assert Caution.TIMESTAMPS_REPAIRED not in before.record["warnings"]
    assert Caution.TIMESTAMPS_REPAIRED in across.record["warnings"]


def test_a_segment_whose_picture_begins_late_says_so(media):
    [late] = measure(media("late_video.mkv"), (0.2, 1.6), observer=Onlooker())
    assert Caution.VIDEO_STARTS_LATE in late.record["warnings"]
    [whole] = measure(media("late_video.mkv"), (1.0, 1.6), observer=Onlooker())
    assert Caution.VIDEO_STARTS_LATE not in whole.record["warnings"]


def test_broken_files_are_quiet(media, capfd):
    for name in ("flips_in_audio.mkv", "flips_in_video.mkv", "cut.mkv"):
        measure(media(name), observer=Onlooker())
    with pytest.raises(MediaError):
        measure(media("no_index.mp4"))
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")
