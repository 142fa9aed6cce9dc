import pytest
from pydantic import BaseModel

from mmrole.core.errors import InputError
from mmrole.core.records import json_object, validated


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
