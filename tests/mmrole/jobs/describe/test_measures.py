from types import SimpleNamespace

import pyarrow as pa
import pytest

from emotion.describers.measures import SpeechMeasures
from extractors.video.observation import BLENDSHAPES
from mmrole.core.features import read_features
from mmrole.jobs.describe.measures import Absent, Measures
from mmrole.jobs.describe.units import Unit

ROW = {
    "clip_id": "c", "rate_level": None, "pitch_level": None, "volume_level": None, "speed_seq": None, "pitch_seq": None,
    "volume_seq": None, "reference": None, "warnings": [],
}  # fmt: skip
UNIT = Unit(utterance_id="c", clip_id="c", text="Hi.")


def measures(record, row=None):
    record = {"clip_id": "c", "status": "partial", "reason": None, "files": {}, **record}
    table = pa.Table.from_pylist([{**ROW, **(row or {})}])
    return Measures(SimpleNamespace(records={"c": record}, table=lambda name, columns: table.select(columns)))


@pytest.mark.parametrize(
    ("audio", "warnings", "reason"),
    [
        ({"status": "missing", "reason": "no_audio_stream"}, [], "no_audio_stream"),
        ({"status": "failed", "reason": "corrupt"}, [], "corrupt"),
        ({"status": "off", "reason": None}, [], "audio_off"),
        ({"status": "partial", "reason": "silent"}, ["no_speech"], "silent"),
        ({"status": "ok", "reason": None}, ["no_speech"], "no_speech"),
        ({"status": "partial", "reason": "truncated"}, ["no_reference"], "no_reference"),  # what was measured has no z
        ({"status": "ok", "reason": None}, [], "not_measured"),
        (None, [], "audio_missing"),
    ],
)
def test_why_there_is_no_speech(audio, warnings, reason):
    assert measures({"audio": audio}, {"warnings": warnings}).speech(UNIT) == Absent(reason=reason)


@pytest.mark.parametrize(
    ("video", "reason"),
    [
        ({"status": "missing", "reason": "no_video_stream"}, "no_video_stream"),
        ({"status": "failed", "reason": "corrupt"}, "corrupt"),
        ({"status": "off", "reason": None}, "video_off"),
        ({"status": "partial", "reason": "no_face", "frames_face": 0, "frames_body": 0}, "no_face"),
        ({"status": "partial", "reason": "truncated", "frames_face": 0, "frames_body": 3}, "no_face"),
        (None, "video_missing"),
    ],
)
def test_why_there_is_no_face(video, reason):
    found = measures({"video": video})
    assert found.face(UNIT) == Absent(reason=reason)
    assert found.pictures(UNIT, "face") == Absent(reason=reason)


def test_no_clip_and_a_clip_that_failed():
    absent = Unit(utterance_id="x", clip_id=None)
    failed = measures({"status": "failed", "reason": "not_media"})
    for each in (failed.speech, failed.face, failed.body):
        assert each(absent) == Absent(reason="not_in_features")
        assert each(UNIT) == Absent(reason="clip_failed: not_media")
    assert failed.files_key(absent, "face") != failed.files_key(UNIT, "face")
    assert failed.duration_s(absent) == 0.0


def test_without_keyframes_there_is_nothing_to_show(fixture_features):
    store = read_features(fixture_features)
    store.keyframes = lambda clip_id: [{"kind": "frame", "time_s": 0.0}]
    unit = Unit(utterance_id="01_000_000", clip_id="01_000_000")
    assert Measures(store).pictures(unit, "face") == Absent(reason="no_keyframes")


def test_the_same_numbers_as_the_tables(fixture_features):
    store = read_features(fixture_features)
    unit = Unit(utterance_id="u", clip_id="01_000_000", text="你好")
    found, row = Measures(store), store.utterances.set_index("clip_id").loc["01_000_000"]
    speech = found.speech(unit)
    assert isinstance(speech, SpeechMeasures)
    assert (speech.pitch_level, speech.transcript) == (row["pitch_level"], "你好")
    assert [value for value in speech.pitch if value is not None] == [
        value for value in row["pitch_seq"] if value == value
    ]
    track = store.track("01_000_000")
    face, body = found.face(unit), found.body(unit)
    assert face.frames == len(track)
    assert face.blendshapes.shape == (int(track["face"].sum()), len(BLENDSHAPES))
    assert face.blendshapes[3].tolist() == pytest.approx(track["blendshapes"][track["face"]].iloc[3].tolist())
    assert face.head_pose_deg[-1].tolist() == pytest.approx(track["head_pose_deg"][track["face"]].iloc[-1].tolist())
    assert body.landmarks[2].reshape(-1).tolist() == pytest.approx(
        track["body_landmarks"][track["body"]].iloc[2].tolist()
    )
    assert (body.width_px, body.height_px) == (640, 360)  # fixtures/README.md
