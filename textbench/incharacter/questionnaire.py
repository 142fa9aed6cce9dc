"""Questionnaires: the texts of a scale's items, and what a judge has to know about its dimensions.

The file format is that of the InCharacter repository, so that users can point to their own copy of its scales, whose texts are
not ours to give away. Numeric keys of the 14 scales are packaged and win over those in a file; a scale of another name is
keyed by its file. Packaged with texts: ``IPIP-50``.

Keys of the file: ``name``, ``range`` [min, max], ``scale`` (min + max), ``reverse`` [ids], ``questions`` {id: {``origin_en``,
``origin_zh``, ``rewritten_en``, ``rewritten_zh``, ``dimension``, ``category``}}, ``prompts``. ``category`` is positive or negative, or
the letter of a pole where the dimension is written as two (``E/I``); ``dimension`` null is a filler. In ``prompts`` we read ``dim_desc``
and the meaning of the numbers ("1 denotes 'disagree'"), or, our addition, ``options``, ``dim_names`` and ``poles`` by language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.canonical import Record, bytes_sha256, to_json
from mmrole.core.errors import InputError, UsageError
from mmrole.core.languages import Language
from mmrole.core.records import validated
from textbench.incharacter.scales import KEYED, Scale, scale_of
from textbench.incharacter.scales import scale as find_scale

_DENOTES: Final = {
    "en": re.compile(r"(-?\d+)\s+(?:denotes|means|stands for)\s+['\"‘“](.+?)['\"’”](?=[\s,.;)]|$)"),
    "zh": re.compile(r"(-?\d+)\s*(?:代表|表示)\s*[“\"'‘](.+?)[”\"'’]"),
}
_DIGITS: Final = re.compile(r"[1-9]\d*")
_OVERALL: Final = "Overall"


class _Question(BaseModel):
    model_config = ConfigDict(extra="ignore")
    origin_en: str = ""
    origin_zh: str = ""
    rewritten_en: str = ""
    rewritten_zh: str = ""
    dimension: str | None
    category: str | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")
    name: str = Field(min_length=1)
    full_name: str = ""
    source: str = ""
    scale: int | None = None
    range: tuple[int, int]
    reverse: list[int] = Field(default_factory=list)
    questions: dict[str, _Question] = Field(min_length=1)
    prompts: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Questionnaire:
    """A scale with its texts.

    Attributes:
        scale: key and ranges
        full_name: for people
        record: the file's content
        place: the file, for messages
        sha256: of the file's content as canonical JSON
    """

    scale: Scale
    full_name: str
    record: Record = field(repr=False)
    place: str
    sha256: str

    @property
    def name(self) -> str:
        """Of the scale."""
        return self.scale.name

    @property
    def percent(self) -> bool:
        """Whether its dimensions have two poles and their scores are per cent of the first."""
        return all("/" in dimension for dimension in self.scale.dimensions)

    def statement(self, item: str, language: Language) -> str:
        """The item as the scale words it.

        Raises:
            InputError: the file has none in this language
        """
        return self._text(item, f"origin_{language}")

    def question(self, item: str, language: Language) -> str:
        """The interview question of an item.

        Raises:
            InputError: the file has none in this language
        """
        return self._text(item, f"rewritten_{language}")

    def _text(self, item: str, key: str) -> str:
        text = str(self.record["questions"][item].get(key) or "").strip()
        if not text:
            raise InputError(f"{self.place}: questions.{item}.{key}: is missing or empty, and it is to be asked")
        return text

    def options(self, language: Language) -> dict[int, str]:
        """Number -> what it means; empty texts where the file says nothing about a number."""
        prompts = self.record.get("prompts") or {}
        given = _at(prompts, "options", language)
        found = {int(key): str(text) for key, text in given.items()} if isinstance(given, Mapping) else {}
        for name in ("rpa_choice_instruction", "llm_choice_instruction"):
            text = _at(prompts, name, language)
            if not found and isinstance(text, str):
                found = {int(number): meaning for number, meaning in _DENOTES[language].findall(text)}
        ends = _ENDS[language]
        low, high = self.scale.low, self.scale.high
        return {low: ends[0], high: ends[1]} | {
            number: found.get(number, "")
            for number in range(low, high + 1)
            if found.get(number) or number not in (low, high)
        }

    def description(self, dimension: str, language: Language) -> str:
        """What the dimension is, empty where the file does not say; in English where it says so in English only."""
        found = _at(self.record.get("prompts") or {}, "dim_desc", dimension)
        if found is None and len(self.scale.dimensions) == 1:
            found = _at(self.record.get("prompts") or {}, "dim_desc", _OVERALL)
        return _in_language(found, language)

    def label(self, dimension: str, language: Language) -> str:
        """The dimension's name in a language, its key where there is none."""
        return _in_language(_at(self.record.get("prompts") or {}, "dim_names", dimension), language) or dimension

    def poles(self, dimension: str, language: Language) -> tuple[str, str]:
        """Words for the low and the high end of a dimension."""
        given = _at(self.record.get("prompts") or {}, "poles", dimension) or _at(
            _packaged_poles(), self.name, dimension
        )
        ends = _at(given, language) if isinstance(given, Mapping) else None
        if isinstance(ends, Mapping) and ends.get("low") and ends.get("high"):
            return str(ends["low"]), str(ends["high"])
        if "/" in dimension:
            first, second = dimension.split("/", 1)
            return second, first
        label = self.label(dimension, language)
        return (f"low in {label}", f"high in {label}") if language == "en" else (f"{label}低", f"{label}高")


_ENDS: Final[dict[str, tuple[str, str]]] = {
    "en": ("strongly disagree", "strongly agree"),
    "zh": ("非常不同意", "非常同意"),
}


def questionnaire_of(record: Record, place: str) -> Questionnaire:
    """A questionnaire from a file's content.

    Args:
        record: the content
        place: the file, for messages

    Raises:
        InputError: one line with file, key and what is wrong
    """
    checked = validated(_File, record, place)
    low, high = checked.range
    if low >= high:
        raise InputError(f"{place}: range: goes from small to large, not [{low}, {high}]")
    if checked.scale is not None and checked.scale != low + high:
        raise InputError(f"{place}: scale: is {checked.scale}, but min + max of range is {low + high}")
    for item in checked.questions:
        if not _DIGITS.fullmatch(item):
            raise InputError(f"{place}: questions.{item}: an id is a number from 1 up, as a text")
    for number in checked.reverse:
        if str(number) not in checked.questions:
            raise InputError(f"{place}: reverse: there is no question {number}")
    keyed = _packaged_scale(checked, place) if checked.name in KEYED else _own_scale(checked, place)
    return Questionnaire(
        scale=keyed,
        full_name=checked.full_name or checked.name,
        record=record,
        place=place,
        sha256=bytes_sha256(to_json(record).encode("utf-8", "surrogatepass")),
    )


def _packaged_scale(checked: _File, place: str) -> Scale:
    """The packaged key; the file has to have its items and its range."""
    keyed = find_scale(checked.name)
    if tuple(checked.range) != (keyed.low, keyed.high):
        raise InputError(
            f"{place}: range: is {list(checked.range)}, but {checked.name} goes from {keyed.low} to {keyed.high}"
        )
    for item in keyed.items:
        if item not in checked.questions:
            raise InputError(f"{place}: questions: item {item} of {checked.name} is missing")
    return keyed


def _own_scale(checked: _File, place: str) -> Scale:
    keys: dict[str, dict[str, bool]] = {}
    for item, question in checked.questions.items():
        if question.dimension is None:
            continue
        keys.setdefault(question.dimension, {})[item] = _reversed(question, f"{place}: questions.{item}.category")
    if not keys:
        raise InputError(f"{place}: questions: every dimension is null, so that nothing would be measured")
    try:
        return scale_of(
            checked.name,
            keys,
            choices=checked.range,
            scores=(0.0, 100.0) if all("/" in dimension for dimension in keys) else None,
            fillers=tuple(item for item, question in checked.questions.items() if question.dimension is None),
        )
    except UsageError as error:
        raise InputError(f"{place}: {error}") from None


def _reversed(question: _Question, place: str) -> bool:
    poles = (question.dimension or "").split("/")
    known = tuple(poles) if len(poles) == 2 else ("positive", "negative")
    if question.category not in known:
        raise InputError(f"{place}: has to be {known[0]} or {known[1]}, not {question.category!r}")
    return question.category == known[1]


def _packaged_poles() -> Record:
    record: Record = json.loads(files("textbench.incharacter").joinpath("data", "poles.json").read_text("utf-8"))
    return record


def _at(value: object, *path: str) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _in_language(found: object, language: Language) -> str:
    if isinstance(found, Mapping):
        return str(found.get(language) or found.get("en") or "").strip()
    return found.strip() if isinstance(found, str) else ""
