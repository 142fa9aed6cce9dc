"""Asks an agent to play its turns: all at once, or in waves when its own answers are the history of later turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from emotion.playing import Lack, Material, Target, blocked, item_of, read_answer, repair_for
from emotion.playing.outcome import answer_in
from emotion.response_records import AgentUtterance
from mmrole.core.canonical import Record
from mmrole.core.journal import Journal
from mmrole.jobs.respond.preparation import Play
from mmrole.llm import (
    BatchItem,
    BatchProgress,
    BatchResult,
    ChatReply,
    Estimate,
    Spent,
    Stop,
    estimate_batch,
    run_batch,
)
from mmrole.llm.items import Parsed, record_key
from mmrole.llm.stage import Asking, StageResult


@dataclass(kw_only=True)
class _Sum:
    """The batches of a run together."""

    total: int
    done: int = 0
    failed: int = 0
    reused: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    failures: list[Record] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    currency: str | None = None
    stopped: Stop | None = None

    def add(self, batch: BatchResult) -> None:
        """Adds a batch that has ended."""
        self.done += batch.done
        self.failed += batch.failed
        self.reused += batch.reused
        self.statuses += batch.statuses
        self.failures += batch.failures
        self.spent += batch.spent
        self.currency = batch.currency
        self.stopped = batch.stopped

    def with_running(self, batch: BatchProgress) -> BatchProgress:
        """How far the run is, with a batch that has not ended."""
        total = max(self.total, self.done + self.failed + batch.total)
        left = total - self.done - self.failed - batch.finished
        return replace(
            batch,
            total=total,
            done=self.done + batch.done,
            failed=self.failed + batch.failed,
            reused=self.reused + batch.reused,
            statuses=self.statuses + batch.statuses,
            spent=self.spent + batch.spent,
            remaining_s=left / batch.rate_per_s if batch.rate_per_s > 0 else None,
        )

    def result(self) -> StageResult:
        """All of it."""
        return StageResult(
            total=self.total,
            done=self.done,
            failed=self.failed,
            pending=self.total - self.done - self.failed,
            reused=self.reused,
            statuses=self.statuses,
            failures=self.failures,
            spent=self.spent,
            currency=self.currency,
            stopped=self.stopped,
        )


def ask(play: Play, asking: Asking, journal: Journal) -> tuple[StageResult, dict[str, Lack]]:
    """Asks the agent whatever it has not answered yet.

    Args:
        play: what to ask
        asking: whom, and how
        journal: of the replies

    Returns:
        what was done, and why which turns were not played (by their ids); these are not in the total
    """
    playable = play.playable()
    lacks = {name: each for name, each in play.material.items() if isinstance(each, Lack)}
    done = _Sum(total=len(playable))
    waves = play.targets.waves() if play.setup.rollout else [playable]
    for wave in waves:
        if play.setup.rollout:
            found = _blocked(wave, journal, lacks)
            done.total -= len(found)
            lacks |= found
        asked = [target for target in wave if target.utterance_id not in lacks]
        batch = run_batch(
            _items(play, asked, journal),
            asking.model,
            journal,
            parse=_parse,
            repair=repair_for(play.stage.language),
            cache=asking.cache,
            prices=asking.prices,
            max_cost=done.spent.left_of(asking.max_cost),
            total=len(asked),
            progress=_told(done, asking.progress),
        )
        done.add(batch)
        if done.stopped is not None:
            break
    return done.result(), lacks


def estimate(play: Play, asking: Asking, journal: Journal | None) -> Estimate:
    """What `ask` would take; asks nothing. Where the history has answers that are not there yet, the ground truth is measured."""
    return estimate_batch(
        _items(play, play.playable(), journal),
        asking.model,
        journal,
        parse=_parse,
        repair=repair_for(play.stage.language),
        cache=asking.cache,
        prices=asking.prices,
    )


def reply_record(journal: Journal, target: Target) -> Record | None:
    """The record of the reply to a turn, None when it was not asked."""
    return journal.get(record_key(target.utterance_id, 0))


def _items(play: Play, targets: list[Target], journal: Journal | None) -> Iterator[BatchItem]:
    for target in targets:
        material = play.material[target.utterance_id]
        if isinstance(material, Material):
            own = _own(target, journal) if play.setup.rollout and journal is not None else None
            yield item_of(target, material, play.stage, own=own)


def _own(target: Target, journal: Journal) -> Mapping[str, tuple[AgentUtterance, ...]]:
    answers = {name: answer_in(journal.get(record_key(name, 0))) for name in target.own_before}
    return {name: answer for name, answer in answers.items() if answer is not None}


def _blocked(wave: list[Target], journal: Journal, lacks: Mapping[str, Lack]) -> dict[str, Lack]:
    """The turns of a wave to which the history is missing, because an own answer before them is."""
    out: dict[str, Lack] = {}
    for target in wave:
        if target.utterance_id in lacks:
            continue
        for name in target.own_before:
            record = journal.get(record_key(name, 0))
            if name in lacks or answer_in(record) is None:
                status = lacks[name].status if name in lacks else "not asked" if record is None else record["status"]
                out[target.utterance_id] = blocked(name, status)
                break
    return out


def _parse(_: BatchItem, reply: ChatReply) -> Parsed:
    return read_answer(reply.text, reply.finish_reason)


def _told(done: _Sum, progress: Callable[[BatchProgress], object] | None) -> Callable[[BatchProgress], object] | None:
    if progress is None:
        return None
    return lambda batch: progress(done.with_running(batch))
