"""What an answer of the teacher has to have and must not have, by decision type.

The paper names the rules: RC names the personal value, at least one alignment value, and has a concession marker; RF names the
role and a concrete detail, and has no marker; AC acknowledges the other option with a marker, AF avoids one. What "names" means is
ours: a text names a phrase when it has at least a given share of the phrase's content words. Words are compared by their first
five letters, so that "protecting" is "protect"; Chinese by pairs of characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from textbench.rolecde.markers import concession_markers
from textbench.rolecde.overlap import words
from textbench.rolecde.personas import Level, Persona

RULES: Final = {
    "empty_reasoning": "it gives no reasons",
    "wrong_option": "it chose the option of the other direction",
    "marker_missing": "it has no concession marker",
    "marker_present": "it has a concession marker",
    "personal_value_missing": "it does not name the personal value",
    "alignment_value_missing": "it names no alignment value",
    "role_missing": "it does not name the role",
    "detail_missing": "it has no concrete detail of the dilemma",
}
"""Code -> meaning of what can be wrong."""

_STEM: Final = 5


_MARKUP: Final = " \t*#_"
_HEADING: Final = re.compile(
    r"(?:\d+\s*[.)、]\s*)?[*\s]*(?:role name|name of the role|角色名|角色名称|姓名)[^:：]{0,40}[:：*\s]*", re.IGNORECASE
)
_END_OF_NAME: Final = re.compile(r"\s*[:：]|\s+[-–—]+\s+|——")
_LONGEST_NAME: Final = 80


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How strict the rules are.

    Attributes:
        value_share: share of the content words of a value or role that names it, above 0, at most 1
        details: content words of the dilemma that make a concrete detail, beyond those of the values and the role
    """

    value_share: float = 0.5
    details: int = 2

    def __post_init__(self) -> None:
        if not 0 < self.value_share <= 1:
            raise UsageError(f"value_share is a share above 0 and at most 1, not {self.value_share}")
        if self.details < 1:
            raise UsageError(f"details is a number of words from 1, not {self.details}")

    def to_record(self) -> Record:
        """As JSON values."""
        return {"value_share": self.value_share, "details": self.details}


def failures(
    persona: Persona, level: Level, decision: str, reasoning: str, rules: Rules | None = None
) -> tuple[str, ...]:
    """What is wrong with the reasons of an answer, by `RULES`; empty when nothing is.

    Args:
        persona: whose dilemma
        level: of the dilemma
        decision: ``RF``, ``RC``, ``AC`` or ``AF``: what the teacher was to write
        reasoning: what it wrote
        rules: how strict
    """
    strict = rules or Rules()
    if not reasoning.strip():
        return ("empty_reasoning",)
    marked = bool(concession_markers(reasoning, persona.language))
    wrong = []
    if decision in ("RC", "AC") and not marked:
        wrong.append("marker_missing")
    if decision in ("RF", "AF") and marked:
        wrong.append("marker_present")
    said = content_units(reasoning)
    if decision == "RC":
        if not names(said, persona.personal_value, strict.value_share):
            wrong.append("personal_value_missing")
        if not any(names(said, value, strict.value_share) for value in persona.alignment_values):
            wrong.append("alignment_value_missing")
    if decision == "RF":
        role = role_name(persona)
        if not names(said, role, strict.value_share):
            wrong.append("role_missing")
        known = content_units(" ".join([role, persona.personal_value, *persona.alignment_values]))
        details = content_units(f"{persona.scenario} {persona.dilemmas[level].description}") - known
        if len(said & details) < strict.details:
            wrong.append("detail_missing")
    return tuple(wrong)


def names(said: frozenset[str], phrase: str, share: float) -> bool:
    """Whether a text names a phrase.

    Args:
        said: the content units of the text
        phrase: what it may name
        share: of the phrase's content units that have to be there
    """
    wanted = content_units(phrase)
    return bool(wanted) and len(wanted & said) >= share * len(wanted)


def content_units(text: str) -> frozenset[str]:
    """What a text is about: first letters of its content words, pairs of its Chinese characters.

    >>> sorted(content_units("Protecting the protected data"))
    ['data', 'prote']
    >>> sorted(content_units("我的家人"))
    ['家人']
    """
    units: set[str] = set()
    before = ""
    for word in words(text):
        if len(word) == 1 and ord(word) >= 0x3400:
            here = "" if word in _function_words("zh") else word
            if before and here:
                units.add(before + here)
            before = here
            continue
        before = ""
        if word not in _function_words("en") and (len(word) > 1 or word.isdigit()):
            units.add(word[:_STEM])
    return frozenset(units)


@lru_cache(maxsize=2)
def _function_words(language: Language) -> frozenset[str]:
    data = json.loads(files("textbench.rolecde").joinpath("data", "function_words.json").read_text("utf-8"))
    return frozenset("".join(data[language])) if language == "zh" else frozenset(" ".join(data[language]).split())


def role_name(persona: Persona) -> str:
    """What the role is called: the profile's first line that is no heading, up to its colon or dash; else the short description."""
    for line in persona.profile.splitlines():
        bare = line.strip(_MARKUP)
        if not bare or _HEADING.fullmatch(bare):
            continue
        name = _END_OF_NAME.split(bare, maxsplit=1)[0].strip(_MARKUP)
        if 0 < len(name) <= _LONGEST_NAME:
            return name
        break
    return persona.description or persona.profile.strip().splitlines()[0][:_LONGEST_NAME]


def reject_record(item: Record, reasons: Iterable[str], detail: str = "") -> Record:
    """A line of ``rejected.jsonl``."""
    return {**item, "reasons": list(reasons), "detail": detail}
