"""Two recognisers side by side: paired differences on the utterances that both have a prediction of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from emotion.compare import difference
from emotion.metrics.erc import erc_of_codes
from emotion.metrics.recognition import confusion_statistics
from emotion.recognition import Predictions
from mmrole.core.bootstrap import interval, resampled_sums
from mmrole.core.errors import UsageError
from mmrole.core.labels import MISSING, Level
from mmrole.core.scores import Score

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def recognition_differences(
    first: Predictions,
    second: Predictions,
    *,
    level: Level = "lower",
    without: Sequence[str] = (),
    bootstrap: int = 1000,
    seed: int = 0,
) -> list[Score]:
    """Differences of recognition scores, second minus first, on the utterances that both have a prediction of.

    The scores over the answered utterances are compared on those that both answered with a label of the set.

    Args:
        first: one run
        second: another, on the same dialogues with the same label set
        level: ``lower`` for the labels, ``upper`` for their sentiments
        without: labels to leave out of two more averages
        bootstrap: draws of the intervals (dialogues are drawn); 0 for none
        seed: of the draws

    Returns:
        one score per part of `emotion.metrics.erc`: ``value`` the difference, ``n`` utterances, ``excluded`` only_in_first,
        only_in_second and not_answered_in_both, ``details`` first and second: the values on the common utterances

    Raises:
        UsageError: the runs are on different dialogues or label sets, or there is no map to sentiments
    """
    labels = first.labels
    if labels.labels != second.labels.labels:
        raise UsageError("runs are compared with the same label set")
    if first.utterances != second.utterances or not np.array_equal(first.truth, second.truth):
        raise UsageError("runs are compared on the same dialogues; these were scored on different ones")
    names = labels.at(level)
    if names is None:
        raise UsageError(f"{labels.name} has no map from labels to sentiments")
    common = first.given & second.given
    answered = common & (first.predicted >= 0) & (second.predicted >= 0)
    left_out = {
        "only_in_first": int((first.given & ~common).sum()),
        "only_in_second": int((second.given & ~common).sum()),
    }
    statistics = confusion_statistics(names, without)
    rows: dict[str, Score] = {}
    for kept, of_answered in ((common, False), (answered, True)):
        pair = [
            erc_of_codes(side.truth[kept], side.predicted[kept], labels, level=level, without=without, maps=side.maps)
            for side in (first, second)
        ]
        sums = [_by_dialogue(side, kept, level) for side in (first, second)]
        width, clusters = sums[0].shape[1], len(sums[0])
        drawn = resampled_sums(np.hstack(sums), bootstrap, seed) if bootstrap and clusters else np.zeros((0, 2 * width))
        not_answered = {"not_answered_in_both": int(common.sum() - answered.sum())} if of_answered else {}
        for name, (statistic, answered_only) in statistics.items():
            if answered_only != of_answered:
                continue
            ci = None
            if len(drawn):
                ci = interval(statistic(drawn[:, width:]) - statistic(drawn[:, :width]), clusters=clusters)
            row = difference(pair[0][name], pair[1][name], ci)
            rows[name] = replace(row, excluded={**left_out, **not_answered})
    return [rows[name] for name in statistics]


def _by_dialogue(predictions: Predictions, kept: BoolArray, level: Level) -> FloatArray:
    """Confusion counts of each dialogue that has one of these utterances, shape (dialogues, K * (K + 2))."""
    labels = predictions.labels
    names = labels.at(level) or labels
    size = len(names)
    rows = kept & (predictions.truth >= 0)
    truth, predicted = predictions.truth[rows], predictions.predicted[rows]
    if level == "upper":
        fold = np.array(labels.sentiment_codes, dtype=np.int64)
        truth, predicted = fold[truth], np.where(predicted >= 0, fold[predicted], predicted)
    column = np.where(predicted >= 0, predicted, np.where(predicted == MISSING, size, size + 1))
    numbers, owner = np.unique(predictions.dialogue[rows], return_inverse=True)
    width = size * (size + 2)
    cells = owner * width + truth * (size + 2) + column
    return np.bincount(cells, minlength=len(numbers) * width).reshape(-1, width).astype(np.float64)
