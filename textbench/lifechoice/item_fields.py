"""Options and right answers in the many ways in which they are written."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from mmrole.core.languages import Language
from textbench.choices import LETTERS

IndexBase = Literal[0, 1]

_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]")
_LANGUAGES: Final[Mapping[str, Language]] = {
    **dict.fromkeys(("en", "english", "英文", "英语"), "en"),
    **dict.fromkeys(("zh", "zh-cn", "cn", "chinese", "中文"), "zh"),
}

_PREFIX: Final = re.compile(r"\s*[(（\[]?\s*([A-Za-z])\s*(?:[.)）\]:：、．]|\s[-–—](?=\s))\s*(?=\S)")
_LETTER: Final = re.compile(
    r"""\s* (?: (?:the\s)? (?:correct\s)? (?:option|answer|choice) \s* (?:is)? \s* [:：]? | 选项 | 答案 \s* [:：]? )? \s*
    [(（\["']? \s* ([A-Za-z]) \s* [)）\]"']? \s* [.。:：、)]? \s*""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER: Final = re.compile(r"\s*(\d+)\s*\.?\s*")


class FieldError(ValueError):
    """A field is malformed.

    Args:
        field: the project's name of it
        reason: what is wrong with it and what would be right
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options as they were read.

    Attributes:
        texts: without letters, in the order of their letters
        keys: what each was called; empty for a list without letters
    """

    texts: tuple[str, ...]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Correct:
    """A right answer as it was read.

    Attributes:
        place: of the option, from 0; None while only `number` is known
        number: a bare number that counts from 0 or from 1, which the whole file has to tell
    """

    place: int | None = None
    number: int | None = None


def read_options(value: Any) -> Options:
    """Options from a list of texts or an object of letter (or number) -> text.

    ``A. `` before a text is taken away when every option has its letter, each once.

    Raises:
        FieldError: something else, an empty or a repeated option, or keys that are neither letters nor numbers in a row
    """
    keys: tuple[str, ...] = ()
    if isinstance(value, Mapping):
        keys, listed = _by_key(value)
    elif isinstance(value, list):
        listed = value
    else:
        raise FieldError("options", f"a list of texts or an object of letters is needed, got {shown(value)}")
    texts: list[str] = []
    for place, text in enumerate(listed):
        if not isinstance(text, str) or not text.strip():
            raise FieldError("options", f"option {place + 1} has no text, got {shown(text)}")
        texts.append(text.strip())
    if not 2 <= len(texts) <= len(LETTERS):
        raise FieldError("options", f"2 to {len(LETTERS)} options are needed, got {len(texts)}")
    texts, keys = _without_letters(texts, keys)
    alike: dict[str, int] = {}
    for place, text in enumerate(texts):
        first = alike.setdefault(folded(text), place)
        if first != place:
            raise FieldError("options", f"options {LETTERS[first]} and {LETTERS[place]} are the same: {shown(text)}")
    return Options(texts=tuple(texts), keys=keys)


def _by_key(value: Mapping[str, Any]) -> tuple[tuple[str, ...], list[Any]]:
    plain = {unicodedata.normalize("NFKC", str(key)).strip(" .)(:").upper(): text for key, text in value.items()}
    count = len(value)
    for keys in (LETTERS[:count], [str(n) for n in range(count)], [str(n) for n in range(1, count + 1)]):
        if set(plain) == set(keys) and len(plain) == count:
            return tuple(keys), [plain[key] for key in keys]
    raise FieldError("options", f"keys are letters from A or numbers in a row, got {shown(list(value))}")


def _without_letters(texts: list[str], keys: tuple[str, ...]) -> tuple[list[str], tuple[str, ...]]:
    marks = [_PREFIX.match(unicodedata.normalize("NFKC", text[:6]) + text[6:]) for text in texts]
    letters = [mark[1].upper() for mark in marks if mark]
    if sorted(letters) != list(LETTERS[: len(texts)]):
        return texts, keys
    named = dict(zip(letters, (_after_prefix(text) for text in texts), strict=True))
    if keys and list(letters) != list(LETTERS[: len(texts)]):
        raise FieldError("options", f"the letters before the texts, {', '.join(letters)}, are not those of the keys")
    return [named[letter] for letter in LETTERS[: len(texts)]], keys or tuple(LETTERS[: len(texts)])


def _after_prefix(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text[:6]) + text[6:]
    mark = _PREFIX.match(plain)
    return plain[mark.end() :].strip() if mark else text


def read_correct(value: Any, options: Options) -> Correct:
    """The right answer from a letter (``C``, ``C.``, ``(c)``), a key, the text of an option, both, or a number.

    Raises:
        FieldError: none of these, or two readings that differ
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise FieldError("correct", f"a letter, a number or the text of an option is needed, got {shown(value)}")
    count = len(options.texts)
    texts = [folded(text) for text in options.texts]
    plain = unicodedata.normalize("NFKC", str(value))
    readings = {texts.index(folded(plain))} if folded(plain) in texts else set()
    number = _NUMBER.fullmatch(plain)
    if number and number[1] in options.keys and not options.keys[0].isalpha():
        return Correct(place=_only(readings | {options.keys.index(number[1])}, value))
    if number and not readings:
        return Correct(number=_number(int(number[1]), count, value))
    if number and isinstance(value, int):
        raise FieldError(
            "correct", f"{shown(value)} is the text of an option and may be the number of another: give a letter"
        )
    letter = _LETTER.fullmatch(plain)
    if letter and not number:
        place = LETTERS.index(letter[1].upper())
        if place >= count:
            raise FieldError("correct", f"{shown(value)} is none of {count} options")
        readings.add(place)
    elif (prefix := _PREFIX.match(plain)) and folded(plain[prefix.end() :]) in texts:
        readings.add(texts.index(folded(plain[prefix.end() :])))
        readings.add(LETTERS.index(prefix[1].upper()))
    if not readings:
        raise FieldError("correct", f"{shown(value)} is neither a letter nor the text of an option")
    return Correct(place=_only(readings, value))


def _only(readings: set[int], value: Any) -> int:
    if len(readings) > 1:
        named = " or ".join(LETTERS[place] for place in sorted(readings))
        raise FieldError("correct", f"{shown(value)} can be read as {named}")
    return readings.pop()


def _number(number: int, count: int, value: Any) -> int:
    if not 0 <= number <= count:
        raise FieldError("correct", f"{shown(value)} is none of {count} options, counted from 0 or from 1")
    return number


def counted_from(answers: Iterable[tuple[Correct, int]]) -> IndexBase | str | None:
    """From where bare numbers count in this file; a text says why that cannot be told."""
    numbers = [(correct.number, count) for correct, count in answers if correct.number is not None]
    if not numbers:
        return None
    from_0 = any(number == 0 for number, _ in numbers)
    from_1 = any(number == count for number, count in numbers)
    if from_0 and from_1:
        return "some numbers in the file count from 0 and others from 1: give letters"
    if from_0 or from_1:
        return 0 if from_0 else 1
    return "nothing in the file tells whether numbers count from 0 or from 1: say so (index base), or give letters"


def place_of(correct: Correct, base: IndexBase | str | None, count: int) -> int:
    """The place of the right option.

    Args:
        correct: what was read
        base: what `counted_from` gave, or what the user says
        count: number of options

    Raises:
        FieldError: a bare number whose place cannot be told
    """
    if correct.place is not None:
        return correct.place
    if isinstance(base, str) or base is None or correct.number is None:
        raise FieldError("correct", f"{correct.number}: {base}")
    place = correct.number - base
    if not 0 <= place < count:
        raise FieldError("correct", f"{correct.number} is none of {count} options, counted from {base}")
    return place


def read_language(value: Any, sample: str) -> Language:
    """The language that is named, else that of most letters of a sample.

    Raises:
        FieldError: another language is named
    """
    if value is None:
        return "zh" if 2 * len(_CHINESE.findall(sample)) > len(_WORD.findall(sample)) else "en"
    language = _LANGUAGES.get(str(value).strip().casefold())
    if language is None:
        raise FieldError("language", f"en or zh is needed, got {shown(value)}")
    return language


def require_whole(fields: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
    """Refuses half characters (lone surrogates), which no file and no endpoint takes.

    Raises:
        FieldError: there is one
    """
    for name, value in [*fields.items(), *extra.items()]:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = ascii(error.object[error.start])
            raise FieldError(name, f"holds half a character, {half}: the file was cut or written wrongly") from None


def require_one(key: str | None, extra: Mapping[str, Any], aliases: Iterable[str]) -> None:
    """Refuses a second right answer beside the one that was taken.

    Args:
        key: of the one that was taken, with that of its block
        extra: keys that were left over, likewise
        aliases: names of the field

    Raises:
        FieldError: another name of the field is in the same object
    """
    block, _, own = (key or "").rpartition(".")
    for alias in aliases:
        second = next(
            (left for left in extra if left.rpartition(".")[::2] in ((block, alias), (block, alias.title()))), None
        )
        if second is not None:
            raise FieldError("correct", f"is there twice, as {own!r} and as {second!r}: keep one")


def folded(text: str) -> str:
    """A text without case, width, spaces beyond one and a full stop, for comparing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".。 ")


def shown(value: Any) -> str:
    """A value for a message, cut to 60 characters."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
