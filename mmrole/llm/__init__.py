"""The one seam to every language model: endpoints, models in this process, scripts; requests, replies, runs over many items.

Importing it is cheap; each name below brings its module with it when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmrole.llm.batch import batch_journal, estimate_batch, run_batch
    from mmrole.llm.cache import CachedModel, CacheStats, ReplyCache, request_key
    from mmrole.llm.chat import (
        AudioPart,
        ChatModel,
        ChatRequest,
        ImagePart,
        Message,
        Parameters,
        TextPart,
        assistant,
        system,
        user,
    )
    from mmrole.llm.config import Config, EndpointConfig, read_config
    from mmrole.llm.cost import Price, Prices, Spent, read_prices
    from mmrole.llm.endpoint import Endpoint
    from mmrole.llm.estimate import Estimate
    from mmrole.llm.items import BatchItem, Parsed
    from mmrole.llm.local import AudioClassifier, LocalChatModel, TextClassifier, ZeroShotClassifier
    from mmrole.llm.opening import EndpointCheck, check_endpoint, open_model
    from mmrole.llm.outcome import ChatReply, ErrorKind, Outcome, Usage
    from mmrole.llm.progress import BatchProgress
    from mmrole.llm.repair import Repair
    from mmrole.llm.result import BatchResult, Stop
    from mmrole.llm.retry import RetryPolicy
    from mmrole.llm.scripted import ScriptedModel
    from mmrole.llm.synchronous import ask

_HOMES = {
    "batch": ("batch_journal", "estimate_batch", "run_batch"),
    "cache": ("CacheStats", "CachedModel", "ReplyCache", "request_key"),
    "chat": (
        "AudioPart", "ChatModel", "ChatRequest", "ImagePart", "Message", "Parameters", "TextPart", "assistant", "system", "user",
    ),
    "config": ("Config", "EndpointConfig", "read_config"),
    "cost": ("Price", "Prices", "Spent", "read_prices"),
    "endpoint": ("Endpoint",),
    "estimate": ("Estimate",),
    "items": ("BatchItem", "Parsed"),
    "local": ("AudioClassifier", "LocalChatModel", "TextClassifier", "ZeroShotClassifier"),
    "opening": ("EndpointCheck", "check_endpoint", "open_model"),
    "outcome": ("ChatReply", "ErrorKind", "Outcome", "Usage"),
    "progress": ("BatchProgress",),
    "repair": ("Repair",),
    "result": ("BatchResult", "Stop"),
    "retry": ("RetryPolicy",),
    "scripted": ("ScriptedModel",),
    "synchronous": ("ask",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AudioClassifier", "AudioPart", "BatchItem", "BatchProgress", "BatchResult", "CacheStats", "CachedModel", "ChatModel",
    "ChatReply", "ChatRequest", "Config", "Endpoint", "EndpointCheck", "EndpointConfig", "ErrorKind", "Estimate", "ImagePart",
    "LocalChatModel", "Message", "Outcome", "Parameters", "Parsed", "Price", "Prices", "Repair", "ReplyCache", "RetryPolicy",
    "ScriptedModel", "Spent", "Stop", "TextClassifier", "TextPart", "Usage", "ZeroShotClassifier", "ask", "assistant",
    "batch_journal", "check_endpoint", "estimate_batch", "open_model", "read_config", "read_prices", "request_key", "run_batch",
    "system", "user",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
