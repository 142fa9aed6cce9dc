"""The chat completions API on the wire: a request as a JSON body, and a JSON body as a reply, whatever a server puts into it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from mmrole.core.canonical import Record
from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, Message, Parameters, Part, TextPart
from mmrole.llm.outcome import ChatReply, Usage

_FINISH = {
    "stop": "stop", "eos": "stop", "eos_token": "stop", "end_turn": "stop", "stop_sequence": "stop", "complete": "stop",
    "length": "length", "max_tokens": "length", "model_length": "length", "model_context_window_exceeded": "length",
    "content_filter": "content_filter", "safety": "content_filter", "sensitive": "content_filter", "recitation": "content_filter",
    "prohibited_content": "content_filter", "blocklist": "content_filter", "spii": "content_filter", "refusal": "content_filter",
    "tool_calls": "tool_calls", "tool_use": "tool_calls", "function_call": "tool_calls",
}  # fmt: skip
"""What servers write, lower case, and what it means. Anything else, such as ``abort`` or ``error``, is no end of a reply."""


class NoReplyError(Exception):
    """A body holds no reply.

    Args:
        detail: one line that says what it holds instead
        body: the error that the server put into it
        broken_off: the reply is there but has no end
    """

    def __init__(self, detail: str, *, body: object = None, broken_off: bool = False) -> None:
        super().__init__(detail)
        self.body = body
        self.broken_off = broken_off


def whole_text(text: str) -> str:
    """The text with halves of surrogate pairs replaced: a reply cut inside an emoji has them, and UTF-8 has not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def request_body(
    request: ChatRequest, *, model: str, defaults: Parameters, max_tokens_name: str = "max_tokens"
) -> Record:
    """The JSON body of a request.

    Args:
        request: what is asked
        model: the model's name at the endpoint
        defaults: parameters where the request sets none
        max_tokens_name: the field that limits the reply; newer services want ``max_completion_tokens``
    """
    chosen = request.parameters.over(defaults)
    fields = {
        "temperature": chosen.temperature,
        "top_p": chosen.top_p,
        max_tokens_name: chosen.max_tokens,
        "seed": None if chosen.seed is None else chosen.seed + request.round,
        "stop": list(chosen.stop) or None,
        "response_format": None if chosen.response_format is None else dict(chosen.response_format),
    }
    return {
        "model": model,
        "messages": [_message_body(message) for message in request.messages],
        **{name: value for name, value in fields.items() if value is not None},
        **chosen.extra,
    }


def _message_body(message: Message) -> Record:
    if all(isinstance(part, TextPart) for part in message.parts):  # some servers take plain strings only
        return {"role": message.role, "content": whole_text(message.text)}
    return {"role": message.role, "content": [_part_body(part) for part in message.parts]}


def _part_body(part: Part) -> Record:
    match part:
        case TextPart():
            return {"type": "text", "text": whole_text(part.text)}
        case ImagePart():
            data = base64.b64encode(part.data).decode("ascii")
            return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}
        case AudioPart():
            data = base64.b64encode(part.data).decode("ascii")
            return {"type": "input_audio", "input_audio": {"data": data, "format": part.format}}


def read_reply(body: object) -> ChatReply:
    """The reply in the body of an answer with HTTP status 200.

    Usage may be missing. A finish reason may be missing as well: the body is whole, so the reply is.

    Raises:
        NoReplyError: an error body, no choices, or a finish reason that is no end
    """
    if not isinstance(body, Mapping):
        raise NoReplyError(f"the answer is JSON, but no object: {_shown(body)}")
    if body.get("error"):
        raise NoReplyError("the answer is an error", body=body["error"])
    choices = body.get("choices")
    if not isinstance(choices, Sequence) or not choices or not isinstance(choices[0], Mapping):
        raise NoReplyError(f"the answer has no choices: {_shown(body)}", body=body)
    choice = choices[0]
    if choice.get("error"):
        raise NoReplyError("the answer is an error", body=choice["error"])
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise NoReplyError(f"the answer has no message: {_shown(choice)}")
    return ChatReply(
        text=_whole(_content(message.get("content"))),
        finish_reason=_finish(choice.get("finish_reason")),
        refusal=_whole(_content(message.get("refusal")) or None),
        usage=read_usage(body.get("usage")),
        model=_name(body.get("model")),
    )


class StreamedReply:
    """Puts a streamed reply together from its chunks."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._finish: object = None
        self._usage: Usage | None = None
        self._model: str | None = None

    def add(self, chunk: object) -> None:
        """Takes the next chunk.

        Raises:
            NoReplyError: it is an error
        """
        if not isinstance(chunk, Mapping):
            raise NoReplyError(f"the stream holds something that is no object: {_shown(chunk)}")
        if chunk.get("error"):
            raise NoReplyError("the stream ends with an error", body=chunk["error"])
        self._usage = read_usage(chunk.get("usage")) or self._usage
        self._model = _name(chunk.get("model")) or self._model
        for choice in chunk.get("choices") or ():
            if not isinstance(choice, Mapping):
                continue
            delta = choice.get("delta")
            if isinstance(delta, Mapping):
                self._text.append(_content(delta.get("content")) or "")
                self._refusal.append(_content(delta.get("refusal")) or "")
            self._finish = choice.get("finish_reason") or self._finish

    def end(self) -> ChatReply:
        """The whole reply.

        Raises:
            NoReplyError: the stream stopped before the model did
        """
        if self._finish is None:
            raise NoReplyError(f"the stream broke off after {len(''.join(self._text))} characters", broken_off=True)
        text, refusal = "".join(self._text), "".join(self._refusal)
        return ChatReply(
            text=whole_text(text) if text else None,
            finish_reason=_finish(self._finish),
            refusal=whole_text(refusal) or None,
            usage=self._usage,
            model=self._model,
        )


def read_usage(usage: object) -> Usage | None:
    """Token counts; None when they are missing or make no sense."""
    if not isinstance(usage, Mapping):
        return None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    if any(not isinstance(count, int) or isinstance(count, bool) or count < 0 for count in counts):
        return None
    return Usage(prompt_tokens=usage["prompt_tokens"], completion_tokens=usage["completion_tokens"])


def _finish(reason: object) -> str | None:
    if reason is None or reason == "":
        return None
    known = _FINISH.get(reason.lower()) if isinstance(reason, str) else None
    if known is None:
        raise NoReplyError(f"the reply ended with {_shown(reason)}", broken_off=True)
    return known


def _content(content: object) -> str | None:
    """Text of a content field: a string, or a list of parts of which the text ones count."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        texts = [part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
        return "".join(texts) if texts else None
    return None


def _whole(text: str | None) -> str | None:
    return None if text is None else whole_text(text)


def _name(name: object) -> str | None:
    return whole_text(name) if isinstance(name, str) and name else None


def _shown(value: object) -> str:
    shown = " ".join(str(value).split())
    return repr(shown[:117] + "..." if len(shown) > 120 else shown)


def error_fields(body: Any) -> tuple[str, str, str, int | None]:
    """Code, type and message of an error body, and its code when it is an HTTP status.

    Servers write ``{"error": {...}}``, ``{"error": "text"}``, ``{"message": ...}`` or ``{"detail": ...}``.
    """
    if isinstance(body, Mapping) and isinstance(body.get("error"), (Mapping, str)):
        inner: Any = body["error"]
    else:
        inner = body
    if isinstance(inner, Mapping):
        code = inner.get("code")
        deeper = inner.get("innererror") or inner.get("inner_error")
        if isinstance(deeper, Mapping) and deeper.get("code"):
            code = f"{code} {deeper['code']}"
        message = inner.get("message") or inner.get("detail") or inner.get("msg") or ""
        status = int(str(code)) if str(code).isdecimal() and 400 <= int(str(code)) < 600 else None
        return str(code or ""), str(inner.get("type") or ""), str(message), status
    return "", "", "" if inner is None else str(inner), None
