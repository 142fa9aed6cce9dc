import csv
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from mmrole.core.errors import DiskError, InputError, UsageError
from mmrole.core.review import read_sheet, write_sheet


class Row(BaseModel):
    item: str
    text: str = ""
    rating: Annotated[int, Field(ge=1, le=5)] | None = None
    clear: Literal["yes", "no"] | None = None


ROWS = [
    {"item": "27_000", "text": "她说，“好”\n第二行"},
    {"item": "b", "text": '=HYPERLINK("x")'},
    {"item": "c", "text": None},
]


def test_out_and_back(tmp_path):
    path = tmp_path / "sheet.csv"
    assert write_sheet(path, ["item", "text"], ROWS, fill=["rating", "clear"]) == 3
    assert path.read_bytes().startswith("\ufeffitem,text,rating,clear\r\n".encode())
    sheet = read_sheet(path, Row)
    assert [row.item for row in sheet] == ["27_000", "b", "c"]
    assert [row.text for row in sheet] == ["她说，“好”\n第二行", '=HYPERLINK("x")', ""]
    assert [row.rating for row in sheet] == [None] * 3
    assert len(sheet) == 3
    assert sheet.place(1) == f"{path}, row 3"
    assert sheet.place(2, "rating") == f"{path}, row 4, column rating"


def test_no_cell_is_a_formula(tmp_path):
    path = tmp_path / "s.csv"
    write_sheet(path, ["item", "n"], [{"item": text, "n": -1} for text in ("=1+1", "+x", "-x", "@x", "'=x", "x=1")])
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [row["item"] for row in csv.DictReader(file)]
    # a number is one: only texts are guarded
    assert cells == ["'=1+1", "'+x", "'-x", "'@x", "''=x", "x=1"]
    assert b",-1\r\n" in path.read_bytes()
    assert [row.item for row in read_sheet(path, Row)] == ["=1+1", "+x", "-x", "@x", "'=x", "x=1"]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), min_size=1, max_size=5))
def test_any_text_comes_back(tmp_path_factory, texts):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    write_sheet(path, ["item", "text"], [{"item": "x", "text": text} for text in texts])
    # outer white space is not kept
    assert [row.text for row in read_sheet(path, Row)] == [text.strip() for text in texts]


@pytest.mark.parametrize(
    "content",
    [
        "item;rating;clear\r\na;4;yes\r\n",
        "item\trating\tclear\na\t4\tyes\n",
        'notes,clear,rating,item\n"x, y",yes,4,a\n',
        "\n item , rating , clear \n\n a , 4 , yes \n,,\n",
    ],
)  # what spreadsheets make of a sheet
def test_other_spreadsheets(tmp_path, content):
    path = tmp_path / "s.csv"
    path.write_text(content, "utf-8")
    (row,) = read_sheet(path, Row)
    assert (row.item, row.rating, row.clear) == ("a", 4, "yes")


def test_other_encodings(tmp_path):
    for encoding in ("utf-16", "gb18030"):
        path = tmp_path / "s.csv"
        path.write_bytes("item,text\n甲,你好，世界，这是一句话\n".encode(encoding))
        assert [row.text for row in read_sheet(path, Row)] == ["你好，世界，这是一句话"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "item,rating\na,3\n\n\nb,6\n",
            "s.csv, row 5, column rating: input should be less than or equal to 5, got '6'",
        ),
        ("item,rating\na,three\n", "s.csv, row 2, column rating: input should be a valid integer, .*got 'three'"),
        ("item,rating,clear\na,,maybe\n", "s.csv, row 2, column clear: input should be 'yes' or 'no', got 'maybe'"),
        ("item,rating\n,4\n", "s.csv, row 2, column item: the cell is empty: fill it in"),
        ("name,rating\na,4\n", "s.csv, row 1: no column 'item'; there are name, rating"),
        ("item,item\na,b\n", "column 'item' is there twice"),
        ("item,rating\na\n", "line 2: 1 fields, the header has 2"),
        ('item,rating\n"a,3\n', "the row that starts here is no CSV"),
        ("item,rating\n", "there are no rows below the header"),
        ("", "the file is empty"),
    ],
)
def test_one_line_says_what_is_wrong(tmp_path, content, message):
    path = tmp_path / "s.csv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_sheet(path, Row)
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path):
    with pytest.raises(InputError, match=r"nothing\.csv: cannot be read"):
        read_sheet(tmp_path / "nothing.csv", Row)
    (tmp_path / "file").write_text("")
    with pytest.raises(DiskError):
        write_sheet(tmp_path / "file" / "s.csv", ["item"], [])


def test_usage(tmp_path):
    for columns, fill in (((), ()), (("a",), ("a",)), (("a", " "), ())):
        with pytest.raises(UsageError, match="a review sheet has columns"):
            write_sheet(tmp_path / "s.csv", columns, [], fill=fill)
    with pytest.raises(UsageError, match="row 2: the sheet has no column 'b'; it has a"):
        write_sheet(tmp_path / "s.csv", ["a"], [{"a": 1}, {"b": 2}])
    assert not (tmp_path / "s.csv").exists()


def test_a_line_that_is_no_header_is_one_line_of_an_error(tmp_path):
    (tmp_path / "items.jsonl").write_text('{"text": "' + "word " * 40_000 + '"}\n', "utf-8")
    with pytest.raises(InputError, match=r"items\.jsonl"):
        read_sheet(tmp_path / "items.jsonl", Row)
