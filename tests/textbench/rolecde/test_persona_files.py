import json

import pytest

from mmrole.core.errors import InputError
from textbench.rolecde.persona_files import read_personas


def ids(found):
    return [each.persona_id for each in found.personas]


def test_a_folder_in_the_order_of_its_numbers(make, tmp_path):
    make.folder(tmp_path / "data", *(make.record(number) for number in (10, 9, 100)))
    (tmp_path / "data" / "notes.txt").write_text("no persona")
    assert ids(read_personas(tmp_path / "data")) == ["9", "10", "100"]


def test_jsonl_a_file_and_several_paths(make, tmp_path):
    lines = [json.dumps(make.record(name), ensure_ascii=False) for name in ("ann", "bob")]
    (tmp_path / "some.jsonl").write_text("\ufeff" + lines[0] + "\r\n\r\n" + lines[1], "utf-8")
    make.folder(tmp_path, make.record("eve"))
    assert ids(read_personas([tmp_path / "some.jsonl", tmp_path / "persona_eve.json"])) == ["ann", "bob", "eve"]


def test_the_packaged_ones_have_a_reversed_one_and_both_languages():
    found = read_personas("example").personas
    assert {each.language for each in found} == {"en", "zh"}
    assert all(set(each.dilemmas) == {"easy", "mid", "hard"} for each in found)


def test_a_bad_one_is_an_error_or_left_out_on_request(make, tmp_path):
    folder = make.folder(tmp_path / "data", make.record("ann"), make.record("bob", personal_value=""))
    (folder / "persona_cut.json").write_text('{"id": 1, ')
    with pytest.raises(InputError, match=r"persona_bob.json: field personal_value"):
        read_personas(folder, skip_invalid=False)
    found = read_personas(folder, skip_invalid=True)
    assert ids(found) == ["ann"]
    assert [each["path"].rsplit("_", 1)[1] for each in found.skipped] == ["bob.json", "cut.json"]
    assert "no JSON" in found.skipped[1]["reason"]


def test_two_of_one_id(make, tmp_path):
    (tmp_path / "two.jsonl").write_text(2 * (json.dumps(make.record()) + "\n"))
    with pytest.raises(InputError, match=r"two.jsonl, line 2.*: the id ann is already that of .*line 1"):
        read_personas(tmp_path / "two.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.json", None, "cannot be read"),
        ("list.json", b"[]", "holds a list"),
        ("latin.json", '{"id": "\xe9"}'.encode("latin-1"), "is no UTF-8 text"),
        ("empty.jsonl", b"\n", "the file is empty"),
        ("twice.json", b'{"id": 1, "id": 2}', "the key is there twice"),
    ],
)
def test_files_that_are_none(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_personas(tmp_path / name)


def test_a_folder_without_any(tmp_path):
    with pytest.raises(InputError, match=r"there are no files persona_<id>\.json"):
        read_personas(tmp_path)
