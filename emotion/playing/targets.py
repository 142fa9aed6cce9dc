"""The turns that an agent has to produce."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from mmrole.core.dialogue import NOBODY, Dialogue, Turn, played_turns
from mmrole.core.errors import UsageError

LEFT_OUT: Final = ("not_two_speakers", "no_predecessor", "no_role", "role_not_chosen")
"""Why a turn is no target: its dialogue has one speaker or more than two, it opens its dialogue, its speaker is no role, or
another role was asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A turn that an agent has to produce.

    Attributes:
        dialogue: its dialogue
        turn: the turn itself, the ground truth; the agent does not see it
        start: position of its first utterance in the dialogue, from 1 up
        own_before: ids of the earlier targets of the same role in the dialogue, in order
    """

    dialogue: Dialogue
    turn: Turn
    start: int
    own_before: tuple[str, ...]

    @property
    def utterance_id(self) -> str:
        """Id of its first utterance, which names the response."""
        return self.turn.turn_id

    @property
    def role(self) -> str:
        """Who is played."""
        return self.turn.role


@dataclass(frozen=True, kw_only=True)
class Targets:
    """The targets of dialogues.

    Attributes:
        targets: in the order of the dialogues
        turns: number of all turns, targets or not
        left_out: reason (see `LEFT_OUT`) -> number of turns that are no targets
    """

    targets: tuple[Target, ...]
    turns: int
    left_out: Mapping[str, int]

    @property
    def roles(self) -> dict[tuple[str, str | None], int]:
        """(role, show) -> number of its targets, in the order in which they come."""
        return dict(Counter((target.role, target.dialogue.show) for target in self.targets))

    def waves(self) -> list[list[Target]]:
        """The targets in groups: one of a group needs nothing but earlier groups for its role's own earlier answers."""
        out: list[list[Target]] = []
        for target in self.targets:
            while len(out) <= len(target.own_before):
                out.append([])
            out[len(target.own_before)].append(target)
        return out


def targets_of(
    dialogues: Iterable[Dialogue],
    *,
    roles: Collection[str] = (),
    nobody: Iterable[str] = NOBODY,
    two_speakers_only: bool = True,
) -> Targets:
    """The targets of dialogues: every turn of a role that has a predecessor; both roles of a dialogue are played in turn.

    Args:
        dialogues: the ground truth
        roles: only these are played; all when empty
        nobody: speakers that are never played
        two_speakers_only: only dialogues of exactly two speakers (MERRY)

    Raises:
        UsageError: a role that was asked for never speaks, or there is no target at all
    """
    nobody = frozenset(nobody)
    left_out: Counter[str] = Counter()
    found: list[Target] = []
    turns, speakers = 0, set[str]()
    for dialogue in dialogues:
        turns += len(dialogue.turns)
        speakers.update(dialogue.speakers)
        if two_speakers_only and len(dialogue.speakers) != 2:
            left_out["not_two_speakers"] += len(dialogue.turns)
            continue
        found += _of_dialogue(dialogue, frozenset(roles), nobody, left_out)
    for role in roles:
        if role not in speakers:
            raise UsageError(f"role {role!r} never speaks in the dialogues{_meant(role, speakers)}")
    if not found:
        why = ", ".join(f"{reason} {count:,}" for reason, count in left_out.items()) or "there is no turn"
        raise UsageError(f"there is no turn to play: {turns:,} turns, left out: {why}")
    return Targets(
        targets=tuple(found), turns=turns, left_out={name: left_out[name] for name in LEFT_OUT if left_out[name]}
    )


def _of_dialogue(
    dialogue: Dialogue, roles: frozenset[str], nobody: frozenset[str], left_out: Counter[str]
) -> Iterable[Target]:
    starts: dict[str, int] = {}
    at = 0
    for turn in dialogue.turns:
        starts[turn.turn_id] = at
        at += len(turn.utterances)
    played = [turn for _, turn in played_turns(dialogue, nobody=nobody)]
    if dialogue.turns:
        left_out["no_predecessor"] += 1
        left_out["no_role"] += len(dialogue.turns) - 1 - len(played)
    before: dict[str, tuple[str, ...]] = {}
    for turn in played:
        if roles and turn.role not in roles:
            left_out["role_not_chosen"] += 1
            continue
        own = before.get(turn.role, ())
        yield Target(dialogue=dialogue, turn=turn, start=starts[turn.turn_id], own_before=own)
        before[turn.role] = (*own, turn.turn_id)


def _meant(name: str, known: Iterable[str]) -> str:
    names = sorted(filter(None, known))
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:5]
    more = ", ..." if len(names) > len(close) else ""
    return f"; there are {', '.join(close)}{more}" if names else ""
