"""Every number of a run: accuracies by method, motivation, genre and time; position bias; how well profiles were judged.

Accuracy is given over all items with a reply and over those that could be read (see `textbench.choices`); intervals draw whole books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.scores import Score
from textbench.choices import accuracy, position_bias
from textbench.lifechoice.motivations import GENRES, MOTIVATION_CLASSES, MOTIVATION_TYPES
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.results import Result

By = Literal["all", "motivation", "class", "genre", "time"]
BYS: Final[tuple[By, ...]] = get_args(By)
WHOLE: Final = "all"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A score of one method over some of its items.

    Attributes:
        method: name
        by: how the items were parted; ``all`` for all of them
        score: its `part` is the name of the part; of ``time`` the share of the text that was told
    """

    method: str
    by: By
    score: Score

    def to_record(self) -> Record:
        """A line of ``scores.jsonl``."""
        return {**self.score.to_record(), "method": self.method, "by": self.by}


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All numbers.

    Attributes:
        parts: in the order of methods and of the lists of motivations and genres
        counts: a record per method: what became of its questions
    """

    parts: Sequence[Part] = field(repr=False)
    counts: Sequence[Record] = field(repr=False)

    def score(self, method: str, by: By = "all", part: str = WHOLE, metric: str = "accuracy") -> Score | None:
        """One score; None when there is none."""
        for each in self.parts:
            if (each.method, each.by, each.score.part, each.score.metric) == (method, by, part, metric):
                return each.score
        return None

    def names(self, by: By, metric: str = "accuracy") -> list[str]:
        """Names of the parts of a kind, in order."""
        return list(
            dict.fromkeys(each.score.part for each in self.parts if (each.by, each.score.metric) == (by, metric))
        )


def evaluate(plan: LifeChoicePlan, results: Sequence[Result], *, bootstrap: int = 1000, seed: int = 0) -> Evaluation:
    """Computes everything that the answers allow.

    Args:
        plan: the plan
        results: see `textbench.lifechoice.results.results_of`
        bootstrap: draws of whole books; 0 for Wilson's intervals
        seed: of the draws
    """
    parts: list[Part] = []
    for method in (each.name for each in plan.parsed):
        own = [result for result in results if result.method == method]
        whole = [result for result in own if result.prefix == plan.prefixes]
        for by, name, some in _partings(plan, own, whole):
            answers = [result.answer for result in some]
            scores = list(accuracy(answers, part=name, bootstrap=bootstrap, seed=seed).values())
            if by == "all":
                scores.append(position_bias(answers, part=name))
            parts += [Part(method=method, by=by, score=score) for score in scores]
    return Evaluation(parts=parts, counts=list(_counts(plan, results)))


def _partings(
    plan: LifeChoicePlan, own: Sequence[Result], whole: Sequence[Result]
) -> Iterator[tuple[By, str, Sequence[Result]]]:
    yield "all", WHOLE, whole
    types = {result.key: result.case.motivation for result in whole}
    kinds = [motivation.type for motivation in types.values() if motivation is not None and motivation.type is not None]
    for name in _in_order(kinds, MOTIVATION_TYPES):
        yield "motivation", name, [r for r in whole if r.case.motivation is not None and r.case.motivation.type == name]
    for each in MOTIVATION_CLASSES:
        some = [r for r in whole if r.case.motivation is not None and r.case.motivation.motivation_class == each]
        if some:
            yield "class", each, some
    for name in _in_order([genre for result in whole for genre in result.case.genres], GENRES):
        yield "genre", name, [result for result in whole if name in result.case.genres]
    if plan.prefixes > 1:
        for number in range(1, plan.prefixes + 1):
            yield "time", f"{number}/{plan.prefixes}", [result for result in own if result.prefix == number]


def _in_order(found: Sequence[str], order: Sequence[str]) -> list[str]:
    there = set(found)
    return [*(name for name in order if name in there), *sorted(there.difference(order))]


def _counts(plan: LifeChoicePlan, results: Sequence[Result]) -> Iterator[Record]:
    for method in (each.name for each in plan.parsed):
        own = [result for result in results if result.method == method]
        given = [result.record for result in own if result.record is not None]
        fallbacks = Counter(each["query"]["fallback"] for each in given if each["query"] and each["query"]["fallback"])
        yield {
            "method": method,
            "questions": len(own),
            "outcomes": dict(sorted(Counter(result.status for result in own).items())),
            "segments_fallback": dict(sorted(fallbacks.items())),
            "memory_empty": sum(not each["profile"]["memory"] for each in given if each["query"]),
            "description_cut": sum(each["profile"]["description_cut"] for each in given),
            "most_tokens": max((each["profile"]["tokens"] for each in given), default=0),
        }
