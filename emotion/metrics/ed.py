r"""ED, Emotional Discrepancy: how much the experts disagree about an utterance, that is, how unclear its expression is.

Conventions
    With V valid votes, c_k of them for label k, p_k = c_k / V, and K labels:

        ED = mean over utterances with V >= 2 of  -sum p_k ln p_k / ln(min(V, K))

    0 = all votes agree, 1 = as different as V votes can be. Ambiguous utterances are included: they are the point.

    Two passes of one model are not independent raters: ED of such votes measures the model's own wavering as well, and the
    interval over dialogues does not cover that.

Source: MERRY (arXiv 2602.21941), emotional discrepancy; reconstructed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mmrole.core.agreement import nominal_estimate
from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.labels import INVALID, LabelSet, label_set
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Measure = Literal["entropy", "alpha"]

NAMES: Final = {"entropy": "ed/normalised-entropy/v1", "alpha": "ed/one-minus-nominal-alpha/v1"}


def ed(
    votes: Sequence[Mapping[Any, int]],
    *,
    part: str = "all",
    labels: LabelSet | str = "cped-13",
    measure: Measure = "entropy",
    clusters: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Emotional Discrepancy of the votes on utterances.

    Args:
        votes: label -> number of votes, for each utterance; labels outside the set are invalid votes
        part: the stream that was voted on, for the result
        labels: the label set or its name
        measure: ``entropy``, or ``alpha``: 1 - nominal alpha with votes as ratings
        clusters: dialogue of each utterance, for the interval
        bootstrap: draws of the interval; 0 for none
        seed: of the draws

    Returns:
        value in [0, 1] (``alpha``: from 0, above 1 when votes disagree more than by chance), down; ``n`` utterances with
        two valid votes or more, ``excluded`` fewer_than_two_votes (utterances) and invalid_votes; ``details`` unanimous
        (share of utterances with one label) and mean_votes. ``no_utterances`` and ``no_variation`` (alpha) are undefined

    >>> round(ed([{"happy": 7, "anger": 3}]).value, 4)
    0.2653
    """
    names = label_set(labels)
    counts = np.zeros((len(votes), len(names)), dtype=np.int64)
    invalid = 0
    for number, bag in enumerate(votes):
        for label, count in bag.items():
            if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
                raise UsageError(f"a number of votes has to be a whole number from 0, got {count!r} for {label!r}")
            code = names.code(label)
            if code >= 0:
                counts[number, code] += count
            invalid += int(count) * (code == INVALID)
    score, estimate = ed_of_counts(counts, names, part=part, invalid=invalid, measure=measure)
    ci = estimate.interval(clusters, draws=bootstrap, seed=seed) if score.value is not None else None
    return score.with_ci(ci)


def ed_of_counts(
    counts: IntArray, labels: LabelSet, *, part: str = "all", invalid: int = 0, measure: Measure = "entropy"
) -> tuple[Score, Estimate]:
    """`ed` on arrays.

    Args:
        counts: valid votes per label, shape (n, K)
        labels: the label set
        part: the stream
        invalid: number of votes for labels outside the set
        measure: see `ed`

    Returns:
        the score, and what each utterance adds to it
    """
    if measure not in NAMES:
        raise UsageError(f"measure has to be one of {', '.join(NAMES)}, not {measure!r}")
    total = counts.sum(axis=1)
    kept = total >= 2
    n = int(kept.sum())
    estimate = _entropies(counts, kept) if measure == "entropy" else _one_minus_alpha(counts)
    value = estimate.value() if n else None
    unanimous = (counts.max(axis=1, initial=0) == total) & kept
    score = Score(
        metric="ed",
        part=part,
        value=value,
        n=n,
        excluded={"fewer_than_two_votes": len(counts) - n, "invalid_votes": invalid},
        definition=definition(NAMES[measure], labels=labels.name),
        bounds=(0.0, 1.0 if measure == "entropy" else None),
        direction="down",
        reason=None if value is not None else "no_variation" if n else "no_utterances",
        details={
            "unanimous": int(unanimous.sum()) / n if n else None,
            "mean_votes": float(total[kept].mean()) if n else None,
        },
    )
    return score, estimate


def entropy(counts: IntArray) -> FloatArray:
    """Normalised entropy of each row of counts with a total of two or more, shape (n, K) -> (n,), in [0, 1].

    -sum p ln p is computed as ln V - (1/V) sum c ln c, which is exactly ln V for V different votes.
    """
    total = counts.sum(axis=1)
    largest = np.log(np.minimum(total, counts.shape[1]))
    c = np.arange(int(counts.max(initial=0)) + 1)
    weighted = (c * np.log(np.maximum(c, 1)))[counts].sum(axis=1) / total
    single = (counts > 0).sum(axis=1) == 1
    shares: FloatArray = np.where(
        single, 0.0, np.clip((np.log(total) - weighted) / np.where(single, 1.0, largest), 0, 1)
    )
    return shares


def _entropies(counts: IntArray, kept: npt.NDArray[np.bool_]) -> Estimate:
    values = np.zeros(len(counts))
    values[kept] = entropy(counts[kept])

    return Estimate(rows=np.column_stack([values, kept]).astype(np.float64), statistic=mean_of_sums)


def _one_minus_alpha(counts: IntArray) -> Estimate:
    alpha = nominal_estimate(counts)
    return Estimate(rows=alpha.rows, statistic=lambda sums: 1 - alpha.statistic(sums))
