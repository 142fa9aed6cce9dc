"""Scores of several runs, side by side and grouped by metric, as a picture or table needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emotion.glossary import METRICS, unit_of
from mmrole.core.errors import UsageError
from mmrole.core.scores import Direction, Score

_ASPECTS: Final = ("exp", "rel", "cha")
"""Metrics that share an axis, each of them a row."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One part of a metric in every run.

    Attributes:
        name: of the part
        scores: of each run, None where it has no such score
        differs: whether the definitions differ between the runs
    """

    name: str
    scores: tuple[Score | None, ...]
    differs: bool


@dataclass(frozen=True, kw_only=True)
class Group:
    """The parts of a metric that share an axis.

    Attributes:
        name: of the metric, with its formula where the metric has several
        unit: what `n` of its scores counts
        rows: at least one
        direction: what is better
        limits: of the axis
        biased: whether an interval need not hold its value
    """

    name: str
    unit: str
    rows: tuple[Row, ...]
    direction: Direction
    limits: tuple[float, float]
    biased: bool


def groups(runs: Mapping[str, Sequence[Score]], *, metrics: Sequence[str] | None = None) -> list[Group]:
    """The scores of runs, in the order in which they first occur.

    Args:
        runs: name of the run -> its scores
        metrics: only these
    """
    table: dict[tuple[str, Direction], dict[tuple[str, str], list[Score | None]]] = {}
    for number, scores in enumerate(runs.values()):
        for score in scores:
            if metrics is None or score.metric in metrics:
                short = METRICS[score.metric][0] if score.metric in METRICS else score.metric
                aspect = score.metric in _ASPECTS
                name, part = (
                    ("role consistency", short) if aspect else (short, score.part.replace("_", " ").replace("f1", "F1"))
                )
                rows = table.setdefault((name, score.direction), {})
                rows.setdefault((part, _formula(score)), [None] * len(runs))[number] = score
    names = [name for name, _ in table]
    out = []
    for (name, direction), rows in table.items():
        several = names.count(name) > 1
        title = f"{name}, {' and '.join(dict.fromkeys(formula for _, formula in rows))}" if several else name
        biased = any("ci_note" in score.details for row in rows.values() for score in row if score is not None)
        limits = _limits([*rows.values()], direction)
        unit = next(unit_of(score) for row in rows.values() for score in row if score is not None)
        out.append(Group(name=title, unit=unit, rows=_rows(rows), direction=direction, limits=limits, biased=biased))
    return out


def _formula(score: Score) -> str:
    """The formula in the definition, without metric and version."""
    parts = score.definition.split(" ")[0].split("/")
    return parts[1] if len(parts) > 1 else parts[0]


def _rows(rows: Mapping[tuple[str, str], Sequence[Score | None]]) -> tuple[Row, ...]:
    parts = [part for part, _ in rows]
    out = []
    for (part, formula), scores in rows.items():
        definitions = {score.definition for score in scores if score is not None}
        name = f"{part}, {formula}" if parts.count(part) > 1 else part
        out.append(Row(name=name, scores=tuple(scores), differs=len(definitions) > 1))
    return tuple(out)


def _limits(rows: Sequence[Sequence[Score | None]], direction: Direction) -> tuple[float, float]:
    """Ends of the axis: the bounds of the metric; where they are far from what there is, round numbers around that."""
    scores = [score for row in rows for score in row if score is not None]
    numbers = [x for score in scores for x in (score.value, *(score.ci or ())) if x is not None]
    if direction == "zero":
        reach = max([abs(x) for x in numbers], default=1.0)
        reach = next((step for step in (0.1, 0.2, 0.5, 1.0) if reach <= step), reach)
        return -reach, reach
    lows = [score.bounds[0] for score in scores if score.bounds[0] is not None]
    highs = [score.bounds[1] for score in scores if score.bounds[1] is not None]
    low, high = min([*lows, *numbers], default=0.0), max([*highs, *numbers], default=1.0)
    if not lows or low < 0:  # agreement and margins can be negative, but seldom are
        low = min([0.0, *numbers])
        low = next((step for step in (0.0, -0.1, -0.2, -0.5, -1.0) if low >= step), low)
    return (low, high) if high > low else (low, low + 1.0)


def short_names(paths: Sequence[str]) -> list[str]:
    """The last parts of paths, as many as it takes to tell them apart.

    Raises:
        UsageError: a path is there twice

    >>> short_names(["runs/a/prof", "runs/b/prof", "runs/c"])
    ['a/prof', 'b/prof', 'c']
    """
    parts = [Path(path).resolve().parts for path in paths]
    if len(set(parts)) != len(parts):
        raise UsageError(f"a folder is there twice: {', '.join(paths)}")
    out = []
    for own in parts:
        others = [other for other in parts if other is not own]
        size = next(n for n in range(1, len(own) + 1) if all(other[-n:] != own[-n:] for other in others))
        out.append("/".join(own[-size:]))
    return out
