import pytest

from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import InputError, UsageError
from mmrole.core.manifest import Manifest, read_manifest
from mmrole.jobs.result_folder import check_counts, file_of, input_record, input_records, result_folder, seal, unseal


def fill(folder, command):
    (folder / "a").write_bytes(b"x")
    seal(folder, Manifest(command=command, settings={}, counts=check_counts(3, 2), extra={"more": 1}), ["a"])


def test_a_folder_is_sealed_by_its_manifest(tmp_path):
    with result_folder(tmp_path / "o", "score") as folder:
        fill(folder, "score")
    manifest = read_manifest(tmp_path / "o" / "manifest.json")
    assert manifest["files"] == {"a": bytes_sha256(b"x")}
    assert manifest["more"] == 1
    assert manifest["counts"] == {"inputs": 3, "done": 2, "failed": 0, "skipped": 1}
    with result_folder(tmp_path / "o", "score") as folder:
        unseal(folder)
        unseal(folder)  # what is not there need not be taken away
    assert not (tmp_path / "o" / "manifest.json").exists()


def test_results_of_another_command_are_not_overwritten(tmp_path):
    with result_folder(tmp_path / "o", "score") as folder:
        fill(folder, "score")
    with (
        pytest.raises(UsageError, match="o holds the results of mmrole score: choose another"),
        result_folder(tmp_path / "o", "erc"),
    ):
        pass
    (tmp_path / "o" / "manifest.json").write_text("{")  # a damaged one vouches for nothing
    with result_folder(tmp_path / "o", "erc"):
        pass


def test_what_a_killed_run_left_is_removed(tmp_path):
    (tmp_path / ".unfinished-1-labels.jsonl").write_bytes(b"half")
    with result_folder(tmp_path, "score") as folder:
        assert [path.name for path in folder.iterdir()] == [".lock"]


def test_what_is_remembered_of_inputs(tmp_path):
    (tmp_path / "空 格.csv").write_bytes(b"abc")
    record = input_record(tmp_path / "空 格.csv")
    assert record == {
        "name": "空 格.csv",
        "path": str(tmp_path / "空 格.csv"),
        "bytes": 3,
        "sha256": bytes_sha256(b"abc"),
    }
    assert input_records({"votes": tmp_path / "空 格.csv", "responses": None}) == {"votes": record}
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        input_record(tmp_path / "nowhere")


def test_a_file_or_the_folder_that_holds_it(tmp_path):
    with pytest.raises(
        InputError, match=r"votes\.jsonl is missing: make it with mmrole recognize --out .*, or name a file"
    ):
        file_of(tmp_path, "votes.jsonl", "recognize")
    (tmp_path / "votes.jsonl").touch()
    for given in (tmp_path, tmp_path / "votes.jsonl"):
        assert file_of(given, "votes.jsonl", "recognize") == tmp_path / "votes.jsonl"
    assert (
        file_of(tmp_path / "nowhere", "votes.jsonl", "recognize") == tmp_path / "nowhere"
    )  # reading it says what is wrong
