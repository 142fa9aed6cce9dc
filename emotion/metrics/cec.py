"""CEC, Cross-modal Emotional Consistency: whether the modalities of one utterance agree.

Conventions
    Krippendorff's nominal alpha with modalities as raters and utterances as units; an ambiguous or absent label is a missing
    rating. Pooled over the corpus, not averaged over responses. ``lower`` on the labels, ``upper`` on their sentiments.

Source: MERRY (arXiv 2602.21941), which cites Krippendorff 2011 among its metrics; reconstructed with medium confidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mmrole.core.agreement import nominal_estimate
from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.labels import INVALID, LabelSet, Level, label_set
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Measure = Literal["alpha", "pairwise"]

NAMES: Final = {"alpha": "cec/nominal-alpha/v1", "pairwise": "cec/pairwise-agreement/v1"}


def cec(
    streams: Mapping[str, Sequence[Any]],
    level: Level = "lower",
    *,
    labels: LabelSet | str = "cped-13",
    measure: Measure = "alpha",
    clusters: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Cross-modal Emotional Consistency of utterances.

    Args:
        streams: modality -> label of each utterance, None where ambiguous or absent; all of one length
        level: ``lower`` for the labels, ``upper`` for their sentiments
        labels: the label set or its name
        measure: ``alpha``, or ``pairwise``: mean over utterances of the share of agreeing pairs of modalities
        clusters: dialogue of each utterance, for the interval
        bootstrap: draws of the interval; 0 for none
        seed: of the draws

    Returns:
        alpha, at most 1, or a share in [0, 1]; up; ``n`` utterances with two labels or more, ``excluded``
        fewer_than_two_labels (utterances) and invalid_labels; ``details`` observed_agreement (as in alpha), pairwise, and
        pairs: modality pair -> share of equal labels. ``no_pairable_units``, ``no_variation`` and ``no_sentiment_map`` are
        undefined

    Raises:
        UsageError: modalities of different lengths, an unknown option

    >>> cec({"face": ["happy", "anger"], "body": ["happy", "neutral"]}, measure="pairwise").value
    0.5
    """
    names = label_set(labels)
    lengths = {modality: len(column) for modality, column in streams.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"the modalities are of the same utterances, but their lengths are {lengths}")
    if texts := [modality for modality, column in streams.items() if isinstance(column, str)]:
        raise UsageError(f"the labels of {texts[0]} have to be a list, not a text")
    columns = [names.codes(column) for column in streams.values()]
    codes = np.array(columns, dtype=np.int64).reshape(len(streams), max(lengths.values(), default=0)).T
    score, estimate = cec_of_codes(codes, tuple(streams), names, level=level, measure=measure)
    ci = estimate.interval(clusters, draws=bootstrap, seed=seed) if score.value is not None else None
    return score.with_ci(ci)


def cec_of_codes(
    codes: IntArray, modalities: Sequence[str], labels: LabelSet, *, level: Level = "lower", measure: Measure = "alpha"
) -> tuple[Score, Estimate]:
    """`cec` on arrays.

    Args:
        codes: code of each utterance's label per modality, negative where there is none, shape (n, modalities)
        modalities: their names
        labels: the label set
        level: see `cec`
        measure: see `cec`

    Returns:
        the score, and what each utterance adds to it
    """
    if measure not in NAMES:
        raise UsageError(f"measure has to be one of {', '.join(NAMES)}, not {measure!r}")
    names = labels.at(level)
    invalid = int((codes == INVALID).sum())
    if level == "upper" and labels.sentiment_codes is not None:
        codes = np.where(codes >= 0, np.array(labels.sentiment_codes, dtype=np.int64)[codes], codes)
    counts = label_counts(codes, len(labels))
    sizes = counts.sum(axis=1)
    pairable = sizes >= 2
    n = 0 if names is None else int(pairable.sum())
    observed, shares = nominal_estimate(counts), _pair_shares(counts)
    estimate = observed if measure == "alpha" else shares
    value = estimate.value() if n else None
    reason = None
    if value is None:
        reason = "no_sentiment_map" if names is None else "no_variation" if n else "no_pairable_units"
    score = Score(
        metric="cec",
        part=level,
        value=value,
        n=n,
        excluded={"fewer_than_two_labels": len(codes) - n, "invalid_labels": invalid},
        definition=definition(NAMES[measure], labels=labels.name, raters="+".join(modalities)),
        bounds=(None if measure == "alpha" else 0.0, 1.0),
        direction="up",
        reason=reason,
        details={
            "observed_agreement": float(1 - observed.rows[:, 0].sum() / sizes[pairable].sum()) if n else None,
            "pairwise": shares.value() if n else None,
            "pairs": _by_pair(codes, modalities) if n else {},
        },
    )
    return score, estimate


def label_counts(codes: IntArray, size: int) -> IntArray:
    """How often each row has each label.

    Args:
        codes: shape (n, raters), negative for none
        size: number of labels K

    Returns:
        shape (n, K)
    """
    rows = np.broadcast_to(np.arange(len(codes))[:, None], codes.shape)
    there = codes >= 0
    cells = rows[there] * size + codes[there]
    return np.bincount(cells, minlength=len(codes) * size).reshape(len(codes), size).astype(np.int64)


def _pair_shares(counts: IntArray) -> Estimate:
    sizes = counts.sum(axis=1)
    pairs = sizes * (sizes - 1)
    agreeing = (counts * (counts - 1)).sum(axis=1)
    share = np.divide(agreeing, pairs, out=np.zeros(len(counts)), where=pairs > 0)

    return Estimate(rows=np.column_stack([share, pairs > 0]).astype(np.float64), statistic=mean_of_sums)


def _by_pair(codes: IntArray, modalities: Sequence[str]) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for a, b in combinations(range(len(modalities)), 2):
        both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
        n = int(both.sum())
        equal = int((codes[both, a] == codes[both, b]).sum())
        out[f"{modalities[a]}+{modalities[b]}"] = {"agreement": equal / n if n else None, "n": n}
    return out
