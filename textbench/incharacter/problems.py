"""Common problems of role-playing agents in their answers, counted; and repeated passages, cut for the judge.

InCharacter, appendix on common problems: several languages in one answer, lack of immersion, repetition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

PROBLEMS: Final = ("several_languages", "other_language", "no_immersion", "repetition", "truncated", "refusal")
"""What is counted."""

FOREIGN_WORDS: Final = 5
"""So many Latin words in a row, or Chinese characters altogether, are another language and no name."""
REPEATS: Final = 3
"""A passage counts as repeated when it stands there so often, one after the other."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN_RUN: Final = re.compile(
    r"[A-Za-z\u00c0-\u024f]+(?:['’\-][A-Za-z]+)*(?:[\s,;:.!?\"“”]+[A-Za-z\u00c0-\u024f]+(?:['’\-][A-Za-z]+)*)+"
)
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_OUT_OF_ROLE: Final = re.compile(
    r"\bas an? (?:AI|artificial intelligence|(?:large )?language model|virtual assistant|chat ?bot)\b"
    r"|\bI(?:'m| am) (?:just |only |merely )?an? (?:AI|artificial intelligence|(?:large )?language model|virtual assistant|chat ?bot)\b"
    r"|作为(?:一个|一名|一款|一位)?\s*(?:AI|人工智能|大?语言模型|大模型|智能助手|虚拟助手|聊天机器人)"
    r"|我(?:只)?是(?:一个|一名|一款|一位)?\s*(?:AI|人工智能|大?语言模型|大模型|智能助手|虚拟助手|聊天机器人)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+[\"”’』」)）]*|\n+|$)\s*")
_LONGEST_CYCLE: Final = 8
_SHORTEST: Final = 8
_LOOP: Final = re.compile(r"(?P<unit>.{8,80}?)(?:\s*(?P=unit)){2,}", re.DOTALL)


def cut_repetition(text: str) -> str:
    """The text with each passage that stands there three times or more, one after the other, only once.

    A passage is up to eight sentences, or 8 to 80 characters; shorter ones (a laugh, "no, no, no") are manner, not a fault.

    >>> cut_repetition("I like it here. " * 5)
    'I like it here. '
    """
    sentences = [match.group() for match in _SENTENCE.finditer(text) if match.group()]
    kept: list[str] = []
    place = 0
    while place < len(sentences):
        cycle = _cycle(sentences, place)
        if cycle is None:
            kept.append(sentences[place])
            place += 1
            continue
        length, times = cycle
        kept += sentences[place : place + length]
        place += length * times
    return _LOOP.sub(lambda match: match.group("unit"), "".join(kept))


def _cycle(sentences: list[str], place: int) -> tuple[int, int] | None:
    """Length and number of turns of a cycle of sentences that begins here."""
    for length in range(1, _LONGEST_CYCLE + 1):
        unit = [sentence.strip() for sentence in sentences[place : place + length]]
        if len(unit) < length or sum(map(len, unit)) < _SHORTEST:
            continue
        times = 1
        while [s.strip() for s in sentences[place + times * length : place + (times + 1) * length]] == unit:
            times += 1
        if times >= REPEATS:
            return length, times
    return None


def problems_of(text: str, language: str, names: Iterable[str] = ()) -> set[str]:
    """The problems of one answer.

    Args:
        text: the answer
        language: in which it should be, ``en`` or ``zh``
        names: of the character; they are no foreign words
    """
    found: set[str] = set()
    bare = text
    for name in sorted(names, key=len, reverse=True):
        bare = bare.replace(name, " ")
    han, latin = len(_HAN.findall(bare)), len(_LATIN_WORD.findall(bare))
    if language == "en" and han >= FOREIGN_WORDS:
        found.add("several_languages" if latin >= FOREIGN_WORDS else "other_language")
    if language == "zh":
        longest = max((len(_LATIN_WORD.findall(run)) for run in _LATIN_RUN.findall(bare)), default=0)
        if longest >= FOREIGN_WORDS:
            found.add("several_languages" if han >= FOREIGN_WORDS else "other_language")
    if _OUT_OF_ROLE.search(text):
        found.add("no_immersion")
    if cut_repetition(text) != text:
        found.add("repetition")
    return found
