import json

import pytest

from mmrole.core.errors import StoreError
from mmrole.core.manifest import Manifest, library_versions, read_manifest


def test_counts_that_do_not_add_up_are_refused(tmp_path):
    counts = {"inputs": 5, "done": 3, "failed": 0, "skipped": 1, "reused": 0}
    with pytest.raises(ValueError, match="does not hold"):
        Manifest(command="extract", settings={}, counts=counts).write(tmp_path / "manifest.json")
    assert not (tmp_path / "manifest.json").exists()


def test_what_is_written_is_read_back(tmp_path):
    counts = {"inputs": 4, "done": 3, "failed": 0, "skipped": 1, "reused": 2}
    Manifest(command="extract", settings={"fps": 5.0}, counts=counts, extra={"definition": "x/v1"}).write(
        tmp_path / "m.json"
    )
    record = read_manifest(tmp_path / "m.json")
    assert record["counts"] == counts
    assert record["definition"] == "x/v1"
    assert record["wall_s"] >= 0
    assert json.loads((tmp_path / "m.json").read_text("utf-8")) == record


@pytest.mark.parametrize("content", ["", "{", "[]"])
def test_a_damaged_manifest_is_one_line(tmp_path, content):
    (tmp_path / "m.json").write_text(content)
    with pytest.raises(StoreError, match=r"m\.json is damaged"):
        read_manifest(tmp_path / "m.json")
    with pytest.raises(StoreError, match=r"none\.json is missing"):
        read_manifest(tmp_path / "none.json")


def test_versions_of_what_is_not_installed_are_left_out():
    assert set(library_versions("numpy", "no-such-distribution-at-all")) == {"numpy"}
