"""Recognition of the dialogues' own utterances: predictions joined with the ground truth and scored (see `emotion.metrics.erc`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from emotion.metrics.erc import AMBIGUOUS, ErcResult, erc_of_codes
from emotion.votes import Place
from mmrole.core.dialogue import Dialogue
from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import LabelMap, label_map
from mmrole.core.labels import LabelSet, Level, label_set

Target = Literal["emotion", "sentiment"]


def score_recognition(
    dialogues: Iterable[Dialogue],
    predictions: Iterable[Mapping[str, Any]],
    labels: LabelSet | str = "cped-13",
    *,
    target: Target = "emotion",
    level: Level = "lower",
    without: Sequence[str] = (),
    truth_map: LabelMap | str | None = None,
    prediction_map: LabelMap | str | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
    place: Place | None = None,
) -> ErcResult:
    """Scores predicted labels of utterances, joined by utterance id.

    An utterance without a prediction counts as ambiguous: a miss in the scores over all, absent from those over the answered.

    Args:
        dialogues: the ground truth
        predictions: records {"utterance_id", "label"}; label null where there is none
        labels: the label set of the scores or its name (``sentiment-3`` for the sentiments of a table)
        target: what the truth is: the emotion of the utterances or the sentiment that the table gives them
        level: ``lower`` for the labels, ``upper`` for their sentiments
        without: labels to leave out of two more averages
        truth_map: from the labels of the dialogues to those of the scores, where they differ
        prediction_map: the same for the predictions
        bootstrap: draws of the intervals (dialogues are drawn); 0 for none
        seed: of the draws
        place: from the number of a prediction to its file and line, for messages

    Raises:
        InputError: no dialogues or predictions, a prediction without utterance id or label, of an utterance that is in no
            dialogue, or a second one of an utterance
        UsageError: an option that makes no sense
    """
    if target not in ("emotion", "sentiment"):
        raise UsageError(f"target has to be 'emotion' or 'sentiment', not {target!r}")
    names = label_set(labels)
    maps = [None if m is None else label_map(m) for m in (truth_map, prediction_map)]
    for mapping in maps:
        if mapping is not None and mapping.target.labels != names.labels:
            raise UsageError(f"label map {mapping.name} maps to {mapping.target.name}, the scores are of {names.name}")
    code_truth, code_prediction = (names.code if mapping is None else mapping.code for mapping in maps)
    where = place if place is not None else lambda number: f"prediction {number + 1}"

    position: dict[str, int] = {}
    truth: list[int] = []
    clusters: list[int] = []
    for number, dialogue in enumerate(dialogues):
        for utterance in dialogue.utterances:
            if position.setdefault(utterance.utterance_id, len(truth)) != len(truth):
                raise InputError(f"utterance id {utterance.utterance_id!r} is there in two dialogues")
            truth.append(code_truth(utterance.emotion if target == "emotion" else utterance.sentiment))
            clusters.append(number)
    if not truth:
        raise InputError("there are no dialogues to score")

    predicted = np.full(len(truth), -1, dtype=np.int64)
    done = np.zeros(len(truth), dtype=np.bool_)
    count = 0
    for count, record in enumerate(predictions, start=1):
        if not isinstance(record, Mapping) or not isinstance(record.get("utterance_id"), str) or "label" not in record:
            raise InputError(f"{where(count - 1)}: a prediction is an object with utterance_id and label")
        row = position.get(record["utterance_id"])
        if row is None:
            unknown = f"utterance id {record['utterance_id']!r} is in no dialogue"
            raise InputError(f"{where(count - 1)}: {unknown}")
        if done[row]:
            raise InputError(f"{where(count - 1)}: a second prediction of {record['utterance_id']!r}")
        done[row] = True
        predicted[row] = code_prediction(None if record["label"] == AMBIGUOUS else record["label"])
    if not count:
        raise InputError("there are no predictions")
    used = [m.name for m in maps if m is not None]
    return erc_of_codes(
        np.array(truth, dtype=np.int64),
        predicted,
        names,
        level=level,
        without=without,
        clusters=np.array(clusters, dtype=np.int64),
        bootstrap=bootstrap,
        seed=seed,
        maps=used,
    )
