"""Rows of a CSV file by RFC 4180: quoted fields may hold commas, doubled quotes and line breaks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.errors import InputError

_LONGEST_FIELD: Final = 1 << 27  # characters; one unclosed quote must not swallow a file of any size unseen


class Table:
    """A CSV file with a header.

    Args:
        data: clean UTF-8 (see `read_clean`)
        source: the file, for messages
        delimiter: between the fields
    """

    def __init__(self, data: bytes, source: str, *, delimiter: str = ",") -> None:
        self.source = source
        csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
        self._lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
        self._reader = csv.reader(self._lines, strict=True, delimiter=delimiter)
        self.header: tuple[str, ...] = ()
        for row in self._guarded():
            if row:
                self.header = tuple(name.strip() for name in row)
                break
        if repeated := [name for name in self.header if self.header.count(name) > 1]:
            raise InputError(f"{source}, line {self.line}: column {repeated[0]!r} is there twice")

    @property
    def line(self) -> int:
        """Number of the last line of the current row, from 1."""
        return self._reader.line_num

    def _guarded(self) -> Iterator[list[str]]:
        start = 1
        while True:
            try:
                row = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise InputError(f"{self.source}, line {start}: the row that starts here is no CSV ({error})") from None
            start = self._reader.line_num + 1
            yield row

    def rows(self, report: DefectReport, *, strict: bool) -> Iterator[list[str]]:
        """The rows below the header, each with as many fields as the header.

        Args:
            report: gets blank rows and, unless strict, rows of another length, which are left out
            strict: a row of another length is an error

        Raises:
            InputError: a row of another length, or a quote that is not closed
        """
        width = len(self.header)
        for row in self._guarded():
            if len(row) == width:
                yield row
            elif not row:
                report.add(DefectKind.BLANK_ROW, f"line {self.line}")
            else:
                self.bad_row(f"{len(row)} fields, the header has {width}", report, strict=strict)

    def bad_row(self, problem: str, report: DefectReport, *, strict: bool) -> None:
        """Says that the current row cannot be used.

        Args:
            problem: what is wrong with it
            report: gets it, unless strict
            strict: raise instead

        Raises:
            InputError: strict
        """
        if strict:
            raise InputError(f"{self.source}, line {self.line}: {problem}")
        report.add(DefectKind.BAD_RECORD, f"line {self.line}", problem)

    def require(self, required: tuple[str, ...], known: tuple[str, ...], report: DefectReport) -> None:
        """Checks the header against a format.

        Args:
            required: columns that have to be there
            known: all columns of the format
            report: gets the columns that are not of the format

        Raises:
            InputError: a required column is not there
        """
        if missing := [name for name in required if name not in self.header]:
            raise InputError(f"{self.source}: no column {', '.join(missing)}; there are {', '.join(self.header)[:200]}")
        for name in self.header:
            if name not in known:
                report.add(DefectKind.UNKNOWN_COLUMN, "line 1", name)
