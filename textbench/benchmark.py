"""What every benchmark in text does, in four stages: build -> run -> grade -> score.

One folder is one agent under one condition::

    plan.json            build: settings, and everything the later stages need to know, so that a run never changes midway
    items.jsonl          build: what the agent is asked, one item a line
    answers.jsonl        run: the journal of the agent's replies
    grades/NAME/         grade: replies.jsonl, the journal of the judge's replies, and ratings.jsonl, what was read out of them
    scores.jsonl, ...    score

Each stage reads what the one before has stored and asks nobody for it again. Every journal takes up where it was left.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, content_key, to_json
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.files import open_atomically, write_atomically
from mmrole.core.journal import Journal, read_records
from mmrole.core.lock import RunLock
from mmrole.core.prompts import Prompt
from mmrole.llm import (
    BatchItem,
    ChatRequest,
    Estimate,
    Message,
    Parameters,
    TextPart,
    batch_journal,
    estimate_batch,
    run_batch,
)
from mmrole.llm.stage import Asking, StageResult

PLAN: Final = "plan.json"
ITEMS: Final = "items.jsonl"
ANSWERS: Final = "answers.jsonl"
GRADES: Final = "grades"
REPLIES: Final = "replies.jsonl"
RATINGS: Final = "ratings.jsonl"


class BenchmarkFolder:
    """The folder of a benchmark, locked for one run at a time while the block lasts.

    Args:
        folder: the folder
        benchmark: name of the benchmark; the plan of another one is refused
    """

    def __init__(self, folder: str | Path, benchmark: str) -> None:
        self.path = Path(folder)
        self.benchmark = benchmark

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other runs out.

        Raises:
            LockedError: another run works on it
        """
        with RunLock(self.path):
            yield

    def write_plan(self, plan: Record, items: Iterable[Record]) -> int:
        """Stores a plan and its items; call it under the lock.

        Args:
            plan: JSON values
            items: see `item_record`

        Returns:
            number of items

        Raises:
            UsageError: there are answers to another plan
        """
        record = {**plan, "benchmark": self.benchmark}
        record["sha256"] = content_key(plan=record)
        place = self.path / PLAN
        if place.exists() and self._has_answers() and self.plan()["sha256"] != record["sha256"]:
            raise UsageError(
                f"{self.path} holds answers to another plan: choose another folder, or give the settings it was built with"
            )
        count = 0
        with open_atomically(self.path / ITEMS) as file:
            for item in items:
                file.write(f"{to_json(item)}\n".encode())
                count += 1
        pretty = json.dumps(record, ensure_ascii=False, sort_keys=True, indent=1)
        write_atomically(place, f"{pretty}\n".encode())
        return count

    def _has_answers(self) -> bool:
        path = self.path / ANSWERS
        return path.exists() and path.stat().st_size > 0

    def plan(self) -> Record:
        """The plan.

        Raises:
            StoreError: there is none, or it is damaged, or it is that of another benchmark
        """
        path = self.path / PLAN
        build = f"mmrole bench {self.benchmark} build"
        try:
            record = json.loads(path.read_text("utf-8"))
        except OSError:
            raise StoreError(f"{path} is missing: make it with {build}") from None
        except ValueError as error:
            raise StoreError(f"{path} is damaged ({error}): make it anew with {build}") from None
        if not isinstance(record, dict) or record.get("benchmark") != self.benchmark:
            raise StoreError(f"{path} is no plan of {self.benchmark}: make one with {build}, in another folder")
        return record

    def items(self) -> Iterator[BatchItem]:
        """What the agent is asked.

        Raises:
            StoreError: it is damaged or missing
        """
        path = self.path / ITEMS
        if not path.is_file():
            raise StoreError(f"{path} is missing: make it with mmrole bench {self.benchmark} build")
        for record in read_records(path):
            yield _batch_item(record)

    def answers(self) -> list[Record]:
        """The records of the agent's replies.

        Raises:
            StoreError: there are none
        """
        if not self._has_answers():
            raise StoreError(f"{self.path / ANSWERS} is missing: ask the agent with mmrole bench {self.benchmark} run")
        with batch_journal(self.path / ANSWERS) as journal:
            return journal.records()

    def run(self, asking: Asking, *, runs: int) -> StageResult:
        """Asks the agent every item in every run; call it under the lock."""
        with batch_journal(self.path / ANSWERS) as journal:
            batch = run_batch(
                self.items(),
                asking.model,
                journal,
                rounds=runs,
                cache=asking.cache,
                prices=asking.prices,
                max_cost=asking.max_cost,
                total=sum(1 for _ in self.items()),
                progress=asking.progress,
            )
        return StageResult.of(batch)

    def estimate_run(self, asking: Asking, *, runs: int) -> Estimate:
        """What `run` would take; asks nothing."""
        with opened_journal(self.path / ANSWERS) as journal:
            return estimate_batch(
                self.items(), asking.model, journal, rounds=runs, cache=asking.cache, prices=asking.prices
            )

    def grades(self, name: str | None = None) -> Path:
        """The folder of one judge's grades: the only one when no name is given.

        Raises:
            UsageError: there are several, or none
        """
        if name is not None:
            return self.path / GRADES / name
        there = sorted(path.parent for path in (self.path / GRADES).glob(f"*/{RATINGS}"))
        if len(there) == 1:
            return there[0]
        if not there:
            raise UsageError(f"{self.path} holds no grades: make them with mmrole bench {self.benchmark} grade")
        raise UsageError(
            f"{self.path} holds grades of {', '.join(path.name for path in there)}: say which with --grades"
        )


def is_folder_of(benchmark: str, folder: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a plan of a benchmark; False where there is nothing that can be read."""
    try:
        return f'"benchmark": "{benchmark}"' in (Path(folder) / PLAN).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False


@contextlib.contextmanager
def opened_journal(path: Path) -> Iterator[Journal | None]:
    """A journal that is there, None where there is none: looking makes no files."""
    if not path.exists():
        yield None
        return
    with batch_journal(path) as journal:
        yield journal


def item_record(
    item_id: str,
    messages: Sequence[tuple[str, str]],
    *,
    prompts: Iterable[Prompt],
    temperature: float | None,
    **fields: Any,
) -> Record:
    """One line of ``items.jsonl``.

    Args:
        item_id: unlike that of every other item
        messages: (role, text), the role ``system`` or ``user``
        prompts: the templates of the messages; their hashes are stored with every reply
        temperature: of the model; None for the endpoint's own
        **fields: stored in the record of the reply
    """
    return {
        "item_id": item_id,
        "messages": [{"role": role, "text": text} for role, text in messages],
        "temperature": temperature,
        "fields": {**fields, "prompts": prompt_hashes(prompts)},
    }


def prompt_hashes(prompts: Iterable[Prompt]) -> dict[str, str]:
    """Name -> SHA-256, for the record of a reply."""
    return {prompt.name: prompt.sha256 for prompt in prompts}


def _batch_item(record: Record) -> BatchItem:
    messages = tuple(
        Message(role=message["role"], parts=(TextPart(text=message["text"]),)) for message in record["messages"]
    )
    request = ChatRequest(messages=messages, parameters=Parameters(temperature=record["temperature"]))
    return BatchItem(item_id=record["item_id"], request=request, fields=record["fields"])
