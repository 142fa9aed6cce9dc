"""From a name in mmrole.toml to a model, and whether it answers."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from mmrole.core.errors import MMRoleError
from mmrole.llm.chat import ChatModel, ChatRequest, Parameters, user
from mmrole.llm.config import Config
from mmrole.llm.endpoint import Endpoint
from mmrole.llm.outcome import Outcome
from mmrole.llm.retry import RetryPolicy
from mmrole.llm.synchronous import ask

_CHECK_S = 60.0


def open_model(config: Config, name: str, *, transport: Any = None, asks: bool = True) -> ChatModel:
    """The model of a name; an endpoint is not asked anything yet, a local model is loaded when it is first asked.

    Args:
        config: see `mmrole.llm.config.read_config`
        name: a table ``[endpoints.NAME]``
        transport: takes the place of the network
        asks: whether it will be asked; False does without the key, for an estimate

    Raises:
        UsageError: there is no such endpoint, or its key is not in the environment
        MissingExtraError: it is local, and the extra ``local`` is not installed
    """
    chosen = config.endpoint(name)
    if chosen.kind == "http":
        return Endpoint(name, chosen, transport=transport, asks=asks)
    from mmrole.llm.local import LocalChatModel

    return LocalChatModel(chosen.model, device=chosen.device, dtype=chosen.dtype, defaults=chosen.parameters)


@dataclass(frozen=True, kw_only=True)
class EndpointCheck:
    """What one small request to an endpoint showed.

    Attributes:
        name: of the endpoint
        ok: it gave a reply
        detail: one line: the model that replied and how it ended, or what is wrong and what to do
        seconds: until the reply was there
    """

    name: str
    ok: bool
    detail: str
    seconds: float


def check_endpoint(config: Config, name: str, *, transport: Any = None) -> EndpointCheck:
    """Asks an endpoint one small thing, without retries; what goes wrong is told, not raised.

    Args:
        config: see `mmrole.llm.config.read_config`
        name: a table ``[endpoints.NAME]``
        transport: takes the place of the network
    """
    began = time.monotonic()

    def told(ok: bool, detail: str) -> EndpointCheck:
        return EndpointCheck(name=name, ok=ok, detail=detail, seconds=time.monotonic() - began)

    request = ChatRequest(messages=(user("Reply with the word OK."),), parameters=Parameters(max_tokens=16))
    try:
        chosen = config.endpoint(name)
        if chosen.kind == "http":
            once = RetryPolicy(attempts=1, deadline_s=min(_CHECK_S, chosen.deadline_s))
            model: ChatModel = Endpoint(name, chosen, transport=transport, retry=once)
        else:
            model = open_model(config, name)
        reply = ask(model, request)
    except MMRoleError as error:
        return told(False, str(error))
    who = reply.model or chosen.model
    match reply.outcome:
        case Outcome.STOP:
            return told(True, f"{who} answers")
        case Outcome.LENGTH:
            return told(True, f"{who} answers (its thoughts or its reply are longer than 16 tokens)")
        case Outcome.ERROR | Outcome.EMPTY:
            return told(False, reply.detail or "the reply is empty")
        case other:
            return told(True, f"{who} answers, but with {other}")
