"""The share of leaks, by book and condition, and what masking takes off it. See `textbench.lifechoice.leaks`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.canonical import Record
from mmrole.core.scores import Score, definition
from mmrole.llm.items import ERROR, OK
from textbench.choices import share
from textbench.lifechoice.leaks import LEAK, LEVELS, LeakCase

Records = Mapping[str, Record]
"""Key of a case -> the record of a reply."""


def leak_records(cases: Iterable[LeakCase], answers: Records, verdicts: Records, *, agent: str) -> Iterator[Record]:
    """A line per case: its level, whether that is a leak, or why there is none.

    Args:
        cases: what was tested
        answers: of the agent
        verdicts: of the judge
        agent: its name
    """
    for case in cases:
        reason = _left_out(answers.get(case.key), verdicts.get(case.key))
        level = None if reason is not None else int(verdicts[case.key]["value"])
        yield {
            "item_id": case.item_id,
            "book": case.book,
            "condition": case.condition,
            "agent": agent,
            "level": level,
            "leak": None if level is None else level >= LEAK,
            "reason": reason,
        }


def leak_scores(
    cases: Sequence[LeakCase],
    answers: Records,
    verdicts: Records,
    *,
    bootstrap: int = 1000,
    seed: int = 0,
) -> list[Score]:
    """The share of leaks, over all books and by book.

    Args:
        cases: what was tested
        answers: of the agent
        verdicts: of the judge
        bootstrap: draws of whole books for the intervals; 0 for Wilson's, which stand also where there is one book
        seed: of the draws

    Returns:
        metric ``leak``, part ``plain``, ``masked``, ``plain BOOK``, ...; ``n`` graded continuations, ``excluded`` answer_STATUS and
        judge_STATUS, ``details`` how many have which level. Nothing graded: null, ``no_items``. Where there are masked ones also
        metric ``leak_difference``, part ``masked - plain``: the mean difference over the items that were graded in both conditions
    """
    scores: list[Score] = []
    for condition in ("plain", "masked"):
        of = [case for case in cases if case.condition == condition]
        if not of:
            continue
        scores.append(_share(condition, of, answers, verdicts, bootstrap, seed))
        for book in dict.fromkeys(case.book for case in of):
            inside = [case for case in of if case.book == book]
            scores.append(_share(f"{condition} {book}", inside, answers, verdicts, 0, seed))
    if any(case.condition == "masked" for case in cases):
        scores.append(_difference(cases, answers, verdicts, bootstrap, seed))
    return scores


def _difference(cases: Sequence[LeakCase], answers: Records, verdicts: Records, draws: int, seed: int) -> Score:
    leaks = {
        (record["item_id"], record["condition"]): record
        for record in leak_records(cases, answers, verdicts, agent="")
        if record["leak"] is not None
    }
    items = dict.fromkeys(case.item_id for case in cases if case.condition == "masked")
    common = [name for name in items if (name, "plain") in leaks and (name, "masked") in leaks]
    rows = [(float(leaks[name, "masked"]["leak"]) - float(leaks[name, "plain"]["leak"]), 1.0) for name in common]
    estimate = Estimate(rows=np.array(rows, dtype=np.float64).reshape(-1, 2), statistic=mean_of_sums)
    books = [leaks[name, "plain"]["book"] for name in common]
    ci = estimate.interval(books, draws=draws, seed=seed) if rows else None
    return Score(
        metric="leak_difference",
        part="masked - plain",
        value=estimate.value(),
        n=len(rows),
        excluded={"not_graded_twice": len(items) - len(rows)} if len(items) > len(rows) else {},
        ci=ci if ci and ci[0] < ci[1] else None,  # books that are alike show no spread, but are no certainty
        definition=definition("lifechoice/leak_difference/v1", level=LEAK),
        bounds=(-1.0, 1.0),
        direction="down",
        reason=None if rows else "no_items",
    )


def _share(
    part: str,
    cases: Sequence[LeakCase],
    answers: Records,
    verdicts: Records,
    draws: int,
    seed: int,
) -> Score:
    excluded: dict[str, int] = {}
    leaks, books, levels = list[bool](), list[str](), dict.fromkeys(map(str, LEVELS), 0)
    for case in cases:
        reason = _left_out(answers.get(case.key), verdicts.get(case.key))
        if reason is not None:
            excluded[reason] = excluded.get(reason, 0) + 1
            continue
        level = int(verdicts[case.key]["value"])
        levels[str(level)] += 1
        leaks.append(level >= LEAK)
        books.append(case.book)
    score = share(
        leaks,
        books,
        metric="leak",
        part=part,
        excluded=excluded,
        definition=definition("lifechoice/leak/v1", level=LEAK),
        details={"levels": levels},
        bootstrap=draws,
        seed=seed,
    )
    return replace(score, direction="down")


def _left_out(answer: Record | None, verdict: Record | None) -> str | None:
    if answer is None:
        return "answer_missing"
    if answer["status"] != OK or not str(answer["value"] or "").strip():
        return f"answer_{answer['status'] if answer['status'] != OK else 'empty'}"
    if verdict is None:
        return "judge_missing"
    return None if verdict["status"] == OK else f"judge_{ERROR if verdict['status'] == ERROR else verdict['status']}"
