"""Takes a character's names out of a text, so that a judge rates what was said and not whom it knows.

InCharacter, section 3.3 (expert rating): every alias of the character is replaced, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

STAND_IN: Final = {"en": "<the participant>", "zh": "<受试者>"}
"""What takes the place of a name, by language."""

_LETTER: Final = r"A-Za-z0-9\u00c0-\u024f"
_ALPHABETIC: Final = re.compile(f"[{_LETTER}]")
_JOINT: Final = re.compile(r"[\s·•‧・∙\u2010-\u2015\-]+")
_ANY_JOINT: Final = r"(?:\s+|\s*[·•‧・∙\u2010-\u2015\-]\s*)"
_APOSTROPHE: Final = re.compile("['’‘]")


class Masker:
    """Replaces the names of one character.

    A name in letters counts only as a whole word (``Ann`` is not in ``Annex``; ``Ann's`` keeps its ``'s``), as it is written or
    all in capitals; one in Chinese characters counts anywhere. Spaces, hyphens and middle dots inside a name stand for one another.
    Masking a masked text changes nothing.

    Args:
        names: name and aliases, in any order; those without a letter are ignored
        stand_in: takes their place

    >>> mask = Masker(["Lizzy", "Elizabeth Bennet", "Elizabeth"], stand_in="<P>").mask
    >>> mask("Elizabeth  Bennet's wit: Lizzy laughs, Elizabethan or not.")
    "<P>'s wit: <P> laughs, Elizabethan or not."
    """

    def __init__(self, names: Iterable[str], *, stand_in: str) -> None:
        self.stand_in = stand_in
        shapes = {shape for name in names if _JOINT.sub("", name) for shape in (name.strip(), name.strip().upper())}
        ordered = sorted(shapes, key=lambda shape: (-len(shape), shape))
        # the stand-in comes first: what is already masked is never looked into
        parts = [re.escape(stand_in), *(_as_pattern(shape) for shape in ordered)]
        self._pattern = re.compile("|".join(parts))

    def mask(self, text: str) -> str:
        """The text with the stand-in for every name."""
        return self._pattern.sub(self.stand_in.replace("\\", r"\\"), text)


def _as_pattern(name: str) -> str:
    pieces = [piece for piece in _JOINT.split(name) if piece]
    before = f"(?<![{_LETTER}])" if _ALPHABETIC.match(pieces[0][0]) else ""
    after = f"(?![{_LETTER}])" if _ALPHABETIC.match(pieces[-1][-1]) else ""
    return before + _ANY_JOINT.join(_APOSTROPHE.sub("['’‘]", re.escape(piece)) for piece in pieces) + after
