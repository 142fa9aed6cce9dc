r"""MEC, Multimodal Emotional Consistency: fused emotions of a response against those of the ground truth.

Conventions
    A response i has the set G_i of its ground-truth labels and the set P_i of its fused labels, ambiguous ones removed. For a
    label x, TP_x = #{i: x in G_i, x in P_i}, FP_x = #{i: x not in G_i, x in P_i}, FN_x = #{i: x in G_i, x not in P_i}.

        MEC = 2 sum TP / (2 sum TP + sum FP + sum FN)

    ``lower`` is over the labels themselves, ``upper`` over their sentiments, with the sets built after the mapping. Upper is
    usually, not always, the larger.

Source: MERRY (arXiv 2602.21941), emotional consistency. The shape of the formula is reconstructed from the text, micro-F1 with
medium confidence: numbers are not comparable with the paper's tables.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.labels import INVALID, LabelSet, Level, label_set
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Average = Literal["micro", "macro", "jaccard"]
Empty = Literal["excluded", "miss"]

NAMES: Final = {"micro": "mec/set-micro-f1/v1", "macro": "mec/set-macro-f1/v1", "jaccard": "mec/set-jaccard/v1"}


def mec(
    *,
    truth: Sequence[Collection[Any]],
    prediction: Sequence[Collection[Any]],
    level: Level = "lower",
    labels: LabelSet | str = "cped-13",
    average: Average = "micro",
    empty: Empty = "excluded",
    clusters: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Multimodal Emotional Consistency of responses.

    Args:
        truth: labels of each response's ground truth
        prediction: fused labels of each response; None (ambiguous) counts for nothing
        level: ``lower`` for the labels, ``upper`` for their sentiments
        labels: the label set or its name
        average: ``micro`` F1 over all labels, ``macro`` mean of the labels' F1 (labels without truth and prediction left
            out), ``jaccard`` mean over the responses of |G and P| / |G or P|
        empty: a response without any accepted label is ``excluded``, or all its truth is a ``miss``
        clusters: dialogue of each response, for the interval
        bootstrap: draws of the interval; 0 for none
        seed: of the draws

    Returns:
        value in [0, 1], up; ``n`` responses, ``excluded`` all_ambiguous, no_truth (responses), invalid_truth,
        invalid_prediction (labels outside the set); ``details`` coverage and per label precision, recall, f1, tp, fp, fn

    Raises:
        UsageError: lengths differ, a response is a text and not a collection, an unknown option

    >>> mec(truth=[{"anger", "sadness"}, {"neutral"}], prediction=[{"anger"}, {"relaxed"}]).value
    0.4
    """
    names = label_set(labels)
    if len(truth) != len(prediction):
        raise UsageError(f"truth and prediction are of the same responses: {len(truth)} and {len(prediction)}")
    given, wrong_truth = indicator(truth, names)
    fused, wrong_prediction = indicator(prediction, names)
    score, estimate = mec_of_indicators(given, fused, names, level=level, average=average, empty=empty)
    excluded = {**score.excluded, "invalid_truth": wrong_truth, "invalid_prediction": wrong_prediction}
    ci = estimate.interval(clusters, draws=bootstrap, seed=seed) if score.value is not None else None
    return replace(score, excluded=excluded, ci=ci)


def indicator(sets: Sequence[Collection[Any]], labels: LabelSet) -> tuple[BoolArray, int]:
    """Which labels each set has.

    Args:
        sets: labels of each response
        labels: the label set

    Returns:
        shape (n, K), and the number of labels outside the set

    Raises:
        UsageError: one of them is a text
    """
    out = np.zeros((len(sets), len(labels)), dtype=np.bool_)
    invalid = 0
    for number, collection in enumerate(sets):
        if isinstance(collection, str):
            raise UsageError(f"the labels of a response have to be a set or list, not the text {collection!r}")
        for code in labels.codes(collection):
            if code >= 0:
                out[number, code] = True
            invalid += code == INVALID
    return out, invalid


def at_level(sets: BoolArray, labels: LabelSet, level: Level) -> BoolArray | None:
    """The sets of a level: themselves, or those of the sentiments, shape (n, 3); None without a map to sentiments."""
    if level == "lower":
        return sets
    if labels.sentiment_codes is None or labels.upper is None:
        return None
    fold = np.eye(len(labels.upper), dtype=np.int64)[list(labels.sentiment_codes)]
    return sets.astype(np.int64) @ fold > 0


def mec_of_indicators(
    truth: BoolArray,
    prediction: BoolArray,
    labels: LabelSet,
    *,
    level: Level = "lower",
    average: Average = "micro",
    empty: Empty = "excluded",
) -> tuple[Score, Estimate]:
    """`mec` on arrays.

    Args:
        truth: which labels each response's ground truth has, shape (n, K)
        prediction: which labels it was given, shape (n, K)
        labels: the label set
        level: see `mec`
        average: see `mec`
        empty: see `mec`

    Returns:
        the score, and what each response adds to it
    """
    if average not in get_args(Average) or empty not in get_args(Empty):
        raise UsageError(
            f"average is one of {get_args(Average)}, empty of {get_args(Empty)}; got {average!r}, {empty!r}"
        )
    names = labels.at(level)
    text = definition(NAMES[average], labels=labels.name, empty=empty)
    given, fused = at_level(truth, labels, level), at_level(prediction, labels, level)
    has_truth: BoolArray = np.any(truth, axis=1)
    unclear: BoolArray = has_truth & ~np.any(prediction, axis=1)
    kept: BoolArray = has_truth if empty == "miss" else has_truth & ~unclear
    excluded = {"no_truth": int((~has_truth).sum()), "all_ambiguous": 0 if empty == "miss" else int(unclear.sum())}
    if names is None or given is None or fused is None:
        score = _score(level, None, 0, excluded, text, "no_sentiment_map", {})
        return score, Estimate(rows=np.zeros((len(truth), 1)), statistic=_undefined)
    rows, statistic = _features(given & kept[:, None], fused & kept[:, None], kept, average)
    estimate = Estimate(rows=rows, statistic=statistic)
    value = estimate.value() if kept.any() else None
    answered = int(has_truth.sum())
    details = {
        "coverage": None if not answered else (answered - int(unclear.sum())) / answered,
        "classes": per_class(set_confusion(given[kept], fused[kept]), names),
    }
    reason = None if value is not None else "no_responses" if not len(truth) else "no_scorable_responses"
    return _score(level, value, int(kept.sum()), excluded, text, reason, details), estimate


def _score(
    level: Level,
    value: float | None,
    n: int,
    excluded: dict[str, int],
    text: str,
    reason: str | None,
    details: dict[str, Any],
) -> Score:
    return Score(
        metric="mec",
        part=level,
        value=value,
        n=n,
        excluded=excluded,
        definition=text,
        bounds=(0.0, 1.0),
        direction="up",
        reason=reason,
        details=details,
    )


def _undefined(sums: FloatArray) -> FloatArray:
    return np.full(len(sums), np.nan)


def _features(truth: BoolArray, prediction: BoolArray, kept: BoolArray, average: Average) -> tuple[FloatArray, Any]:
    hits = truth & prediction
    if average == "jaccard":
        union = (truth | prediction).sum(axis=1)
        share = np.divide(hits.sum(axis=1), union, out=np.zeros(len(truth)), where=union > 0)
        return np.column_stack([share, kept]).astype(np.float64), mean_of_sums
    # 2 TP + FP + FN is the size of both sets together
    both = truth.astype(np.float64) + prediction
    if average == "micro":
        return np.column_stack([2.0 * hits.sum(axis=1), both.sum(axis=1)]), mean_of_sums
    return np.column_stack([2.0 * hits, both]), _macro


def _macro(sums: FloatArray) -> FloatArray:
    size = sums.shape[1] // 2
    there = sums[:, size:] > 0
    f1 = np.divide(sums[:, :size], sums[:, size:], out=np.zeros((len(sums), size)), where=there)
    return mean_of_sums(np.column_stack([f1.sum(axis=1), there.sum(axis=1)]))


def set_confusion(truth: BoolArray, prediction: BoolArray) -> IntArray:
    """Counts per label over responses, shape (K, 2, 2): [[TN, FP], [FN, TP]], as scikit-learn orders them.

    Args:
        truth: shape (n, K)
        prediction: shape (n, K)
    """
    tp = (truth & prediction).sum(axis=0)
    fp, fn = prediction.sum(axis=0) - tp, truth.sum(axis=0) - tp
    return np.stack([len(truth) - tp - fp - fn, fp, fn, tp], axis=1).reshape(-1, 2, 2).astype(np.int64)


def per_class(confusion: IntArray, labels: LabelSet) -> dict[str, dict[str, Any]]:
    """Precision, recall, F1 and counts of each label; None where the denominator is 0."""
    out: dict[str, dict[str, Any]] = {}
    for label, ((_, fp), (fn, tp)) in zip(labels.labels, confusion.tolist(), strict=True):
        out[label] = {
            "precision": tp / (tp + fp) if tp + fp else None,
            "recall": tp / (tp + fn) if tp + fn else None,
            "f1": 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None,
            "tp": tp,
            "fp": fp,
            "fn": fn,
        }
    return out
