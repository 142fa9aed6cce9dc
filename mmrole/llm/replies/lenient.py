"""Reads what is JSON in all but its punctuation.

Models write Python's quotes and constants, Chinese quotation marks, colons, commas and digits, a comma too many, comments,
keys without quotes, a quotation mark inside a string that is not escaped. Each of these has one reading; that reading is
taken. What has none (a value missing, an object cut off) is an error: nothing is added to what was written.

Structure is looked for in the folded text, the content of strings is taken from the original one.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from mmrole.llm.replies.folding import fold
from mmrole.llm.replies.strict import joined

MAX_DEPTH: Final = 40
"""Levels of brackets; an answer has one or two."""


class UnreadableError(Exception):
    """Not an object of this kind.

    Args:
        at: position that could not be read
    """

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class CutError(UnreadableError):
    """The text ended inside the object."""


class TangledError(UnreadableError):
    """More levels than `MAX_DEPTH`."""


_GAP: Final = re.compile(r"(?:\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|#[^\n]*+)*+")
_KEY: Final = re.compile(r"[^\W\d][\w .-]{0,60}?(?=\s{0,8}:)|\d{1,6}(?=\s{0,8}:)")
_BARE: Final = re.compile(r"[^\s,:{}\[\]\"'#][^,:{}\[\]\"'\n#]{0,200}")
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][-+]?\d{1,4})?")
_CONSTANTS: Final[dict[str, Any]] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "NaN": float("nan"),
    "nan": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_HEX: Final = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})")

# opening mark -> the marks that may close it; ASCII marks are closed by their own kind only, since Chinese marks inside
# them are text
_CLOSERS: Final = {
    '"': '"',
    "'": "'",
    "＂": '＂"',
    "＇": "＇'",
    **dict.fromkeys("“”„‟〝〞", '“”„‟〝〞"＂'),
    **dict.fromkeys("‘’‚‛", "‘’‚‛'"),
    "「": "」",
    "『": "』",
    "«": "»",
    "`": "`'",
}
_STOPS: Final = {marks: re.compile(f"[\\\\{re.escape(marks)}]") for marks in set(_CLOSERS.values())}
_SUSPECT: Final = re.compile(r"\s*+(?::|,\s*+[,:])")
_BLANK: Final = re.compile(r"\s*+\Z")
_AFTER_KEY: Final = re.compile(r"\s*:")
_AFTER_VALUE: Final = re.compile(
    r"\s*+(?:[}\]]|\Z|//|#|/\*"
    r"|,\s*+(?:[\"'`{}\[\]\d.+\-]|\Z|//|#|/\*|(?:true|false|null|True|False|None|NaN|Infinity)\b|[^\W\d][\w .-]{0,60}?\s{0,8}:))"
)


def read_lenient(text: str, start: int, shape: str | None = None) -> tuple[Any, int]:
    """Reads one object or array.

    Args:
        text: the original text
        start: position of its opening bracket
        shape: ``fold(text)``, where the caller has it

    Returns:
        the value and the position after its closing bracket

    Raises:
        UnreadableError: it is none; `CutError` when the text ended before it did, `TangledError` when it is nested
            too deeply
    """
    reader = _Reader(text, fold(text) if shape is None else shape)
    value = reader.value(start, 0)
    return value, reader.at


class _Reader:
    __slots__ = ("at", "shape", "text")

    def __init__(self, text: str, shape: str) -> None:
        self.text = text
        self.shape = shape
        self.at = 0

    def _skip(self) -> str:
        """Moves over white space and comments; gives the character there, folded."""
        match = _GAP.match(self.shape, self.at)
        self.at = match.end() if match else self.at
        if self.at >= len(self.text):
            raise CutError(self.at)
        return self.shape[self.at]

    def _bad(self) -> NoReturn:
        raise UnreadableError(self.at)

    def value(self, at: int, depth: int) -> Any:
        self.at = at
        mark = self._skip()
        if depth > MAX_DEPTH:
            raise TangledError(self.at)
        if mark == "{":
            return self._object(depth)
        if mark == "[":
            return self._array(depth)
        if self.text[self.at] in _CLOSERS:
            return self._string(_AFTER_VALUE)
        return self._bare()

    def _object(self, depth: int) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        self.at += 1
        while True:
            if self._skip() == "}":
                self.at += 1
                return joined(pairs)
            key = self._key()
            if self._skip() != ":":
                self._bad()
            pairs.append((key, self.value(self.at + 1, depth + 1)))
            if not self._another("}"):
                return joined(pairs)

    def _array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        while True:
            if self._skip() == "]":
                self.at += 1
                return items
            items.append(self.value(self.at, depth + 1))
            if not self._another("]"):
                return items

    def _another(self, closing: str) -> bool:
        """Moves over a comma, or over the closing bracket."""
        mark = self._skip()
        if mark not in (",", closing):
            self._bad()
        self.at += 1
        return mark == ","

    def _key(self) -> str:
        if self.text[self.at] in _CLOSERS:
            return self._string(_AFTER_KEY)
        match = _KEY.match(self.shape, self.at)
        if match is None:
            self._bad()
        self.at = match.end()
        return self.text[match.start() : match.end()].strip()

    def _string(self, after: re.Pattern[str]) -> str:
        """A string; a mark closes it only where structure follows, so that apostrophes and inner quotes are text."""
        closers = _CLOSERS[self.text[self.at]]
        stops = _STOPS[closers]
        parts: list[str] = []
        position, inner = self.at + 1, False
        while match := stops.search(self.text, position):
            parts.append(self.text[position : match.start()])
            if match[0] == "\\":
                character, position = self._escape(match.end())
                parts.append(character)
            elif after.match(self.shape, match.end()):
                self.at = match.end()
                return "".join(parts)
            elif after is _AFTER_KEY or _SUSPECT.match(self.shape, match.end()):
                if _BLANK.match(self.shape, match.end()):
                    raise CutError(len(self.text))
                self._bad()  # structure, but none that fits: not to be swallowed as text
            else:
                parts.append(match[0])
                position = match.end()
                inner = True
        if inner and self.shape[-40:].rstrip(" \n`.").endswith(("}", "]")):
            self._bad()  # the object was finished; it is its quotation marks that do not pair
        raise CutError(len(self.text))

    def _escape(self, at: int) -> tuple[str, int]:
        """The character that a backslash stands for, and the position after it; a backslash of LaTeX is text."""
        code = _HEX.match(self.text, at)
        if code is None:
            known = _ESCAPES.get(self.text[at : at + 1])
            return ("\\", at) if known is None else (known, at + 1)
        number = int(code[1] or code[2], 16)
        low = _HEX.match(self.text, code.end() + 1) if self.text[code.end() : code.end() + 1] == "\\" else None
        if 0xD800 <= number < 0xDC00 and low and low[1] and 0xDC00 <= (second := int(low[1], 16)) < 0xE000:
            return chr(0x10000 + ((number - 0xD800) << 10) + (second - 0xDC00)), low.end()
        return chr(number), code.end()

    def _bare(self) -> Any:
        """A constant, a number, or a word without quotes."""
        match = _BARE.match(self.shape, self.at)
        if match is None:
            self._bad()
        token = match[0].rstrip()
        start, self.at = self.at, self.at + len(token)
        if token in _CONSTANTS:
            return _CONSTANTS[token]
        if _NUMBER.fullmatch(token):
            whole = token.lstrip("+-").isdigit()
            return int(token) if whole else float(token)
        # prose that happens to follow a colon is no value
        if len(token.split()) > 6 or token.startswith(("...", "…", "<")):
            raise UnreadableError(start)
        return self.text[start : self.at]
