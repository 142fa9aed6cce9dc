"""What is said to a model: messages, parameters, requests; and the one protocol that every model meets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, Protocol

from mmrole.core.canonical import Record, bytes_sha256
from mmrole.llm.outcome import ChatReply

RoleName = Literal["system", "user", "assistant"]


@dataclass(frozen=True, kw_only=True)
class TextPart:
    """Text of a message."""

    text: str

    def to_record(self) -> Record:
        """The part as JSON values."""
        return {"type": "text", "text": self.text}


@dataclass(frozen=True, kw_only=True)
class ImagePart:
    """A picture, such as a keyframe.

    Attributes:
        data: the bytes of the picture file
        media_type: ``image/jpeg``, ``image/png``, ...
    """

    data: bytes = field(repr=False)
    media_type: str = "image/jpeg"

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""
        return bytes_sha256(self.data)

    def to_record(self) -> Record:
        """The part as JSON values, the hash standing for the bytes."""
        return {"type": "image", "media_type": self.media_type, "sha256": self.sha256}


@dataclass(frozen=True, kw_only=True)
class AudioPart:
    """Sound.

    Attributes:
        data: the bytes of the sound file
        format: the file format, as the API names it
    """

    data: bytes = field(repr=False)
    format: Literal["wav", "mp3"] = "wav"

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""
        return bytes_sha256(self.data)

    def to_record(self) -> Record:
        """The part as JSON values, the hash standing for the bytes."""
        return {"type": "audio", "format": self.format, "sha256": self.sha256}


Part = TextPart | ImagePart | AudioPart


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message of a conversation."""

    role: RoleName
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The text parts, a line break between them."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    def to_record(self) -> Record:
        """The message as JSON values, hashes standing for the bytes of pictures and sound."""
        return {"role": self.role, "parts": [part.to_record() for part in self.parts]}


def _message(role: RoleName, parts: tuple[str | Part, ...]) -> Message:
    return Message(role=role, parts=tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts))


def system(*parts: str | Part) -> Message:
    """A message that says how to answer."""
    return _message("system", parts)


def user(*parts: str | Part) -> Message:
    """A message to be answered."""
    return _message("user", parts)


def assistant(*parts: str | Part) -> Message:
    """An answer of the model."""
    return _message("assistant", parts)


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """Model parameters; what is None is left to the endpoint.

    Attributes:
        temperature: 0 and up; 0 means the likeliest word each time
        top_p: share of probability that is sampled from, 0 to 1
        max_tokens: at most so many tokens in the reply
        seed: for endpoints that sample reproducibly; round 1 gets the next one and so on, or its replies would be those of round 0
        stop: strings that end the reply
        response_format: ``{"type": "json_object"}`` or a JSON schema, as the API takes it
        extra: further fields of the request body, such as ``{"chat_template_kwargs": {"enable_thinking": false}}``
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    response_format: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def over(self, defaults: Parameters) -> Parameters:
        """These parameters, with those of `defaults` where nothing is set here."""
        chosen = {
            name: getattr(self if getattr(self, name) not in (None, ()) else defaults, name) for name in _PARAMETERS
        }
        return Parameters(**chosen | {"extra": {**defaults.extra, **self.extra}})

    def to_record(self) -> Record:
        """The parameters as JSON values."""
        record = {name: getattr(self, name) for name in _PARAMETERS}
        record["stop"] = list(self.stop)
        record["response_format"] = None if self.response_format is None else dict(self.response_format)
        record["extra"] = dict(self.extra)
        return record


_PARAMETERS = tuple(item.name for item in fields(Parameters))


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """What is asked.

    Attributes:
        messages: the conversation so far
        parameters: model parameters; the endpoint's own defaults fill what is not set
        round: which of several independent askings this is, from 0; it is not sent, but keeps their replies apart
    """

    messages: tuple[Message, ...]
    parameters: Parameters = field(default_factory=Parameters)
    round: int = 0

    def in_round(self, number: int) -> ChatRequest:
        """The same request in another round."""
        return self if number == self.round else replace(self, round=number)

    def to_record(self) -> Record:
        """Everything that decides the reply, as JSON values; hashes stand for the bytes of pictures and sound."""
        return {
            "messages": [message.to_record() for message in self.messages],
            "parameters": self.parameters.to_record(),
            "round": self.round,
        }


class ChatModel(Protocol):
    """Whatever answers chat requests: an endpoint, a model in this process, a script."""

    @property
    def identity(self) -> Record:
        """Everything about the model that decides its replies, as JSON values; no secret."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answers a request; what concerns this request alone is told in the reply, never raised.

        Raises:
            ModelError: the model cannot answer any request
        """

    async def close(self) -> None:
        """Lets go of connections that belong to the running event loop; the model can be used again."""
