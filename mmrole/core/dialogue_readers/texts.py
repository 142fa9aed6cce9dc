"""What is odd about the text of an utterance: noted, never changed."""

from __future__ import annotations

from typing import Final

from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport

_MISSING_WORDS: Final = frozenset({"none", "na", "n/a", "nan", "null", "nil", "<na>", "#n/a"})
_WIDE_SPACES: Final = ("\u3000", "\xa0")


def note_text(text: str, place: str, report: DefectReport) -> None:
    """Counts what is odd about a text.

    Args:
        text: the text of an utterance
        place: its id
        report: gets the defects
    """
    bare = text.strip()
    if bare != text:
        report.add(DefectKind.SPACES_IN_TEXT, place, repr(text[-12:] if text[:1] == bare[:1] else text[:12]))
    if not bare:
        report.add(DefectKind.EMPTY_TEXT, place)
    elif bare.isdecimal():
        report.add(DefectKind.NUMBER_ONLY_TEXT, place, bare)
    elif len(bare) <= 4 and bare.lower() in _MISSING_WORDS:
        report.add(DefectKind.MISSING_WORD_AS_TEXT, place, bare)
    if not text.isascii() and any(space in text for space in _WIDE_SPACES):
        report.add(DefectKind.WIDE_SPACE_IN_TEXT, place)
    if "\n" in text or "\r" in text:
        report.add(DefectKind.LINE_BREAK_IN_FIELD, place, repr(text[:40]))
