"""Judgements of role consistency: evidence that a judge quotes, and whether it can be found where it is said to be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.records import Place, places, validated


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A quoted piece of evidence.

    Attributes:
        quote: what the judge quotes
        strength: 0, 1 or 2; used by the method ``graded`` only
        verified: whether the quote was found; only then it counts
    """

    quote: str
    strength: int = 1
    verified: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What one judge says of one response and aspect.

    Attributes:
        utterance_id: the response judged: id of the first utterance of its turn
        aspect: exp, rel or cha
        judge: name of the judge
        supporting: evidence for
        contradicting: evidence against
        rating: the judge's own score from 1 to 5; used by the method ``subjective`` only
        reason: why the judge gave nothing (unparsed, ambiguous, refusal, truncated, error) or was not asked (no_profile,
            no_response); None when it did
        method: how the judge was asked, ``evidence`` or ``subjective``; None where that is not known
        show: the series; None where unknown
        episode: the episode; None where unknown
    """

    utterance_id: str
    aspect: str
    judge: str
    supporting: tuple[Evidence, ...] = ()
    contradicting: tuple[Evidence, ...] = ()
    rating: int | None = None
    reason: str | None = None
    method: str | None = None
    show: str | None = None
    episode: str | None = None


class _EvidenceRecord(BaseModel):
    model_config = ConfigDict(strict=True)

    quote: str
    strength: int = Field(default=1, ge=0, le=2)
    verified: bool = True


class _JudgementRecord(BaseModel):
    model_config = ConfigDict(strict=True)

    utterance_id: str
    aspect: Literal["exp", "rel", "cha"]
    judge: str
    supporting: list[_EvidenceRecord] = []
    contradicting: list[_EvidenceRecord] = []
    rating: int | None = None
    reason: str | None = None
    method: Literal["evidence", "subjective"] | None = None
    show: str | None = None
    episode: str | None = None


def judgements_of(records: Iterable[Mapping[str, Any] | Judgement]) -> list[Judgement]:
    """Judgements from records, or objects as they are.

    Raises:
        InputError: a field is missing or of another type; names file and line when the records know them
    """
    where = places(records, "judgement")
    return [judgement_of(record, number, place=where) for number, record in enumerate(records)]


def judgement_of(record: Mapping[str, Any] | Judgement, number: int, *, place: Place | None = None) -> Judgement:
    """A judgement from its record.

    Args:
        record: the record, or a judgement already
        number: of the record, from 0, for the message
        place: from that number to file and line

    Raises:
        InputError: a field is missing or of another type
    """
    if isinstance(record, Judgement):
        return record
    given = validated(_JudgementRecord, record, place(number) if place is not None else f"judgement {number + 1}")
    supporting, contradicting = (
        tuple(Evidence(quote=item.quote, strength=item.strength, verified=item.verified) for item in side)
        for side in (given.supporting, given.contradicting)
    )
    return Judgement(
        utterance_id=given.utterance_id,
        aspect=given.aspect,
        judge=given.judge,
        supporting=supporting,
        contradicting=contradicting,
        rating=given.rating,
        reason=given.reason,
        method=given.method,
        show=given.show,
        episode=given.episode,
    )


def folded(text: str) -> str:
    """A text as quotes are compared: NFKC, every run of white space one space, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def is_quoted_from(quote: str, materials: Iterable[str]) -> bool:
    """Whether a quote is a part of one of the texts, after NFKC and white-space folding.

    A quote without any letter or digit quotes nothing.
    """
    wanted = folded(quote)
    return any(letter.isalnum() for letter in wanted) and any(wanted in folded(material) for material in materials)
