"""Tables of scores in the form of the paper, as Markdown and LaTeX.

Values in per cent with one digit, as printed there; what is undefined is a dash. The best value of a column can be set in bold.

Source: InCharacter (ACL 2024), tables 2, 3, 11 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score

HEADINGS: Final = {
    "acc_dim": "Acc_Dim", "acc_full": "Acc_Full", "mae": "MAE", "mse": "MSE", "std_item": "Std_Item", "std_dim": "Std_Dim",
    "std_score": "Std_Score",
}  # fmt: skip
"""Metric -> its name in the paper."""
NONE: Final = "–"

_PERCENT: Final = 100
_LATEX: Final = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
}  # fmt: skip
_ARROWS: Final = {"up": "↑", "down": "↓", "zero": ""}


@dataclass(frozen=True, kw_only=True)
class ResultTable:
    """A table of scores.

    Attributes:
        corner: what the rows are
        groups: heading over columns -> number of its columns, in order; one without a name when there are no groups
        columns: headings
        rows: name of each row, and its cells
        bold: for each row, which cells are the best of their column
        caption: what the table is
    """

    corner: str
    groups: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    bold: tuple[tuple[bool, ...], ...]
    caption: str = ""

    def to_markdown(self) -> str:
        """The table in Markdown; groups stand before the names of their columns."""
        names = [group for group, size in self.groups for _ in range(size)]
        head = [_pipes(f"{group} {column}".strip()) for group, column in zip(names, self.columns, strict=True)]
        lines = [[_pipes(self.corner), *head], ["---", *["---:"] * len(self.columns)]]
        for (name, cells), best in zip(self.rows, self.bold, strict=True):
            lines.append(
                [_pipes(name), *(f"**{cell}**" if bold else cell for cell, bold in zip(cells, best, strict=True))]
            )
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{self.caption}\n\n{table}\n" if self.caption else f"{table}\n"

    def to_latex(self) -> str:
        """The table in LaTeX, for the package booktabs."""
        lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}", r"\toprule"]
        if any(group for group, _ in self.groups):
            over, rules, start = [""], [], 2
            for group, size in self.groups:
                over.append(rf"\multicolumn{{{size}}}{{c}}{{{_tex(group)}}}")
                rules.append(rf"\cmidrule(lr){{{start}-{start + size - 1}}}")
                start += size
            lines += [" & ".join(over) + r" \\", " ".join(rules)]
        lines += [" & ".join(map(_tex, [self.corner, *self.columns])) + r" \\", r"\midrule"]
        for (name, cells), best in zip(self.rows, self.bold, strict=True):
            shown = [
                rf"\textbf{{{_tex(cell)}}}" if bold else _tex(cell) for cell, bold in zip(cells, best, strict=True)
            ]
            lines.append(" & ".join([_tex(name), *shown]) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
        if self.caption:
            lines.append(rf"\caption{{{_tex(self.caption)}}}")
        return "\n".join([*lines, r"\end{table}"]) + "\n"


def results_table(
    results: Mapping[str, Mapping[str, Mapping[str, Score]]],
    metrics: Sequence[str],
    *,
    corner: str = "",
    caption: str = "",
    best: bool = False,
    counts: bool = False,
) -> ResultTable:
    """A table with one row per condition and one group of columns per scale: the form of tables 2 and 3.

    Args:
        results: row -> group (scale) -> metric -> score; a score that is not there is a dash
        metrics: the columns of each group, in order
        corner: heading of the rows
        caption: of the table
        best: set the best values of each column in bold, as printed
        counts: add ``n`` of the first metric to each group

    Raises:
        UsageError: there are no rows, groups or metrics
    """
    groups = list(dict.fromkeys(group for of_groups in results.values() for group in of_groups))
    if not groups or not metrics:
        raise UsageError("a table needs results of one scale or more, and one metric or more")
    columns: list[str] = []
    cells: list[list[str]] = [[] for _ in results]
    bold: list[list[bool]] = [[] for _ in results]
    for group in groups:
        for metric in metrics:
            found = [of_groups.get(group, {}).get(metric) for of_groups in results.values()]
            direction = next((score.direction for score in found if score is not None), "zero")
            columns.append(f"{HEADINGS.get(metric, metric)} {_ARROWS[direction]}".strip())
            shown = [percent(score) for score in found]
            marks = _best(shown, direction) if best else [False] * len(shown)
            for row, (cell, mark) in enumerate(zip(shown, marks, strict=True)):
                cells[row].append(cell)
                bold[row].append(mark)
        if counts:
            columns.append("n")
            for row, of_groups in enumerate(results.values()):
                score = of_groups.get(group, {}).get(metrics[0])
                cells[row].append(NONE if score is None else f"{score.n:,}")
                bold[row].append(False)
    width = len(metrics) + counts
    return ResultTable(
        corner=corner,
        groups=tuple((group, width) for group in groups),
        columns=tuple(columns),
        rows=tuple((name, tuple(row)) for name, row in zip(results, cells, strict=True)),
        bold=tuple(map(tuple, bold)),
        caption=caption,
    )


def dimensions_table(parts: Mapping[str, Mapping[str, Score]], *, caption: str = "") -> ResultTable:
    """A table with one row per part and the metrics as columns: the form of tables 11 and 12.

    Args:
        parts: part (dimension, scale, language, ...) -> metric -> score
        caption: of the table
    """
    metrics = [name for name in HEADINGS if any(name in scores for scores in parts.values())]
    return results_table(
        {part: {"": scores} for part, scores in parts.items()}, metrics, caption=caption, counts=True
    )  # fmt: skip


def percent(score: Score | None) -> str:
    """A share in per cent with one digit, as printed in the paper; a dash where there is none.

    A bare number is rounded half to even after its binary value, as by any C library.
    """
    return NONE if score is None or score.value is None else f"{score.value * _PERCENT:.1f}"


def _best(shown: Sequence[str], direction: str) -> list[bool]:
    """Which printed values are the best; ties are all best, and a single row is none."""
    numbers = [None if cell == NONE else float(cell) for cell in shown]
    there = [number for number in numbers if number is not None]
    if len(there) < 2 or direction == "zero":
        return [False] * len(shown)
    target = max(there) if direction == "up" else min(there)
    return [number == target for number in numbers]


def _pipes(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _tex(text: str) -> str:
    arrows = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    return "".join(arrows.get(character) or _LATEX.get(character, character) for character in " ".join(text.split()))
