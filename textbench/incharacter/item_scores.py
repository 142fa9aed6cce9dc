"""Choices of items as keyed numbers, with what is no choice counted by reason.

Conventions
    ``x`` (either case), None and an empty text are refusals; an item that a run lacks is missing and counts as a refusal, as an
    interviewer that never converted it (section 3.2 of the paper). A refusal is worth the midpoint, or is left out. A number
    that is none of the options (0, 666 or 3.14 on 1-5), or no number, is invalid: counted and left out.

Source: InCharacter (ACL 2024), section 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import UsageError
from textbench.incharacter.scales import Keys, Scale
from textbench.incharacter.scales import scale as find_scale

FloatArray = npt.NDArray[np.float64]
Choices = Mapping[str, Sequence[Mapping[Any, Any]]]
"""Character -> one mapping per run: item id -> choice."""
Method = Literal["SR", "SR-CoT", "OC", "d-OC"]
Refusal = Literal["midpoint", "excluded"]

METHODS: Final[tuple[str, ...]] = get_args(Method)
"""Methods that give a choice per item; expert rating gives scores of dimensions."""
ANSWERED: Final = 0
REFUSED: Final = 1
MISSING: Final = 2
INVALID: Final = 3
KINDS: Final = ("answered", "refused", "missing", "invalid")
"""What a cell of `ItemScores.kinds` means, by its number."""

_NONE: Final = math.nan


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemScores:
    """Keyed item scores of all runs of all characters.

    Attributes:
        scale: the scale
        characters: names, in the order of the input
        owner: number of the character of each row, shape (rows,)
        runs: number of the run of each row, shape (rows,)
        choices: the numbers chosen, NaN where there is none, shape (rows, items)
        values: item scores after reversal, NaN where left out, shape (rows, items)
        kinds: see `KINDS`, shape (rows, items)
    """

    scale: Scale
    characters: tuple[str, ...]
    owner: npt.NDArray[np.int64]
    runs: npt.NDArray[np.int64]
    choices: FloatArray
    values: FloatArray
    kinds: npt.NDArray[np.int8]

    def counts(self) -> dict[str, int]:
        """How many choices there are of each of `KINDS`."""
        return dict(zip(KINDS, np.bincount(self.kinds.ravel(), minlength=len(KINDS)).tolist(), strict=True))

    def columns(self) -> dict[str, slice]:
        """Dimension -> its columns."""
        out, start = {}, 0
        for dimension, key in self.scale.keys.items():
            out[dimension] = slice(start, start + len(key))
            start += len(key)
        return out


def item_scores(
    choices: Choices,
    scale: str | Scale = "BFI",
    *,
    method: str = "SR",
    keys: Keys | str | None = None,
    upstream_ranges: bool = False,
    refusal: Refusal = "midpoint",
) -> ItemScores:
    """Item scores: the choice, or low + high - choice of a reversed item.

    Args:
        choices: character -> run -> item id -> choice (a number, or a text that is one)
        scale: the scale or its name
        method: ``SR``, ``SR-CoT``, ``OC``; ``d-OC`` rates the dimension itself, so nothing is reversed
        keys: another key (see `textbench.incharacter.scales.scale`)
        upstream_ranges: let every finite number into the means, as the published runs did
        refusal: ``midpoint``, or ``excluded``

    Raises:
        UsageError: an unknown scale, method or option, an item that the scale does not have
    """
    chosen = find_scale(scale, keys)
    if method not in METHODS:
        raise UsageError(
            f"item choices come from {', '.join(METHODS)}, not {method!r}; ER has scores of batches (batch_scores)"
        )
    if refusal not in get_args(Refusal):
        raise UsageError(f"refusal is one of {', '.join(get_args(Refusal))}, not {refusal!r}")
    items = chosen.items
    known = {*items, *chosen.fillers}
    owner, runs, numbers, kinds = [], [], [], []
    for position, (character, of_runs) in enumerate(choices.items()):
        if isinstance(of_runs, Mapping):
            raise UsageError(f"{character}: choices are a list of runs, each item -> choice, not one mapping")
        for run, answers in enumerate(of_runs):
            named = {str(item): choice for item, choice in answers.items()}
            if strange := [item for item in named if item not in known]:
                raise UsageError(f"{character}, run {run}: {chosen.name} has no item {strange[0]!r}")
            read = [_read(named[item], chosen) if item in named else (_NONE, MISSING) for item in items]
            owner.append(position)
            runs.append(run)
            numbers.append([number for number, _ in read])
            kinds.append([kind for _, kind in read])
    shape = (len(owner), len(items))
    found = np.array(numbers, dtype=np.float64).reshape(shape)
    kind = np.array(kinds, dtype=np.int8).reshape(shape)
    values = found if upstream_ranges else np.where(kind == INVALID, np.nan, found)
    if refusal == "midpoint":
        values = np.where((kind == REFUSED) | (kind == MISSING), chosen.midpoint, values)
    if method != "d-OC":
        reversed_items = np.array([r for key in chosen.keys.values() for r in key.values()], dtype=bool)
        values = np.where(reversed_items, chosen.low + chosen.high - values, values)
    return ItemScores(
        scale=chosen,
        characters=tuple(choices),
        owner=np.array(owner, dtype=np.int64),
        runs=np.array(runs, dtype=np.int64),
        choices=found,
        values=values,
        kinds=kind,
    )


def _read(choice: object, of: Scale) -> tuple[float, int]:
    """The number of a choice and its kind; an invalid choice keeps its number where it has one."""
    if choice is None:
        return _NONE, REFUSED
    if isinstance(choice, str):
        text = choice.strip()
        if text.lower() in ("x", ""):
            return _NONE, REFUSED
        try:
            number = float(text)
        except ValueError:
            return _NONE, INVALID
    elif isinstance(choice, bool) or not isinstance(choice, (int, float, np.integer, np.floating)):
        return _NONE, INVALID
    else:
        number = float(choice)
    if math.isnan(number):
        return _NONE, MISSING
    if not math.isfinite(number):
        return _NONE, INVALID
    return number, ANSWERED if of.low <= number <= of.high and number.is_integer() else INVALID
