"""What came back from a model: a reply, how it ended, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from mmrole.core.canonical import Record


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


class ErrorKind(StrEnum):
    """Why there is no reply."""

    UNREACHABLE = "unreachable"
    """No connection to the host; the same for each request."""
    NO_API = "no_api"
    """No API, or not this model, at the address; the same for each request."""
    CONNECTION = "connection"
    """The host hung up."""
    TIMEOUT = "timeout"
    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    """An HTTP status of 500 and up."""
    PROVIDER_ERROR = "provider_error"
    """HTTP 200, but no reply in it: an error body, a web page, no JSON, no choices."""
    CUT_OFF = "cut_off"
    """The reply broke off before its end."""
    EMPTY = "empty"
    """The model ended normally and said nothing."""
    BAD_REQUEST = "bad_request"
    """The endpoint refuses this request."""
    TOO_LONG = "too_long"
    """The request does not fit into the model's context, or is too large for the server."""
    INTERNAL = "internal"
    """An error in our own code or in a library; it is a bug."""


class Outcome(StrEnum):
    """How a request ended."""

    STOP = "stop"
    """A whole reply."""
    LENGTH = "length"
    """Cut at ``max_tokens``; the text, when there is one, is not whole."""
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    """The endpoint marked it as a refusal; one in plain words is found by the parsers."""
    TOOL_CALLS = "tool_calls"
    EMPTY = "empty"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True)
class ChatReply:
    """What came back.

    Attributes:
        text: the reply as the model wrote it, None when there is none
        finish_reason: ``stop``, ``length``, ``content_filter``, ``tool_calls``; None when the endpoint gave none
        refusal: the text of a refusal that the endpoint marked as such
        usage: tokens of this reply; None when the endpoint did not count
        spent: tokens of all attempts that it took, this one with them
        model: the model's name as the endpoint reports it
        error: why there is no reply, None when there is one
        detail: one line on the error, for people
        attempts: how often the endpoint was asked, 0 when the reply was in the cache
    """

    text: str | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Usage | None = None
    spent: Usage = field(default_factory=Usage)
    model: str | None = None
    error: ErrorKind | None = None
    detail: str = ""
    attempts: int = 1

    @property
    def cached(self) -> bool:
        """Whether it was in the cache."""
        return self.attempts == 0

    @property
    def outcome(self) -> Outcome:
        """How the request ended."""
        if self.error is not None:
            return Outcome.EMPTY if self.error is ErrorKind.EMPTY else Outcome.ERROR
        if self.finish_reason in (Outcome.LENGTH, Outcome.CONTENT_FILTER, Outcome.TOOL_CALLS):
            return Outcome(self.finish_reason)
        if self.refusal is not None:
            return Outcome.REFUSAL
        if self.text is None or not self.text.strip():
            return Outcome.EMPTY
        return Outcome.STOP

    def to_record(self) -> Record:
        """What the model said, as JSON values; what it took to get it is left out."""
        return {
            "text": self.text,
            "finish_reason": self.finish_reason,
            "refusal": self.refusal,
            "model": self.model,
            "usage": None
            if self.usage is None
            else {"prompt_tokens": self.usage.prompt_tokens, "completion_tokens": self.usage.completion_tokens},
        }

    @classmethod
    def from_record(cls, record: Record) -> ChatReply:
        """The reply that `to_record` stored.

        Raises:
            KeyError, TypeError: the record is no reply
        """
        usage = record["usage"]
        return cls(
            text=record["text"],
            finish_reason=record["finish_reason"],
            refusal=record["refusal"],
            model=record["model"],
            usage=None if usage is None else Usage(**usage),
        )
