import os

import pytest

from mmrole.core.errors import DiskError
from mmrole.core.files import make_folder, open_atomically, remove_unfinished, write_atomically


def test_writes_whole_files_and_makes_folders(tmp_path):
    write_atomically(tmp_path / "a" / "b" / "c.bin", b"one")
    write_atomically(tmp_path / "a" / "b" / "c.bin", b"two")
    assert (tmp_path / "a" / "b" / "c.bin").read_bytes() == b"two"
    assert os.listdir(tmp_path / "a" / "b") == ["c.bin"]


def test_a_name_of_255_bytes_can_be_written(tmp_path):
    name = "长" * 82 + ".parquet"
    write_atomically(tmp_path / name, b"x")
    assert (tmp_path / name).read_bytes() == b"x"


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing_behind(tmp_path, monkeypatch):
    path = tmp_path / "c.bin"
    write_atomically(path, b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskError, match=r"c\.bin: cannot be written: No space left on device; make room"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["c.bin"]


def test_a_folder_below_a_file_is_an_error_that_names_it(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DiskError, match="file/sub: cannot be written"):
        make_folder(tmp_path / "file" / "sub")


def test_what_a_killed_run_left_is_removed(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".unfinished-12-c.bin").write_bytes(b"half")
    (tmp_path / "deep" / "c.bin").write_bytes(b"whole")
    assert remove_unfinished(tmp_path, below=False) == 0
    assert remove_unfinished(tmp_path) == 1
    assert os.listdir(tmp_path / "deep") == ["c.bin"]


def test_a_file_written_in_pieces_is_there_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    with open_atomically(path) as file:
        file.write(b"one ")
        assert not path.exists()
        file.write(b"two")
    assert path.read_bytes() == b"one two"
    with pytest.raises(TypeError), open_atomically(path) as file:  # noqa: PT012  the first piece has to be written
        file.write(b"half")
        file.write("no bytes")
    assert path.read_bytes() == b"one two"
    assert os.listdir(tmp_path) == ["a.txt"]
