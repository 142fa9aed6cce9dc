from __future__ import annotations

import asyncio
import threading

import pytest

from mmrole.core.errors import ModelError
from mmrole.llm import ScriptedModel, ask
from mmrole.llm.synchronous import run_here


def test_it_works_with_and_without_a_running_loop(request_of, endpoint):
    model = endpoint()  # its connections belong to a loop, and each call has another one
    assert [ask(model, request_of("x")).text for _ in range(2)] == ["happy", "happy"]

    async def in_a_notebook():
        return ask(model, request_of("x")).text

    assert asyncio.run(in_a_notebook()) == "happy"


def test_errors_come_out_as_they_are(request_of):
    async def in_a_notebook():
        ask(ScriptedModel([]), request_of("x"))

    with pytest.raises(ModelError, match="no answer"):
        asyncio.run(in_a_notebook())


def test_an_interrupt_in_a_notebook_cancels_the_work(monkeypatch):
    ended = []

    async def work():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    joined = []

    class Interrupted(threading.Thread):
        def join(self, timeout=None):
            joined.append(True)
            if len(joined) == 1:
                raise KeyboardInterrupt
            super().join(timeout)

    monkeypatch.setattr("mmrole.llm.synchronous.threading.Thread", Interrupted)

    async def in_a_notebook():
        run_here(work)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(in_a_notebook())
    assert ended == [True]
