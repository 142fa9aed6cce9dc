"""The votes of experts that ask a language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from emotion.experts.cases import Cases
from emotion.experts.expert import Case, ExpertVote
from emotion.experts.llm import LlmExpert, item_id, vote_of
from mmrole.core.journal import Journal
from mmrole.jobs.recognize.members import Member
from mmrole.jobs.recognize.stage import Ballot, Stage, not_asked
from mmrole.llm import BatchItem, BatchProgress, Estimate, batch_journal, estimate_batch, run_batch
from mmrole.llm.asking import Asker
from mmrole.llm.cost import Budget
from mmrole.llm.items import record_key
from mmrole.llm.stage import Asking

REPLIES: Final = "replies"


def journal_path(folder: Path, member: Member) -> Path:
    """The journal of an expert's replies."""
    return folder / REPLIES / f"{member.name}.jsonl"


def items_of(expert: LlmExpert, streams: tuple[str, ...], cases: Cases) -> Iterator[BatchItem]:
    """What the model is asked; nothing where there is nothing to show."""
    for case in cases:
        for stream in streams:
            if expert.absent(case, stream) is None:
                yield expert.item(case, stream)


def ask(
    member: Member,
    expert: LlmExpert,
    asking: Asking,
    cases: Cases,
    folder: Path,
    *,
    absent: int,
    max_cost: float | None,
    progress: Callable[[BatchProgress], object] | None,
) -> Stage:
    """Asks the model of one expert everything that is not answered yet.

    Args:
        member: the expert's place in the panel
        expert: the expert
        asking: its model
        cases: what is voted on
        folder: of the run
        absent: of the pairs of case and stream, how many have nothing to show
        max_cost: money that is left; None for no limit
        progress: is told how far it is
    """
    total = len(cases) * len(member.streams) - absent
    with batch_journal(journal_path(folder, member)) as journal:
        batch = run_batch(
            items_of(expert, member.streams, cases),
            asking.model,
            journal,
            rounds=member.rounds,
            parse=expert.read,
            repair=expert.repair,
            cache=asking.cache,
            prices=asking.prices,
            max_cost=max_cost,
            total=total,
            progress=progress,
        )
        stopped = None if batch.stopped is None else batch.stopped.message
        ballot = _ballot(expert, asking, cases, member, journal, stopped)
    return Stage(
        ballot=ballot,
        fresh=batch.done - batch.reused,
        spent=batch.spent,
        stopped=stopped,
        money=batch.stopped is not None and batch.stopped.kind == "max_cost",
    )


def estimate(member: Member, expert: LlmExpert, asking: Asking, cases: Cases, journal: Journal | None) -> Estimate:
    """What `ask` would take; asks nothing."""
    return estimate_batch(
        items_of(expert, member.streams, cases),
        asking.model,
        journal,
        rounds=member.rounds,
        parse=expert.read,
        repair=expert.repair,
        cache=asking.cache,
        prices=asking.prices,
    )


def _ballot(
    expert: LlmExpert, asking: Asking, cases: Cases, member: Member, journal: Journal, stopped: str | None
) -> Ballot:
    """The votes by what the journal holds; of a run that ended early, only what answers these very requests."""
    current = None if stopped is None else _answered(expert, asking, cases, member, journal)
    votes: dict[str, ExpertVote] = {}
    for record in journal.records():
        if current is None or record["key"] in current:
            votes[record["key"]] = vote_of(record)
    missing = not_asked(stopped)

    def ballot(case: Case, stream: str, number: int) -> ExpertVote:
        nothing = expert.absent(case, stream)
        return nothing if nothing is not None else votes.get(record_key(item_id(case, stream), number), missing)

    return ballot


def _answered(expert: LlmExpert, asking: Asking, cases: Cases, member: Member, journal: Journal) -> set[str]:
    asker = Asker(
        asking.model, parse=expert.read, repair=expert.repair, cache=None, budget=Budget(None, None), price=None
    )
    answered = set()
    for item in items_of(expert, member.streams, cases):
        for number in range(member.rounds):
            key = record_key(item.item_id, number)
            record = journal.get(key)
            if record is not None and record["request"] == asker.request_hash(item, number):
                answered.add(key)
    return answered


def count_absent(expert: LlmExpert, streams: tuple[str, ...], cases: Cases) -> Counter[str]:
    """Reason -> pairs of case and stream of which there is nothing to show."""
    votes = (expert.absent(case, stream) for case in cases for stream in streams)
    return Counter(str(vote.reason) for vote in votes if vote is not None)
