"""What the model layer costs: replies from the cache, calls to a fast server, slow calls side by side.

    python benchmarks/models.py [--items 10000]

Targets: at most 1 ms of CPU per cached reply; 10,000 cached items in 10 s; 256 slow requests really at once.
The server is a process of its own on the loopback interface, so that its time is not counted as ours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mmrole.llm import (
    BatchItem,
    ChatRequest,
    Endpoint,
    EndpointConfig,
    Parameters,
    ReplyCache,
    ScriptedModel,
    batch_journal,
    run_batch,
    system,
    user,
)

SLOW_S = 2.0
TURNS = "\n".join(f"Speaker {number % 3}: and this is what was said in turn {number}." for number in range(20))
REPLY = json.dumps(
    {
        "model": "fast",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "happy"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 300, "completion_tokens": 2, "total_tokens": 302},
    }
).encode()


async def serve() -> None:
    most = running = 0

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal most, running
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or b"0")
                body = await reader.readexactly(length)
                running += 1
                most = max(most, running)
                if b"slowly" in body:
                    await asyncio.sleep(SLOW_S)
                running -= 1
                data = str(most).encode() if head.startswith(b"get") else REPLY
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(data)
                    + data
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(0.5)


def items(count: int, word: str = "") -> list[BatchItem]:
    how = system("Name the emotion of the last utterance: one word of a list of thirteen.")
    return [
        BatchItem(
            item_id=f"{word}{number}",
            request=ChatRequest(
                messages=(how, user(f"{TURNS}\nSpeaker 1: {word} utterance {number}")),
                parameters=Parameters(temperature=0.0, max_tokens=8),
            ),
            fields={"utterance_id": f"{word}{number}", "stream": "all"},
        )
        for number in range(count)
    ]


def measured(title: str, count: int, work) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    said = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(
        f"{title:<34} {count:>6} items  {wall:7.2f} s  {cpu / count * 1e3:7.3f} ms of CPU each  "
        f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB  {said or ''}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve())
        return
    server = subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE)
    port = int(server.stdout.readline())
    with tempfile.TemporaryDirectory() as name:
        try:
            report(Path(name), port, args.items)
        finally:
            server.terminate()
            server.wait()


def report(folder: Path, port: int, count: int) -> None:
    wanted = items(count)
    script = ScriptedModel(lambda _: "happy")
    cache = ReplyCache(folder / "cache")
    journals = iter(range(100))

    def run(model, of=wanted, **options):
        with batch_journal(folder / f"{next(journals)}.jsonl") as journal:
            result = run_batch(of, model, journal, **options)
            assert result.done == len(of), result

    measured("a scripted model, nothing cached", count, lambda: run(script))
    measured("the same, filling the cache", count, lambda: run(script, cache=cache))
    calls = script.calls
    measured("from the cache", count, lambda: run(script, cache=cache))
    assert script.calls == calls
    with batch_journal(folder / "0.jsonl") as journal:
        measured("stored already, nothing to do", count, lambda: run_batch(wanted, script, journal) and None)

    url = f"http://127.0.0.1:{port}/v1"
    endpoint = Endpoint("fast", EndpointConfig(base_url=url, model="fast", concurrency=32))
    some = items(min(count, 2000), "quick")
    measured("calls to a server that is at once", len(some), lambda: run(endpoint, some))
    endpoint = Endpoint("slow", EndpointConfig(base_url=url, model="fast", concurrency=256))
    slow = items(512, "slowly")
    measured(f"calls of {SLOW_S:g} s, 256 at once", 512, lambda: run(endpoint, slow))
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/most") as answer:
        print(f"{'':<34} the server saw {int(answer.read())} at once")


if __name__ == "__main__":
    main()
