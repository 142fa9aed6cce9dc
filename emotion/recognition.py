"""Recognition of the dialogues' own utterances: predictions joined with the ground truth and scored (see `emotion.metrics.erc`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from emotion.metrics.erc import AMBIGUOUS, ErcResult, erc_of_codes
from mmrole.core.dialogue import Dialogue
from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import LabelMap, label_map
from mmrole.core.labels import INVALID, MISSING, LabelSet, Level, label_set
from mmrole.core.records import Place, places

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Target = Literal["emotion", "sentiment"]

NOT_PREDICTED: Final = "no_prediction"


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """Utterances of dialogues with their true and predicted labels, n of them in the order of the dialogues.

    Attributes:
        labels: the label set
        utterances: their ids
        dialogues: ids of the dialogues
        dialogue: number of each utterance's dialogue, shape (n,)
        truth: code of its true label, negative for none, shape (n,)
        predicted: code of its predicted label; `MISSING` is ambiguous or no prediction, `INVALID` invalid, shape (n,)
        given: whether there is a prediction of it at all, shape (n,)
        maps: names of the label maps that truth and prediction went through
    """

    labels: LabelSet
    utterances: list[str]
    dialogues: list[str]
    dialogue: IntArray
    truth: IntArray
    predicted: IntArray
    given: BoolArray
    maps: tuple[str, ...] = ()

    def score(
        self, *, level: Level = "lower", without: Sequence[str] = (), bootstrap: int = 1000, seed: int = 0
    ) -> ErcResult:
        """The recognition scores.

        Args:
            level: ``lower`` for the labels, ``upper`` for their sentiments
            without: labels to leave out of two more averages
            bootstrap: draws of the intervals (dialogues are drawn); 0 for none
            seed: of the draws
        """
        return erc_of_codes(
            self.truth,
            self.predicted,
            self.labels,
            level=level,
            without=without,
            clusters=self.dialogue,
            bootstrap=bootstrap,
            seed=seed,
            maps=self.maps,
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per utterance, keys sorted: dialogue_id, label, reason, truth, utterance_id.

        ``reason`` says why label is null: no_prediction, ambiguous, invalid.
        """
        names = self.labels.labels
        rows = zip(
            self.utterances,
            self.dialogue.tolist(),
            self.truth.tolist(),
            self.predicted.tolist(),
            self.given.tolist(),
            strict=True,
        )
        for utterance_id, dialogue, truth, predicted, given in rows:
            reason = None
            if predicted < 0:
                reason = "invalid" if predicted == INVALID else AMBIGUOUS if given else NOT_PREDICTED
            yield {
                "dialogue_id": self.dialogues[dialogue],
                "label": names[predicted] if predicted >= 0 else None,
                "reason": reason,
                "truth": names[truth] if truth >= 0 else None,
                "utterance_id": utterance_id,
            }


def predictions_of_records(records: Iterable[Mapping[str, Any]], labels: LabelSet) -> Predictions:
    """Predictions from what `Predictions.records` gave.

    Args:
        records: the records
        labels: the label set

    Raises:
        InputError: a record is not of that form; names file and line when the records know them
    """
    where = places(records, "prediction")
    utterances: list[str] = []
    dialogues: dict[str, int] = {}
    rows: list[tuple[int, int, int, bool]] = []
    for number, record in enumerate(records):
        try:
            dialogue = dialogues.setdefault(record["dialogue_id"], len(dialogues))
            code = labels.code(record["label"])
            predicted = INVALID if record["reason"] == "invalid" else code
            rows.append((dialogue, labels.code(record["truth"]), predicted, record["reason"] != NOT_PREDICTED))
            utterances.append(record["utterance_id"])
        except (KeyError, TypeError):
            raise InputError(f"{where(number)}: no prediction beside a true label") from None
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
    return Predictions(
        labels=labels,
        utterances=utterances,
        dialogues=list(dialogues),
        dialogue=table[:, 0],
        truth=table[:, 1],
        predicted=table[:, 2],
        given=table[:, 3] > 0,
    )


def join_predictions(
    dialogues: Iterable[Dialogue],
    predictions: Iterable[Mapping[str, Any]],
    labels: LabelSet | str = "cped-13",
    *,
    target: Target = "emotion",
    truth_map: LabelMap | str | None = None,
    prediction_map: LabelMap | str | None = None,
    place: Place | None = None,
) -> Predictions:
    """Lays predicted labels beside the utterances of dialogues, by utterance id.

    Args:
        dialogues: the ground truth
        predictions: records {"utterance_id", "label"}; label null where there is none
        labels: the label set of the scores or its name (``sentiment-3`` for the sentiments of a table)
        target: what the truth is: the emotion of the utterances or the sentiment that the table gives them
        truth_map: from the labels of the dialogues to those of the scores, where they differ
        prediction_map: the same for the predictions
        place: from the number of a prediction to its file and line, for messages

    Raises:
        InputError: no dialogues or predictions, a prediction without utterance id or label, of an utterance that is in no
            dialogue, or a second one of an utterance
        UsageError: an option that makes no sense
    """
    if target not in get_args(Target):
        raise UsageError(f"target has to be 'emotion' or 'sentiment', not {target!r}")
    names = label_set(labels)
    maps = [None if m is None else label_map(m) for m in (truth_map, prediction_map)]
    for mapping in maps:
        if mapping is not None and mapping.target.labels != names.labels:
            raise UsageError(f"label map {mapping.name} maps to {mapping.target.name}, the scores are of {names.name}")
    code_truth, code_prediction = (names.code if mapping is None else mapping.code for mapping in maps)
    where = place if place is not None else places(predictions, "prediction")

    position: dict[str, int] = {}
    truth: list[int] = []
    clusters: list[int] = []
    of_dialogues: list[str] = []
    for number, dialogue in enumerate(dialogues):
        of_dialogues.append(dialogue.dialogue_id)
        for utterance in dialogue.utterances:
            if position.setdefault(utterance.utterance_id, len(truth)) != len(truth):
                raise InputError(f"utterance id {utterance.utterance_id!r} is there in two dialogues")
            truth.append(code_truth(utterance.emotion if target == "emotion" else utterance.sentiment))
            clusters.append(number)
    if not truth:
        raise InputError("there are no dialogues to score")

    predicted = np.full(len(truth), MISSING, dtype=np.int64)
    done = np.zeros(len(truth), dtype=np.bool_)
    count = 0
    for count, record in enumerate(predictions, start=1):
        if not isinstance(record, Mapping) or not isinstance(record.get("utterance_id"), str) or "label" not in record:
            raise InputError(f"{where(count - 1)}: a prediction is an object with utterance_id and label")
        row = position.get(record["utterance_id"])
        if row is None:
            unknown = (
                f"utterance id {record['utterance_id']!r} is in no dialogue; ids look like {next(iter(position))!r}"
            )
            raise InputError(f"{where(count - 1)}: {unknown}")
        if done[row]:
            raise InputError(f"{where(count - 1)}: a second prediction of {record['utterance_id']!r}")
        done[row] = True
        predicted[row] = code_prediction(None if record["label"] == AMBIGUOUS else record["label"])
    if not count:
        raise InputError("there are no predictions")
    return Predictions(
        labels=names,
        utterances=list(position),
        dialogues=of_dialogues,
        dialogue=np.array(clusters, dtype=np.int64),
        truth=np.array(truth, dtype=np.int64),
        predicted=predicted,
        given=done,
        maps=tuple(mapping.name for mapping in maps if mapping is not None),
    )


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
        dialogues: see `join_predictions`
        predictions: see there
        labels: see there
        target: see there
        level: ``lower`` for the labels, ``upper`` for their sentiments
        without: labels to leave out of two more averages
        truth_map: see `join_predictions`
        prediction_map: see there
        bootstrap: draws of the intervals (dialogues are drawn); 0 for none
        seed: of the draws
        place: see `join_predictions`

    Raises:
        InputError: see `join_predictions`
        UsageError: an option that makes no sense
    """
    joined = join_predictions(
        dialogues,
        predictions,
        labels,
        target=target,
        truth_map=truth_map,
        prediction_map=prediction_map,
        place=place,
    )
    return joined.score(level=level, without=without, bootstrap=bootstrap, seed=seed)
