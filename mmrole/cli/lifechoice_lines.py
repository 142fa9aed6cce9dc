"""The scores of LIFECHOICE as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mmrole.cli.tables import text_table
from mmrole.jobs.markdown import NOTHING, interval, number

if TYPE_CHECKING:
    from mmrole.core.scores import Score
    from textbench.lifechoice.evaluation import Evaluation
    from textbench.lifechoice.plan import LifeChoicePlan
    from textbench.lifechoice.references import Reference


def score_lines(plan: LifeChoicePlan, evaluation: Evaluation) -> Iterator[str]:
    """Accuracies by method, with what could not be read and position bias."""
    rows = []
    for method in (each.name for each in plan.parsed):
        whole, parsed = (evaluation.score(method, metric=name) for name in ("accuracy", "accuracy_parsed"))
        bias = evaluation.score(method, metric="position_bias")
        unread = sum(whole.details["unread"].values()) if whole is not None else 0
        chance = whole.details["chance"] if whole is not None else None
        rows.append(
            [
                method,
                *_cells(whole),
                *_cells(parsed),
                f"{whole.n if whole else 0:,}",
                f"{unread:,}",
                number(chance),
                _value(bias),
                _left_out(whole),
            ]
        )
    head = ["method", "accuracy", "95 % interval", "parsed", "95 % interval", "n", "unread", "chance", "position bias"]
    yield from text_table([*head, "left out"], rows, "lrlrlrrrrl")
    judged = [part for part in evaluation.parts if part.score.metric.startswith("profile_")]
    if judged:
        yield ""
        rows = [
            [p.method, p.score.metric.removeprefix("profile_"), *_cells(p.score), f"{p.score.n:,}", _left_out(p.score)]
            for p in judged
        ]
        yield from text_table(["profiles", "what", "value", "95 % interval", "n", "left out"], rows, "llrlrl")


def counts_lines(evaluation: Evaluation) -> Iterator[str]:
    """What became of questions that were not simply answered; nothing where all were."""
    for record in evaluation.counts:
        said = [f"{count:,} {name}" for name, count in record["outcomes"].items() if name != "ok"]
        said += [
            f"{count:,} without segments ({name}), the question was used"
            for name, count in record["segments_fallback"].items()
        ]
        if record["memory_empty"]:
            said.append(f"{record['memory_empty']:,} with an empty memory")
        if record["description_cut"]:
            said.append(f"{record['description_cut']:,} with a description that was cut")
        if said:
            yield f"{record['method']}, of all {record['questions']:,} questions: {'; '.join(said)}"


def reference_lines(reference: Reference) -> Iterator[str]:
    """Published accuracies."""
    yield ""
    rows = [[name, number(value)] for name, value in reference.accuracies.items()]
    yield from text_table(
        [f"published, {reference.heading}", "accuracy"],
        rows,
        "lr",
    )


def _cells(score: Score | None) -> list[str]:
    return [_value(score), interval(score.ci) if score is not None else ""]


def _left_out(score: Score | None) -> str:
    found = score.excluded.items() if score is not None else ()
    return ", ".join(f"{name} {count:,}" for name, count in found if count)


def _value(score: Score | None) -> str:
    if score is None:
        return NOTHING
    return number(score.value) if score.value is not None else f"{NOTHING} ({score.reason})"
