"""Ratings and labels -> every number of the benchmark, for each scale and method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score
from textbench.incharacter.alignment_metrics import alignment
from textbench.incharacter.breakdowns import alignment_by
from textbench.incharacter.consistency_metrics import consistency
from textbench.incharacter.distinctiveness_metrics import distinctiveness
from textbench.incharacter.item_scores import METHODS as CHOICE_METHODS
from textbench.incharacter.item_scores import Refusal
from textbench.incharacter.plan import InCharacterPlan
from textbench.incharacter.problems import PROBLEMS, problems_of
from textbench.incharacter.ratings import choices_by_run, scores_of
from textbench.incharacter.scoring import Scores, choice_counts, rating_counts
from textbench.incharacter.sittings import answer_of
from textbench.incharacter.tables import ResultTable, dimensions_table, results_table


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Which labels are compared with, and the options of the metrics; None for what the labels allow.

    Attributes:
        types: source of the types: ``pdb`` or ``annotation``
        values: source of the scores
        mask: source whose X leave a dimension out
        mirror: dimensions whose labels are turned round
        refusal: ``midpoint`` or ``excluded``
        upstream: let choices that are no option into the means, and take a rating of 0 for the midpoint, as the published runs did
        bootstrap: draws of the intervals, 0 for none
        seed: of the draws
    """

    types: str | None = None
    values: str | None = None
    mask: str | None = None
    mirror: tuple[str, ...] = ()
    refusal: Refusal = "midpoint"
    upstream: bool = False
    bootstrap: int = 1000
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All numbers.

    Attributes:
        results: method -> scale -> metric -> score
        measured: scale -> method -> character -> dimension -> score per run
        counts: one record per scale, method and character: choices or ratings by what they are
        parts: (method, scale, ``dimension``, ``language`` or ``source``) -> part -> metric -> score
    """

    results: Mapping[str, Mapping[str, Mapping[str, Score]]]
    measured: Mapping[str, Mapping[str, Scores]]
    counts: Sequence[Record] = field(repr=False)
    parts: Mapping[tuple[str, str, str], Mapping[str, Mapping[str, Score]]] = field(default_factory=dict, repr=False)

    def score_records(self) -> list[Record]:
        """The lines of ``scores.jsonl``: a score each, with ``scale`` and ``method``; of a breakdown also ``by``."""
        return [
            {**score.to_record(), "scale": scale, "method": method}
            for method, of_scales in self.results.items()
            for scale, scores in of_scales.items()
            for score in scores.values()
        ] + [
            {**score.to_record(), "scale": scale, "method": method, "by": by}
            for (method, scale, by), parts in self.parts.items()
            for scores in parts.values()
            for score in scores.values()
        ]

    def table(self) -> ResultTable:
        """One row per method, one group of columns per scale: the form of table 2."""
        found = {name for of_scales in self.results.values() for scores in of_scales.values() for name in scores}
        wanted = ("acc_dim", "acc_full", "mae", "std_item", "std_dim", "std_score")
        return results_table(self.results, [name for name in wanted if name in found], corner="Method", best=True)

    def tables(self) -> list[ResultTable]:
        """The table of methods, and one per breakdown: the form of tables 11 and 12."""
        captions = {key: f"{key[0]} on {key[1]}, by {key[2]}" for key in self.parts}
        return [self.table(), *(dimensions_table(parts, caption=captions[key]) for key, parts in self.parts.items())]


def evaluate(
    plan: InCharacterPlan, ratings: Sequence[Record], labels: Mapping[str, Any], *, choosing: Choosing
) -> Evaluation:
    """Computes everything that the ratings allow.

    Args:
        plan: the plan
        ratings: see `textbench.incharacter.ratings.rating_record`
        labels: source -> character -> scale -> dimension -> score and type; empty for none
        choosing: options

    Raises:
        UsageError: an option that makes no sense, a source that the labels do not have
    """
    results: dict[str, dict[str, dict[str, Score]]] = {}
    measured: dict[str, dict[str, Scores]] = {}
    counts: list[Record] = []
    parts: dict[tuple[str, str, str], dict[str, dict[str, Score]]] = {}
    _check(plan, labels, choosing)
    played = {each.character_id for each in plan.characters if not each.roleless}
    for scale in (each.name for each in plan.questionnaires):
        for method in dict.fromkeys(record["method"] for record in ratings if record["scale"] == scale):
            scores = scores_of(plan, ratings, scale, method, **_options(method, choosing))
            measured.setdefault(scale, {})[method] = scores
            of_roles = {name: found for name, found in scores.items() if name in played}
            results.setdefault(method, {})[scale] = _metrics(plan, ratings, scale, method, of_roles, labels, choosing)
            counts += _counts(plan, ratings, scale, method)
            for by, found in _parts(plan, scale, of_roles, labels, choosing):
                parts[method, scale, by] = found
    return Evaluation(results=results, measured=measured, counts=counts, parts=parts)


def _options(method: str, choosing: Choosing) -> dict[str, Any]:
    if method in CHOICE_METHODS:
        return {"refusal": choosing.refusal, "upstream_ranges": choosing.upstream}
    return {"upstream_zero": choosing.upstream}


def _metrics(
    plan: InCharacterPlan,
    ratings: Sequence[Record],
    scale: str,
    method: str,
    scores: Scores,
    labels: Mapping[str, Any],
    choosing: Choosing,
) -> dict[str, Score]:
    of = plan.questionnaire(scale).scale
    found: dict[str, Score] = {}
    if sources := _sources(labels, scale):
        found |= alignment(
            scores,
            labels,
            of,
            types=choosing.types or sources[0],
            values=choosing.values or sources[-1],
            mask=choosing.mask or sources[0],
            mirror=[name for name in choosing.mirror if name in of.keys],
            bootstrap=choosing.bootstrap,
            seed=choosing.seed,
        )
    choices = None
    if method in CHOICE_METHODS:
        choices = {name: runs for name, runs in choices_by_run(ratings, scale, method).items() if name in scores}
    found |= consistency(
        choices,
        of,
        scores=scores,
        method=method if choices is not None else "SR",
        refusal=choosing.refusal,
        upstream_ranges=choosing.upstream,
        bootstrap=choosing.bootstrap,
        seed=choosing.seed,
    )
    return {**found, "distinctiveness": distinctiveness(scores, of)}


def _parts(
    plan: InCharacterPlan, scale: str, scores: Scores, labels: Mapping[str, Any], choosing: Choosing
) -> Iterator[tuple[str, dict[str, dict[str, Score]]]]:
    """The alignment by dimension, and by language and source of the characters where there are several."""
    sources = _sources(labels, scale)
    if not sources:
        return
    of = plan.questionnaire(scale).scale
    played = [each for each in plan.characters if each.character_id in scores]
    groups: dict[str, str | dict[str, str]] = {"dimension": "dimension"}
    groups["language"] = {each.character_id: each.language for each in played}
    groups["source"] = {each.character_id: each.source or "unnamed" for each in played}
    for name, by in groups.items():
        if isinstance(by, dict) and len(set(by.values())) < 2:
            continue
        yield (
            name,
            alignment_by(
                scores,
                labels,
                of,
                by=by,
                types=choosing.types or sources[0],
                values=choosing.values or sources[-1],
                mask=choosing.mask or sources[0],
                mirror=[each for each in choosing.mirror if each in of.keys],
                bootstrap=choosing.bootstrap,
                seed=choosing.seed,
            ),
        )


def _sources(labels: Mapping[str, Any], scale: str) -> list[str]:
    """Sources that hold labels of a scale."""
    return [name for name in ("pdb", "annotation") if any(scale in of for of in labels.get(name, {}).values())]


def _check(plan: InCharacterPlan, labels: Mapping[str, Any], choosing: Choosing) -> None:
    scales = [each.scale for each in plan.questionnaires]
    for name in choosing.mirror:
        if not any(name in of.keys for of in scales):
            raise UsageError(
                f"there is no dimension {name!r} to turn round; scales are {', '.join(of.name for of in scales)}"
            )
    if labels and not any(_sources(labels, of.name) for of in scales):
        raise UsageError(
            f"the labels hold nothing for {', '.join(of.name for of in scales)}: give the labels of these scales"
        )


def _counts(plan: InCharacterPlan, ratings: Sequence[Record], scale: str, method: str) -> list[Record]:
    of = plan.questionnaire(scale).scale
    chosen = [record for record in ratings if record["scale"] == scale and record["method"] == method]
    if method in CHOICE_METHODS:
        found = choice_counts(choices_by_run(ratings, scale, method, whole=False), of)
    else:
        batches: dict[str, dict[str, list[Any]]] = {}
        for rating in chosen:
            for dimension, rated in rating["batches"].items():
                batches.setdefault(rating["character"], {}).setdefault(dimension, []).append([v for _, v in rated])
        found = {name: {**kinds} for name, kinds in rating_counts(batches, of).items()}
    out = []
    for character, kinds in found.items():
        record: Record = {"character": character, "scale": scale, "method": method}
        own = [each for each in chosen if each["character"] == character]
        sources: Counter[str] = Counter()
        for each in own:
            sources.update(each.get("sources", {}))
        options = {str(number): count for number, count in kinds.pop("options", {}).items()}
        if sources:  # an item that a run lacks was not read; an id that a reply lacks was taken for a refusal
            kinds |= {"unread": kinds["missing"], "missing": sources["missing"]}
            kinds["refused"] -= sources["missing"]
        elif (
            method not in CHOICE_METHODS
        ):  # null where no reply to a batch could be read, "x" where the model declined to rate
            unread = sum(value is None for each in own for rated in each["batches"].values() for _, value in rated)
            kinds |= {"unread": unread, "refused": kinds["refused"] - unread}
        record |= kinds | {"runs": len(own), "runs_missing": plan.runs - len(own)}
        record |= {"regenerations": sum(each["regenerations"] for each in own)}
        record |= {"sources": dict(sources), "options": options} if sources else {}
        out.append(record)
    return out


def answer_problems(plan: InCharacterPlan, answers: Sequence[Record]) -> list[Record]:
    """Common problems of the open answers: a record per character with ``answers`` and a count for each of `PROBLEMS`.

    Args:
        plan: the plan
        answers: records of ``answers.jsonl``
    """
    counted: dict[str, Counter[str]] = {each.character_id: Counter() for each in plan.characters}
    for record in answers:
        character = record["character"]
        if record["style"] != "interview" or record["status"] == "error" or character not in counted:
            continue
        who = plan.character(character)
        answer = answer_of(record)
        counted[character]["answers"] += 1
        found = problems_of(answer.text, who.language, who.names)
        if answer.status in ("truncated", "refusal"):
            found.add(answer.status)
        counted[character].update(found)
    return [
        {"character": name, "answers": count["answers"], **{problem: count[problem] for problem in PROBLEMS}}
        for name, count in counted.items()
        if count["answers"]
    ]
