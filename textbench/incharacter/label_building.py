"""Labels made from votes of the Personality Database (PDb) and from sheets of annotators.

PDb: visitors vote for a type of four letters (16Personalities) or five (SLOAN, for BFI); the share of the votes for the high pole is
the score, 1 + 4 x share on BFI and 100 x share on 16Personalities. Annotators rate each dimension with a whole number on the
range of the scale's items, or mark it as not shown (``X``).

Files are CSV with the columns ``character, type, votes`` or ``character, scale, dimension, share`` (PDb), and ``character, scale,
dimension, annotator, score`` (sheets).

Source: InCharacter (ACL 2024), section 4.1 and appendix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError, UsageError
from textbench.incharacter.labels import OfSource, label_type
from textbench.incharacter.scales import Scale
from textbench.incharacter.scales import scale as find_scale

Shares = dict[str, dict[str, dict[str, float]]]
"""Character -> scale -> dimension -> share of the votes for the high pole."""
Sheets = dict[str, dict[tuple[str, str], dict[str, int | None]]]
"""Scale -> (character, dimension) -> annotator -> rating, None where marked as not shown."""

VOTES_COLUMNS: Final = ("character", "type", "votes")
SHARE_COLUMNS: Final = ("character", "scale", "dimension", "share")
SHEET_COLUMNS: Final = ("character", "scale", "dimension", "annotator", "score")

_LETTERS: Final = {
    4: ("16Personalities", {"E/I": (0, "EI"), "S/N": (1, "SN"), "T/F": (2, "TF"), "P/J": (3, "PJ")}),
    5: (
        "BFI",
        {
            "Extraversion": (0, "SR"), "Agreeableness": (3, "AE"), "Conscientiousness": (2, "OU"), "Neuroticism": (1, "LC"),
            "Openness": (4, "IN"),
        },
    ),
}  # fmt: skip
# number of letters -> scale, dimension -> position of its letter, high and low pole


def shares_of_votes(votes: Mapping[str, int], who: str = "votes") -> dict[str, dict[str, float]]:
    """Shares of the votes for the high poles.

    Args:
        votes: type of four letters (``ESTJ``) or of five (``SCOAI``) -> votes; ``XXXX`` without votes stands for none
        who: whose votes these are, for messages

    Returns:
        scale -> dimension -> share in [0, 1]; without the scales that have no votes

    Raises:
        UsageError: a type with other letters, a number of votes that is none

    >>> shares_of_votes({"ESTJ": 3, "INTJ": 1})["16Personalities"]
    {'E/I': 0.75, 'S/N': 0.75, 'T/F': 1.0, 'P/J': 0.0}
    """
    total = {name: 0 for name, _ in _LETTERS.values()}
    high = {name: dict.fromkeys(dimensions, 0) for name, dimensions in _LETTERS.values()}
    for code, count in votes.items():
        letters = code.strip().upper()
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise UsageError(f"{who}: votes for {code} are a whole number from 0, not {count!r}")
        if not count and not letters.strip("X"):
            continue
        scale, dimensions = _LETTERS.get(len(letters), ("", {}))
        if not dimensions or any(letters[position] not in poles for position, poles in dimensions.values()):
            raise UsageError(
                f"{who}: {code!r} is no type such as ESTJ, or SCOAI (social, calm, organized, accommodating, inquisitive)"
            )
        total[scale] += count
        for dimension, (position, poles) in dimensions.items():
            high[scale][dimension] += count * (letters[position] == poles[0])
    return {
        scale: {dimension: count / total[scale] for dimension, count in found.items()}
        for scale, found in high.items()
        if total[scale]
    }


def labels_from_shares(
    shares: Mapping[str, Mapping[str, Mapping[str, float]]],
    scales: Iterable[Scale] = (),
    *,
    mirror: Mapping[str, Sequence[str]] | None = None,
) -> OfSource:
    """Labels from PDb shares: what stands under ``pdb`` in a labels file.

    Args:
        shares: character -> scale -> dimension -> share of the votes for the high pole
        scales: scales of one's own
        mirror: scale -> dimensions that were labelled the other way round than they are measured (EPQ-R Lying)

    Returns:
        character -> scale -> dimension -> score (low + span x share) and type

    Raises:
        UsageError: an unknown scale or dimension, a share outside [0, 1]

    >>> labels_from_shares({"Ann": {"BFI": {"Openness": 0.5}}})["Ann"]["BFI"]["Openness"]
    {'score': 3.0, 'type': 'X'}
    """
    known = {of.name: of for of in scales}
    out: OfSource = {}
    for character, of_scales in shares.items():
        for name, dimensions in of_scales.items():
            of = known.get(name) or find_scale(name)
            for dimension, share in dimensions.items():
                of.checked_dimension(dimension)
                if not 0 <= share <= 1:  # NaN too
                    raise UsageError(f"{character}, {name} {dimension}: a share is from 0 to 1, not {share!r}")
                label = _label(of.score_low + of.score_span * share, of, dimension, mirror)
                out.setdefault(character, {}).setdefault(name, {})[dimension] = label
    return out


def labels_from_sheets(
    sheets: Sheets, scales: Iterable[Scale] = (), *, mirror: Mapping[str, Sequence[str]] | None = None
) -> OfSource:
    """Labels from annotators' sheets: what stands under ``annotation`` in a labels file.

    The score is the mean of the ratings, rescaled for 16Personalities. Score and type are X where more than one annotator
    marks the dimension as not shown, and where nobody rated it.

    Args:
        sheets: see `read_sheets`
        scales: scales of one's own
        mirror: scale -> dimensions that were labelled the other way round than they are measured (EPQ-R Lying)

    Returns:
        character -> scale -> dimension -> score and type

    Raises:
        UsageError: an unknown scale or dimension
    """
    known = {of.name: of for of in scales}
    out: OfSource = {}
    for name, cells in sheets.items():
        of = known.get(name) or find_scale(name)
        for (character, dimension), by_annotator in cells.items():
            of.checked_dimension(dimension)
            given = [rating for rating in by_annotator.values() if rating is not None]
            label: dict[str, Any] = {"score": "X", "type": "X"}
            if given and len(by_annotator) - len(given) <= 1:
                label = _label(of.rescaled(sum(given) / len(given)), of, dimension, mirror)
            out.setdefault(character, {}).setdefault(name, {})[dimension] = label
    return out


def read_pdb(path: str | Path, scales: Iterable[Scale] = ()) -> Shares:
    """Reads PDb votes or shares (see the module for the columns).

    Raises:
        InputError: one line with file, line and reason
    """
    header, rows = _rows(path, VOTES_COLUMNS, SHARE_COLUMNS)
    if header == VOTES_COLUMNS:
        votes: dict[str, dict[str, int]] = {}
        for place, (character, code, text) in rows:
            of_character = votes.setdefault(character, {})
            if code.upper() in of_character:
                raise InputError(f"{place}: votes of {character} for {code} are there twice")
            of_character[code.upper()] = _whole(text, place, "votes")
            try:
                shares_of_votes({code: of_character[code.upper()]}, place)
            except UsageError as error:
                raise InputError(str(error)) from None
        return {
            character: shares
            for character, of_character in votes.items()
            if (shares := shares_of_votes(of_character, character))
        }
    out: Shares = {}
    for place, (character, name, dimension, text) in rows:
        _known_dimension(name, dimension, scales, place)
        share = _number(text, place, "share")
        if not 0 <= share <= 1:
            raise InputError(f"{place}: a share is from 0 to 1, not {text}")
        found = out.setdefault(character, {}).setdefault(name, {})
        if dimension in found:
            raise InputError(f"{place}: {name} {dimension} of {character} is there twice")
        found[dimension] = share
    return out


def read_sheets(path: str | Path, scales: Iterable[Scale] = ()) -> Sheets:
    """Reads annotators' ratings; an empty score means that the annotator was not asked.

    Raises:
        InputError: one line with file, line and reason
    """
    _, rows = _rows(path, SHEET_COLUMNS)
    out: Sheets = {}
    for place, (character, name, dimension, annotator, text) in rows:
        of = _known_dimension(name, dimension, scales, place)
        if not annotator:
            raise InputError(f"{place}: no annotator")
        if not text:
            continue
        cell = out.setdefault(name, {}).setdefault((character, dimension), {})
        if annotator in cell:
            raise InputError(f"{place}: a second rating of {character}, {name} {dimension} by {annotator}")
        cell[annotator] = None if text.upper() == "X" else _whole(text, place, "score")
        rating = cell[annotator]
        if rating is not None and not of.low <= rating <= of.high:
            raise InputError(
                f"{place}: a rating on {name} is from {of.low} to {of.high}, or X when not shown, not {text}"
            )
    return out


def _label(score: float, of: Scale, dimension: str, mirror: Mapping[str, Sequence[str]] | None) -> dict[str, Any]:
    turned = {of.checked_dimension(name) for name in (mirror or {}).get(of.name, ())}
    score = of.score_low + of.score_high - score if dimension in turned else score
    return {"score": score, "type": label_type(score, of)}


def _rows(path: str | Path, *headers: tuple[str, ...]) -> tuple[tuple[str, ...], list[tuple[str, list[str]]]]:
    """The columns that were found, and place and cells of each row in their order."""
    source = str(path)
    report = DefectReport(source=source)
    table = Table(read_clean(path, report), source)
    names = {name.lower(): position for position, name in enumerate(table.header)}
    for header in headers:
        if set(header) <= names.keys():
            at = [names[name] for name in header]
            rows = [
                (f"{source}, line {table.line}", [row[position].strip() for position in at])
                for row in table.rows(report, strict=True)
            ]
            break
    else:
        wanted = " or ".join(", ".join(header) for header in headers)
        raise InputError(f"{source}: the columns have to be {wanted}; there are {', '.join(table.header)}")
    if not rows:
        raise InputError(f"{source}: there is nothing below the header")
    for place, cells in rows:
        if not cells[0]:
            raise InputError(f"{place}: no character")
    return header, rows


def _known_dimension(name: str, dimension: str, scales: Iterable[Scale], place: str) -> Scale:
    of = next((own for own in scales if own.name == name), None)
    try:
        of = of or find_scale(name)
        of.checked_dimension(dimension)
    except UsageError as error:
        raise InputError(f"{place}: {error}") from None
    return of


def _whole(text: str, place: str, what: str) -> int:
    number = _number(text, place, what)
    if not number.is_integer() or number < 0:
        raise InputError(f"{place}: {what} has to be a whole number from 0, not {text!r}")
    return int(number)


def _number(text: str, place: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{place}: {what} has to be a number, not {text!r}")
    return number
