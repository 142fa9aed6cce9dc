"""votes.jsonl, and what it says of each expert."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from emotion.experts.cases import Cases
from emotion.experts.expert import ABSENT, BASELINE_NOTE, ExpertVote
from emotion.votes import STREAMS
from mmrole.core.canonical import Record, to_json
from mmrole.core.files import open_atomically
from mmrole.jobs.recognize.members import Member
from mmrole.jobs.recognize.outcome import ExpertOutcome
from mmrole.jobs.recognize.stage import NOT_ASKED, Stage
from mmrole.llm.items import ERROR

VOTES: Final = "votes.jsonl"


def write_votes(path: Path, cases: Cases, members: list[Member], stages: list[Stage]) -> list[Counter[tuple[str, str]]]:
    """Writes the votes: by utterance, stream, expert in the order of the panel, and round.

    Args:
        path: the file
        cases: what was voted on
        members: the experts
        stages: their votes

    Returns:
        per expert, (status, reason where nothing was shown, not asked, or of an error) -> number of votes
    """
    tallies: list[Counter[tuple[str, str]]] = [Counter() for _ in members]
    with open_atomically(path) as file:
        for case in cases:
            for stream in STREAMS:
                for member, stage, tally in zip(members, stages, tallies, strict=True):
                    for number in range(member.rounds if stream in member.streams else 0):
                        vote = stage.ballot(case, stream, number)
                        tally[vote.status, _counted_reason(vote)] += 1
                        record = vote_record(vote, case.utterance_id, stream, member, number)
                        file.write(f"{to_json(record)}\n".encode())
    return tallies


def vote_record(vote: ExpertVote, utterance_id: str, stream: str, member: Member, number: int) -> Record:
    """A line of votes.jsonl."""
    record: Record = {
        "utterance_id": utterance_id,
        "stream": stream,
        "expert": member.name,
        "round": number,
        "label": vote.label,
        "status": vote.status,
        "reason": vote.reason,
    }
    if vote.detail:
        record["detail"] = dict(vote.detail)
    if member.expert.baseline:
        record["note"] = BASELINE_NOTE
    return record


def outcome_of(member: Member, stage: Stage, tally: Counter[tuple[str, str]], utterances: int) -> ExpertOutcome:
    """What one expert did.

    Args:
        member: the expert
        stage: its votes
        tally: what `write_votes` counted of it
        utterances: that were voted on
    """
    statuses: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for (status, reason), count in tally.items():
        statuses[status] += count
        if status == ABSENT:
            reasons[reason] += count
        if status == ERROR and reason != NOT_ASKED:
            errors[reason] += count
    wanted = utterances * len(member.streams) * member.rounds
    done = wanted - statuses[ABSENT] - statuses[ERROR]
    pending = tally[ERROR, NOT_ASKED]
    return ExpertOutcome(
        name=member.name,
        kind=member.entry.kind,
        baseline=member.expert.baseline,
        wanted=wanted,
        absent=statuses[ABSENT],
        done=done,
        failed=statuses[ERROR] - pending,
        pending=pending,
        reused=done - stage.fresh,
        statuses=statuses,
        reasons=reasons,
        errors=errors,
        spent=stage.spent,
        stopped=stage.stopped,
        money=stage.money,
    )


def _counted_reason(vote: ExpertVote) -> str:
    if vote.status == ERROR and str(vote.reason).startswith(NOT_ASKED):
        return NOT_ASKED
    return str(vote.reason) if vote.status in (ABSENT, ERROR) else ""
