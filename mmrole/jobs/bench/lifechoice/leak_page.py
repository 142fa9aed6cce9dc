"""The leak test for people, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mmrole.core.scores import Score
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table


def leak_page(agent: str, judge: str, scores: Sequence[Score], excluded: Mapping[str, int]) -> str:
    """Shares of leaks, over all books and by book, with what was left out.

    Args:
        agent: its name
        judge: its name
        scores: see `textbench.lifechoice.leak_scores.leak_scores`
        excluded: reason -> items that could not be tested
    """
    rows = []
    for score in scores:
        levels = score.details.get("levels")
        rows.append(
            [
                escaped(score.part),
                number(score.value) if score.value is not None else f"{NOTHING} ({escaped(score.reason)})",
                interval(score.ci),
                f"{score.n:,}",
                NOTHING if levels is None else " / ".join(str(count) for count in levels.values()),
                ", ".join(f"{escaped(name)} {count:,}" for name, count in score.excluded.items()) or NOTHING,
            ]
        )
    head = ["condition, book", "share of leaks ↓", "95 % interval", "n", "level 0 / 1 / 2", "left out"]
    lines = [
        "# LIFECHOICE: leak test", "", f"- agent: {escaped(agent)}; judge: {escaped(judge)}",
        "- a leak: the continuation has the very events of the book in their order, or whole sentences of it (level 2)",
        "- in brackets 95 % intervals: of whole books drawn, or Wilson's where there is one book; the difference of one book has none", "",
        *table(head, rows, "lrlrrl"),
    ]  # fmt: skip
    if excluded:
        lines += ["", "Not tested: " + ", ".join(f"{escaped(name)} {count:,}" for name, count in excluded.items())]
    return "\n".join([*lines, ""])
