import numpy as np
import pytest

import mmrole
from mmrole.core.errors import InputError, StoreError
from mmrole.core.features import output_name


def test_everything_can_be_read_back(fixture_features):
    store = mmrole.read_features(fixture_features)
    assert list(store.utterances.clip_id) == sorted(store.records)
    prosody = store.prosody("01_000_000")
    assert list(prosody) == ["time_s", "f0_hz", "volume_db", "speech", "rate_syll_s"]
    assert np.allclose(np.diff(prosody.time_s), 0.01)
    track = store.track("01_000_000")
    assert {len(row) for row in track.landmarks} == {478 * 3}
    frames = store.keyframes("01_000_000")
    assert {frame["kind"] for frame in frames} == {"face", "body", "frame"}
    assert all(frame["path"].read_bytes()[:2] == b"\xff\xd8" for frame in frames)


def test_what_is_not_there_is_said(fixture_features, tmp_path):
    store = mmrole.read_features(fixture_features)
    with pytest.raises(InputError, match="holds no clip 'x'; it holds 6: "):
        store.prosody("x")
    with pytest.raises(InputError, match="'01_001_001' has no audio features: no_audio_stream"):
        store.prosody("01_001_001")
    with pytest.raises(StoreError, match="is no folder of features"):
        mmrole.read_features(tmp_path / "none")
    with pytest.raises(StoreError, match=r"manifest\.json is missing: the run that fills .* has not ended"):
        mmrole.read_features(tmp_path)


def test_names_that_are_too_long_are_shortened_and_stay_different():
    assert output_name("a/b c") == "a/b c"
    short = [output_name("x/" + "长" * 100 + end) for end in ("1", "2")]
    assert short[0] != short[1]
    for name in short:
        assert name.startswith("x/长")
        assert len((name.split("/")[1] + ".parquet").encode()) <= 255


def test_a_folder_of_other_results_is_no_features_folder(tmp_path):
    (tmp_path / "manifest.json").write_text('{"command": "describe"}')
    with pytest.raises(StoreError, match="holds the results of mmrole describe, no features"):
        mmrole.read_features(tmp_path)


@pytest.mark.parametrize(
    ("journal", "said"),
    [
        (None, r"clips\.jsonl is missing; run mmrole extract again"),
        ('{"a": 1}', "record 1: field clip_id is None"),
        ('{"clip_id": "c"}\n{"clip_id": "d", "video": 5}', "record 2: field video is 5"),
    ],
)
def test_a_damaged_journal_is_one_line(tmp_path, journal, said):
    (tmp_path / "manifest.json").write_text('{"command": "extract"}')
    if journal is not None:
        (tmp_path / "clips.jsonl").write_text(journal)
    with pytest.raises(StoreError, match=said) as error:
        mmrole.read_features(tmp_path)
    assert "\n" not in str(error.value)


def test_readers_of_features_are_told_to_extract_again(fixture_features):
    store = mmrole.read_features(fixture_features)
    for name, columns in (("tracks/gone.parquet", None), ("utterances.parquet", ["gone"])):
        with pytest.raises(StoreError, match=r"\.parquet is .*; run mmrole extract again, with --out "):
            store.table(name, columns=columns)
