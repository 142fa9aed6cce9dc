"""A model behind the chat completions API: hosted services, vLLM, llama.cpp, Ollama. Retries and limits are ours, not the SDK's."""

from __future__ import annotations

import asyncio
import json
import random
import time
import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mmrole.core.canonical import Record
from mmrole.core.errors import EndpointError, QuotaError, UsageError
from mmrole.llm.chat import ChatRequest
from mmrole.llm.config import EndpointConfig
from mmrole.llm.connection import arguments, is_transport_error, key_of, open_client
from mmrole.llm.failures import Failure, of_body_text, of_connection, of_error_body, of_status, one_line
from mmrole.llm.outcome import ChatReply, ErrorKind, Outcome, Usage
from mmrole.llm.retry import RetryPolicy, retry_after_s
from mmrole.llm.wire import NoReplyError, StreamedReply, read_reply, request_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI


@dataclass(frozen=True, kw_only=True)
class _Connections:
    """What belongs to one event loop."""

    client: AsyncOpenAI
    slots: asyncio.Semaphore


class Endpoint:
    """A chat model behind an HTTP API.

    Args:
        name: its name in mmrole.toml, for messages
        config: its table there
        transport: takes the place of the network, such as ``httpx2.MockTransport``
        retry: another policy than the one in `config`
        seed: of the jitter
        asks: whether it will be asked; False does without the key, for an estimate

    Raises:
        UsageError: the environment variable of the key is not set, or what it holds can be no key
    """

    def __init__(
        self,
        name: str,
        config: EndpointConfig,
        *,
        transport: Any = None,
        retry: RetryPolicy | None = None,
        seed: int | None = None,
        asks: bool = True,
    ) -> None:
        if config.kind != "http" or config.base_url is None:
            raise UsageError(f"endpoint {name!r} is no HTTP endpoint: use mmrole.llm.open_model")
        self.name = name
        self.config = config
        self.retry = retry or config.retry
        self._url = config.base_url
        self._transport = transport
        self._rng = random.Random(seed)  # noqa: S311  jitter is no secret
        self._asks = asks
        self._key = key_of(name, config) if asks else None
        self._answered = False
        self._connections: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Connections] = (
            weakref.WeakKeyDictionary()
        )

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r}, model={self.config.model!r}, base_url={self._url!r})"

    def __getstate__(self) -> object:
        raise TypeError(
            "an endpoint holds a key and connections, which stay in their process: make it anew from its name"
        )

    @property
    def identity(self) -> Record:
        """Address, model and default parameters."""
        return {
            "kind": "http",
            "base_url": self._url,
            "model": self.config.model,
            "parameters": self.config.parameters.to_record(),
        }

    @property
    def concurrency(self) -> int:
        """At most so many requests at once; more of them wait."""
        return self.config.concurrency

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Asks the endpoint, again where that may help, and returns what came of it.

        Raises:
            EndpointError: the key is refused; `QuotaError` when nothing is left to spend
            UsageError: it was opened for an estimate
        """
        if not self._asks:
            raise UsageError(f"endpoint {self.name} was opened for an estimate: it is not asked anything")
        connections = self._here()
        body = request_body(
            request,
            model=self.config.model,
            defaults=self.config.parameters,
            max_tokens_name=self.config.max_tokens_name,
        )
        async with connections.slots:
            return await self._ask(connections.client, body)

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        connections = self._connections.pop(asyncio.get_running_loop(), None)
        if connections is not None:
            await connections.client.close()

    async def _ask(self, client: AsyncOpenAI, body: Record) -> ChatReply:
        ends = time.monotonic() + self.retry.deadline_s
        spent = Usage()
        attempt = 0
        while True:
            attempt += 1
            result = await self._attempt(client, body, min(self.config.timeout_s, ends - time.monotonic()))
            spent += result.usage or Usage()
            if isinstance(result, ChatReply):
                self._answered = True
                return replace(result, attempts=attempt, spent=spent)
            self._raise_if_fatal(result)
            wait = result.wait_s if result.wait_s is not None else self.retry.wait_s(attempt, self._rng)
            reason = self._reason_to_stop(result, attempt, wait, ends - time.monotonic())
            if reason is not None:
                return self._given_up(result, reason, attempt, spent)
            await asyncio.sleep(wait)

    def _reason_to_stop(self, failure: Failure, attempt: int, wait: float, left_s: float) -> str | None:
        """Why there is no further attempt; empty when that needs no words, None when there is one."""
        if not failure.retry:
            return ""
        if failure.wait_s is not None and failure.wait_s > self.retry.retry_after_limit_s:
            return f"; it asks to wait {failure.wait_s:.0f} s, longer than the {self.retry.retry_after_limit_s:g} s allowed"
        most = failure.most if self._answered else failure.most_at_first or failure.most
        if attempt >= min(self.retry.attempts, most or self.retry.attempts):
            return f"; {attempt} attempts" if attempt > 1 else ""
        if wait >= left_s:
            return f"; {attempt} attempts, and no time for another within {self.retry.deadline_s:g} s"
        return None

    def _given_up(self, failure: Failure, reason: str, attempt: int, spent: Usage) -> ChatReply:
        if failure.filtered:
            self._answered = True
            finish = Outcome.CONTENT_FILTER.value
            return ChatReply(finish_reason=finish, detail=failure.detail, attempts=attempt, spent=spent)
        kind, detail = failure.kind, failure.detail + reason
        if failure.kind_at_first is not None and not self._answered:
            kind, detail = failure.kind_at_first, self._hopeless(failure.kind_at_first, failure.detail)
        return ChatReply(error=kind, detail=detail, attempts=attempt, spent=spent)

    @property
    def _label(self) -> str:
        return f"endpoint {self.name} ({self._url})"

    def _hopeless(self, kind: ErrorKind, said: str) -> str:
        """One line on an endpoint that never answered: what is wrong and what to do."""
        if kind is ErrorKind.UNREACHABLE:
            return f"{self._label} cannot be reached ({said}): start the server or correct base_url in mmrole.toml"
        if "web page" in said:
            return f"{self._label} is no API ({said}): correct base_url in mmrole.toml, most end in /v1"
        model = self.config.model
        if "model" in said.lower():
            return f"{self._label} does not have the model {model!r} ({said}): correct model in mmrole.toml"
        return f"{self._label} does not have this address or the model {model!r} ({said}): correct base_url, most end in /v1, or model"

    def _raise_if_fatal(self, failure: Failure) -> None:
        said, variable = failure.detail, self.config.api_key_env
        if failure.fatal is QuotaError:
            raise QuotaError(f"{self._label} has nothing left to spend ({said}): top up the account, then run again")
        if failure.fatal is not None and variable:
            raise EndpointError(f"{self._label} refused the key in {variable} ({said}): set the right key")
        if failure.fatal is not None:
            raise EndpointError(f"{self._label} wants a key ({said}): name its environment variable with api_key_env")

    async def _attempt(self, client: AsyncOpenAI, body: Record, seconds: float) -> ChatReply | Failure:
        import openai

        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                reply = await (self._streamed(client, body) if self.config.stream else self._whole(client, body))
        except (TimeoutError, openai.APITimeoutError):
            return Failure(kind=ErrorKind.TIMEOUT, detail=f"no answer within {seconds:.3g} s", retry=True)
        except openai.APIStatusError as error:
            wait = retry_after_s(error.response.headers)
            body_seen = error.body if error.body is not None else error.response.text
            return of_status(error.status_code, body_seen, wait_s=wait, secret=self._key)
        except (NoReplyError, openai.APIError) as error:
            return self._unread(error)
        except Exception as error:
            if not is_transport_error(error):
                raise
            return of_connection(error, secret=self._key)
        if isinstance(reply, Failure):
            return reply
        if reply.outcome is Outcome.EMPTY:
            detail = f"the reply is empty (finish_reason {reply.finish_reason})"
            return Failure(kind=ErrorKind.EMPTY, detail=detail, retry=True, most=2, usage=reply.usage)
        return self._without_key(reply)

    def _unread(self, error: Exception) -> Failure:
        """An answer that came and could not be used, or a connection that broke."""
        import openai

        if isinstance(error, NoReplyError):
            detail = one_line(str(error), self._key)
            if error.broken_off:
                return Failure(kind=ErrorKind.CUT_OFF, detail=detail, retry=True)
            return of_error_body(detail, error.body, secret=self._key)
        if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError):
            return of_error_body("the stream ends with an error", error.body or error.message, secret=self._key)
        return of_connection(error, secret=self._key)

    async def _whole(self, client: AsyncOpenAI, body: Record) -> ChatReply | Failure:
        # the bare answer: the SDK would make an object of anything, also of an error or a web page
        answer = await client.chat.completions.with_raw_response.create(**arguments(body))
        content = answer.http_response.content
        try:
            value = json.loads(content)
        except ValueError:
            return of_body_text(content.decode("utf-8", "replace"), secret=self._key)
        return read_reply(value)

    async def _streamed(self, client: AsyncOpenAI, body: Record) -> ChatReply | Failure:
        options = {"stream": True, "stream_options": {"include_usage": True}}
        answer = await client.chat.completions.with_raw_response.create(**arguments(options | body))
        kind = answer.http_response.headers.get("content-type", "")
        if "event-stream" not in kind:  # a page, or a server that does not stream
            content = await answer.http_response.aread()
            try:
                return read_reply(json.loads(content))
            except ValueError:
                return of_body_text(content.decode("utf-8", "replace"), secret=self._key)
        whole = StreamedReply()
        stream: Any = answer.parse()
        try:
            async for chunk in stream:
                whole.add(chunk.to_dict() if hasattr(chunk, "to_dict") else chunk)
        except ValueError as error:  # a chunk that is no JSON
            raise NoReplyError(f"the stream holds something that is no JSON: {error}", broken_off=True) from None
        finally:
            await stream.close()
        return whole.end()

    def _without_key(self, reply: ChatReply) -> ChatReply:
        """A server that repeats the key in its reply must not bring it into our files."""
        said = {"text": reply.text, "refusal": reply.refusal, "model": reply.model}
        leaks = {
            name: text.replace(self._key, "[key]")
            for name, text in said.items()
            if self._key and text and self._key in text
        }
        return replace(reply, **leaks) if leaks else reply  # type: ignore[arg-type]  # all three are texts

    def _here(self) -> _Connections:
        loop = asyncio.get_running_loop()
        connections = self._connections.get(loop)
        if connections is None:
            connections = _Connections(
                client=open_client(self._url, self._key, self._transport, self.config.concurrency),
                slots=asyncio.Semaphore(self.config.concurrency),
            )
            self._connections[loop] = connections
        return connections
