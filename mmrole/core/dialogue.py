"""Dialogues, turns and utterances: the ground truth side of everything that is scored.

A *turn* is a maximal run of consecutive utterances of one speaker. A gap in the utterance ids does not split a turn;
it breaks the chain of transitions, because the two neighbours did not follow one another on the screen (`follows`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

NOBODY: Final = frozenset({"其他", ""})
"""Speakers that are no role: CPED's 其他 stands for whoever is not a main character."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Utterance:
    """What one speaker says in one clip.

    Attributes:
        utterance_id: name of the utterance and of its clip
        speaker: name of the speaking role
        text: what is said, as in the file (white space kept)
        index: position in the dialogue by the numbering of the data set, from its id; None where there is none
        emotion: label as the file spells it, outer white space removed; None where there is none
        sentiment: the file's own sentiment; None where there is none
        gender: as the file spells it; None where unknown
        age: age group as the file spells it; None where unknown
        traits: personality, trait -> level, without the unknown ones
        scene: where it takes place
        dialogue_act: what the utterance does
        face_box_px: left, top, right, bottom of the speaker's face in pixels; None where there is none or the box is empty
        start_s: start in the episode in seconds
        end_s: end in the episode in seconds
    """

    utterance_id: str
    speaker: str
    text: str
    index: int | None = None
    emotion: str | None = None
    sentiment: str | None = None
    gender: str | None = None
    age: str | None = None
    traits: Mapping[str, str] | None = None
    scene: str | None = None
    dialogue_act: str | None = None
    face_box_px: tuple[float, float, float, float] | None = None
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A maximal run of consecutive utterances of one speaker.

    Attributes:
        role: the speaker
        utterances: one or more, in order
    """

    role: str
    utterances: tuple[Utterance, ...]

    @property
    def turn_id(self) -> str:
        """Id of the first utterance; the utterances of an agent's answer to this turn are ``ID/0``, ``ID/1``, ..."""
        return self.utterances[0].utterance_id


@dataclass(frozen=True, kw_only=True)
class Dialogue:
    """A dialogue of a show.

    Attributes:
        dialogue_id: name of the dialogue, unique in its file
        utterances: in the order of the file
        show: the series it is from
        season: number of the season, as the file writes it
        episode: number of the episode, as the file writes it
        split: train, dev or test where the file says so
    """

    dialogue_id: str
    utterances: tuple[Utterance, ...]
    show: str | None = None
    season: str | None = None
    episode: str | None = None
    split: str | None = None

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The runs of one speaker, in order."""
        runs = groupby(self.utterances, key=lambda utterance: utterance.speaker)
        return tuple(Turn(role=role, utterances=tuple(run)) for role, run in runs)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The speakers in the order in which they first speak."""
        return tuple(dict.fromkeys(utterance.speaker for utterance in self.utterances))


def follows(first: Utterance, second: Utterance) -> bool:
    """Whether the second utterance comes directly after the first by the numbering of the data set.

    Without numbers the order of the file is all there is, and neighbours in it follow one another.
    """
    return first.index is None or second.index is None or second.index == first.index + 1


def by_utterance_id(dialogues: Iterable[Dialogue]) -> dict[str, Utterance]:
    """The utterances of all dialogues by their ids."""
    return {utterance.utterance_id: utterance for dialogue in dialogues for utterance in dialogue.utterances}


def played_turns(dialogue: Dialogue, *, nobody: Iterable[str] = NOBODY) -> tuple[tuple[Turn, Turn], ...]:
    """The turns that an agent has to produce, each with the turn before it.

    Both roles of a dialogue are played in turn: every turn with a predecessor, except those of speakers that are no role.

    Args:
        dialogue: a dialogue
        nobody: speakers that are never played

    Returns:
        pairs of the turn before and the turn to be produced
    """
    nobody = frozenset(nobody)
    return tuple((a, b) for a, b in zip(dialogue.turns, dialogue.turns[1:], strict=False) if b.role not in nobody)
