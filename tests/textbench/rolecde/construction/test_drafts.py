import pytest

from mmrole.core.errors import InputError
from textbench.rolecde.construction import read_seeds
from textbench.rolecde.construction.drafts import DilemmaGiven


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("s.txt", "A captain\n\n渡船船长\n", [("1", "A captain", "en"), ("3", "渡船船长", "zh")]),
        ("s.jsonl", '{"id": 7, "persona": "A captain"}\n{"id": "b", "persona": "x", "language": "zh"}\n',
         [("7", "A captain", "en"), ("b", "x", "zh")]),
        ("s.csv", '\ufeffid,persona\n7,"A captain, retired"\n', [("7", "A captain, retired", "en")]),
        # as a spreadsheet of another country writes it
        ("s.csv", "persona;id\r\nA captain;7\r\n;\r\n", [("7", "A captain", "en")]),
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
        ("s.csv", b"id,persona\n1,\n", "row 2, column persona: the cell is empty"),
        ("s.csv", b"id,persona\n-1,x\n", "row 2, column id: an id is"),
        ("s.csv", b"id,persona\n1,a\n1,b\n", "row 3: the id 1 is there a second time"),
        ("s.csv", b"persona\na\n", "no column 'id'"),
        ("s.jsonl", b'{"id": -5, "persona": "a"}\n', "line 1: field id: value error, an id is"),
        ("s.jsonl", b'{"id": "a b", "persona": "a"}\n', "field id"),
        ("s.jsonl", b'{"id": "../x", "persona": "a"}\n', "field id"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message) as raised:
        read_seeds(tmp_path / name)
    assert name in str(raised.value)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (("A: Stay.", "B: Go."), ("Stay.", "Go.")),
        (("Option B. Stay.", "(A) Go."), ("Stay.", "Go.")),
        (("选项A：留下。", "选项B：离开。"), ("留下。", "离开。")),
        # no letters of options: one alone, or the same twice
        (("A. Smith stays.", "Go."), ("A. Smith stays.", "Go.")),
        (("A. Smith stays.", "A. Smith goes."), ("A. Smith stays.", "A. Smith goes.")),
    ],
)
def test_letters_of_the_authors_own_are_taken_off(options, kept):
    found = DilemmaGiven(description="d", alignment_option=options[0], role_option=options[1])
    assert (found.alignment_option, found.role_option) == kept
