"""The journal: an append-only JSONL file that survives a crash between any two bytes.

A record is one line. The last record of a key counts, so an item that failed is tried again by appending to the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import StoreError
from mmrole.core.files import disk_error, explained, make_folder


class Journal:
    """Records by key, on disk as soon as `append` returns.

    Args:
        path: the JSONL file; made when it is not there
        key: name of the field that identifies an item

    Attributes:
        torn: bytes of a torn last line that were moved to ``NAME.bad`` on opening, 0 when there was none

    Raises:
        StoreError: a line before the last one is damaged; the message names file and line
    """

    def __init__(self, path: Path, *, key: str) -> None:
        self.path = path
        self._key = key
        self._latest: dict[str, Record] = {}
        self.torn = 0
        make_folder(path.parent)
        with explained(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            self._load()
        except BaseException:
            os.close(self._file)
            raise

    def _load(self) -> None:
        content = self.path.read_bytes()
        end = content.rfind(b"\n") + 1
        whole, tail = content[:end], content[end:]
        for number, line in enumerate(whole.split(b"\n")[:-1], 1):
            record = parse_line(line, self.path, number)
            if self._key not in record:
                raise StoreError(
                    f"{self.path} line {number} is no record of this journal: it has no {self._key!r}; restore it from a copy or use a "
                    "new folder"
                )
            self._remember(record)
        if tail:
            self._mend_tail(tail, end)

    def _mend_tail(self, tail: bytes, end: int) -> None:
        try:
            record = parse_line(tail, self.path, 0)
            if self._key not in record:
                raise StoreError("no record of this journal")
        except StoreError:
            self.torn = len(tail)
            with explained(self.path):
                with self.path.with_name(f"{self.path.name}.bad").open("ab") as bad:
                    bad.write(tail + b"\n")
                os.ftruncate(self._file, end)
                os.fsync(self._file)
        else:  # only the line break was lost
            self._remember(record)
            self._write(b"\n")

    def _remember(self, record: Record) -> None:
        self._latest[record[self._key]] = record

    def append(self, record: Record) -> None:
        """Stores a record; it is on the disk when this returns.

        Raises:
            DiskError: no space, no permission; the file is as it was before
            ValueError: the record holds NaN or infinity
        """
        self.append_many([record])

    def append_many(self, records: Sequence[Record]) -> None:
        """Stores records with one flush; all are on the disk when this returns.

        Raises:
            DiskError: no space, no permission; the file is as it was before
            ValueError: a record holds NaN or infinity; none is stored
        """
        self._write("".join(f"{to_json(record)}\n" for record in records).encode())
        for record in records:
            self._remember(record)

    def _write(self, data: bytes) -> None:
        before = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, before)
            raise disk_error(self.path, error) from error

    def get(self, key: str) -> Record | None:
        """The last record of an item, None when there is none."""
        return self._latest.get(key)

    def records(self) -> list[Record]:
        """The last record of every item, in the order in which items first came."""
        return list(self._latest.values())

    def __contains__(self, key: object) -> bool:
        return key in self._latest

    def __len__(self) -> int:
        return len(self._latest)

    def close(self) -> None:
        """Closes the file; the records stay readable."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def parse_line(line: bytes, path: Path, number: int) -> Record:
    """One line of a JSONL file as a record.

    Raises:
        StoreError: the line is no JSON object; the message names file and line
    """
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"{path} line {number} is damaged: {error}; restore it from a copy or use a new folder"
        ) from None
    if not isinstance(record, dict):
        raise StoreError(
            f"{path} line {number} is no record: {line[:60]!r}; restore it from a copy or use a new folder"
        )
    return record


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"it holds {constant}, which is no JSON number")


def read_records(path: Path) -> Iterator[Record]:
    """The records of a finished JSONL file, line by line.

    Raises:
        StoreError: a line is damaged; the message names file and line
        OSError: the file cannot be read
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield parse_line(line, path, number)
