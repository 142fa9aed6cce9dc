import pytest
from pydantic import BaseModel

from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines, json_object, places, validated


class _Thing(BaseModel):
    name: str
    size: int


def test_valid_record():
    assert validated(_Thing, {"name": "a", "size": 1}, "f.jsonl, line 1").size == 1


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"name": "a"}, r"f\.jsonl, line 3: field size: field required, got \{'name': 'a'\}"),
        ({"name": "a", "size": "x" * 200}, r"f\.jsonl, line 3: field size: .*got 'xxx.*\.\.\.$"),
        ([1], r"f\.jsonl, line 3: input should be .*got \[1\]"),
        ({}, r"\(and 1 more\)"),
    ],
)
def test_errors_are_one_line_with_place_field_and_value(record, message):
    with pytest.raises(InputError, match=message) as error:
        validated(_Thing, record, "f.jsonl, line 3")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_json_object():
    assert json_object('{"a": 1}', "x") == {"a": 1}


@pytest.mark.parametrize("line", ['{"a": 1', "[1, 2]", '{"a": NaN}', '{"a": -Infinity}', b'{"a": "\xff"}', "7"])
def test_what_is_no_json_object(line):
    with pytest.raises(InputError, match=r"^f, line 9: "):
        json_object(line, "f, line 9")


def test_records_of_a_file_know_their_lines(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\n \t\n{"a": "\xe6\x82\xb2"}\n\n{"a": null}')
    records = JsonLines(path)
    for _ in range(2):  # each iteration reads the file again
        assert list(records) == [{"a": 1}, {"a": "悲"}, {"a": None}]
        assert [records.place(number) for number in range(3)] == [f"{path}, line {line}" for line in (1, 4, 6)]
    assert places(records, "vote")(1) == f"{path}, line 4"
    assert places([{}], "vote")(0) == "vote 1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"r\.jsonl: the file is empty, there are no votes in it"),
        (b" \n\n", r"r\.jsonl: the file is empty, there are no votes in it"),
        (b'{}\n\n{"a": 1, "b\n{}\n', r"r\.jsonl, line 3: no JSON object \(EOF while parsing a string, character 11\)"),
        (b"{}\n[1]\n", r"r\.jsonl, line 2: a list, not an object in braces: '\[1\]'"),
        (b'{"a": NaN}\n', r"r\.jsonl, line 1: no JSON object"),
        (b'{"a": Infinity}\n', r"r\.jsonl, line 1: no JSON object"),
        (b'{"a": "\xff"}\n', r"r\.jsonl, line 1: no JSON object"),
        (b"\x89PNG\r\n\x1a\n\x00" + b"x" * 500, r"r\.jsonl, line 1: no JSON object"),
    ],
)
def test_a_line_that_is_no_object_is_named(tmp_path, content, message):
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        list(JsonLines(path, "votes"))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < len(str(path)) + 200


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        list(JsonLines(tmp_path / "nowhere"))


def test_an_object_that_is_nested_too_deeply():
    with pytest.raises(InputError, match=r"f, line 2: .* nested too deeply"):
        json_object(b'{"a":' * 5000 + b"1" + b"}" * 5000, "f, line 2")
