import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from emotion.experts.expert import Case
from emotion.experts.facial_action import FacialActionExpert
from emotion.experts.measured import ClipFeatures
from emotion.experts.prosody import ProsodyExpert
from mmrole.core.errors import InputError, StoreError
from mmrole.core.features import read_features

IDS = {"01_000_000", "01_000_001", "01_000_002", "01_000_003", "01_001_000", "01_001_001"}


def test_a_clip_as_experts_take_it(fixture_features):
    features = ClipFeatures(fixture_features, IDS)
    measured = features.of("01_000_000")
    # by hand from the track: the mean over the frames with a face
    track = read_features(fixture_features).track("01_000_000")
    rows = np.stack([np.asarray(row, float) for row in track["blendshapes"] if row is not None])
    np.testing.assert_allclose(measured.blendshapes, rows.mean(axis=0), rtol=1e-12)
    assert measured.blendshape_names[:2] == ("_neutral", "browDownLeft")
    row = read_features(fixture_features).utterances.set_index("clip_id").loc["01_000_000"]
    assert (measured.prosody["pitch_z"], measured.prosody["pitch_level"]) == (row["pitch_z"], row["pitch_level"])
    assert measured.audio.name == "01_000_000.mp4"
    assert len(measured.audio_sha256) == 64


def test_what_is_not_there_is_none(fixture_features):
    features = ClipFeatures(fixture_features, {*IDS, "99"})
    assert features.of("99").blendshapes is None
    faceless = features.of("01_001_000")  # the fixture without a face
    assert (faceless.blendshapes, len(faceless.blendshape_names)) == (None, 52)
    mute = features.of("01_001_001")  # the fixture without sound
    assert (mute.prosody, mute.audio) == (None, None)
    assert mute.blendshapes is not None


def test_only_what_the_panel_reads_is_read(fixture_features):
    measured = ClipFeatures(fixture_features, IDS, faces=False, sound=False).of("01_000_000")
    assert (measured.blendshapes, measured.audio) == (None, None)
    assert measured.prosody is not None


def test_clips_are_named_by_the_last_part_of_their_id(fixture_features, tmp_path):
    folder = tmp_path / "f"
    shutil.copytree(fixture_features, folder)
    lines = [json.loads(line) for line in (folder / "clips.jsonl").read_text("utf-8").splitlines()]
    lines.append({**lines[0], "clip_id": "show/01_000_000", "files": {}, "segment": {"start_s": 0.0}})
    (folder / "clips.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with pytest.raises(InputError, match="'01_000_000' and 'show/01_000_000' are both of utterance"):
        ClipFeatures(folder, IDS)
    alone = ClipFeatures(folder, {"show/01_000_000"})
    assert alone.clips == {"show/01_000_000": "show/01_000_000"}
    assert len(alone.strangers) == 6
    assert alone.of("show/01_000_000").audio is None  # a segment's file holds more than the clip


def test_a_folder_that_holds_no_features(tmp_path):
    with pytest.raises(StoreError, match="is missing"):
        ClipFeatures(tmp_path, IDS)


def test_what_is_damaged_of_one_clip_costs_no_other(fixture_features, tmp_path):
    folder = tmp_path / "f"
    shutil.copytree(fixture_features, folder)
    (folder / "tracks/01_000_000.parquet").write_bytes(b"PAR1 and no more")
    pq.write_table(pa.table({"time_s": [0.0]}), folder / "tracks/01_000_001.parquet")
    pq.write_table(pa.table({"blendshapes": ["a"]}), folder / "tracks/01_000_002.parquet")
    table = pq.read_table(folder / "utterances.parquet")
    pq.write_table(table.slice(1), folder / "utterances.parquet")  # without 01_000_000
    features = ClipFeatures(folder, IDS)
    for name in ("01_000_000", "01_000_001", "01_000_002"):
        measured = features.of(name)
        assert measured.blendshapes is None
        assert f"tracks/{name}.parquet is damaged" in measured.damaged["face"]
        assert "run mmrole extract again" in measured.damaged["face"]
    assert features.of("01_000_000").damaged["speech"].startswith("clip '01_000_000' is not in utterances.parquet")
    whole = features.of("01_000_003")
    assert (whole.damaged, whole.prosody is not None, len(whole.blendshapes)) == ({}, True, 52)


@pytest.mark.parametrize(("expert", "stream"), [(FacialActionExpert(), "face"), (ProsodyExpert(), "speech")])
def test_damaged_measures_are_an_error_and_not_a_clip_without_a_face_or_a_voice(expert, stream):
    case = Case(utterance_id="u", speaker="A", text="", damaged={stream: "t.parquet is damaged"})
    with pytest.raises(StoreError, match=r"t\.parquet is damaged"):
        expert.vote(case, stream, 0)
