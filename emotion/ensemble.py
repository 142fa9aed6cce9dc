"""From the votes of several experts to one label: the acceptance rule.

A label is accepted when it has at least the threshold's share of the valid votes, else the utterance is *ambiguous*: a
status, never a class. Shares are compared as fractions, so 7 of 10 reach 0.7 exactly.

Source: MERRY (arXiv 2602.21941), ERC experts: five experts of two passes each, 10 * most >= 7 * valid. [reconstructed from
secondary readings; it agrees with the rule for people, at least 4 of 5]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

DEFAULT_THRESHOLD: Final = Fraction(7, 10)
DEFAULT_MIN_VALID: Final = Fraction(1, 2)

NO_VOTES: Final = "no_votes"
TOO_FEW_VOTES: Final = "too_few_votes"
NO_MAJORITY: Final = "no_majority"
TIE: Final = "tie"
REASONS: Final = (NO_VOTES, TOO_FEW_VOTES, NO_MAJORITY, TIE)
"""Why there is no label: nobody was asked; too few valid votes; no label with enough of them; two labels with enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EmotionLabel:
    """The fused label of one utterance and stream.

    Attributes:
        label: the accepted label; None when ambiguous
        reason: one of `REASONS` when there is no label
        share: share of the leading label among the valid votes, in [0, 1]; None without a valid vote
        votes: label -> valid votes, most first, then in the order of the label set
        valid: number of valid votes
        cast: number of votes that were asked for
        utterance_id: the utterance
        stream: ``all``, ``text``, ``face``, ``body`` or ``speech``
    """

    label: str | None
    reason: str | None
    share: float | None
    votes: Mapping[str, int]
    valid: int
    cast: int
    utterance_id: str = ""
    stream: str = "all"

    def to_record(self) -> dict[str, Any]:
        """The label as one JSON record, keys sorted."""
        return {
            "cast": self.cast,
            "label": self.label,
            "reason": self.reason,
            "share": self.share,
            "stream": self.stream,
            "utterance_id": self.utterance_id,
            "valid": self.valid,
            "votes": dict(self.votes),
        }


def exact(share: float | str | Fraction, name: str = "threshold") -> Fraction:
    """A share as the fraction that is meant: 0.7 is 7/10, not the float next to it.

    Args:
        share: a number, ``"0.7"``, ``"7/10"`` or a fraction, above 0 and at most 1
        name: for the message

    Raises:
        UsageError: no number, or out of range
    """
    try:
        fraction = share if isinstance(share, Fraction) else Fraction(str(share))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{name} has to be a number such as 0.7 or 7/10, not {share!r}") from None
    if not 0 < fraction <= 1:
        raise UsageError(f"{name} has to be above 0 and at most 1, not {share}")
    return fraction


def fuse(
    votes: Mapping[Any, int] | Iterable[Hashable],
    threshold: float | str | Fraction = DEFAULT_THRESHOLD,
    *,
    labels: LabelSet | str = "cped-13",
    cast: int | None = None,
    min_valid: float | str | Fraction = DEFAULT_MIN_VALID,
    utterance_id: str = "",
    stream: str = "all",
) -> EmotionLabel:
    """Fuses the votes on one utterance and stream.

    Args:
        votes: label -> number of votes, or the votes themselves; None and labels outside the set are invalid votes
        threshold: share of the valid votes that accepts a label
        labels: the label set or its name
        cast: votes that were asked for; the sum of the votes when None
        min_valid: share of the votes asked for that has to be valid
        utterance_id: stands in the result
        stream: stands in the result

    Raises:
        UsageError: a negative or fractional count, fewer votes asked for than given, a threshold out of range

    >>> fuse({"happy": 7, "anger": 3}).label
    'happy'
    >>> fuse({"happy": 6, "anger": 4}).reason
    'no_majority'
    """
    names = label_set(labels)
    if isinstance(votes, str):
        raise UsageError(f"votes have to be counts or a list of labels, not the text {votes!r}")
    bag = dict(votes) if isinstance(votes, Mapping) else Counter(votes)
    counts = np.zeros((1, len(names)), dtype=np.int64)
    total = 0
    for label, count in bag.items():
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise UsageError(f"a number of votes has to be a whole number from 0, got {count!r} for {label!r}")
        total += int(count)
        code = names.code(label)
        if code >= 0:
            counts[0, code] += count
    if cast is not None and cast < total:
        raise UsageError(f"{total} votes were given but only {cast} asked for")
    asked = total if cast is None else cast
    fused = fuse_counts(counts, np.array([asked]), threshold=threshold, min_valid=min_valid)
    return emotion_label(counts[0], int(fused[0]), asked, names, utterance_id=utterance_id, stream=stream)


def fuse_counts(
    counts: npt.NDArray[np.int64],
    cast: npt.NDArray[np.int64],
    *,
    threshold: float | str | Fraction = DEFAULT_THRESHOLD,
    min_valid: float | str | Fraction = DEFAULT_MIN_VALID,
) -> npt.NDArray[np.int64]:
    """`fuse` for many utterances at once.

    Args:
        counts: valid votes per label, shape (n, K)
        cast: votes asked for, shape (n,)
        threshold: share of the valid votes that accepts a label
        min_valid: share of the votes asked for that has to be valid

    Returns:
        code of the accepted label, or -1 - (position in `REASONS`) where there is none, shape (n,)
    """
    wanted, enough = exact(threshold), exact(min_valid, "min_valid")
    valid = counts.sum(axis=1)
    top = counts.max(axis=1) if counts.shape[1] else np.zeros_like(valid)
    leaders = (counts == top[:, None]).sum(axis=1)
    accepted = top * wanted.denominator >= wanted.numerator * valid
    few = (valid * enough.denominator < enough.numerator * cast) | (valid == 0)
    codes = np.where(accepted, counts.argmax(axis=1), -1 - REASONS.index(NO_MAJORITY))
    codes = np.where(accepted & (leaders > 1), -1 - REASONS.index(TIE), codes)
    codes = np.where(few, -1 - REASONS.index(TOO_FEW_VOTES), codes)
    return np.where(cast == 0, -1 - REASONS.index(NO_VOTES), codes).astype(np.int64)


def emotion_label(
    counts: npt.NDArray[np.int64], code: int, cast: int, labels: LabelSet, *, utterance_id: str, stream: str
) -> EmotionLabel:
    """The fused label of one row of `fuse_counts`.

    Args:
        counts: valid votes per label, shape (K,)
        code: what `fuse_counts` gave
        cast: votes asked for
        labels: the label set
        utterance_id: the utterance
        stream: the stream
    """
    valid = int(counts.sum())
    order = np.argsort(-counts, kind="stable")
    votes = {labels.labels[k]: int(counts[k]) for k in order if counts[k]}
    return EmotionLabel(
        label=labels.labels[code] if code >= 0 else None,
        reason=None if code >= 0 else REASONS[-1 - code],
        share=int(counts.max()) / valid if valid else None,
        votes=votes,
        valid=valid,
        cast=cast,
        utterance_id=utterance_id,
        stream=stream,
    )
