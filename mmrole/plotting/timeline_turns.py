"""What a timeline shows of each turn, from a report, a folder of scores, or plain predictions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from emotion.corpus import PLAYED, STATUSES, Corpus, corpus_of
from emotion.recognition import NOT_PREDICTED
from emotion.responses import Responses, responses_of
from emotion.score_folder import LABELS, ScoreFolder
from emotion.votes import counts_of_labels
from mmrole.core.dialogue import Dialogue, follows
from mmrole.core.errors import InputError
from mmrole.core.label_maps import LabelMap
from mmrole.core.labels import MISSING, LabelSet

NO_VOTES: Final = "no_votes"


@dataclass(frozen=True, kw_only=True)
class TimelineTurn:
    """One turn of a timeline; labels are codes of a label set, `MISSING` or `INVALID`.

    Attributes:
        role: who speaks
        truth: of each utterance
        prediction: of each utterance of the agent's response, `MISSING` where ambiguous; empty without a response
        breaks: positions before which utterances are missing, 0 for the beginning of the turn
        prediction_breaks: positions of the response that do not come directly after the one before
        asked: whether anybody had to produce it; the first turn of a dialogue, for one, is given
    """

    role: str
    truth: tuple[int, ...]
    prediction: tuple[int, ...] = ()
    breaks: tuple[int, ...] = ()
    prediction_breaks: tuple[int, ...] = ()
    asked: bool = True

    @property
    def width(self) -> int:
        """Number of columns."""
        return max(len(self.truth), len(self.prediction))


def turns_of_responses(responses: Responses, dialogue_id: str) -> list[TimelineTurn]:
    """The turns of a dialogue with the fused labels of the responses.

    Args:
        responses: of a report
        dialogue_id: the dialogue

    Raises:
        InputError: no such dialogue
    """
    corpus = responses.corpus
    names = [dialogue.dialogue_id for dialogue in corpus.dialogues]
    if dialogue_id not in names:
        some = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        raise InputError(f"there is no dialogue {dialogue_id!r}; there are {len(names):,}: {some}")
    out: list[TimelineTurn] = []
    for turn in np.flatnonzero(corpus.dialogue == names.index(dialogue_id)).tolist():
        first, stop = (int(corpus.start[turn + step]) for step in (0, 1))
        inside = np.flatnonzero(~corpus.continues[first:stop]).tolist()
        breaks = tuple(place for place in inside if place or out)
        rows = np.flatnonzero(responses.turn[responses.owner] == turn)
        prediction = np.full(int(responses.position[rows].max(initial=-1)) + 1, MISSING)
        prediction[responses.position[rows]] = responses.label[rows]
        apart = responses.position[rows[~responses.follows[rows]]]
        out.append(
            TimelineTurn(
                role=corpus.roles[int(corpus.role[turn])],
                truth=tuple(corpus.emotion[first:stop].tolist()),
                prediction=tuple(prediction.tolist()),
                breaks=breaks,
                prediction_breaks=tuple(apart.tolist()),
                asked=bool(corpus.status[turn] == PLAYED),
            )
        )
    return out


def why_unscored(corpus: Corpus, dialogue_id: str) -> str:
    """Why a dialogue has no response that was scored, where it has none: a reason of `emotion.glossary.REASONS`.

    Args:
        corpus: that was scored
        dialogue_id: a dialogue of it
    """
    number = [dialogue.dialogue_id for dialogue in corpus.dialogues].index(dialogue_id)
    statuses = corpus.status[corpus.dialogue == number].tolist()
    # the first turn of a dialogue has no predecessor whatever it is: what the other turns are says more
    return NO_VOTES if PLAYED in statuses else STATUSES[statuses[1] if len(statuses) > 1 else statuses[0]]


def why_unscored_in(found: ScoreFolder, dialogue: Dialogue) -> str:
    """The same of a folder of scores.

    Args:
        found: the folder
        dialogue: the ground truth
    """
    if found.command == "erc":
        return "no_predictions"
    options = found.options
    corpus = corpus_of([dialogue], found.labels, two_speakers_only=options.two_speakers_only, nobody=options.nobody)
    return why_unscored(corpus, dialogue.dialogue_id)


def turns_of_folder(found: ScoreFolder, dialogue: Dialogue, *, truth_map: LabelMap | None = None) -> list[TimelineTurn]:
    """The turns of a dialogue with the labels in a folder of scores, fused as they were there.

    Args:
        found: the folder
        dialogue: the ground truth, with the ids that it has there
        truth_map: from its labels to those of the scores, where they differ

    Raises:
        InputError: a record of the folder's labels is none
        StoreError: the file of labels is missing, or another one than when it was made
    """
    if found.command == "erc":
        return _turns_of_recognition(found, dialogue)
    names, options = found.labels, found.options
    corpus = corpus_of(
        [dialogue], names, truth_map=truth_map, two_speakers_only=options.two_speakers_only, nobody=options.nobody
    )
    found.check(LABELS)
    ids = "|".join(re.escape(utterance.utterance_id) for utterance in dialogue.utterances)
    wanted = re.compile(rf"(?:{ids})(?:/\d+)?")
    records = [row for row in found.records(LABELS) if wanted.fullmatch(row.get("utterance_id", ""))]
    if not records:
        return turns_of_predictions(dialogue, {}, names, truth_map=truth_map)
    counts = counts_of_labels(records, names)
    responses = responses_of(corpus, counts, threshold=options.threshold, min_valid=options.min_valid)
    return turns_of_responses(responses, dialogue.dialogue_id)


def _turns_of_recognition(found: ScoreFolder, dialogue: Dialogue) -> list[TimelineTurn]:
    """The same of a folder of `mmrole erc`, whose records have the truth that was scored beside the prediction."""
    names = found.labels
    ids = {utterance.utterance_id for utterance in dialogue.utterances}
    truth: dict[str, str | None] = {}
    predictions: dict[str, str | None] = {}
    for row in found.records(LABELS):
        if row.get("utterance_id") in ids:
            truth[row["utterance_id"]] = row["truth"]
            if row["reason"] != NOT_PREDICTED:
                predictions[row["utterance_id"]] = row["reason"] if row["reason"] == "invalid" else row["label"]
    scored = [replace(utterance, emotion=truth.get(utterance.utterance_id)) for utterance in dialogue.utterances]
    return turns_of_predictions(replace(dialogue, utterances=tuple(scored)), predictions, names)


def turns_of_predictions(
    dialogue: Dialogue, predictions: Mapping[str, str | None], labels: LabelSet, *, truth_map: LabelMap | None = None
) -> list[TimelineTurn]:
    """The turns of a dialogue with predicted labels.

    Args:
        dialogue: the ground truth
        predictions: id of an utterance -> label, None where ambiguous; ``ID/k`` for utterance k of the response to the turn that
            begins with ID
        labels: the label set
        truth_map: from the labels of the dialogue to it, where they differ
    """
    code = labels.code if truth_map is None else truth_map.code
    out = []
    before = None
    for turn in dialogue.turns:
        pairs = zip((before, *turn.utterances), turn.utterances, strict=False)
        breaks = tuple(k for k, (a, b) in enumerate(pairs) if a is not None and not follows(a, b))
        before = turn.utterances[-1]
        response: list[int] = []
        while (name := f"{turn.turn_id}/{len(response)}") in predictions:
            response.append(labels.code(predictions[name]))
        own = [utterance.utterance_id for utterance in turn.utterances]
        apart: tuple[int, ...] = ()
        if not response and any(name in predictions for name in own):
            response, apart = [labels.code(predictions.get(name)) for name in own], breaks
        truth = tuple(code(utterance.emotion) for utterance in turn.utterances)
        out.append(
            TimelineTurn(
                role=turn.role, truth=truth, prediction=tuple(response), breaks=breaks, prediction_breaks=apart
            )
        )
    return out
