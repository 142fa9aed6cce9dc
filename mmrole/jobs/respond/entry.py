"""`mmrole.respond` with its arguments one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from emotion.playing.history import Source
from emotion.playing.material import Condition
from mmrole.core.dialogue import NOBODY
from mmrole.core.languages import Language
from mmrole.jobs.respond.preparation import File, Setup
from mmrole.jobs.respond.run import Cache, RespondResult, respond_with
from mmrole.llm import BatchProgress, ChatModel, Prices


def respond(
    dialogues: File,
    agent: ChatModel | str,
    *,
    out: File,
    condition: Condition = "all",
    roles: File | None = None,
    previous: File | None = None,
    descriptions: File | None = None,
    features: File | None = None,
    context: Source = "text",
    history: int | None = None,
    rollout: bool = False,
    lang: Language | None = None,
    role: str | Iterable[str] = (),
    nobody: str | Iterable[str] = NOBODY,
    two_speakers_only: bool = True,
    format: str = "auto",  # noqa: A002  the word users expect
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Callable[[BatchProgress], object] | None = None,
) -> RespondResult:
    """Has an agent play the roles of dialogues, both of a dialogue in turn, on every turn that has a predecessor.

    One folder is one agent under one condition (MERRY, arXiv 2602.21941, role-playing conditions). What is answered is never asked
    again: the same call goes on where an earlier one was interrupted.

    Args:
        dialogues: the ground truth: CPED, MELD or the project's JSONL
        agent: a model, or the name of an endpoint
        out: the folder
        condition: what the agent is told of its role: none, prev (what happened before), prof (profile) or all
        roles: roles.jsonl; needed by prof and all
        previous: previous.jsonl; needed by prev and all
        descriptions: descriptions.jsonl, shown beside the lines of the history
        features: features folder, for pictures and sound
        context: how the history is shown: text, images, audio or media (both)
        history: at most so many utterances of history, the last ones; None for all
        rollout: the history has the agent's own earlier answers instead of the ground truth
        lang: zh or en, in which the agent is asked; that of the dialogues when None
        role: role or roles to play; all when empty
        nobody: speaker or speakers that are never played
        two_speakers_only: only dialogues of exactly two speakers
        format: of the dialogues; ``auto`` tells it from the file
        config: see `mmrole.jobs.asking.asking_of`, as the four that follow
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: see there

    Raises:
        UsageError: an option that makes no sense, no such endpoint, or a folder with other responses
        InputError: a file that cannot be used; names file, line and value
        ModelError: the agent cannot answer at all; what was answered is stored
        LockedError: another run is working on the folder
        DiskError: the folder cannot be written
    """
    setup = Setup(
        dialogues=dialogues, condition=condition, roles=roles, previous=previous, descriptions=descriptions, features=features,
        context=context, history=history, rollout=rollout, lang=lang, only=_names(role), nobody=_names(nobody),
        two_speakers_only=two_speakers_only, format=format,
    )  # fmt: skip
    return respond_with(
        setup, agent, out=out, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress
    )


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))
