"""The scores of InCharacter for people, in Markdown: what was asked, the tables of the paper, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mmrole.core.counting import counted
from mmrole.jobs.markdown import NOTHING, escaped, table
from textbench.incharacter.evaluation import Choosing, Evaluation
from textbench.incharacter.plan import InCharacterPlan

_KINDS = ("answered", "refused", "missing", "unread", "invalid", "regenerations")


def score_page(
    plan: InCharacterPlan, evaluation: Evaluation, choosing: Choosing, *, agent: str, interviewer: str, missing: int
) -> str:
    """All tables.

    Args:
        plan: the plan
        evaluation: the numbers
        choosing: options of the metrics
        agent: name of its model
        interviewer: name of its model
        missing: sittings without ratings
    """
    lines = ["# InCharacter", "", *_conditions(plan, choosing, agent, interviewer), ""]
    if evaluation.results:
        lines += [each.to_markdown() for each in evaluation.tables()]
    lines += ["## Counts", "", *_counts(evaluation)]
    if missing:
        sittings = f"{counted(missing, 'sitting')} (character, scale, method, run)"
        lines += ["", f"{sittings} without ratings: left out of every score."]
    return "\n".join([*lines, ""])


def _conditions(plan: InCharacterPlan, choosing: Choosing, agent: str, interviewer: str) -> Iterator[str]:
    roleless = sum(each.roleless for each in plan.characters)
    bare = f", and {counted(roleless, 'agent')} without a role, in no score but in the counts" if roleless else ""
    characters = counted(len(plan.characters) - roleless, "character")
    yield f"- agent: {escaped(agent)}; interviewer: {escaped(interviewer)}"
    yield f"- {characters}{bare}; setting {plan.setting}, {counted(plan.runs, 'run')}"
    yield "- all in per cent; n: dimensions with a label that is not marginal (X)"
    yield (
        "- Acc_Dim: share of dimensions on the labelled side; Acc_Full: of characters with all of them there; MAE, MSE: error by the "
        "range of the scale, and its square"
    )
    yield (
        "- Std_Item, Std_Score: spread of an item's and of a dimension's score over the runs; Std_Dim: of the items of a dimension; by "
        "the range. A model that always gives the same answer has 0"
    )
    if choosing.refusal == "midpoint":
        yield (
            "- of SR and OC methods a refused or missing choice counts as the middle of the scale, so that many of them make an agent "
            "look consistent: see the counts"
        )
    else:
        yield "- of SR and OC methods a refused or missing choice is left out"
    yield "- what is unread or invalid is in no score"


def _counts(evaluation: Evaluation) -> list[str]:
    totals: dict[tuple[str, str], Counter[str]] = {}
    for record in evaluation.counts:
        total = totals.setdefault((record["scale"], record["method"]), Counter())
        total.update({kind: record[kind] for kind in _KINDS if kind in record})
    rows = [
        [escaped(scale), escaped(method), *(f"{total[kind]:,}" if kind in total else NOTHING for kind in _KINDS)]
        for (scale, method), total in totals.items()
    ]
    return table(["scale", "method", *_KINDS], rows, "ll" + "r" * len(_KINDS))
