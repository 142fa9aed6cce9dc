"""Samples of role consistency: a response with what it is judged against, or the reason why it cannot be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from emotion.metrics.rc import Aspect
from emotion.response_records import ResponseRecord
from mmrole.core.dialogue import Dialogue, Turn, Utterance
from mmrole.core.errors import InputError
from mmrole.core.records import Place
from mmrole.core.roles import Previous, Profile, Role, find_role

NO_PROFILE: Final = "no_profile"
NO_RESPONSE: Final = "no_response"

PROFILE_PARTS: Final = ("basic_information", "characteristics", "experiences", "relationships")


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """A response to be judged.

    Attributes:
        response: the response
        history: the utterances of its dialogue before the turn, ground truth
        profile: of the role; None where the role has none
        previous: previous information of the role and dialogue; None where there is none
        show: the series; None where unknown
        episode: the episode; None where unknown
        reason: why it is not judged: ``no_profile``, ``no_response``; None when it is
    """

    response: ResponseRecord
    history: tuple[Utterance, ...]
    profile: Profile | None
    previous: str | None
    show: str | None = None
    episode: str | None = None
    reason: str | None = None

    def material(self, aspect: Aspect) -> dict[str, list[tuple[str, str]]]:
        """What the aspect is judged against: ``previous`` (not for cha) and ``profile`` -> (name of a part, its text)."""
        parts: dict[str, list[tuple[str, str]]] = {}
        if aspect != "cha" and self.previous is not None:
            parts["previous"] = [("previous", self.previous)]
        if self.profile is not None:
            texts = [(name, str(getattr(self.profile, name))) for name in PROFILE_PARTS]
            parts["profile"] = [(name, text) for name, text in texts if text.strip()]
        return parts

    def response_texts(self) -> list[str]:
        """Every text of the response: what is said, faces, bodies, manners of speaking."""
        utterances = self.response.utterances or ()
        return [
            text for each in utterances for text in (each.text, each.face, each.body, each.speech) if text is not None
        ]


def samples_of(
    responses: Sequence[ResponseRecord],
    dialogues: Iterable[Dialogue],
    roles: Mapping[tuple[str, str | None], Role],
    previous: Mapping[tuple[str, str], Previous],
    *,
    place: Place | None = None,
) -> Iterator[Sample]:
    """The samples of responses, in their order, also those that cannot be judged.

    Args:
        responses: of one agent under one condition
        dialogues: those that it played in
        roles: (name, show) -> role
        previous: (dialogue id, role) -> previous information
        place: from the number of a response to its file and line, for messages

    Raises:
        InputError: a response to a turn that is not there, or of another role than the one that has the turn
    """
    where: Place = place if place is not None else lambda number: f"response {number + 1}"
    there = {dialogue.dialogue_id: dialogue for dialogue in dialogues}
    turns: dict[str, dict[str, tuple[int, Turn]]] = {}
    for number, response in enumerate(responses):
        dialogue = there.get(response.dialogue_id)
        if dialogue is None:
            raise InputError(
                f"{where(number)}: field dialogue_id: there is no dialogue {response.dialogue_id!r}: give the dialogues that were played"
            )
        found = turns.setdefault(response.dialogue_id, {}) or _turns(turns, dialogue)
        if response.utterance_id not in found:
            raise InputError(
                f"{where(number)}: field utterance_id: no turn of dialogue {response.dialogue_id!r} starts with {response.utterance_id!r}"
            )
        start, turn = found[response.utterance_id]
        if turn.role != response.role:
            raise InputError(
                f"{where(number)}: field role: the turn {response.utterance_id!r} is one of {turn.role!r}, not of {response.role!r}"
            )
        yield _sample(response, dialogue, start, find_role(roles, response.role, dialogue.show), previous)


def _turns(turns: dict[str, dict[str, tuple[int, Turn]]], dialogue: Dialogue) -> dict[str, tuple[int, Turn]]:
    """First utterance of each turn -> how many utterances come before it, and the turn."""
    start = 0
    found = turns[dialogue.dialogue_id]
    for turn in dialogue.turns:
        found[turn.turn_id] = start, turn
        start += len(turn.utterances)
    return found


def _sample(
    response: ResponseRecord,
    dialogue: Dialogue,
    start: int,
    role: Role | None,
    previous: Mapping[tuple[str, str], Previous],
) -> Sample:
    profile = role.profile if role is not None and role.profile.text() else None
    names = dict.fromkeys([response.role, *(() if role is None else (role.name, *role.aliases))])
    before = next((found for name in names if (found := previous.get((dialogue.dialogue_id, name)))), None)
    return Sample(
        response=response,
        history=dialogue.utterances[:start],
        profile=profile,
        previous=before.text if before is not None and before.text.strip() else None,
        show=dialogue.show,
        episode=before.episode if before is not None and before.episode is not None else _episode(dialogue),
        reason=NO_PROFILE if profile is None else NO_RESPONSE if not response.utterances else None,
    )


def _episode(dialogue: Dialogue) -> str | None:
    """Season and episode as the dialogues say them, such as ``S8E21``."""
    if dialogue.episode is None or dialogue.season is None:
        return dialogue.episode
    return f"S{dialogue.season}E{dialogue.episode}"
