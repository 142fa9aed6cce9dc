"""Files of predicted labels, JSONL or CSV, as records that know where they stand."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import printable_path
from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines

COLUMNS: Final = ("utterance_id", "label")


class PredictionFile:
    """Predictions of a file: JSONL records with utterance_id and label, or a CSV table with columns of these names.

    Args:
        path: the file; what starts with a brace is JSONL
        stream: take only the records of this stream, as in the labels.jsonl of `mmrole score`; all when None

    Raises:
        InputError: the file cannot be read
    """

    def __init__(self, path: str | os.PathLike[str], *, stream: str | None = None) -> None:
        self.path = Path(path)
        self._shown = printable_path(path)
        self._stream = stream
        self._lines = array("q")
        try:
            with self.path.open("rb") as file:
                head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        except OSError as error:
            raise InputError(f"{self._shown}: cannot be read ({error.strerror})") from None
        self._json = JsonLines(self.path, "predictions") if head[:1] in (b"{", b"[") else None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The records of the stream.

        Raises:
            InputError: a line is no record, a column is missing, or there is no record; names file and line
        """
        self._lines = array("q")
        found: set[str] = set()
        records = self._of_table() if self._json is None else enumerate(self._json)
        for number, record in records:
            if self._stream is not None:
                found.add(str(record.get("stream")))
                if record.get("stream") != self._stream:
                    continue
            self._lines.append(number)
            yield record
        if not self._lines:
            seen = f" of the stream {self._stream!r}; there are {', '.join(sorted(found))}" if found else ""
            raise InputError(f"{self._shown}: there are no predictions{seen}")

    def _of_table(self) -> Iterator[tuple[int, dict[str, Any]]]:
        report = DefectReport(source=self._shown)
        table = Table(read_clean(self.path, report), self._shown)
        if missing := [name for name in COLUMNS if name not in table.header]:
            raise InputError(
                f"{self._shown}: no column {missing[0]}; predictions are JSONL records or a CSV table with {' and '.join(COLUMNS)}, "
                f"the first line is {','.join(table.header)[:80]!r}"
            )
        for row in table.rows(report, strict=True):
            cells = dict(zip(table.header, row, strict=True))
            yield table.line, {**cells, "utterance_id": cells["utterance_id"].strip()}

    def place(self, number: int) -> str:
        """File and line of a record that was read.

        Args:
            number: of the record, from 0
        """
        at = self._lines[number]
        return f"{self._shown}, line {at}" if self._json is None else self._json.place(at)
