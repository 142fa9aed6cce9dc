"""`Score`: what every metric gives back.

An undefined score is None with a reason, every exclusion is counted, and a value that is not finite cannot get in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from mmrole.core.errors import InputError

Direction = Literal["up", "down", "zero"]

DIRECTIONS: Final = ("up", "down", "zero")
"""Better when larger, when smaller, when nearer to zero."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """One number, with what is needed to read it.

    Attributes:
        metric: ``mec``, ``cec``, ``ed``, ...
        part: ``lower``, ``upper``, ``all``, ``intra``, ...
        value: the value; None where it is undefined
        n: what the value is a mean over: responses (MEC), pairable units (CEC), utterances with two votes or more (ED),
            roles (EDD), pairs of roles (RCD), samples (RC)
        excluded: reason -> number of items left out
        ci: low and high end of the interval; None where there is none
        definition: name and version of the formula with every option that decides the value, such as
            ``mec/set-micro-f1/v1 empty=excluded labels=cped-13``
        bounds: smallest and largest possible value; None for no bound
        direction: what is better
        reason: why the value is None; None where there is a value
        details: further numbers of the same computation; what they are is said by the metric

    Raises:
        ValueError: value or interval not finite, no reason for an undefined value, or a reason beside a value
    """

    metric: str
    part: str
    value: float | None
    n: int
    excluded: Mapping[str, int] = field(default_factory=dict)
    ci: tuple[float, float] | None = None
    definition: str
    bounds: tuple[float | None, float | None]
    direction: Direction
    reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name = f"{self.metric} {self.part}"
        if self.direction not in DIRECTIONS:
            raise ValueError(f"{name}: direction has to be one of {', '.join(DIRECTIONS)}, not {self.direction!r}")
        if (self.value is None) != (self.reason is not None):
            raise ValueError(f"{name}: value {self.value!r} with reason {self.reason!r}")
        for number in (self.value, *(self.ci or ())):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name}: {number!r} is no value of a score")
        for reason, count in self.excluded.items():
            if count < 0:
                raise ValueError(f"{name}: {count} items excluded for {reason}")

    def with_ci(self, ci: tuple[float, float] | None) -> Score:
        """The same score with an interval."""
        return replace(self, ci=ci)

    def to_record(self) -> dict[str, Any]:
        """The score as one JSON record, keys sorted, without NaN."""
        record: dict[str, Any] = {
            "metric": self.metric,
            "part": self.part,
            "value": self.value,
            "n": self.n,
            "excluded": {key: count for key, count in sorted(self.excluded.items()) if count},
            "ci": None if self.ci is None else list(self.ci),
            "definition": self.definition,
            "bounds": list(self.bounds),
            "direction": self.direction,
            "reason": self.reason,
            "details": dict(self.details),
        }
        return dict(sorted(record.items()))


def score_of_record(record: Mapping[str, Any], place: str) -> Score:
    """A score from what `Score.to_record` gave.

    Args:
        record: the record
        place: file and line for the message

    Raises:
        InputError: it is no such record
    """
    try:
        given = {name: record[name] for name in Score.__dataclass_fields__}
        given |= {
            "ci": None if given["ci"] is None else (float(given["ci"][0]), float(given["ci"][1])),
            "bounds": (given["bounds"][0], given["bounds"][1]),
        }
        return Score(**given)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{place}: no score ({type(error).__name__}: {error})") from None


def definition(name: str, **options: object) -> str:
    """A definition string: the formula with its version, then every option that decides the value.

    >>> definition("mec/set-micro-f1/v1", labels="cped-13", empty="excluded")
    'mec/set-micro-f1/v1 empty=excluded labels=cped-13'
    """
    return " ".join([name, *(f"{key}={_shown(value)}" for key, value in sorted(options.items()))])


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
