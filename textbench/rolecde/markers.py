"""Concession markers: words by which a reasoning owns that there is another side.

They are a cross-check of the judge and no verdict: "but" also joins what is no concession, and both sides can be weighed without any
of these words. RoleCDE (its judge prompt) names although, however, despite and their like.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

from mmrole.core.languages import Language

_BEFORE: Final = r"(?<![^\W_])"
_AFTER: Final = r"(?![^\W_])"


def concession_markers(text: str, language: Language) -> tuple[str, ...]:
    """The markers in a text, each once, in the order of the text.

    Args:
        text: a reasoning
        language: ``en`` (whole words, any case) or ``zh``

    >>> concession_markers("Although I see the harm, I go on. But I would not like it.", "en")
    ('although', 'but')
    >>> concession_markers("虽然他会伤心，但是我必须说实话。", "zh")
    ('虽然', '但是')
    """
    return tuple(
        dict.fromkeys(
            " ".join(found.group().casefold().split()) for found in _pattern(language).finditer(text.replace("’", "'"))
        )
    )


def markers(language: Language) -> tuple[str, ...]:
    """All markers of a language, long ones first."""
    data = json.loads(files("textbench.rolecde").joinpath("data", "markers.json").read_text("utf-8"))
    return tuple(sorted(data[language], key=lambda marker: (-len(marker), marker)))


@lru_cache(maxsize=2)
def _pattern(language: Language) -> re.Pattern[str]:
    choices = "|".join(re.escape(marker).replace(r"\ ", r"\s+") for marker in markers(language))
    return re.compile(f"{_BEFORE}(?:{choices}){_AFTER}" if language == "en" else choices, re.IGNORECASE)
