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
