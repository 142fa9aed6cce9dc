"""From the bytes of a table to clean UTF-8: encodings, byte order marks and what Windows-1252 left behind.

This is the one place that decides how the bytes of a data set are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.errors import InputError

_UTF8_C1: Final = re.compile(rb"\xc2[\x80-\x9f]")
_CONTROL: Final = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
_MOJIBAKE: Final = re.compile(rb"\xc3\xa2\xe2\x82\xac|\xc3\x83\xc2[\x80-\xbf]")  # â€ and Ã with what follows it
_REPLACEMENT: Final = re.compile("\ufffd".encode())
_REMARKABLE: Final = {
    DefectKind.CONTROL_CHARACTER: _CONTROL,
    DefectKind.REPLACEMENT_CHARACTER: _REPLACEMENT,
    DefectKind.MOJIBAKE: _MOJIBAKE,
}
_ESCAPED_BYTE: Final = re.compile("[\udc80-\udcff]")
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def read_clean(path: str | Path, report: DefectReport) -> bytes:
    """Reads a text file whatever its encoding.

    UTF-8 with or without a byte order mark, UTF-16 with one, GB18030, and UTF-8 mixed with Windows-1252: single bytes
    that are no UTF-8, and C1 control characters (U+0080 to U+009F), are read as what they mean in Windows-1252.

    Args:
        path: the file
        report: gets what was repaired

    Returns:
        the text in UTF-8 without a byte order mark, line ends as in the file

    Raises:
        InputError: the file cannot be opened, is empty or is no text
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if not data.strip():
        raise InputError(f"{path}: the file is empty")
    if data.startswith(_UTF16_MARKS):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise InputError(f"{path}: starts like UTF-16 but is not") from None
        report.add(DefectKind.UTF16, "line 1")
    elif data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        report.add(DefectKind.BOM, "line 1")
    if (position := data.find(b"\0")) >= 0:
        raise InputError(f"{path}: is no text file (byte {position} is 0)")
    try:
        data.decode()
    except UnicodeDecodeError:
        data = _repaired(data, report)
    if _UTF8_C1.search(data):
        data = _without_c1(data, report)
    for kind, pattern in _REMARKABLE.items():
        line_of = _line_counter(data)
        for match in pattern.finditer(data):
            report.add(kind, line_of(match.start()), ascii(match.group().decode()))
    _check_line_ends(data, report)
    return data


def _check_line_ends(data: bytes, report: DefectReport) -> None:
    pairs, all_ends = data.count(b"\r\n"), data.count(b"\n")
    if pairs and pairs == all_ends:
        report.add(DefectKind.CRLF, "line 1")
    elif pairs:
        place = _line_counter(data)(data.find(b"\r\n"))
        report.add(DefectKind.MIXED_LINE_ENDINGS, place, f"{pairs} of {all_ends} are CR LF")


def _repaired(data: bytes, report: DefectReport) -> bytes:
    """UTF-8 from bytes that are not, or not wholly, UTF-8."""
    if _is_gb18030(data):
        report.add(DefectKind.GB18030, "line 1")
        return data.decode("gb18030").encode()
    text = data.decode("utf-8", "surrogateescape")  # U+DC80 to U+DCFF stand for the bytes that are no UTF-8
    line_of = _line_counter(text)

    def repair(match: re.Match[str]) -> str:
        byte = bytes([ord(match.group()) - 0xDC00])
        report.add(DefectKind.CP1252_BYTE, line_of(match.start()), repr(byte)[2:-1])
        return _cp1252(byte)

    return _ESCAPED_BYTE.sub(repair, text).encode()


def _is_gb18030(data: bytes) -> bool:
    """Whether the bytes beyond ASCII come in pairs, as in Chinese text, and not alone between letters, as ’ and é do."""
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    runs = [match.group() for match in _HIGH_RUN.finditer(data)]
    high = sum(map(len, runs))
    utf8 = high - sum(len(run.decode("utf-8", "ignore").encode()) for run in runs)
    paired = sum(len(run) for run in runs if len(run) >= 2)
    # mixed UTF-8 and Windows-1252 comes in pairs too, but most of it is valid UTF-8
    return paired >= 0.8 * high and utf8 >= 0.3 * high


def _without_c1(data: bytes, report: DefectReport) -> bytes:
    """C1 control characters, read as the Windows-1252 characters of the same byte."""
    line_of = _line_counter(data)

    def repair(match: re.Match[bytes]) -> bytes:
        byte = match.group()[1:]
        report.add(DefectKind.CP1252_CONTROL, line_of(match.start()), repr(byte)[2:-1])
        return _cp1252(byte).encode()

    return _UTF8_C1.sub(repair, data)


def _cp1252(byte: bytes) -> str:
    """What a byte means in Windows-1252; the five that mean nothing there become U+FFFD."""
    return byte.decode("cp1252", "replace")


def _line_counter(text: str | bytes) -> Callable[[int], str]:
    """A function that names the line of a position; positions have to come in rising order, so each is counted once."""
    at, lines = 0, 1

    def line_of(position: int) -> str:
        nonlocal at, lines
        lines += text.count("\n", at, position) if isinstance(text, str) else text.count(b"\n", at, position)
        at = position
        return f"line {lines}"

    return line_of
