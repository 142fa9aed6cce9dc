"""The SDK's client for an endpoint, and the key it needs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mmrole.core.errors import UsageError
from mmrole.llm.config import EndpointConfig

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CONNECT_S = 15.0


def key_of(name: str, config: EndpointConfig) -> str | None:
    """The key of an endpoint, None when it wants none.

    Raises:
        UsageError: the variable is not set, or what it holds can be no key; the message does not repeat it
    """
    if config.api_key_env is None:
        return None
    key = os.environ.get(config.api_key_env, "").strip()
    if not key:
        raise UsageError(
            f"endpoint {name}: the environment variable {config.api_key_env} is not set: export the key, "
            f"or remove api_key_env from mmrole.toml if the server wants none"
        )
    if not (key.isascii() and key.isprintable()):  # an HTTP library would repeat it in its own message
        raise UsageError(f"endpoint {name}: what {config.api_key_env} holds is no key: it has a line break or the like")
    return key


def open_client(url: str, key: str | None, transport: Any, concurrency: int) -> AsyncOpenAI:
    """A client of the SDK that neither retries nor times out by itself.

    Args:
        url: the address of the API
        key: None when the server wants none
        transport: takes the place of the network
        concurrency: so many connections at most
    """
    import openai

    # the SDK's HTTP library is another one in each of its major versions; these names lead to the right one
    limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
        max_connections=concurrency, max_keepalive_connections=concurrency, keepalive_expiry=30.0
    )
    options: dict[str, Any] = {
        "limits": limits,
        "timeout": openai.Timeout(None, connect=_CONNECT_S),
        "trust_env": not _is_here(url),  # a proxy of the environment cannot reach this very machine
    }
    if transport is not None:
        options["transport"] = transport
    return openai.AsyncOpenAI(
        base_url=url,
        api_key=key or "none",
        max_retries=0,
        timeout=openai.Timeout(None, connect=_CONNECT_S),
        http_client=openai.DefaultAsyncHttpxClient(**options),
    )


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body as arguments of the SDK: what it must know by name, and the rest as it is."""
    named = {name: body[name] for name in ("model", "messages", "stream") if name in body}
    return {**named, "extra_body": {name: value for name, value in body.items() if name not in named}}


def is_transport_error(error: Exception) -> bool:
    """Whether the SDK's HTTP library raised it; some versions of the SDK let such errors through while streaming."""
    return any(cls.__name__ == "HTTPError" and cls.__module__.startswith("httpx") for cls in type(error).__mro__)
