"""The ground truth as arrays: one row per utterance and one per turn, so that a million of them are scored at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mmrole.core.dialogue import NOBODY, Dialogue
from mmrole.core.errors import InputError
from mmrole.core.label_maps import LabelMap
from mmrole.core.labels import LabelSet

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

PLAYED: Final = 0
STATUSES: Final = ("played", "not_two_speakers", "no_predecessor", "no_role")
"""What a turn is to an agent: to be produced; in a dialogue of one speaker or of more than two; the first of its dialogue;
of a speaker who is no role."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """Dialogues as arrays, N utterances and T turns.

    Attributes:
        dialogues: the dialogues
        labels: the label set
        emotion: code of each utterance's label, shape (N,)
        continues: whether it follows the utterance before it in its dialogue without a gap, shape (N,)
        start: first utterance of each turn, and N, shape (T + 1,)
        dialogue: number of each turn's dialogue, shape (T,)
        role: number of its speaker, shape (T,)
        status: position in `STATUSES`, shape (T,)
        own_previous: number of its speaker's previous turn in the dialogue, -1 for none, shape (T,)
        roles: names of the speakers
        turn_of: id of a turn's first utterance -> number of the turn
    """

    dialogues: list[Dialogue]
    labels: LabelSet
    emotion: IntArray
    continues: BoolArray
    start: IntArray
    dialogue: IntArray
    role: IntArray
    status: IntArray
    own_previous: IntArray
    roles: list[str]
    turn_of: dict[str, int]

    def places(self) -> dict[str, tuple[int, int]]:
        """Turn and position in it of every utterance, by its id."""
        out: dict[str, tuple[int, int]] = {}
        turn = -1
        starts = set(self.start.tolist())
        number = position = 0
        for dialogue in self.dialogues:
            for utterance in dialogue.utterances:
                turn, position = (turn + 1, 0) if number in starts else (turn, position + 1)
                out[utterance.utterance_id] = turn, position
                number += 1
        return out

    def dialogue_of_turns(self) -> dict[str, str]:
        """Id of a turn's first utterance -> id of its dialogue."""
        names = [dialogue.dialogue_id for dialogue in self.dialogues]
        return {turn_id: names[int(self.dialogue[turn])] for turn_id, turn in self.turn_of.items()}


def corpus_of(
    dialogues: Iterable[Dialogue],
    labels: LabelSet,
    *,
    truth_map: LabelMap | None = None,
    two_speakers_only: bool = True,
    nobody: Collection[str] = NOBODY,
) -> Corpus:
    """Lays dialogues out as arrays.

    Args:
        dialogues: the dialogues
        labels: the label set of the scores
        truth_map: from the labels of the dialogues to those of the scores, where they differ
        two_speakers_only: turns of other dialogues are not played
        nobody: speakers who are no role

    Raises:
        InputError: no dialogue, or an utterance id that starts two turns
    """
    kept = list(dialogues)
    code_of = labels.code if truth_map is None else truth_map.code
    codes: dict[str | None, int] = {}
    emotion: list[int] = []
    continues: list[bool] = []
    start: list[int] = []
    of_dialogue: list[int] = []
    roles: dict[str, int] = {}
    role: list[int] = []
    status: list[int] = []
    own: list[int] = []
    turn_of: dict[str, int] = {}
    for number, dialogue in enumerate(kept):
        first_turn = len(start)
        speaker: str | None = None
        index: int | None = None
        last_turn: dict[str, int] = {}
        for utterance in dialogue.utterances:
            inside = speaker is not None
            if utterance.speaker != speaker:
                speaker = utterance.speaker
                turn = len(start)
                if turn_of.setdefault(utterance.utterance_id, turn) != turn:
                    raise InputError(f"utterance id {utterance.utterance_id!r} is there in two dialogues")
                start.append(len(emotion))
                of_dialogue.append(number)
                role.append(roles.setdefault(speaker, len(roles)))
                status.append(3 if speaker in nobody else PLAYED)
                own.append(last_turn.get(speaker, -1))
                last_turn[speaker] = turn
            label = utterance.emotion
            code = codes.get(label)
            if code is None:
                code = codes[label] = code_of(label)
            emotion.append(code)
            later = utterance.index
            continues.append(inside and (index is None or later is None or later == index + 1))
            index = later
        if len(start) > first_turn:
            status[first_turn] = 2
        if two_speakers_only and len(last_turn) != 2:
            status[first_turn:] = [1] * (len(start) - first_turn)
    if not emotion:
        raise InputError("there are no dialogues to score")
    return Corpus(
        dialogues=kept,
        labels=labels,
        emotion=np.array(emotion, dtype=np.int64),
        continues=np.array(continues, dtype=np.bool_),
        start=np.array([*start, len(emotion)], dtype=np.int64),
        dialogue=np.array(of_dialogue, dtype=np.int64),
        role=np.array(role, dtype=np.int64),
        status=np.array(status, dtype=np.int64),
        own_previous=np.array(own, dtype=np.int64),
        roles=list(roles),
        turn_of=turn_of,
    )
