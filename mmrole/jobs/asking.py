"""From the name of an endpoint to how a stage asks it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.core.files import write_atomically
from mmrole.core.journal import parse_line
from mmrole.llm import BatchProgress, ChatModel, Prices, ReplyCache, open_model, read_config, read_prices
from mmrole.llm.stage import Asking


def asking_of(
    model: ChatModel | str,
    *,
    config: str | Path | None = None,
    cache: ReplyCache | str | Path | bool | None = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Callable[[BatchProgress], object] | None = None,
    asks: bool = True,
) -> Asking:
    """How a stage asks its model.

    Args:
        model: a model, or the name of an endpoint
        config: mmrole.toml; the one in the working folder when None
        cache: a reply cache or its folder; None for the user's own when the model is an endpoint, False for none
        prices: price list; that of the configuration when None
        max_cost: the stage ends before it costs more
        on_progress: is told how far the stage is
        asks: whether the model will be asked; False does without its key, for an estimate

    Raises:
        UsageError: there is no such endpoint or configuration
        InputError: the configuration or the price list cannot be understood
    """
    if isinstance(model, str):
        read = read_config(config)
        prices = read_prices(read.prices_path) if prices is None and read.prices_path is not None else prices
        model = open_model(read, model, asks=asks)
        cache = ReplyCache() if cache is None or cache is True else cache
    if isinstance(cache, bool):
        cache = ReplyCache() if cache else None
    if isinstance(cache, str | Path):
        cache = ReplyCache(cache)
    return Asking(model=model, cache=cache, prices=prices, max_cost=max_cost, progress=on_progress)


def keep_to(path: Path, model: ChatModel, what: str, *, write: bool = True) -> None:
    """Refuses another model than the one that a folder's replies are from.

    Args:
        path: where its identity is kept
        model: the model
        what: the model is in this stage, for the message
        write: keep the identity where there is none yet

    Raises:
        UsageError: it is another one
    """
    identity: Record = dict(model.identity)
    if path.exists():
        before = parse_line(path.read_bytes(), path, 1)
        if before != identity:
            names = before.get("model"), identity.get("model")
            other = (
                f"{names[0]}, not {names[1]}"
                if names[0] != names[1]
                else f"{names[0]} with another address or parameters"
            )
            raise UsageError(f"{path.parent} holds the replies of the {what} {other}: choose another folder")
    elif write:
        write_atomically(path, f"{to_json(identity)}\n".encode())
