"""Accuracy of answers, over all items and over those that could be read, with intervals.

Two denominators, and both are always given. An answer that could not be read is no wrong answer: it is counted by its status. Among all
items it has not been answered right, which makes ``accuracy`` the share of right answers that a user of the agent gets;
``accuracy_parsed`` leaves it out. Items for which no reply came, or that have no right option, are in neither.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from mmrole.core.bootstrap import LEVEL, Estimate, mean_of_sums, require_draws
from mmrole.core.scores import Score, definition
from mmrole.llm.replies import ReplyStatus
from textbench.choices.answers import Answer

_NORMAL: Final = {0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004}
"""Quantiles of the normal distribution (R: qnorm), by level of a two-sided interval."""


def wilson_interval(successes: float, n: int, level: float = LEVEL) -> tuple[float, float] | None:
    """Wilson's score interval of a share of independent items (Wilson 1927; Brown, Cai & DasGupta 2001, section 3.1.1).

    Args:
        successes: 0 to n; no whole number where several answers to an item count as one
        n: number of items
        level: 0.9, 0.95 or 0.99

    Returns:
        low and high end, inside 0 to 1; None without items

    >>> [round(end, 4) for end in wilson_interval(5, 20)]
    [0.1119, 0.4687]
    """
    if n == 0:
        return None
    z2 = _NORMAL[level] ** 2
    share = successes / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = 0.0 if successes == 0 else middle - half  # exactly, where rounding would leave 1e-17
    return low, 1.0 if successes == n else middle + half


def share(
    successes: Sequence[bool],
    clusters: Sequence[Hashable] | None = None,
    *,
    units: Sequence[Hashable] | None = None,
    metric: str,
    definition: str,
    part: str = "all",
    excluded: dict[str, int] | None = None,
    details: dict[str, Any] | None = None,
    reason: str = "no_items",
    bootstrap: int = 1000,
    seed: int = 0,
) -> Score:
    """A share of items, with Wilson's interval and, when clusters are named, one from drawing whole clusters.

    ``ci`` is the interval of the clusters where there are two or more of them and draws differ, else Wilson's, which takes items
    to be independent; ``details`` says which (``interval``), and has both (``wilson``, ``cluster``), ``successes`` and ``clusters``.

    Args:
        successes: one per item
        clusters: of each item, such as its book
        units: what is independent for Wilson's interval: the item, where several answers (runs) are to one. Each answer when None
        metric: of the score
        definition: of the score
        part: of the score
        excluded: of the score
        details: added to those above
        reason: why there is no value, when there are no items
        bootstrap: number of draws; 0 for none
        seed: of the draws

    Raises:
        UsageError: draws below 0, or another number of clusters than items
    """
    require_draws(bootstrap)
    n, right = len(successes), sum(map(bool, successes))
    independent = n if units is None else len(set(units))
    wilson = wilson_interval(right * independent / n, independent) if n else None
    drawn = None
    if clusters is not None:
        rows = np.column_stack([np.asarray(successes, dtype=np.float64), np.ones(n)])
        drawn = Estimate(rows=rows, statistic=mean_of_sums).interval(list(clusters), draws=bootstrap, seed=seed)
        if drawn is not None and drawn[0] == drawn[1]:
            drawn = None  # all clusters alike: drawing them shows no spread, which is not certainty
    return Score(
        metric=metric,
        part=part,
        value=right / n if n else None,
        n=n,
        excluded=excluded or {},
        ci=drawn or wilson,
        definition=definition,
        bounds=(0.0, 1.0),
        direction="up",
        reason=None if n else reason,
        details={
            "successes": right,
            "wilson": None if wilson is None else list(wilson),
            "cluster": None if drawn is None else list(drawn),
            "clusters": None if clusters is None else len(set(clusters)),
            "interval": None if wilson is None else "wilson" if drawn is None else "cluster",
            **(details or {}),
        },
    )


def accuracy(
    answers: Iterable[Answer],
    *,
    part: str = "all",
    bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Score]:
    """How often the right option was chosen.

    Args:
        answers: one per item, or several (runs). Their clusters are `Answer.cluster`; an item without one is a cluster of its own
        part: of the scores, such as a motivation type
        bootstrap: number of draws of whole clusters; 0 for none
        seed: of the draws

    Returns:
        ``accuracy``: right answers / items with a reply and a right option, whether or not the reply could be read;
        ``accuracy_parsed``: right answers / those of them that could be read. ``details`` of both have ``right``, ``wrong``,
        ``unread`` (status -> items whose reply could not be read) and ``chance`` (mean of 1 / number of options); see `share` for
        the rest. Items that are left out are counted in ``excluded``: why no reply came (``error``, ...), ``no_right_option``, and of
        ``accuracy_parsed`` the statuses of those that could not be read
    """
    listed = list(answers)
    left_out: Counter[str] = Counter()
    graded: list[Answer] = []
    for answer in listed:
        if answer.correct is None:
            left_out["no_right_option"] += 1
        elif not answer.answered:
            left_out[answer.status] += 1
        else:
            graded.append(answer)
    unread = Counter(answer.status for answer in graded if answer.status != ReplyStatus.OK)
    parsed = [answer for answer in graded if answer.status == ReplyStatus.OK]
    right = sum(answer.right is True for answer in parsed)
    counts = {"right": right, "wrong": len(parsed) - right, "unread": dict(sorted(unread.items()))}
    scores = {}
    for metric, over, excluded in (
        ("accuracy", graded, left_out),
        ("accuracy_parsed", parsed, left_out + unread),
    ):
        scores[metric] = share(
            [answer.right is True for answer in over],
            _clusters(over),
            units=[answer.item_id for answer in over],
            metric=metric,
            part=part,
            definition=definition(
                "choices/accuracy/v1", over="parsed" if metric == "accuracy_parsed" else "all", cluster="item.cluster"
            ),
            excluded=dict(excluded),
            details=counts | {"chance": sum(1 / answer.count for answer in over) / len(over) if over else None},
            bootstrap=bootstrap,
            seed=seed,
        )
    return scores


def _clusters(answers: Sequence[Answer]) -> list[Hashable] | None:
    """The cluster of each answer: its own, else the item; None where all are independent."""
    named: list[Hashable] = [
        ("item", each.item_id) if each.cluster is None else ("cluster", each.cluster) for each in answers
    ]
    independent = all(each.cluster is None for each in answers) and len(set(named)) == len(named)
    return None if independent else named
