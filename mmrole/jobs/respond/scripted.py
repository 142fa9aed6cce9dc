"""Agents that follow a script: for tests, demonstrations, and to see what the metrics say of an agent whose behaviour is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from emotion.playing import Material, Target, item_of
from emotion.response_records import AgentUtterance
from mmrole.core.canonical import content_key, to_json
from mmrole.core.errors import ModelError
from mmrole.jobs.respond.preparation import Setup, prepare
from mmrole.llm import ChatRequest, ScriptedModel

Answer = Sequence[AgentUtterance] | str
"""Utterances, or a whole reply as the model would write it, which may be unreadable."""


def scripted_agent(setup: Setup, answer: Callable[[Target], Answer], *, name: str = "scripted") -> ScriptedModel:
    """An agent whose answer to each turn is given by a function of the turn.

    The agent knows a turn by what it is asked. Turns that are asked in the same words (short openings, under condition none) get
    their answers in the order in which they are asked.

    Args:
        setup: files and options; the agent answers nothing that is asked under others
        answer: turn -> what the agent answers; under rollout it also makes the history of later turns
        name: of the agent

    Raises:
        UsageError: see `mmrole.jobs.respond.preparation.prepare`
        InputError: see there
    """
    play = prepare(setup, ScriptedModel([], name=name))
    answers: dict[str, list[str]] = {}
    given: dict[str, Sequence[AgentUtterance]] = {}
    for target in play.playable():
        said = answer(target)
        if not isinstance(said, str):
            given[target.utterance_id] = said
        own = {name: given[name] for name in target.own_before if name in given} if setup.rollout else None
        material = play.material[target.utterance_id]
        if isinstance(material, Material):
            item = item_of(target, material, play.stage, own=own)
            answers.setdefault(_key(item.request), []).append(said if isinstance(said, str) else reply_of(said))
    asked: dict[str, int] = {}

    def follow(request: ChatRequest) -> str:
        key = _key(request)
        if key not in answers:  # a repair request goes on from the question of the turn
            key = _key(ChatRequest(messages=request.messages[:2]))
        if key not in answers:
            raise ModelError(
                f"the scripted agent {name!r} knows no turn that is asked like this: give it the same setup"
            )
        number = asked.get(key, 0)
        asked[key] = number + 1
        return answers[key][number % len(answers[key])]

    return ScriptedModel(follow, name=name)


def ground_truth(target: Target, shown: Mapping[str, Mapping[str, str]] | None = None) -> tuple[AgentUtterance, ...]:
    """The turn as it was: the answer of an agent that copies the ground truth.

    Args:
        target: the turn
        shown: utterance id -> face, body and speech in words, where known
    """
    shown = shown or {}
    return tuple(
        AgentUtterance(text=each.text if each.text.strip() else "……", **shown.get(each.utterance_id, {}))
        for each in target.turn.utterances
    )


def reply_of(utterances: Sequence[AgentUtterance]) -> str:
    """Utterances as an agent writes them."""
    return to_json({"utterances": [each.to_record() for each in utterances]})


def _key(request: ChatRequest) -> str:
    return content_key(messages=[message.to_record() for message in request.messages])
