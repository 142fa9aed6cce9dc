"""The page of a verification by people, beside the figures of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from mmrole.core.scores import Score
from mmrole.jobs.markdown import NOTHING, number, table
from textbench.rolecde.construction import Verification
from textbench.rolecde.construction.verification import QUESTIONS

PAPER: Final[Mapping[tuple[str, str], str]] = {
    ("arbitration", "valid"): "31.77 %",
    ("pairwise_pearson", "valid"): ".59 to .72",
    ("arbitration", "salience"): "7.79 %",
    ("pairwise_pearson", "salience"): ".53 to .58",
}
"""(metric, part) -> what RoleCDE (arXiv 2606.01552, human verification) reports, four annotators and a leader."""
NAMES: Final = {
    "arbitration": "share that went to arbitration",
    "pairwise_pearson": "mean pairwise Pearson",
    "alpha": "Krippendorff's alpha",
}


def verification_page(found: Verification, annotators: int) -> str:
    """The page, Markdown.

    Args:
        found: see `textbench.rolecde.construction.verify`
        annotators: number of their sheets
    """
    decided = Counter(each["by"] for each in found.decisions)
    kept = sum(len(each.dilemmas) for each in found.accepted)
    reasons = Counter(each["reason"] for each in found.rejected)
    out = [
        "# Verification of the dilemmas",
        "",
        (
            f"{len(found.decisions):,} dilemmas, {annotators} annotators: {decided['all']:,} decided by all, "
            f"{decided['leader']:,} by the leader, {decided['undecided']:,} undecided."
        ),
        "",
        f"{kept:,} dilemmas of {len(found.accepted):,} personas stand"
        + "".join(f"; {count:,} {reason}" for reason, count in sorted(reasons.items()))
        + ".",
        "",
        f"In {changed_options(found):,} of those that stand, people name another option as the role's than the author meant.",
        "",
    ]
    rows = []
    for question in QUESTIONS:
        for score in (each for each in found.scores if each.part == question):
            name = NAMES.get(score.metric, score.metric)
            rows.append(
                [question, name, shown_value(score), f"{score.n:,}", PAPER.get((score.metric, question), NOTHING)]
            )
    out += table(["question", "what", "value", "n", "in the paper"], rows, "llrrr")
    out += [
        "",
        (
            "The paper has its annotators judge groups of values and dilemmas; what they were asked is not published word by word, so that "
            "its figures are an orientation. That annotators also name the role's option is not in the paper."
        ),
    ]
    return "\n".join(out) + "\n"


def changed_options(found: Verification) -> int:
    """Accepted dilemmas whose role option is not the one that the author gave."""
    return sum(
        each["role_option"] is not None and each["by"] != "undecided" and each["role_option"] != each["author"]
        for each in found.decisions
    )


def shown_value(score: Score) -> str:
    """A value as people read it: shares in percent, correlations with the lowest and highest of the pairs."""
    if score.value is None:
        return f"{NOTHING} ({score.reason})"
    if score.metric == "arbitration":
        return f"{number(100 * score.value, 2)} %"
    low, high = score.details.get("low"), score.details.get("high")
    spread = "" if low is None or high is None else f" ({number(low, 2)} to {number(high, 2)})"
    return number(score.value) + spread
