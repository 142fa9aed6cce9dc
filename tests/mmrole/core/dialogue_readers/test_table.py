import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.errors import InputError

CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(CELL, min_size=n, max_size=n), min_size=1, max_size=6)))
def test_round_trip_of_any_text(rows):
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    names = [f"c{i}" for i in range(len(rows[0]))]
    writer.writerows([names, *rows])
    table = Table(out.getvalue().encode(), "t.csv")
    report = DefectReport(source="t.csv")
    assert table.header == tuple(names)
    assert list(table.rows(report, strict=True)) == rows
    assert not report


def rows_of(data, *, strict=True):
    report = DefectReport(source="t.csv")
    table = Table(data, "t.csv")
    return list(table.rows(report, strict=strict)), report


def test_commas_quotes_and_line_breaks():
    rows, _ = rows_of(b'a,b\n"x, ""y""\nz",1\nw,2\n')
    assert rows == [['x, "y"\nz', "1"], ["w", "2"]]


def test_rows_of_another_length():
    with pytest.raises(InputError, match=r"t\.csv, line 3: 3 fields, the header has 2"):
        rows_of(b"a,b\n1,2\n1,2,3\n")
    rows, report = rows_of(b"a,b\n1,2\n1,2,3\n\n1\n5,6\n", strict=False)
    assert rows == [["1", "2"], ["5", "6"]]
    assert report.counts == {DefectKind.BAD_RECORD: 2, DefectKind.BLANK_ROW: 1}


def test_a_quote_that_is_not_closed_names_the_line_where_it_starts():
    with pytest.raises(InputError, match=r"t\.csv, line 3: the row that starts here is no CSV"):
        rows_of(b'a,b\n1,2\n"3,4\n5,6\n')


def test_columns():
    with pytest.raises(InputError, match="column 'a' is there twice"):
        Table(b"a,a\n", "t.csv")
    report = DefectReport(source="t.csv")
    table = Table(b"a, b,c\n", "t.csv")
    table.require(("a", "b"), ("a", "b", "d"), report)
    assert [d.value for d in report.first[DefectKind.UNKNOWN_COLUMN]] == ["c"]
    with pytest.raises(InputError, match=r"t\.csv: no column d; there are a, b, c"):
        table.require(("a", "d"), (), report)
