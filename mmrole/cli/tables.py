"""Tables of plain text, for a terminal or a file; Chinese characters take two columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mmrole.cli.lines import one_line

if TYPE_CHECKING:
    from mmrole.core.scores import Score
    from mmrole.jobs.comparison_tables import Comparison, Pair


def width_of(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def text_table(header: Sequence[str], rows: Sequence[Sequence[object]], align: str = "") -> list[str]:
    """Lines with aligned columns.

    Args:
        header: names of the columns
        rows: cells
        align: a letter per column: ``l`` or ``r``; all to the left when empty
    """
    cells = [[one_line(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width_of, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = []
        for cell, width, letter in zip(row, widths, align or "l" * len(header), strict=True):
            space = " " * (width - width_of(cell))
            padded.append(space + cell if letter == "r" else cell + space)
        lines.append("  ".join(padded).rstrip())
    return lines


def score_lines(scores: Sequence[Score]) -> list[str]:
    """Scores as a table: value or the reason why there is none, interval, n, what was left out; below what has to be said of intervals."""
    from emotion.glossary import counted_n, left_out_of, short_name
    from mmrole.jobs.markdown import interval, number

    noted = [score for score in scores if "ci_note" in score.details]
    rows = [
        [
            short_name(score),
            f"– ({score.reason})" if score.value is None else number(score.value),
            interval(score.ci) + (" †" if score in noted else ""),
            counted_n(score),
            left_out_of(score),
        ]
        for score in scores
    ]
    lines = text_table(["score", "value", "95 % interval", "n", "left out"], rows, "lrlll")
    return [*lines, *([f"† {noted[0].details['ci_note']}"] if noted else [])]


def runs_lines(comparison: Comparison) -> list[str]:
    """Runs side by side: a row per score, a column per run; the best of a row has a star."""
    from emotion.glossary import DIRECTIONS, short_name
    from mmrole.jobs.comparison_tables import best_runs
    from mmrole.jobs.markdown import NOTHING, number

    rows = []
    for key, column in comparison.columns().items():
        best = best_runs(comparison, key)
        found = [run.score(key) for run in comparison.runs]
        values = [NOTHING if score is None else number(score.value) for score in found]
        marked = [f"{value}{'*' if n in best else ' '}" for n, value in enumerate(values)]
        rows.append([short_name(column), *marked, DIRECTIONS[column.direction]])
    names = [f"{run.name} " for run in comparison.runs]
    return text_table(["score", *names, "better"], rows, f"l{'r' * len(names)}l")


def difference_lines(pair: Pair) -> list[str]:
    """Differences as a table."""
    from emotion.glossary import counted_n, short_name
    from mmrole.jobs.comparison_tables import signed
    from mmrole.jobs.markdown import interval

    if not pair.scores:
        return ["no score in common"]
    noted = [score for score in pair.scores if "ci_note" in score.details]
    rows = [
        [
            short_name(score),
            f"– ({score.reason})" if score.value is None else signed(score.value),
            interval(score.ci) + (" †" if score in noted else ""),
            counted_n(score),
        ]
        for score in pair.scores
    ]
    lines = text_table(["score", "difference", "95 % interval", "n"], rows, "lrll")
    return [*lines, *([f"† {noted[0].details['ci_note']}"] if noted else [])]
