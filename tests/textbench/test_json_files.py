import pytest

from mmrole.core.errors import InputError
from textbench.json_files import read_object


def test_an_object_with_or_without_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": [1, "\xe4\xb8\xad"]}')
    assert read_object(path) == {"a": [1, "中"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1, "a": 2}', r"a\.json: a: the key is there twice in one object$"),
        (b'{"a": NaN}', r"a\.json: NaN is no JSON number$"),
        (b'{\n"a": }', r"a\.json, line 2: no JSON \(Expecting value\)$"),
        (b"[1]", r"a\.json: holds a list, not an object in braces$"),
        (b'{"a": "\xff"}', r"a\.json: is no UTF-8 text \(byte 7\)$"),
        (b"[" * 200_000, r"a\.json: is nested too deeply$"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_file(tmp_path, data, message):
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_object(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"b\.json: cannot be read \(No such file"):
        read_object(tmp_path / "b.json")
