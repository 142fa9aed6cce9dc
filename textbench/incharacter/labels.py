"""Labels of the characters' personalities: their type (high, low, marginal), files, and how they are built.

Labels come from two sources, ``pdb`` (votes of the Personality Database) and ``annotation`` (scores of annotators), for each
character, scale and dimension: a score in the scale's own units and a type ``H``, ``L`` or ``X`` (marginal, masked). A dimension
that is not shown has the score ``X``.

Source: InCharacter (ACL 2024), section 4.1 and appendix; the labels file of its repository.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import InputError, UsageError
from textbench.incharacter.scales import KEYED, Scale
from textbench.incharacter.scales import scale as find_scale
from textbench.json_files import read_object

Labels = Mapping[str, Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]]
"""Source -> character -> scale -> dimension -> {"score": number or "X", "type": "H", "L" or "X"}."""
OfSource = dict[str, dict[str, dict[str, dict[str, Any]]]]
"""Character -> scale -> dimension -> label."""
Type = Literal["H", "L", "X"]

HIGH_FROM: Final = 0.6
"""Share of the range from which a score is high."""
LOW_TO: Final = 0.4
"""Share of the range up to which a score is low."""
ABSENT: Final = ""
"""Type of a dimension without a label, in `label_arrays`."""

_ROUNDING: Final = 1e-9  # 4.6 on 1-7 is 0.6 of the range, but 3.5999999999999996 / 6 is less
_MIRRORED: Final = {"H": "L", "L": "H", "X": "X"}


def label_type(score: float, scale: str | Scale) -> Type:
    """The type of a score.

    With u the share of the range below the score: H when u >= 0.6, L when u <= 0.4, else X.

    Args:
        score: in the scale's own units
        scale: the scale or its name

    >>> label_type(3.4, "BFI"), label_type(40.0, "16Personalities"), label_type(3.0, "BFI")
    ('H', 'L', 'X')
    """
    of = find_scale(scale)
    share = (score - of.score_low) / of.score_span
    return "H" if share >= HIGH_FROM - _ROUNDING else "L" if share <= LOW_TO + _ROUNDING else "X"


def read_labels(path: str | Path, scales: Iterable[Scale] = ()) -> dict[str, OfSource]:
    """Reads a labels file: ``{pdb|annotation: {character: {scale: {dimension: {score, type}}}}}``.

    Args:
        path: a JSON file
        scales: scales of one's own; labels of a scale that is neither packaged nor among these are refused

    Returns:
        the labels, scores as numbers or ``"X"``

    Raises:
        InputError: one line with file, key and reason
    """
    file = Path(path)
    known = {name: find_scale(name) for name in KEYED} | {of.name: of for of in scales}
    found = read_object(file)
    out: dict[str, OfSource] = {}
    for source, characters in found.items():
        if source not in ("pdb", "annotation"):
            raise InputError(f"{file}: {source}: labels are from pdb or annotation; there is no other source")
        out[source] = {}
        for character, of_scales in _object(characters, file, source).items():
            place = f"{source}.{character}"
            out[source][character] = {}
            for name, dimensions in _object(of_scales, file, place).items():
                if name not in known:
                    raise InputError(f"{file}: {place}.{name}: there is no such scale; there are {', '.join(known)}")
                out[source][character][name] = {
                    dimension: _label(label, known[name], dimension, file, f"{place}.{name}.{dimension}")
                    for dimension, label in _object(dimensions, file, f"{place}.{name}").items()
                }
    if not any(out.values()):
        raise InputError(f"{file}: there are no labels; the file has pdb or annotation, with characters")
    return out


def mirrored(
    labels: Labels, scale: str | Scale, dimensions: Sequence[str], source: str | None = None
) -> dict[str, Any]:
    """The labels with some dimensions turned round: high is low, and the score is low + high - score.

    EPQ-R Lying is labelled the other way round than the interviewer is asked; table 11 needs ``mirrored(labels, "EPQ-R",
    ["Lying"])``.

    Args:
        labels: the labels
        scale: the scale or its name
        dimensions: dimensions to turn round
        source: ``pdb`` or ``annotation``; both when None

    Raises:
        UsageError: the scale has no such dimension
    """
    of = find_scale(scale)
    chosen = {of.checked_dimension(name) for name in dimensions}

    def turned(label: Mapping[str, Any]) -> dict[str, Any]:
        score = label["score"]
        return {
            "score": score if score == "X" else of.score_low + of.score_high - score,
            "type": _MIRRORED[label["type"]],
        }

    return {
        origin: {
            character: {
                name: {
                    dimension: turned(label)
                    if name == of.name and dimension in chosen and source in (None, origin)
                    else label
                    for dimension, label in of_dimensions.items()
                }
                for name, of_dimensions in of_scales.items()
            }
            for character, of_scales in characters.items()
        }
        for origin, characters in labels.items()
    }


def label_arrays(
    labels: Labels, source: str, scale: Scale, characters: Sequence[str], mirror: Sequence[str] = ()
) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.float64]]:
    """Types and scores of one source.

    Args:
        labels: the labels
        source: ``pdb`` or ``annotation``
        scale: the scale
        characters: the rows
        mirror: dimensions to turn round (see `mirrored`)

    Returns:
        types, ``H``, ``L``, ``X`` or `ABSENT`, and scores, NaN where there is none, both of shape (characters, dimensions)

    Raises:
        UsageError: the source has no labels of the scale, or one that is none
    """
    if source not in labels:
        raise UsageError(f"there are no labels from {source!r}; there are {', '.join(labels) or 'none'}")
    if not any(scale.name in of_scales for of_scales in labels[source].values()):
        others = [
            name for name, found in labels.items() if any(scale.name in of_scales for of_scales in found.values())
        ]
        raise UsageError(
            f"labels from {source!r} hold nothing for {scale.name}; there is something in {', '.join(others) or 'no other'}"
        )
    turned = {scale.checked_dimension(name) for name in mirror}
    shape = (len(characters), len(scale.dimensions))
    types, scores = np.full(shape, ABSENT, dtype="U1"), np.full(shape, np.nan)
    for row, character in enumerate(characters):
        found = labels[source].get(character, {}).get(scale.name, {})
        for column, dimension in enumerate(scale.dimensions):
            if (label := found.get(dimension)) is None:
                continue
            kind, score = label.get("type"), label.get("score")
            if kind not in _MIRRORED:
                raise UsageError(
                    f"{source}, {character}, {scale.name} {dimension}: the type is H, L or X, not {kind!r}"
                )
            number = np.nan if score in ("X", None) else float(score)
            turn = dimension in turned
            types[row, column] = _MIRRORED[kind] if turn else kind
            scores[row, column] = scale.score_low + scale.score_high - number if turn else number
    return types, scores


def _label(label: object, scale: Scale, dimension: str, file: Path, place: str) -> dict[str, Any]:
    if dimension not in scale.keys:
        raise InputError(
            f"{file}: {place}: {scale.name} has no such dimension; it has {', '.join(scale.dimensions[:10])}"
        )
    found = _object(label, file, place)
    for key in ("score", "type"):
        if key not in found:
            raise InputError(f"{file}: {place}.{key}: is missing")
    score, kind = found["score"], found["type"]
    if kind not in _MIRRORED:
        raise InputError(f"{file}: {place}.type: has to be H, L or X, not {kind!r}")
    if score == "X":
        if kind != "X":
            raise InputError(f"{file}: {place}.type: a dimension whose score is X has the type X, not {kind!r}")
        return {"score": "X", "type": "X"}
    number = isinstance(score, (int, float)) and not isinstance(score, bool) and math.isfinite(score)
    if not number or not scale.score_low <= score <= scale.score_high:
        raise InputError(
            f'{file}: {place}.score: has to be a number from {scale.score_low:g} to {scale.score_high:g} or "X", not {score!r}'
        )
    return {"score": float(score), "type": kind}


def _object(value: object, file: Path, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{file}: {place}: has to be an object in braces, not {str(value)[:40]!r}")
    return value
