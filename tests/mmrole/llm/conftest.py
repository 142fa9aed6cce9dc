"""A chat completions server that misbehaves on command, on the loopback interface.

The command is in the request: the last message of a request may end with ``<<a, b, c>>``; the first time the server is asked this it
does ``a``, then ``b``, then ``c`` again and again. Without a command it does its ``default``, which is to
answer ``happy``.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

PAGE = "<!DOCTYPE html><html><body><h1>It works!</h1></body></html>"
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def completion(text, finish="stop", usage=USAGE, **message):
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "tiny-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        ],
    }
    return body if usage is None else body | {"usage": usage}


def error(message, code=None, kind=None, **more):
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


class Server:
    def __init__(self):
        self.asked = Counter()
        self.bodies = []
        self.headers = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.default = "ok"  # what to do without a command
        self.pace_s = 0.0  # each answer takes so long
        self.gather_at = 0  # answers wait until so many requests are there at once
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def _serve(self):
        asyncio.set_event_loop(self.loop)
        self._gathered = asyncio.Event()
        self._server = self.loop.run_until_complete(asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512))
        self.port = self._server.sockets[0].getsockname()[1]
        self._ready.set()
        self.loop.run_forever()
        self._server.close()
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)

    async def _connection(self, reader, writer):
        try:
            while await self._request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _request(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        self.bodies.append(body)
        self.headers.append(headers)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(self.pace_s)
            if self.gather_at:
                if self.in_flight >= self.gather_at:
                    self._gathered.set()
                await asyncio.wait_for(self._gathered.wait(), 60)
            return await self._answer(first.split(" ")[1], headers, body, writer)
        finally:
            self.in_flight -= 1

    async def _answer(self, path, headers, body, writer):
        if path != "/v1/chat/completions":
            return await send(writer, 404, error("Not Found"))
        content = body["messages"][-1]["content"]
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        turn = self.asked[text]
        self.asked[text] += 1
        found = re.search(r"<<(.*)>>", text, re.S)
        steps = found[1].split(", ") if found else [self.default]
        step, _, value = steps[min(turn, len(steps) - 1)].partition(":")
        if body.get("stream"):
            return await stream(writer, step, value)
        return await self._step(step, value, headers, writer)

    async def _step(self, step, value, headers, writer):
        match step:
            case "ok":
                return await send(writer, 200, completion(value or "happy"))
            case "after":  # seconds: a slow answer
                await asyncio.sleep(float(value))
                return await send(writer, 200, completion("happy"))
            case "429" | "500" | "502" | "503" | "408" | "409":
                extra = {"Retry-After": value} if value else {}
                return await send(writer, int(step), error("try later", kind="rate_limit_exceeded"), extra)
            case "429date":
                date = format_datetime(datetime.now(UTC) + timedelta(seconds=float(value)), usegmt=True)
                return await send(writer, 429, error("try later"), {"Retry-After": date})
            case "quota":
                said = "You exceeded your current quota, please check your plan and billing details."
                return await send(writer, 429, error(said, "insufficient_quota", "insufficient_quota"))
            case "auth":
                return await send(writer, 401, error(f"Incorrect API key provided: {headers.get('authorization')}"))
            case "nomodel":
                return await send(writer, 404, error("The model `tiny` does not exist", "model_not_found"))
            case "filter400":
                inner = {"innererror": {"code": "ResponsibleAIPolicyViolation"}}
                said = "The response was filtered due to the prompt triggering the content management policy."
                return await send(writer, 400, error(said, "content_filter", **inner))
            case "toolong":
                said = "This model's maximum context length is 8192 tokens."
                return await send(writer, 400, error(said, "context_length_exceeded"))
            case "badrequest":
                return await send(writer, 400, error("temperature is not supported"))
            case "reset":
                return reset(writer)
            case "close":
                return False
            case "html":
                return await send(writer, 200, PAGE, {"Content-Type": "text/html"})
            case "plain":
                return await send(writer, 200, "upstream busy", {"Content-Type": "text/plain"})
            case "cutbody":  # the connection ends inside the body
                data = json.dumps(completion("sad")).encode()
                writer.write(head(200, len(data) + 50, {}) + data[:60])
                await writer.drain()
                return False
            case "cutjson":  # a whole answer, in which the JSON is not whole
                return await send(writer, 200, json.dumps(completion("sad"))[:-30])
            case "empty":
                return await send(writer, 200, completion(""))
            case "null":
                return await send(writer, 200, completion(None))
            case "length":
                return await send(writer, 200, completion(value or None, "length"))
            case "refused":
                return await send(writer, 200, completion(None, refusal="I can't help with that."))
            case "filtered":
                return await send(writer, 200, completion(None, "content_filter"))
            case "tools":
                return await send(writer, 200, completion(None, "tool_calls", tool_calls=[{"id": "1"}]))
            case "aborted":
                return await send(writer, 200, completion("hap", "abort"))
            case "error200":
                return await send(writer, 200, error("upstream model is overloaded", 503))
            case "quota200":
                return await send(writer, 200, error("Insufficient Balance", "insufficient_quota"))
            case "nochoices":
                return await send(writer, 200, {"id": "1", "choices": []})
            case "list":
                return await send(writer, 200, [1, 2])
            case "nousage":
                return await send(writer, 200, completion("happy", usage=None))
            case "nofinish":
                return await send(writer, 200, completion("happy", None))
            case "fenced":
                return await send(writer, 200, completion('```json\n{"label": "happy"}\n```'))
            case "thinking":
                return await send(writer, 200, completion("<think>sad? no</think>happy"))
            case "echo":  # a server that shows what it was sent
                return await send(writer, int(value), error(f"bad header: {headers.get('authorization')}"))
            case "echoreply":
                return await send(writer, 200, completion(f"you sent {headers.get('authorization')}"))
        raise AssertionError(step)


def head(status, length, extra):
    fields = {"Content-Type": "application/json", "Content-Length": str(length), **extra}
    return f"HTTP/1.1 {status} X\r\n{''.join(f'{name}: {value}{chr(13)}{chr(10)}' for name, value in fields.items())}\r\n".encode()


async def send(writer, status, body, extra=()):
    data = (body if isinstance(body, str) else json.dumps(body)).encode()
    writer.write(head(status, len(data), dict(extra)) + data)
    await writer.drain()
    return True


def reset(writer):
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
    return False


async def stream(writer, step, value):
    if step in ("429", "html"):
        return (
            await send(writer, 429, error("try later"))
            if step == "429"
            else await send(writer, 200, PAGE, {"Content-Type": "text/html"})
        )
    writer.write(b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")

    async def event(value):
        data = f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode()
        writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await writer.drain()

    def delta(text, finish=None):
        return {"model": "tiny-1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}

    await event(delta("hap"))
    match step:
        case "cutstream":  # the connection ends between two chunks
            return False
        case "endstream":  # the answer ends properly, the reply in it does not
            writer.write(b"0\r\n\r\n")
            return True
        case "errorstream":
            await event(error("the engine died"))
            writer.write(b"0\r\n\r\n")
            return True
        case "badstream":
            await event("{not json")
            writer.write(b"0\r\n\r\n")
            return True
        case "resetstream":
            return reset(writer)
    await event(delta("py", "stop"))
    await event({"model": "tiny-1", "choices": [], "usage": USAGE})
    await event("[DONE]")
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


@pytest.fixture
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture
def endpoint(server, monkeypatch):
    """Makes endpoints at the server that do not wait long between attempts."""
    from mmrole.llm import Endpoint, EndpointConfig, RetryPolicy

    def make(*, retry=None, url=None, **settings):
        config = EndpointConfig(base_url=url or server.url, model="tiny", **settings)
        return Endpoint("t", config, retry=retry or RetryPolicy(base_s=0.01, longest_s=0.02))

    return make


@pytest.fixture
def request_of():
    from mmrole.llm import ChatRequest, user

    return lambda text: ChatRequest(messages=(user(text),))
