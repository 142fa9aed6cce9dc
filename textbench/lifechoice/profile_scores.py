"""How well profiles hold what a decision turns on, scored from 1 to 3 by a judge; and how far the judge agrees with people.

1 misses the core of the motivation, 2 has its main point with gaps, 3 has it completely. LIFECHOICE (arXiv 2404.12138).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.canonical import Record, content_key
from mmrole.core.correlation import pearson
from mmrole.core.errors import InputError
from mmrole.core.kappa import cohen_kappa
from mmrole.core.scores import Score, definition
from mmrole.llm import BatchItem, ChatReply
from mmrole.llm.replies import Reply, parse_json
from textbench.lifechoice.asking import Given
from textbench.lifechoice.cases import Unit
from textbench.lifechoice.evaluation import WHOLE, Part
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.rounds import call_of
from textbench.lifechoice.summaries import prompt

LEVELS: Final = (1, 2, 3)
NOT_JUDGED: Final = "not_judged"
"""Reason of people's scores of a profile that was not put before the judge, such as one of another run."""
_COLUMNS: Final = ("item_id", "method", "score")

HumanScores = Mapping[tuple[str, str], int]
"""(Item, method) -> score."""


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="ignore")

    reason: str = ""
    score: int = Field(ge=1, le=3)


def judge_call(unit: Unit, given: Given) -> BatchItem | None:
    """What the judge is asked about a profile; None where there is nothing to judge or nothing to judge it by.

    A profile that was given the motivation itself is not judged.
    """
    case = unit.told.case
    if not given.profile.text or case.motivation is None or case.correct is None or unit.method.motivation:
        return None
    template = prompt("profile-score", case.language)
    values = {
        "profile": given.profile.text,
        "scenario": case.scenario,
        "question": case.question,
        "answer": case.options[case.correct],
        "motivation": case.motivation.full,
    }
    text = template.fill(**values, mark=f"text-{content_key(**values)[:8]}")
    call = call_of("profile-score", text, template, item_id=case.item_id, method=unit.method.name)
    return BatchItem(item_id=f"{case.item_id}/{unit.method.name}", request=call.request, fields=call.fields)


def read_verdict(_call: BatchItem, reply: ChatReply) -> Reply[int]:
    """Reads the judge's reply; see `mmrole.llm.items.Parse`."""
    found = parse_json(reply.text, _Verdict, finish_reason=reply.finish_reason)
    value = None if found.value is None else found.value.score
    return Reply(
        status=found.status, value=value, rule=found.rule, raw=found.raw, notes=found.notes, detail=found.detail
    )


def read_human_scores(path: str | Path) -> HumanScores:
    """People's scores.

    Args:
        path: CSV with the columns ``item_id, method, score``

    Raises:
        InputError: it cannot be read, a column is missing, a score is none of 1 2 3, or a profile is scored twice
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    rows = csv.DictReader(text.splitlines())
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise InputError(f"{path}: column {missing[0]} is missing; the columns are {', '.join(_COLUMNS)}")
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        place = f"{path}, line {rows.line_num}"
        value = (row["score"] or "").strip()
        if value not in {str(level) for level in LEVELS}:
            raise InputError(f"{place}: score {value!r} is none of 1, 2, 3")
        key = ((row["item_id"] or "").strip(), (row["method"] or "").strip())
        if key in found:
            raise InputError(f"{place}: {key[0]} under {key[1]} is scored twice")
        found[key] = int(value)
    if not found:
        raise InputError(f"{path}: there are no scores in it")
    return found


def profile_scores(
    plan: LifeChoicePlan, ratings: Sequence[Record], people: HumanScores | None, *, bootstrap: int = 1000, seed: int = 0
) -> list[Part]:
    """The mean score by method, and the judge's agreement with people over all methods.

    Args:
        plan: the plan
        ratings: ``item_id``, ``method``, ``book``, ``score`` (None where the judge gave none), ``status``
        people: their scores; None for none
        bootstrap: draws of the intervals
        seed: of the draws

    Raises:
        InputError: none of people's scores is of a profile that was judged
    """
    parts = list(_means(plan, ratings, bootstrap, seed))
    if people is None:
        return parts
    pairs = [(rating["score"], people.get((rating["item_id"], rating["method"]))) for rating in ratings]
    if not any(human is not None for _, human in pairs):
        raise InputError("none of people's scores is of an item and method that the judge scored")
    judge, human = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = {
        "pearson": pearson(judge, human, bootstrap=bootstrap, seed=seed),
        "kappa": cohen_kappa(judge, human, labels=LEVELS, weights="quadratic", bootstrap=bootstrap, seed=seed),
        "alpha": krippendorff_alpha([judge, human], level="ordinal", bootstrap=bootstrap, seed=seed),
    }
    judged = {(rating["item_id"], rating["method"]) for rating in ratings}
    not_judged = sum(key not in judged for key in people)
    return parts + [
        Part(method=WHOLE, by="all", score=_renamed(score, f"profile_{name}", not_judged))
        for name, score in found.items()
    ]


def _means(plan: LifeChoicePlan, ratings: Sequence[Record], bootstrap: int, seed: int) -> Iterator[Part]:
    for method in (each.name for each in plan.parsed):
        own = [rating for rating in ratings if rating["method"] == method]
        if not own:
            continue
        scored = [rating for rating in own if rating["score"] is not None]
        rows = np.array([[rating["score"], 1.0] for rating in scored], dtype=np.float64).reshape(-1, 2)
        estimate = Estimate(rows=rows, statistic=mean_of_sums)
        clusters = [rating["book"] or rating["item_id"] for rating in scored]
        unread = [rating["status"] for rating in own if rating["score"] is None]
        ci = estimate.interval(clusters, draws=bootstrap, seed=seed) if scored else None
        score = Score(
            metric="profile_score",
            part=WHOLE,
            value=estimate.value() if scored else None,
            n=len(scored),
            excluded={status: unread.count(status) for status in sorted(set(unread))},
            ci=ci if ci and ci[0] < ci[1] else None,  # books that are alike show no spread, but are no certainty
            definition=definition("lifechoice/profile-score/v1", scale="1..3", cluster="book"),
            bounds=(1.0, 3.0),
            direction="up",
            reason=None if scored else "no_items",
            details={"counts": {str(level): sum(r["score"] == level for r in scored) for level in LEVELS}},
        )
        yield Part(method=method, by="all", score=score)


def _renamed(score: Score, metric: str, not_judged: int) -> Score:
    return replace(score, metric=metric, part=WHOLE, excluded={**score.excluded, NOT_JUDGED: not_judged})
