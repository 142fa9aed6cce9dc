"""From what an agent replied, or why it was not asked, to the record of a response."""

from __future__ import annotations

from typing import Final

from emotion.playing.material import Condition, Lack
from emotion.playing.targets import Target
from emotion.response_records import OK, AgentUtterance, ResponseRecord
from mmrole.core.canonical import Record

NO_OWN_ANSWER: Final = "no_own_answer"
NOT_ASKED: Final = ("no_profile", "no_previous", NO_OWN_ANSWER)
"""Statuses of turns that the agent was not asked to play."""


def answer_in(record: Record | None) -> tuple[AgentUtterance, ...] | None:
    """The utterances in the journal's record of a reply, None when there are none."""
    if record is None or record["status"] != OK:
        return None
    return tuple(AgentUtterance(**each) for each in record["value"]["utterances"])


def response_of(target: Target, record: Record, *, condition: Condition, agent: str) -> ResponseRecord:
    """The response to a turn that the agent was asked to play.

    Args:
        target: the turn
        record: of its reply, from the journal
        condition: under which it was asked
        agent: its name
    """
    utterances = answer_in(record)
    return _response(
        target,
        condition,
        agent,
        utterances=utterances,
        status=record["status"],
        reason=None if utterances is not None else record["reason"] or record["rule"] or record["status"],
    )


def unplayed(target: Target, lack: Lack, *, condition: Condition, agent: str) -> ResponseRecord:
    """The record of a turn that was not played.

    Args:
        target: the turn
        lack: what is missing
        condition: which needs it
        agent: its name
    """
    return _response(target, condition, agent, utterances=None, status=lack.status, reason=lack.reason)


def blocked(by: str, status: str) -> Lack:
    """Why a turn cannot be played when the agent's own answers are its history: one of them is not there.

    Args:
        by: id of the turn to which there is no answer
        status: of that turn
    """
    return Lack(status=NO_OWN_ANSWER, reason=f"there is no answer to the same role's turn {by!r} before it ({status})")


def _response(
    target: Target,
    condition: Condition,
    agent: str,
    *,
    utterances: tuple[AgentUtterance, ...] | None,
    status: str,
    reason: str | None,
) -> ResponseRecord:
    return ResponseRecord(
        utterance_id=target.utterance_id,
        dialogue_id=target.dialogue.dialogue_id,
        role=target.role,
        condition=condition,
        agent=agent,
        utterances=utterances,
        status=status,
        reason=reason,
    )
