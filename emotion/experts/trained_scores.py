"""Scores of a cross-validation as the header of a trained expert keeps them."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from emotion.metrics.erc import erc
from mmrole.core.canonical import Record
from mmrole.core.labels import LabelSet, Level
from mmrole.core.scores import Score

IntArray = npt.NDArray[np.int64]

SCORES: Final = ("macro_f1", "weighted_f1", "accuracy")
_DRAWS: Final = 1000


def validation_scores(
    truth: IntArray, predicted: IntArray, owner: IntArray, labels: LabelSet, *, seed: int
) -> dict[str, Record]:
    """Scores of the cross-validation, and those of always saying the most frequent label (or sentiment).

    Args:
        truth: code of each example's label, shape (n,)
        predicted: code that it was given, shape (n,)
        owner: number of its group, for the intervals, shape (n,)
        labels: the label set
        seed: of the draws

    Returns:
        ``scores`` and ``majority`` -> level (``lower``, and ``upper`` where the set has sentiments) -> name -> value, ci, n,
        definition, reason
    """
    levels: list[Level] = ["lower"] if labels.sentiments is None else ["lower", "upper"]
    return {
        what: {
            level: _of_level(
                truth,
                predicted if what == "scores" else _most_frequent(truth, labels, level),
                owner,
                labels,
                level,
                seed,
            )
            for level in levels
        }
        for what in ("scores", "majority")
    }


def _of_level(
    truth: IntArray, predicted: IntArray, owner: IntArray, labels: LabelSet, level: Level, seed: int
) -> dict[str, Record]:
    given, said = ([labels.labels[code] for code in codes.tolist()] for codes in (truth, predicted))
    result = erc(given, said, labels, level=level, clusters=owner.tolist(), bootstrap=_DRAWS, seed=seed)
    return {name: _record(result[name]) for name in SCORES}


def _most_frequent(truth: IntArray, labels: LabelSet, level: Level) -> IntArray:
    """The most frequent label of a level for everything, as codes of the set, shape (n,)."""
    if level == "lower":
        return np.full(len(truth), np.bincount(truth).argmax())
    sentiments = np.array(labels.sentiment_codes)
    return np.full(len(truth), np.flatnonzero(sentiments == np.bincount(sentiments[truth]).argmax())[0])


def _record(score: Score) -> Record:
    record = score.to_record()
    return {name: record[name] for name in ("value", "ci", "n", "definition", "reason")}
