"""The scales: which item belongs to which dimension, which items are reversed, and the ranges.

The numeric keys of the 14 scales of InCharacter are packaged (``scale_keys.json``: item numbers, negative = reversed); their
item texts are not, because most of them are not free. A `Scale` for other items comes from a questionnaire file
(`textbench.incharacter.questionnaire_files`) or from `scale_from_keys`.

Source: InCharacter (ACL 2024), section 3 and the questionnaires of its repository.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from mmrole.core.errors import UsageError

Keys = Mapping[str, Sequence[int]]
"""Dimension -> numbers of its items, negative = reversed."""

SCALES: Final = (
    "BFI", "16Personalities", "EPQ-R", "DTDD", "BSRI", "CABIN", "ICB", "ECR-R", "GSE", "LOT-R", "LMS", "EIS", "WLEIS", "Empathy",
)  # fmt: skip
"""Names of the 14 scales of InCharacter."""
KEYED: Final = (*SCALES, "IPIP-50")
"""Scales whose keys are packaged: those, and the one in the public domain whose items are packaged too."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Key and ranges of one scale.

    Attributes:
        name: of the scale
        low: smallest choice of an item
        high: largest choice of an item
        score_low: smallest score of a dimension; `low` unless scores are rescaled
        score_high: largest score of a dimension
        keys: dimension -> item id -> whether the item is reversed
        fillers: ids of items that belong to no dimension
        variant: name of the key where it is not the scale's own
    """

    name: str
    low: int
    high: int
    score_low: float
    score_high: float
    keys: Mapping[str, Mapping[str, bool]] = field(hash=False)
    fillers: tuple[str, ...] = ()
    variant: str = "own"

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Names of the dimensions, in the order of the key."""
        return tuple(self.keys)

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the scored items, dimension by dimension."""
        return tuple(item for key in self.keys.values() for item in key)

    @property
    def span(self) -> int:
        """Largest minus smallest choice."""
        return self.high - self.low

    @property
    def score_span(self) -> float:
        """Largest minus smallest score of a dimension."""
        return self.score_high - self.score_low

    @property
    def midpoint(self) -> float:
        """Choice in the middle: what a refusal counts as."""
        return (self.low + self.high) / 2

    @property
    def score_midpoint(self) -> float:
        """Score in the middle: what is above it is high."""
        return (self.score_low + self.score_high) / 2

    def rescaled(self, mean: float) -> float:
        """The mean of item scores on the range of the scores: 0-100 for 16Personalities, else unchanged."""
        if (self.low, self.high) == (self.score_low, self.score_high):
            return mean
        return self.score_low + (mean - self.low) / self.span * self.score_span

    def checked_dimension(self, name: str) -> str:
        """The name of a dimension.

        Raises:
            UsageError: the scale has no such dimension
        """
        if name not in self.keys:
            raise UsageError(f"{self.name} has no dimension {name!r}; it has {', '.join(self.dimensions[:10])}")
        return name

    def with_keys(self, keys: Keys) -> Scale:
        """The scale with another key.

        Args:
            keys: dimension -> item numbers, negative = reversed; dimensions that are not named keep their key. An item that
                no dimension has any more is a filler

        Raises:
            UsageError: an unknown dimension, an item that is there twice
        """
        changed = {self.checked_dimension(name): _signed(numbers, self.name, name) for name, numbers in keys.items()}
        merged = {name: changed.get(name, key) for name, key in self.keys.items()}
        _each_once(self.name, merged)
        scored = {item for key in merged.values() for item in key}
        fillers = tuple(dict.fromkeys(i for i in (*self.fillers, *self.items) if i not in scored))
        return replace(self, keys=merged, fillers=fillers, variant="given")


def scale(name: str | Scale, keys: Keys | str | None = None) -> Scale:
    """One of the packaged scales.

    Args:
        name: its name, such as ``BFI``; a `Scale` is taken as it is
        keys: another key: dimension -> item numbers, negative = reversed (see `Scale.with_keys`), or the name of a published
            variant: ``item_25_f`` of 16Personalities (item 25 keyed F, as in the stored SR runs of gpt-3.5 and gpt-4 and the
            OC and d-OC runs), ``upstream_items`` of LOT-R (without item 9, as in the published runs)

    Raises:
        UsageError: an unknown scale, variant, or dimension

    >>> scale("BFI").keys["Neuroticism"]["9"], scale("LOT-R", "upstream_items").items
    (True, ('1', '3', '4', '7', '10'))
    """
    found = name if isinstance(name, Scale) else _packaged(name)
    if keys is None:
        return found
    if isinstance(keys, str):
        variants = _records().get(found.name, {}).get("variants", {})
        if keys not in variants:
            known = f"its variants are {', '.join(variants)}" if variants else "it has no variants"
            raise UsageError(f"{found.name} has no key named {keys!r}; {known}")
        return replace(found.with_keys(variants[keys]), variant=keys)
    return found.with_keys(keys)


def scale_from_keys(
    name: str,
    keys: Keys,
    *,
    choices: tuple[int, int],
    scores: tuple[float, float] | None = None,
    fillers: Sequence[int] = (),
) -> Scale:
    """A scale of one's own.

    Args:
        name: of the scale
        keys: dimension -> item numbers, negative = reversed
        choices: smallest and largest choice of an item
        scores: smallest and largest score of a dimension; as the choices when None
        fillers: numbers of items that belong to no dimension

    Raises:
        UsageError: an item twice, a dimension without items, an empty range
    """
    signed = {dimension: _signed(numbers, name, dimension) for dimension, numbers in keys.items()}
    return scale_of(name, signed, choices=choices, scores=scores, fillers=tuple(str(number) for number in fillers))


def scale_of(
    name: str,
    keys: Mapping[str, Mapping[str, bool]],
    *,
    choices: tuple[int, int],
    scores: tuple[float, float] | None = None,
    fillers: tuple[str, ...] = (),
) -> Scale:
    """`scale_from_keys` with the key as dimension -> item id -> whether it is reversed."""
    _each_once(name, keys)
    low, high = choices
    score_low, score_high = scores if scores is not None else choices
    if not (low < high and score_low < score_high):
        raise UsageError(
            f"{name}: a range goes from small to large, not {choices}{'' if scores is None else f' or {scores}'}"
        )
    return Scale(
        name=name,
        low=low,
        high=high,
        score_low=score_low,
        score_high=score_high,
        keys=dict(keys),
        fillers=tuple(fillers),
    )


@cache
def _packaged(name: str) -> Scale:
    record = _records().get(name)
    if record is None:
        raise UsageError(f"there is no scale {name!r}; there are {', '.join(KEYED)}")
    low, high = record["range"]
    scores = record.get("score_range")
    return scale_from_keys(
        name,
        record["dimensions"],
        choices=(low, high),
        scores=tuple(scores) if scores else None,
        fillers=record.get("fillers", ()),
    )


@cache
def _records() -> dict[str, Any]:
    text = files("textbench.incharacter").joinpath("scale_keys.json").read_text(encoding="utf-8")
    records: dict[str, Any] = json.loads(text)
    return records


def _signed(numbers: Sequence[int], name: str, dimension: str) -> dict[str, bool]:
    key: dict[str, bool] = {}
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not number:
            raise UsageError(f"{name} {dimension}: items are whole numbers, negative when reversed, not {number!r}")
        if str(abs(number)) in key:
            raise UsageError(f"{name} {dimension}: item {abs(number)} is there twice")
        key[str(abs(number))] = number < 0
    return key


def _each_once(name: str, keys: Mapping[str, Mapping[str, bool]]) -> None:
    owner: dict[str, str] = {}
    for dimension, key in keys.items():
        if not key:
            raise UsageError(f"{name} {dimension}: a dimension has items")
        for item in key:
            if item in owner:
                raise UsageError(f"{name}: item {item} belongs to {owner[item]} and to {dimension}")
            owner[item] = dimension
