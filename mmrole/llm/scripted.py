"""A model that answers by a script: for tests, demonstrations and trying out a pipeline without paying."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import cast

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError
from mmrole.llm.chat import ChatRequest
from mmrole.llm.outcome import ChatReply

Answer = str | ChatReply | BaseException
Rule = tuple[str | re.Pattern[str], Answer]
Script = Callable[[ChatRequest], Answer | Awaitable[Answer]] | Iterable[Answer] | Iterable[Rule] | dict[str, Answer]


class ScriptedModel:
    """Answers by a script and counts its calls.

    Args:
        script: one of

            - a function from request to answer, which may be a coroutine function
            - answers, given one after another
            - rules ``(pattern, answer)``, or a dict of them: the first whose pattern (a regular expression) is found in the
              last message counts

            where an answer is a text, a whole `ChatReply`, or an error to be raised.
        name: its name, part of its identity

    Attributes:
        calls: how often it was asked
        requests: what it was asked

    Example:
        >>> from mmrole.llm.chat import ChatRequest, user
        >>> from mmrole.llm.synchronous import ask
        >>> model = ScriptedModel([("weather", "sunny"), (".", "I do not know")])
        >>> ask(model, ChatRequest(messages=(user("How is the weather?"),))).text
        'sunny'
        >>> model.calls
        1
    """

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self.name = name
        self.calls = 0
        self.requests: list[ChatRequest] = []
        self._next = _follow(script)

    @property
    def identity(self) -> Record:
        """Its name."""
        return {"kind": "scripted", "model": self.name}

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The script's answer.

        Raises:
            ModelError: the script has come to its end, or has no rule for this request
        """
        self.calls += 1
        self.requests.append(request)
        answer = self._next(request, self.calls)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, str):
            return ChatReply(text=answer, finish_reason="stop", model=self.name)
        return answer

    async def close(self) -> None:
        """Does nothing: there are no connections."""


def _follow(script: Script) -> Callable[[ChatRequest, int], Answer | Awaitable[Answer]]:
    if callable(script):
        function = script
        return lambda request, _: function(request)
    if isinstance(script, str):
        raise TypeError("a script of one text would be read letter by letter; give a list")
    steps = iter(script.items() if isinstance(script, dict) else script)
    first = next(steps, None)
    if isinstance(first, tuple):
        rules = [cast(Rule, first), *cast("Iterator[Rule]", steps)]
        return lambda request, _: _by_rule(rules, request)
    answers = iter(()) if first is None else _chain(first, cast("Iterator[Answer]", steps))
    return lambda _, call: _by_turn(answers, call)


def _chain(first: Answer, rest: Iterator[Answer]) -> Iterator[Answer]:
    yield first
    yield from rest


def _by_turn(answers: Iterator[Answer], call: int) -> Answer:
    for answer in answers:
        return answer
    raise ModelError(f"the script has come to its end: there is no answer for call {call}")


def _by_rule(rules: list[Rule], request: ChatRequest) -> Answer:
    text = request.messages[-1].text if request.messages else ""
    for pattern, answer in rules:
        if re.search(pattern, text):
            return answer
    raise ModelError(f"the script has no rule for {text[:60]!r}")
