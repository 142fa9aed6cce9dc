"""The votes of experts that compute them in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from emotion.experts.cases import Cases
from emotion.experts.expert import ABSENT, Case, Expert, ExpertVote, votes_on
from emotion.experts.llm import item_id
from mmrole.core.canonical import Record, content_key
from mmrole.core.errors import DiskError, MissingExtraError, MMRoleError, ModelError, ModelFileError
from mmrole.core.journal import Journal
from mmrole.jobs.recognize.members import Member
from mmrole.jobs.recognize.outcome import RecognizeProgress
from mmrole.jobs.recognize.stage import Stage, not_asked
from mmrole.llm.items import ERROR, record_key

COMPUTED: Final = "computed"
_AT_ONCE: Final = 512
"""So many votes are made between two flushes to the disk."""


def compute(
    member: Member,
    expert: Expert,
    cases: Cases,
    folder: Path,
    *,
    progress: Callable[[RecognizeProgress], object] | None,
) -> Stage:
    """Makes the votes of one expert that are not stored yet.

    Args:
        member: the expert's place in the panel
        expert: the expert
        cases: what is voted on
        folder: of the run
        progress: is told how far it is

    Raises:
        DiskError: the journal cannot be written
    """
    identity = dict(expert.identity)
    counts: Counter[str] = Counter()
    stopped: str | None = None
    total = len(cases) * len(member.streams) * member.rounds
    votes: dict[str, ExpertVote] = {}
    with Journal(folder / COMPUTED / f"{member.name}.jsonl", key="key") as journal:
        for stream, number, some in _batches(member, cases):
            wanted = {item_id(case, stream): _request(identity, case, stream, number) for case in some}
            fresh = [case for case in some if not _is_stored(journal, case, stream, number, wanted)]
            if fresh:
                try:
                    made = _votes(expert, fresh, stream, number)
                except (MissingExtraError, ModelError, ModelFileError) as error:
                    stopped = str(error)
                    break
                journal.append_many(
                    [
                        _record(case, stream, number, wanted[item_id(case, stream)], vote)
                        for case, vote in zip(fresh, made, strict=True)
                    ]
                )
            new = {case.utterance_id for case in fresh}
            for case in some:
                key = record_key(item_id(case, stream), number)
                vote = votes[key] = _vote(journal.get(key))
                kind = {ABSENT: "absent", ERROR: "failed"}.get(vote.status, "done")
                counts[kind] += 1
                counts["reused"] += kind == "done" and case.utterance_id not in new
            if progress is not None:
                progress(_progress(member, total, counts))
    missing = not_asked(stopped)
    return Stage(
        ballot=lambda case, stream, number: votes.get(record_key(item_id(case, stream), number), missing),
        fresh=counts["done"] - counts["reused"],
        stopped=stopped,
    )


def _progress(member: Member, total: int, counts: Counter[str]) -> RecognizeProgress:
    return RecognizeProgress(
        total=total - counts["absent"],
        finished=counts["done"] + counts["failed"],
        failed=counts["failed"],
        reused=counts["reused"],
        expert=member.name,
    )


def _batches(member: Member, cases: Cases) -> Iterator[tuple[str, int, Sequence[Case]]]:
    rest = iter(cases)
    while some := list(islice(rest, _AT_ONCE)):
        for stream in member.streams:
            for number in range(member.rounds):
                yield stream, number, some


def _votes(expert: Expert, cases: Sequence[Case], stream: str, number: int) -> Sequence[ExpertVote]:
    """The votes, all at once; where that fails, one by one, so that an error costs its own case."""
    try:
        return [_checked(expert, vote) for vote in votes_on(expert, cases, stream, number)]
    except (MissingExtraError, ModelError, ModelFileError, DiskError):
        raise
    except Exception:
        return [_one(expert, case, stream, number) for case in cases]


def _one(expert: Expert, case: Case, stream: str, number: int) -> ExpertVote:
    try:
        return _checked(expert, expert.vote(case, stream, number))
    except (MissingExtraError, ModelError, ModelFileError, DiskError):
        raise
    except MMRoleError as error:
        return ExpertVote(label=None, status=ERROR, reason=str(error))
    except Exception as error:  # a bug costs its case, not the run
        return ExpertVote(label=None, status=ERROR, reason=f"internal: {type(error).__name__}: {error}")


def _checked(expert: Expert, vote: ExpertVote) -> ExpertVote:
    if (vote.label is None) == (vote.status == "ok") or (
        vote.label is not None and vote.label not in expert.labels.labels
    ):
        raise ValueError(f"the expert {expert.name!r} gave the label {vote.label!r} with the status {vote.status!r}")
    return vote


def _request(identity: Record, case: Case, stream: str, number: int) -> str:
    return content_key(identity=identity, case=case.sha256, stream=stream, round=number)


def _is_stored(journal: Journal, case: Case, stream: str, number: int, wanted: dict[str, str]) -> bool:
    name = item_id(case, stream)
    before = journal.get(record_key(name, number))
    return before is not None and before["status"] != ERROR and before["request"] == wanted[name]


def _record(case: Case, stream: str, number: int, request: str, vote: ExpertVote) -> Record:
    return {
        "key": record_key(item_id(case, stream), number),
        "request": request,
        "label": vote.label,
        "status": vote.status,
        "reason": vote.reason,
        "detail": dict(vote.detail),
    }


def _vote(record: Any) -> ExpertVote:
    return ExpertVote(label=record["label"], status=record["status"], reason=record["reason"], detail=record["detail"])
