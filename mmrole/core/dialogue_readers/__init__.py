"""Readers of dialogues: CPED and MELD tables and the project's own JSONL, each with a report of what is wrong in it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mmrole.core.dialogue import Dialogue
from mmrole.core.dialogue_readers import cped, jsonl, meld
from mmrole.core.dialogue_readers.defects import NOTES, Defect, DefectKind, DefectReport
from mmrole.core.dialogue_readers.grouping import DialogueBuilder
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError, UsageError

__all__ = ["FORMATS", "NOTES", "DataSet", "Defect", "DefectKind", "DefectReport", "read_data_set", "read_dialogues"]

FORMATS: Final = ("auto", "cped", "meld", "jsonl")
"""What `format` may be."""

_LABELS: Final = {"cped": "cped-13", "meld": "meld-7", "jsonl": None}


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """A file of dialogues as it was read.

    Attributes:
        source: the file
        format: cped, meld or jsonl
        dialogues: in the order of the file
        report: what was wrong with it
        labels: name of the format's label set; None where it has none
    """

    source: str
    format: str
    dialogues: list[Dialogue]
    report: DefectReport
    labels: str | None


def read_dialogues(path: str | Path, format: str = "auto") -> list[Dialogue]:  # noqa: A002  the word users expect
    """Reads dialogues from a CPED or MELD CSV file or from the project's own JSONL.

    Args:
        path: the file
        format: one of `FORMATS`; ``auto`` tells the format from the file

    Returns:
        the dialogues in the order of the file

    Raises:
        InputError: the file is not of that format, a row has another number of fields or no id, or an utterance id is
            there twice; the message names file, line and value
    """
    return read_data_set(path, format=format, strict=True).dialogues


def read_data_set(path: str | Path, *, format: str = "auto", strict: bool = False) -> DataSet:  # noqa: A002
    """Reads dialogues together with a report of all defects that were met.

    Args:
        path: the file
        format: one of `FORMATS`; ``auto`` tells the format from the file
        strict: raise at the first row that cannot be used, instead of leaving it out and counting it

    Raises:
        InputError: the file cannot be read, or is of no known format
    """
    if format not in FORMATS:
        raise UsageError(f"format has to be one of {', '.join(FORMATS)}, not {format!r}")
    with _collector_paused():
        return _read(str(path), format, strict=strict)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No garbage collection meanwhile: it would walk a million new objects again and again, none of them garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read(source: str, format: str, *, strict: bool) -> DataSet:  # noqa: A002  as above
    report = DefectReport(source=source)
    data = read_clean(source, report)
    builder = DialogueBuilder(report, source, strict=strict)
    if format == "jsonl" or (format == "auto" and data.lstrip()[:1] == b"{"):
        format = "jsonl"  # noqa: A001
        jsonl.read_jsonl(data, source, report, builder, strict=strict)
    else:
        table = Table(data, source)
        format = _format_of(table, format)  # noqa: A001
        read: Callable[..., None] = cped.read_cped if format == "cped" else meld.read_meld
        read(table, report, builder, strict=strict)
    return DataSet(source=source, format=format, dialogues=builder.dialogues(), report=report, labels=_LABELS[format])


def _format_of(table: Table, asked: str) -> str:
    """The format that was asked for, else the one whose columns are there."""
    if asked != "auto":
        return asked
    columns = set(table.header)
    # MELD names its clips by two numbers; CPED has the face and dialogue act columns that MELD lacks
    if columns >= set(meld.REQUIRED) and columns & {"StartTime", "Season", "Sr No."}:
        return "meld"
    if columns >= set(cped.REQUIRED):
        return "cped"
    raise InputError(
        f"{table.source}: neither a CPED nor a MELD table nor JSONL; CPED needs the columns {', '.join(cped.REQUIRED)}, "
        f"the first line is {','.join(table.header)[:80]!r}"
    )
