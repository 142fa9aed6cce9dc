"""The two languages of prompts, descriptions and pictures."""

from __future__ import annotations

from typing import Final, Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
