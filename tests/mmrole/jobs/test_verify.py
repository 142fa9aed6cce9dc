import shutil

import pytest

from mmrole.core.errors import StoreError
from mmrole.jobs.verify import verify


@pytest.fixture
def features(fixture_features, tmp_path):
    return shutil.copytree(fixture_features, tmp_path / "features")


def test_a_whole_folder_has_no_problems(features):
    report = verify(features)
    assert (report.clips, report.problems) == (6, [])
    assert report.files > 20


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            lambda f: (f / "tracks" / "01_000_000.parquet").unlink(),
            "tracks/01_000_000.parquet: cannot be read: No such file",
        ),
        (lambda f: (f / "prosody" / "01_000_000.parquet").write_bytes(b"x"), "01_000_000.parquet: has other bytes"),
        (lambda f: (f / "keyframes" / "01_000_000" / "face_01.jpg").write_bytes(b""), "face_01.jpg: has other bytes"),
        (lambda f: (f / "utterances.parquet").unlink(), "utterances.parquet is missing"),
        (lambda f: (f / "manifest.json").write_text("{"), "manifest.json is damaged"),
        (
            lambda f: (f / "tracks" / "stranger.parquet").write_bytes(b"x"),
            "stranger.parquet: no record in clips.jsonl knows it",
        ),
    ],
)
def test_each_kind_of_damage_is_one_problem_with_a_way_out(features, damage, said):
    damage(features)
    [problem] = verify(features).problems
    assert said in problem
    assert "\n" not in problem


def test_a_folder_that_is_none_is_one_line(tmp_path):
    with pytest.raises(StoreError, match=r"is no folder of features: it holds no clips\.jsonl"):
        verify(tmp_path)
