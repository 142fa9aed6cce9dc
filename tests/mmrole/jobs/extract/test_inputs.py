import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from mmrole.jobs.extract.inputs import FoundFile, _named, find_inputs


def make(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return folder


def ids(inputs):
    return [file.clip_id for file in inputs.files]


def reasons(inputs, folder):
    return {os.path.relpath(entry["path"], folder): entry["reason"] for entry in inputs.skipped}


def test_clips_are_named_by_their_path_below_the_input(tmp_path):
    make(tmp_path, "b.mp4", "a/c.MKV", "a/长 'q' [g]* %03d.flv", "-dash.wav", "x.y.mp4")
    assert sorted(ids(find_inputs([tmp_path]))) == sorted(["-dash", "a/c", "a/长 'q' [g]* %03d", "b", "x.y"])


def test_clips_that_would_collide_keep_their_extension(tmp_path):
    make(tmp_path, "a.mp4", "a.mkv", "b.mp4", "d/a.mp4")
    assert sorted(ids(find_inputs([tmp_path]))) == ["a.mkv", "a.mp4", "b", "d/a"]


def test_a_clip_that_is_named_like_another_with_its_extension_does_not_collide(tmp_path):
    make(tmp_path, "a.mp4", "a.mkv", "a.mp4.flv", "a.mp4.flv.avi")
    assert sorted(ids(find_inputs([tmp_path]))) == ["a.mkv", "a.mp4", "a.mp4.flv", "a.mp4.flv.avi"]


def test_names_that_read_the_same_do_not_collide(tmp_path):
    """A byte that is not UTF-8 is written as a backslash, x and two digits: another file may really be named so."""
    make(tmp_path, "x\\xff.mp4", b"x\xff.mp4".decode("utf-8", "surrogateescape"))
    found = ids(find_inputs([tmp_path]))
    assert len(set(found)) == 2
    assert all("x\\xff.mp4~" in name for name in found)


@given(
    st.lists(
        st.sampled_from([f"{a}{b}{c}" for a in ("", "d/", "e/") for b in "xy" for c in (".mp4", ".mkv", ".mp4.mkv")]),
        unique=True,
        min_size=1,
    )
)
def test_clip_ids_are_unique_whatever_the_names(names):
    files = [FoundFile(clip_id=name, path=f"/v/{name}", shown=name) for name in names]
    named = _named(files)
    assert len({file.clip_id for file in named}) == len(files)
    assert [file.path for file in named] == [file.path for file in files]


def test_the_output_folder_is_no_input(tmp_path):
    make(tmp_path, "videos/a.mp4")
    for out in (tmp_path / "videos", tmp_path / "videos" / ".", tmp_path / "videos" / ".." / "videos"):
        with pytest.raises(UsageError, match="is an input too: choose a folder of its own"):
            find_inputs([tmp_path / "videos"], out=out)
    assert ids(find_inputs([tmp_path / "videos"], out=tmp_path)) == ["a"]


def test_a_folder_that_cannot_be_read_says_so(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("mmrole.jobs.extract.inputs.os.scandir", refuse)
    with pytest.raises(UsageError, match="cannot be read: Permission denied; check its permissions"):
        find_inputs([tmp_path])


def test_an_empty_name_is_no_input(tmp_path):
    with pytest.raises(UsageError, match="the name of an input is empty"):
        find_inputs(["", tmp_path])


def test_two_folders_with_the_same_names_do_not_collide(tmp_path):
    make(tmp_path, "one/a.mp4", "two/a.mp4")
    found = ids(find_inputs([tmp_path / "one", tmp_path / "two"]))
    assert len(set(found)) == 2
    assert [name.rsplit("/", 2)[-2:] for name in sorted(found)] == [["one", "a.mp4"], ["two", "a.mp4"]]


def test_what_is_clearly_no_clip_is_skipped_with_its_reason(tmp_path):
    make(tmp_path, "a.mp4", "._a.mp4", "Thumbs.db", "p.JPG", "notes.txt", "README", ".git/x.mp4", "dir.mp4/inside.mp4")
    os.mkfifo(tmp_path / "pipe.mp4")
    inputs = find_inputs([tmp_path])
    assert sorted(ids(inputs)) == ["a", "dir.mp4/inside"]
    told = reasons(inputs, tmp_path)
    assert set(told) == {"._a.mp4", "Thumbs.db", "p.JPG", "notes.txt", "README", ".git/x.mp4", "dir.mp4", "pipe.mp4"}
    assert "hidden" in told["._a.mp4"]
    assert "hidden" in told[".git/x.mp4"]
    assert "image" in told["p.JPG"]
    assert ".txt" in told["notes.txt"]
    assert "folder" in told["dir.mp4"]
    assert "pipe" in told["pipe.mp4"]


def test_links_are_followed_and_loops_end(tmp_path):
    make(tmp_path / "real", "a.mp4")
    make(tmp_path / "videos", "b.mp4")
    (tmp_path / "videos" / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "videos" / "loop").symlink_to(tmp_path / "videos")
    (tmp_path / "videos" / "link.mp4").symlink_to(tmp_path / "real" / "a.mp4")
    (tmp_path / "videos" / "broken.mp4").symlink_to(tmp_path / "nowhere.mp4")
    assert sorted(ids(find_inputs([tmp_path / "videos"]))) == ["b", "broken", "link", "linked/a"]


def test_a_file_that_is_named_twice_counts_once(tmp_path):
    make(tmp_path, "a.mp4", "b.mp4")
    assert sorted(ids(find_inputs([tmp_path, tmp_path / "a.mp4", tmp_path]))) == ["a", "b"]


def test_a_file_that_is_named_itself_is_tried_whatever_its_ending(tmp_path):
    make(tmp_path, "clip.dat", "p.png")
    assert ids(find_inputs([tmp_path / "clip.dat"])) == ["clip"]
    with pytest.raises(UsageError, match=r"p\.png holds no clip"):
        find_inputs([tmp_path / "p.png"])


def test_the_output_folder_inside_an_input_is_left_alone(tmp_path):
    make(tmp_path, "a.mp4", "features/keyframes/a/face.jpg", "features/x.mp4")
    inputs = find_inputs([tmp_path], out=tmp_path / "features")
    assert ids(inputs) == ["a"]
    assert inputs.skipped == []


def test_names_that_are_not_utf8_are_taken(tmp_path):
    name = os.fsencode(tmp_path) + b"/bad\xff.mp4"
    with open(name, "wb") as file:
        file.write(b"x")
    [found] = find_inputs([tmp_path]).files
    assert found.clip_id == "bad\\xff"
    assert found.shown.endswith("bad\\xff.mp4")
    assert os.fsencode(found.path) == name


def test_bad_inputs_are_one_line_that_names_them(tmp_path):
    make(tmp_path / "papers", "notes.txt")
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "nowhere.mp4", tmp_path / "papers", tmp_path / "empty"):
        with pytest.raises(UsageError, match=path.name) as error:
            find_inputs([path])
        assert "\n" not in str(error.value)
    with pytest.raises(UsageError, match="no input"):
        find_inputs([])
