"""Canonical JSON and hashes: equal values are equal bytes, so that a key stands for everything that decides a result."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def to_json(value: Any) -> str:
    """JSON with sorted keys on one line, UTF-8 kept as it is.

    Raises:
        ValueError: a number is NaN or infinite; JSON has no such number, null with a reason is meant
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def content_key(**parts: Any) -> str:
    """SHA-256 (hexadecimal) of everything that decides a result.

    Args:
        **parts: JSON values by name; every name and every value changes the key
    """
    return hashlib.sha256(to_json(parts).encode("utf-8", "surrogatepass")).hexdigest()


def bytes_sha256(data: bytes) -> str:
    """SHA-256 of bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: str | Path) -> str:
    """SHA-256 of a file's bytes, hexadecimal, read in pieces.

    Raises:
        OSError: the file cannot be read
    """
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def printable_path(path: str | os.PathLike[str]) -> str:
    """A path as text that every file format can hold: bytes that are not UTF-8 become a backslash, x and two digits."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
