"""From the interviewer model's replies to ratings: one record per character, scale, method and run.

Fields: ``character``, ``scale``, ``method``, ``run``, ``regenerations``; for SR, SR-CoT, OC, d-OC ``choices`` {item: number or "x"},
``sources`` {parsed, converted, refused, missing, unread} and ``unread`` [items]; for ER ``batches`` {dimension: [[items, number or "x" or
null], ...]}. An id that is missing after the last regeneration is a refusal (InCharacter, released code) and counted as missing;
where no reply to a call could be read at all, its items are unread: they have no choice, and their dimensions no score. A batch
without a rating is null.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mmrole.core.canonical import Record
from mmrole.llm import BatchItem
from mmrole.llm.items import ERROR
from textbench.incharacter.item_scores import METHODS as CHOICE_METHODS
from textbench.incharacter.plan import InCharacterPlan
from textbench.incharacter.scales import Scale
from textbench.incharacter.scoring import Scores, batch_scores, dimension_scores
from textbench.incharacter.sittings import Sitting
from textbench.incharacter.verdicts import REFUSED, Choice, read_choices
from textbench.verdict import Verdict

Attempts = Callable[[str], list[Record]]
"""Id of a call -> its stored replies, the first one first."""


def rating_record(sitting: Sitting, calls: Sequence[BatchItem], attempts: Attempts) -> Record | None:
    """The ratings of one sitting, None when it is not whole or a call has no reply yet.

    Args:
        sitting: the answers
        calls: what the interviewer model was asked about it
        attempts: its replies
    """
    replies = {call.item_id: attempts(call.item_id) for call in calls}
    if not sitting.whole or any(not records or records[-1]["status"] == ERROR for records in replies.values()):
        return None
    record: dict[str, Any] = {
        "character": sitting.character.character_id,
        "scale": sitting.questionnaire.name,
        "method": sitting.method,
        "run": sitting.run,
        "regenerations": sum(len(records) - 1 for records in replies.values()),
    }
    if sitting.method in CHOICE_METHODS:
        return {**record, **_choices(sitting, calls, replies)}
    batches: dict[str, list[Any]] = {}
    for call in calls:
        last = replies[call.item_id][-1]
        value = last["value"] if last["status"] == "ok" else None
        batches.setdefault(call.fields["dimension"], []).append([list(call.fields["questions"]), value])
    return {**record, "batches": batches}


def _choices(sitting: Sitting, calls: Sequence[BatchItem], replies: dict[str, list[Record]]) -> Record:
    choices: dict[str, Choice] = dict(sitting.choices)
    sources = Counter("refused" if choice == REFUSED else "parsed" for choice in choices.values())
    unread: list[str] = []
    for call in calls:
        values = list(_values(call, replies[call.item_id]))
        if not values:  # nobody knows what the answers say: no refusal, no midpoint
            unread += call.fields["questions"]
            continue
        for item in call.fields["questions"]:
            found = next((value for value in values if item in value), None)
            choices[item] = REFUSED if found is None else found[item]
            sources["missing" if found is None else "refused" if choices[item] == REFUSED else "converted"] += 1
    kinds = ("parsed", "converted", "refused", "missing")
    counted = {kind: sources[kind] for kind in kinds} | {"unread": len(unread)}
    return {"choices": choices, "sources": counted, "unread": unread}


def _values(call: BatchItem, records: Iterable[Record]) -> Iterable[dict[str, Choice]]:
    """What each reply holds, the best first: a whole one, else every part of an answer in the order of asking."""
    ordered = sorted(records, key=lambda record: record["status"] != "ok")
    for record in ordered:
        for reply in record["replies"][-1:]:
            verdict: Verdict = read_choices(reply["text"], call.fields["questions"], reply["finish_reason"])
            if verdict.value:
                yield verdict.value


def unread_methods(ratings: Iterable[Record]) -> list[str]:
    """Methods of which not one choice or rating could be read, in the order of the records.

    Args:
        ratings: see `rating_record`
    """
    read: dict[str, bool] = {}
    for record in ratings:
        read[record["method"]] = read.get(record["method"], False) or _holds_something(record)
    return [method for method, there in read.items() if not there]


def _holds_something(record: Record) -> bool:
    if record["method"] in CHOICE_METHODS:
        return bool(record["choices"])
    return any(value is not None for batches in record["batches"].values() for _, value in batches)


def scores_of(plan: InCharacterPlan, ratings: Sequence[Record], scale: str, method: str, **options: Any) -> Scores:
    """Scores of dimensions: character -> dimension -> one per run, None where there is no rating.

    Args:
        plan: the plan
        ratings: see `rating_record`
        scale: name of the scale
        method: name of the method
        **options: of `textbench.incharacter.dimension_scores` (SR, OC, ...) or `batch_scores` (ER)
    """
    of = plan.questionnaire(scale).scale
    chosen = {(r["character"], r["run"]): r for r in ratings if r["scale"] == scale and r["method"] == method}
    out: Scores = {}
    for character in dict.fromkeys(name for name, _ in chosen):
        out[character] = {dimension: [] for dimension in of.dimensions}
        for run in range(plan.runs):
            record = chosen.get((character, run))
            for dimension, value in _run_scores(record, of, character, method, options).items():
                out[character][dimension].append(value)
    return out


def _run_scores(
    record: Record | None, of: Scale, character: str, method: str, options: dict[str, Any]
) -> dict[str, float | None]:
    if record is None:
        return dict.fromkeys(of.dimensions)
    if method in CHOICE_METHODS:
        scored = dimension_scores({character: [record["choices"]]}, of, method=method, **options)
        for item in record.get("unread", ()):
            dimension = next(name for name, key in of.keys.items() if item in key)
            scored[character][dimension] = [None]
    else:
        ratings = {d: [[value for _, value in batches]] for d, batches in record["batches"].items()}
        scored = batch_scores({character: ratings}, of, **options)
    return {dimension: runs[0] for dimension, runs in scored[character].items()}


def choices_by_run(
    ratings: Sequence[Record], scale: str, method: str, *, whole: bool = True
) -> dict[str, list[dict[str, Choice]]]:
    """Character -> choices of each run, in the order of the runs; for `consistency` and `choice_counts`.

    Args:
        ratings: see `rating_record`
        scale: name of the scale
        method: name of the method
        whole: leave out runs with unread items
    """
    found: dict[str, list[dict[str, Choice]]] = {}
    for record in sorted(ratings, key=lambda record: int(record["run"])):
        if record["scale"] == scale and record["method"] == method and not (whole and record.get("unread")):
            found.setdefault(record["character"], []).append(record["choices"])
    return found
