"""Work that asks a model in rounds: each job says what it needs next, and all that is needed goes out side by side.

A job is a generator: it yields calls, gets their answers, and returns what it made of them. What is answered stands in a journal
by the content of the call, so that two jobs that ask the same ask once, and a killed run goes on from its last answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from mmrole.core.canonical import Record, content_key
from mmrole.core.journal import Journal
from mmrole.core.prompts import Prompt
from mmrole.llm import (
    BatchItem,
    BatchProgress,
    ChatRequest,
    Estimate,
    Parameters,
    Repair,
    Spent,
    Stop,
    estimate_batch,
    run_batch,
    user,
)
from mmrole.llm.items import ERROR, OK, Parse, record_key
from mmrole.llm.stage import Asking, StageResult
from textbench.benchmark import opened_journal, prompt_hashes

_EVERY_S: Final = 5.0
PENDING: Final = "pending"
"""Status of a call that was not made, because the stage ended early."""

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a call.

    Attributes:
        status: that of its record (see `mmrole.llm.items`), or `PENDING`
        value: what was read; None unless the status is ``ok``
        reason: why there is no value
    """

    status: str
    value: Any = None
    reason: str | None = None

    @property
    def again(self) -> bool:
        """Whether the next run asks again."""
        return self.status in (PENDING, ERROR)


Job = Generator[Sequence[BatchItem], Mapping[str, Answer], T]


class Caller(Protocol):
    """Whatever answers calls."""

    def answers(self, calls: Sequence[BatchItem]) -> Mapping[str, Answer]:
        """Id of each call -> what came of it."""


def call_of(kind: str, text: str, prompt: Prompt, **fields: Any) -> BatchItem:
    """A call whose id is its content: the same text is the same call, wherever it comes from.

    Args:
        kind: of the call, such as ``chunk``
        text: what the model is asked
        prompt: the template of the text
        **fields: stored with the reply
    """
    request = ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0))
    name = f"{kind}/{content_key(text=text, prompt=prompt.sha256)[:32]}"
    return BatchItem(item_id=name, request=request, fields={**fields, "kind": kind, "prompts": prompt_hashes([prompt])})


def in_rounds(jobs: Mapping[K, Job[T]], caller: Caller) -> dict[K, T]:
    """Runs jobs to their ends, the calls of all of them side by side.

    Args:
        jobs: name -> job
        caller: answers their calls
    """
    done: dict[K, T] = {}
    wanted: dict[K, Sequence[BatchItem]] = {}

    def step(name: K, answers: Mapping[str, Answer] | None) -> None:
        try:
            job = jobs[name]
            wanted[name] = next(job) if answers is None else job.send(answers)
        except StopIteration as end:
            done[name] = end.value
            wanted.pop(name, None)

    for name in jobs:
        step(name, None)
    while wanted:
        calls = {call.item_id: call for of_job in wanted.values() for call in of_job}
        answers = caller.answers(list(calls.values()))
        for name in list(wanted):
            step(name, {call.item_id: answers[call.item_id] for call in wanted[name]})
    return {name: done[name] for name in jobs}


class JournalCaller:
    """Asks the model, round by round, with one journal.

    Args:
        asking: how
        journal: where the replies are kept
        parse: reads a reply
        repair: what is said, once, after a reply that cannot be used

    Attributes:
        spent: by all rounds
        stopped: why no further call is made
    """

    def __init__(
        self, asking: Asking, journal: Journal, *, parse: Parse | None = None, repair: Repair | None = None
    ) -> None:
        self._asking = asking
        self._journal = journal
        self._parse = parse
        self._repair = repair
        self._seen: set[str] = set()
        self._reused = 0
        self._told = time.monotonic()
        self.spent = Spent()
        self.stopped: Stop | None = None
        self._currency: str | None = None

    def answers(self, calls: Sequence[BatchItem]) -> Mapping[str, Answer]:
        """See `Caller`."""
        new = [call for call in calls if call.item_id not in self._seen]
        self._seen |= {call.item_id for call in new}
        if new and self.stopped is None:
            batch = run_batch(
                new,
                self._asking.model,
                self._journal,
                parse=self._parse,
                repair=self._repair,
                cache=self._asking.cache,
                prices=self._asking.prices,
                max_cost=self.spent.left_of(self._asking.max_cost),
                progress=self._tell,
            )
            self.spent, self.stopped, self._currency = self.spent + batch.spent, batch.stopped, batch.currency
            self._reused += batch.reused
        return {call.item_id: answer_of(self._journal, call.item_id) for call in calls}

    def _tell(self, state: BatchProgress) -> None:
        """Tells how far it is, but not the end of every round: there may be hundreds of one call each."""
        now = time.monotonic()
        if self._asking.progress is None or (state.finished >= state.total and now - self._told < _EVERY_S):
            return
        self._told = now
        self._asking.progress(state)

    def result(self) -> StageResult:
        """What was done, over all calls that were wanted."""
        statuses: Counter[str] = Counter()
        failures: list[Record] = []
        pending = 0
        for name in self._seen:
            record = self._journal.get(record_key(name, 0))
            if record is None:
                pending += 1
                continue
            statuses[record["status"]] += 1
            if record["status"] == ERROR:
                failures.append({"item": name, "round": 0, "reason": record["reason"]})
        total = len(self._seen)
        return StageResult(
            total=total,
            done=total - pending - len(failures),
            failed=len(failures),
            pending=pending,
            reused=self._reused,
            statuses=statuses,
            failures=sorted(failures, key=lambda failure: str(failure["item"])),
            spent=self.spent,
            currency=self._currency,
            stopped=self.stopped,
        )


def answer_of(journal: Journal, name: str) -> Answer:
    """What a journal holds of a call."""
    record = journal.get(record_key(name, 0))
    if record is None:
        return Answer(status=PENDING, reason="it was not asked: the stage ended early")
    value = record["value"] if record["status"] == OK else None
    return Answer(
        status=record["status"], value=value, reason=record["reason"] or (None if value is not None else record["rule"])
    )


class EstimatingCaller:
    """Asks nothing, and counts what would be asked; what is not yet answered is stood in for.

    Args:
        asking: how it would be asked
        path: the journal, which need not be there
        stand_in: what a call is taken to answer
        parse: reads a reply
        repair: see `JournalCaller`
    """

    def __init__(
        self, asking: Asking, path: Path, stand_in: Any, *, parse: Parse | None = None, repair: Repair | None = None
    ) -> None:
        self._asking = asking
        self._path = path
        self._stand_in = stand_in
        self._parse = parse
        self._repair = repair
        self._seen: set[str] = set()
        self.estimates: list[Estimate] = []

    def answers(self, calls: Sequence[BatchItem]) -> Mapping[str, Answer]:
        """See `Caller`."""
        new = [call for call in calls if call.item_id not in self._seen]
        self._seen |= {call.item_id for call in new}
        with opened_journal(self._path) as journal:
            self.estimates.append(
                estimate_batch(
                    new,
                    self._asking.model,
                    journal,
                    parse=self._parse,
                    repair=self._repair,
                    cache=self._asking.cache,
                    prices=self._asking.prices,
                )
            )
            found = {call.item_id: None if journal is None else answer_of(journal, call.item_id) for call in calls}
        return {
            call.item_id: Answer(status=OK, value=self._stand_in(call))
            if (known := found[call.item_id]) is None or known.again
            else known
            for call in calls
        }


def total_of(estimates: Sequence[Estimate]) -> Estimate:
    """Several estimates of one model as one."""
    completion = [each.completion_tokens for each in estimates if each.calls]
    return Estimate(
        total=sum(each.total for each in estimates),
        stored=sum(each.stored for each in estimates),
        cached=sum(each.cached for each in estimates),
        calls=sum(each.calls for each in estimates),
        prompt_tokens=sum(each.prompt_tokens for each in estimates),
        completion_tokens=None if None in completion else sum(number for number in completion if number is not None),
        price=next((each.price for each in estimates if each.price is not None), None),
        currency=next((each.currency for each in estimates), "USD"),
    )


class StoredCaller:
    """Asks nothing: gives what a journal holds.

    Args:
        path: the journal, which need not be there
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def answers(self, calls: Sequence[BatchItem]) -> Mapping[str, Answer]:
        """See `Caller`."""
        with opened_journal(self._path) as journal:
            if journal is None:
                return {call.item_id: Answer(status=PENDING, reason="it was not asked") for call in calls}
            return {call.item_id: answer_of(journal, call.item_id) for call in calls}
