"""What was read in a reply of a judge, whatever it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was read; see `mmrole.llm.Parsed`.

    Attributes:
        status: ``ok``, or why there is no value
        value: what was found; None, or a part of it, when the status is not ``ok``
        rule: that found it
        detail: what is wrong
        notes: what had to be mended to read it
    """

    status: str
    value: Any
    rule: str | None
    detail: str = ""
    notes: tuple[str, ...] = ()
