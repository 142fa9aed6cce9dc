import pytest

from mmrole.core.errors import InputError
from textbench.rolecde.construction import read_seeds


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("s.txt", "A captain\n\n渡船船长\n", [("1", "A captain", "en"), ("3", "渡船船长", "zh")]),
        ("s.jsonl", '{"id": 7, "persona": "A captain"}\n{"id": "b", "persona": "x", "language": "zh"}\n',
         [("7", "A captain", "en"), ("b", "x", "zh")]),
        ("s.csv", '\ufeffid,persona\n7,"A captain, retired"\n', [("7", "A captain, retired", "en")]),
    ],
)  # fmt: skip
def test_seeds_are_read(tmp_path, name, text, wanted):
    (tmp_path / name).write_text(text, "utf-8")
    assert [(seed.seed_id, seed.text, seed.language) for seed in read_seeds(tmp_path / name)] == wanted


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("s.txt", b"\n\n", "no seeds"),
        ("s.txt", b"\xff\xfe\xfa", "not UTF-8"),
        (
            "s.jsonl",
            b'{"id": 1, "persona": "a"}\n{"id": "1", "persona": "b"}\n',
            "line 2: the id 1 is there a second time",
        ),
        ("s.jsonl", b'{"id": 1}\n', "line 1: field persona"),
        ("s.csv", b"id,persona\n1,\n", "field persona"),
        ("s.jsonl", b'{"id": "../x", "persona": "a"}\n', "field id"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as raised:
        read_seeds(tmp_path / name)
    assert name in str(raised.value)
