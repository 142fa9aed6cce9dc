"""Chooses novels: texts of a language and a length, without the wrapping of Project Gutenberg."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record, bytes_sha256, printable_path
from mmrole.core.errors import InputError, UsageError
from mmrole.core.languages import Language
from textbench.tokens import TokenCounter, approximate

REASONS: Final = {
    "unreadable": "the file cannot be read",
    "not_utf8": "the file is not UTF-8",
    "too_short": "it has fewer tokens than wanted",
    "too_long": "it has more tokens than wanted",
    "other_language": "it is neither English nor Chinese, or not of the language wanted",
    "same_text": "another file has the same text",
    "same_name": "another file has the same name, which is the title of the book",
}
"""Code -> why a novel was not chosen."""

_START: Final = re.compile(r"^\*{3}\s*START OF TH(?:E|IS) PROJECT GUTENBERG.*$\s*", re.IGNORECASE | re.MULTILINE)
_END: Final = re.compile(r"\s*^\*{3}\s*END OF TH(?:E|IS) PROJECT GUTENBERG.*", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORD_OR_NUMBER: Final = re.compile(r"[^\W_]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_ENGLISH: Final = frozenset(("the", "and", "of", "to", "was", "he", "she", "that", "with", "his", "her", "it"))
_ENOUGH_ENGLISH: Final = 0.1
"""English prose has these words for a fifth of its words and more; other languages in Latin letters for a fiftieth."""
_SAMPLE: Final = 200_000


@dataclass(frozen=True, kw_only=True)
class Novel:
    """A novel.

    Attributes:
        book: its title: the file's name without ending
        text: of the novel, with line feeds as line breaks, without the wrapping of Project Gutenberg
        language: ``en`` or ``zh``
        tokens: how many the counter found
        path: of the file, for people
        sha256: of the file's bytes
    """

    book: str
    text: str = field(repr=False)
    language: Language
    tokens: int
    path: str
    sha256: str

    def to_record(self) -> Record:
        """What a manifest says of it."""
        return {
            "book": self.book,
            "path": self.path,
            "sha256": self.sha256,
            "language": self.language,
            "tokens": self.tokens,
        }


@dataclass(frozen=True, kw_only=True)
class NovelChoice:
    """What was chosen; files = chosen + refused.

    Attributes:
        chosen: in the order of their names
        refused: ``{path, reason, detail}``
    """

    chosen: tuple[Novel, ...]
    refused: tuple[Record, ...]


def choose_novels(
    paths: Iterable[str | Path] | str | Path,
    *,
    min_tokens: int = 20_000,
    max_tokens: int = 400_000,
    languages: Sequence[Language] = ("en", "zh"),
    counter: TokenCounter = approximate,
) -> NovelChoice:
    """Chooses novels by length and language.

    Args:
        paths: text files, or folders with ``.txt`` files
        min_tokens: fewest tokens
        max_tokens: most tokens
        languages: wanted
        counter: of the tokens

    Raises:
        InputError: there is no such file or folder, or no text in it
        UsageError: the limits make no sense
    """
    if not 0 <= min_tokens <= max_tokens:
        raise UsageError(f"novels of {min_tokens} to {max_tokens} tokens: the first has to be the smaller number")
    chosen: list[Novel] = []
    refused: list[Record] = []
    seen: dict[str, str] = {}
    titles: dict[str, str] = {}
    for path in _files([paths] if isinstance(paths, str | Path) else paths):
        shown = printable_path(path)
        read = _read(path, shown)
        if not isinstance(read, tuple):
            refused.append(read)
            continue
        text, sha256 = read
        language, tokens = language_of_novel(text), counter(text)
        book = printable_path(path.stem)
        reason, detail = "", f"{tokens:,} tokens"
        if text in seen:
            reason, detail = "same_text", seen[text]
        elif language is None or language not in languages:
            reason, detail = "other_language", language or "neither English nor Chinese"
        elif tokens < min_tokens:
            reason = "too_short"
        elif tokens > max_tokens:
            reason = "too_long"
        elif title_key(book) in titles:
            reason, detail = "same_name", titles[title_key(book)]
        if reason or language is None:
            refused.append({"path": shown, "reason": reason, "detail": detail})
            continue
        seen[text] = titles[title_key(book)] = shown
        chosen.append(Novel(book=book, text=text, language=language, tokens=tokens, path=shown, sha256=sha256))
    return NovelChoice(chosen=tuple(chosen), refused=tuple(refused))


def read_shelf(paths: Iterable[str | Path] | str | Path) -> tuple[dict[str, str], list[Record]]:
    """Novels of any length and language: title -> text, and those that cannot be used, as in `NovelChoice.refused`.

    Args:
        paths: text files, or folders with ``.txt`` files

    Raises:
        InputError: there is no such file or folder, or no text in it
    """
    texts: dict[str, str] = {}
    refused: list[Record] = []
    titles: dict[str, str] = {}
    for path in _files([paths] if isinstance(paths, str | Path) else paths):
        shown, book = printable_path(path), printable_path(path.stem)
        read = _read(path, shown)
        if not isinstance(read, tuple):
            refused.append(read)
        elif title_key(book) in titles:
            refused.append({"path": shown, "reason": "same_name", "detail": titles[title_key(book)]})
        else:
            texts[book], titles[title_key(book)] = read[0], shown
    return texts, refused


def title_key(title: str) -> str:
    """A title as it is compared: ``jane_eyre`` is ``Jane Eyre``."""
    return " ".join(_WORD_OR_NUMBER.findall(unicodedata.normalize("NFKC", title).casefold())) or title


def _read(path: Path, shown: str) -> tuple[str, str] | Record:
    """Text and hash of a file, or why there is none."""
    if not path.is_file():
        return {"path": shown, "reason": "unreadable", "detail": "no regular file"}
    try:
        data = path.read_bytes()
        return _body(data.decode("utf-8-sig")), bytes_sha256(data)
    except OSError as error:
        return {"path": shown, "reason": "unreadable", "detail": error.strerror or str(error)}
    except UnicodeDecodeError as error:
        return {"path": shown, "reason": "not_utf8", "detail": f"byte {error.start}"}


def _files(paths: Iterable[str | Path]) -> list[Path]:
    found: list[Path] = []
    for given in map(Path, paths):
        if given.is_dir():
            inside = sorted(path for path in given.iterdir() if path.suffix.lower() == ".txt" and path.is_file())
            if not inside:
                raise InputError(f"{given}: there are no .txt files in this folder")
            found += inside
        elif given.exists():
            found.append(given)
        else:
            raise InputError(f"{given}: there is no such file or folder")
    return list(dict.fromkeys(found))


def _body(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, end = _START.search(text), _END.search(text)
    return text[start.end() if start else 0 : end.start() if end else len(text)]


def language_of_novel(text: str) -> Language | None:
    """The language of a long text: Chinese by its characters, English by its commonest words; None for any other."""
    sample = text[:_SAMPLE]
    if not sample.strip():
        return None
    if len(_HAN.findall(sample)) > 0.5 * sum(1 for character in sample if character.isalpha()):
        return "zh"
    words = [word.casefold() for word in _WORD.findall(sample)]
    return "en" if words and sum(word in _ENGLISH for word in words) >= _ENOUGH_ENGLISH * len(words) else None
