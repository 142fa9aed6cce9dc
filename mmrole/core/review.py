"""Review sheets: rows out as CSV for people to fill in with any spreadsheet, and back in, checked.

A sheet is UTF-8 with a byte order mark, so that spreadsheets show Chinese. A spreadsheet takes a cell that begins with ``=``, ``+``,
``-`` or ``@`` for a formula: a text that does gets an apostrophe before it, which reading takes away again.

Read back is whatever a spreadsheet makes of the file: other encodings, semicolons or tabs between the cells, columns in another
order, more columns, empty rows.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically

ModelT = TypeVar("ModelT", bound=BaseModel)
File = str | os.PathLike[str]

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r]")
_GUARDED: Final = re.compile(r"'+[=+\-@\t\r]")
_DELIMITERS: Final = (",", ";", "\t")


def write_sheet(
    path: File, columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, fill: Sequence[str] = ()
) -> int:
    """Writes a review sheet, whole or not at all.

    Args:
        path: the CSV file
        columns: what people are shown, in order
        rows: column -> value; None is an empty cell. A row may also hold values of columns of `fill`, as a suggestion
        fill: columns to fill in, to the right of the others

    Returns:
        number of rows

    Raises:
        UsageError: a column is named twice, has no name, or a row has a column that the sheet does not have
        DiskError: it cannot be written
    """
    header = [*columns, *fill]
    if not header or len(set(header)) != len(header) or not all(name.strip() for name in header):
        raise UsageError(f"a review sheet has columns, each with its own name, not {', '.join(header) or 'none'}")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    count = 0
    for count, row in enumerate(rows, start=1):
        if strange := [name for name in row if name not in header]:
            raise UsageError(f"row {count}: the sheet has no column {strange[0]!r}; it has {', '.join(header)}")
        writer.writerow([_cell(row.get(name)) for name in header])
    write_atomically(Path(path), b"\xef\xbb\xbf" + text.getvalue().encode("utf-8", "backslashreplace"))
    return count


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value).replace("\0", "")
    return f"'{text}" if isinstance(value, str) and _FORMULA.match(text) else text


@dataclass(frozen=True, kw_only=True)
class Sheet(Generic[ModelT]):
    """A review sheet that was read.

    Attributes:
        path: the file, for messages
        rows: its rows, in order; those without any cell are left out
        numbers: number of each row as spreadsheets count, the header is 1
    """

    path: str
    rows: tuple[ModelT, ...]
    numbers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ModelT]:
        return iter(self.rows)

    def place(self, number: int, column: str | None = None) -> str:
        """File, row and column, for messages.

        Args:
            number: of the row in `rows`, from 0
            column: a column; None for the whole row
        """
        row = f"{self.path}, row {self.numbers[number]}"
        return row if column is None else f"{row}, column {column}"


def read_sheet(path: File, schema: type[ModelT]) -> Sheet[ModelT]:
    """Reads a review sheet back.

    An empty cell is no value: a field with a default gets that, one without is an error. Outer white space of a cell is removed.

    Args:
        path: the CSV file
        schema: one field per column that is wanted; other columns are ignored. Cells are texts: fields of other types are read by
            pydantic from them

    Raises:
        InputError: no such sheet, a column that is not there, or a cell that does not fit: one line that names file, row, column, value
    """
    source = os.fspath(path)
    report = DefectReport(source=source)
    data = read_clean(source, report)
    names = {info.alias or name: name for name, info in schema.model_fields.items()}
    table = Table(data, source, delimiter=_delimiter(data, names))
    wanted = [name for name, field in names.items() if schema.model_fields[field].is_required()]
    if missing := [name for name in wanted if name not in table.header]:
        raise InputError(f"{source}, row 1: no column {missing[0]!r}; there are {', '.join(table.header)[:200]}")
    rows: list[ModelT] = []
    numbers: list[int] = []
    for number, cells in enumerate(table.rows(report, strict=True), start=2):
        if not any(cell.strip() for cell in cells):
            continue
        at = number + report.counts.get(DefectKind.BLANK_ROW, 0)
        given = {
            name: text
            for name, cell in zip(table.header, cells, strict=True)
            if name in names and (text := _unguarded(cell.strip()))
        }
        rows.append(_checked(schema, given, f"{source}, row {at}"))
        numbers.append(at)
    if not rows:
        raise InputError(f"{source}: there are no rows below the header")
    return Sheet(path=source, rows=tuple(rows), numbers=tuple(numbers))


def _delimiter(data: bytes, names: Iterable[str]) -> str:
    """What stands between the cells: whatever parts the header into most of the columns that are wanted."""
    header = data.lstrip(b"\r\n").split(b"\n", 1)[0].decode("utf-8", "replace").strip("\r")

    def found(delimiter: str) -> int:
        try:
            cells = {cell.strip() for cell in next(csv.reader([header], delimiter=delimiter), [])}
        except csv.Error:  # a cell longer than any of a sheet: this is no header
            return 0
        return sum(name in cells for name in names)

    return max(_DELIMITERS, key=found)


def _unguarded(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


def _checked(schema: type[ModelT], given: dict[str, Any], row: str) -> ModelT:
    try:
        return schema.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        column = str(first["loc"][0]) if first["loc"] else None
        more = f" (and {error.error_count() - 1} more in this row)" if error.error_count() > 1 else ""
        where = row if column is None else f"{row}, column {column}"
        if first["type"] == "missing":
            raise InputError(f"{where}: the cell is empty: fill it in{more}") from None
        seen = repr(given.get(column) if column is not None else given)
        message = first["msg"].removeprefix("Value error, ")
        raise InputError(
            f"{where}: {message[:1].lower()}{message[1:]}, got {seen if len(seen) <= 80 else f'{seen[:77]}...'}{more}"
        ) from None
