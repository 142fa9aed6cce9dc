import io
import json
import wave
from pathlib import Path

import numpy as np
import pytest

from mmrole.core.errors import InputError, StoreError
from mmrole.jobs.respond.clips import FeatureClips, most_moving, wav_of

FIXTURES = Path(__file__).parents[4] / "fixtures"
JPEG = b"\xff\xd8\xff\xe0 picture "


def features(folder, *, audio="ok"):
    """A features folder of two clips, one of which has keyframes."""
    frames = folder / "keyframes/01_000_000"
    frames.mkdir(parents=True)
    rows = [
        ("face_01.jpg", "face", None),
        ("face_02.jpg", "face", 0.3),
        ("body_01.jpg", "body", 0.9),
        ("frame_01.jpg", "frame", 0.1),
    ]
    for name, _, _ in rows:
        (frames / name).write_bytes(JPEG + name.encode())
    (frames / "keyframes.jsonl").write_text(
        "".join(
            json.dumps({"file": f, "kind": k, "motion": m, "time_s": 0.0, "reason": "x"}) + "\n" for f, k, m in rows
        )
    )
    clips = [
        {"clip_id": "01_000_000", "path": str(FIXTURES / "clips/01_000_000.mp4"), "audio": {"status": audio}, "segment": None,
         "files": {"keyframes/01_000_000/keyframes.jsonl": "x"}},
        {"clip_id": "01_000_001", "path": "gone.mp4", "audio": {"status": "ok"}, "segment": None, "files": {}},
    ]  # fmt: skip
    (folder / "clips.jsonl").write_text("".join(f"{json.dumps(clip)}\n" for clip in clips))
    (folder / "manifest.json").write_text('{"command": "extract"}')
    return folder


def sound(data):
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def test_one_face_and_one_whole_picture_are_shown(tmp_path):
    clips = FeatureClips(features(tmp_path), ["01_000_000", "other"])
    # the face that moves most, and the only whole picture; no body
    assert [part.data for part in clips.pictures("01_000_000")] == [JPEG + b"face_02.jpg", JPEG + b"frame_01.jpg"]
    assert clips.pictures("01_000_001") == ()
    assert clips.pictures("other") == ()
    assert clips.sound("other") is None


def test_the_sound_is_that_of_the_clip(tmp_path):
    clips = FeatureClips(features(tmp_path), ["01_000_000"])
    part = clips.sound("01_000_000")
    samples = sound(part.data)
    assert len(samples) / 16000 == pytest.approx(3.6, abs=0.1)  # fixtures/README.md
    assert 0.2 < np.abs(samples).max() / 32768 < 0.9
    assert clips.sound("01_000_000") is part


def test_the_sound_of_a_segment_is_cut_out():
    path = str(FIXTURES / "episode.mp4")
    whole = sound(wav_of({"clip_id": "e", "path": path, "segment": None}))
    part = sound(wav_of({"clip_id": "e", "path": path, "segment": {"start_s": 3.0, "end_s": 5.5}}))
    assert len(part) == 2.5 * 16000
    shifts = range(-400, 401, 2)
    same = [np.corrcoef(part[400:-400], whole[48000 + 400 + k : 48000 + len(part) - 400 + k])[0, 1] for k in shifts]
    assert abs(shifts[int(np.argmax(same))]) <= 2  # samples; the resampler starts elsewhere in the file
    assert max(same) > 0.95


def test_no_sound_was_measured_none_is_shown(tmp_path):
    assert FeatureClips(features(tmp_path, audio="missing"), ["01_000_000"]).sound("01_000_000") is None


def test_a_clip_that_is_gone_is_told(tmp_path):
    clips = FeatureClips(features(tmp_path), ["01_000_000"])
    with pytest.raises(InputError, match=r"clip '01_000_001': gone\.mp4 cannot be read.*--context images"):
        clips.sound("01_000_001")


def test_folders_that_do_not_fit_are_told(tmp_path):
    with pytest.raises(
        InputError, match=r"holds no clip of these dialogues \(it holds 01_000_000, 01_000_001, \.\.\.; they have a"
    ):
        FeatureClips(features(tmp_path / "f"), ["b", "a"])
    with pytest.raises(StoreError, match="no folder of features"):
        FeatureClips(tmp_path / "none", ["a"])


def test_of_no_pictures_none_moves_most():
    assert most_moving([]) is None
