"""Runs side by side as Markdown, LaTeX and CSV: one row per run, one column per score."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from emotion.glossary import METRICS, counted_n, left_out_of, meaning_of, short_name
from mmrole.core.scores import Score
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table

_ARROWS: Final = {"up": "↑", "down": "↓", "zero": "→0"}
_LATEX_ARROWS: Final = {"up": r"$\uparrow$", "down": r"$\downarrow$", "zero": r"$\to 0$"}
_LATEX: Final = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}  # fmt: skip

Key = tuple[str, str, str]
"""Metric, part, name of the formula."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """One agent under one condition.

    Attributes:
        name: what the tables call it
        scores: its scores
        coverage: how much of the data set they are of
    """

    name: str
    scores: Sequence[Score]
    coverage: Mapping[str, int]

    def score(self, key: Key) -> Score | None:
        """Its score of a column, None when it has none."""
        return next((score for score in self.scores if key_of(score) == key), None)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Differences of two runs, second minus first, on what both have.

    Attributes:
        first: name of the first run
        second: name of the second
        scores: the differences
    """

    first: str
    second: str
    scores: Sequence[Score]


def pair_numbers(runs: int, *, all_pairs: bool) -> list[tuple[int, int]]:
    """Which runs are compared, by their numbers from 0: each with the first, or every two."""
    return list(combinations(range(runs), 2)) if all_pairs else [(0, other) for other in range(1, runs)]


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Runs and their differences.

    Attributes:
        runs: in the order of the rows
        pairs: the differences
        bootstrap: draws of their intervals
        seed: of the draws
        drawn: what is drawn as a whole
    """

    runs: Sequence[Run]
    pairs: Sequence[Pair]
    bootstrap: int
    seed: int
    drawn: str = "dialogues"

    def columns(self) -> dict[Key, Score]:
        """The scores that any run has, those of one metric and formula together, each with one of its scores."""
        seen: dict[Key, Score] = {}
        for run in self.runs:
            for score in run.scores:
                seen.setdefault(key_of(score), score)
        metrics, formulas = (list(dict.fromkeys(key[place] for key in seen)) for place in (0, 2))
        order = sorted(seen, key=lambda key: (metrics.index(key[0]), formulas.index(key[2]) if key[0] == "rcd" else 0))
        return {key: seen[key] for key in order}

    def main_columns(self) -> dict[Key, Score]:
        """The columns of a table for people: the second form of RCD and of macro F1 are in the CSV table only."""
        columns = self.columns()
        return {k: score for k, score in columns.items() if not (_is_margin(k) or k[1].startswith("macro_f1_all"))}


def key_of(score: Score) -> Key:
    """What tells scores of one run apart."""
    return score.metric, score.part, score.definition.split(" ")[0]


def _is_margin(key: Key) -> bool:
    return "-margin/" in key[2]


def best_runs(comparison: Comparison, key: Key) -> set[int]:
    """Rows that have the best value of a column as it is printed; none when all are equal or only one has a value."""
    values = {
        n: score for n, run in enumerate(comparison.runs) if (score := run.score(key)) and score.value is not None
    }
    if len(values) < 2:
        return set()
    towards: dict[str, Callable[[float], float]] = {"up": lambda v: v, "down": lambda v: -v, "zero": lambda v: -abs(v)}
    merit = {n: towards[score.direction](float(number(score.value))) for n, score in values.items()}
    best = {n for n, value in merit.items() if value == max(merit.values())}
    return best if len(best) < len(values) else set()


def markdown_page(comparison: Comparison, notes: Sequence[str] = ()) -> str:
    """Scores and differences for people.

    Args:
        comparison: the runs
        notes: lines that have to be seen first
    """
    lines = ["# Comparison", ""]
    lines += [f"- **note**: {escaped(note)}" for note in notes]
    lines += [
        "- values are over each run's own items; the differences below are over the items that both runs have",
        "- best value of a column in bold; in brackets 95 % intervals; – is undefined",
        *_of_hidden(comparison),
        "",
        *_scores(comparison),
    ]
    draws = f"{comparison.bootstrap:,} draws of {comparison.drawn}, the same for both runs, seed {comparison.seed}"
    lines += ["", "## Differences", "", f"Intervals: {draws if comparison.bootstrap else 'none were asked for'}."]
    for pair in comparison.pairs:
        lines += ["", f"### {escaped(pair.second)} minus {escaped(pair.first)}", "", *_differences(pair)]
    seen = [score for pair in comparison.pairs for score in pair.scores]
    if any("ci_note" in score.details for score in seen):
        note = next(score.details["ci_note"] for score in seen if "ci_note" in score.details)
        lines += ["", f"† {note}."]
    reasons = dict.fromkeys(reason for score in seen for reason, count in score.excluded.items() if count)
    undefined = [score for run in comparison.runs for score in run.scores] + seen
    reasons |= dict.fromkeys(score.reason for score in undefined if score.reason is not None)
    if reasons:
        lines += ["", "Reasons:", "", *(f"- {escaped(reason)}: {escaped(meaning_of(reason))}" for reason in reasons)]
    return "\n".join([*lines, ""])


def _of_hidden(comparison: Comparison) -> list[str]:
    hidden = [score for key, score in comparison.columns().items() if key not in comparison.main_columns()]
    if not hidden:
        return []
    return [f"- in the differences and in table.csv only: {escaped(', '.join(map(short_name, hidden)))}"]


def _scores(comparison: Comparison) -> list[str]:
    columns = comparison.main_columns()
    best = {key: best_runs(comparison, key) for key in columns}
    answered = any("answered" in run.coverage for run in comparison.runs)
    rows = []
    for n, run in enumerate(comparison.runs):
        cells = [escaped(run.name)]
        if answered:
            cells.append(f"{run.coverage.get('answered', 0):,} of {run.coverage.get('played_turns', 0):,}")
        for key in columns:
            score = run.score(key)
            if score is None:
                cells.append("")
            elif score.value is None:
                cells.append(f"{NOTHING} ({escaped(score.reason)})")
            else:
                value = f"**{number(score.value)}**" if n in best[key] else number(score.value)
                cells.append(f"{value} {interval(score.ci)}".strip())
        rows.append(cells)
    heads = [escaped(f"{short_name(score)} {_ARROWS[score.direction]}") for score in columns.values()]
    header = ["run", *(["answered turns"] if answered else []), *heads]
    return table(header, rows, "l" + "r" * (len(header) - 1))


def _differences(pair: Pair) -> list[str]:
    if not pair.scores:
        return ["The two runs have no score in common."]
    rows = []
    for score in pair.scores:
        value = f"{NOTHING} ({score.reason})" if score.value is None else signed(score.value)
        sides = [number(score.details[side]) for side in ("first", "second")]
        mark = " †" if "ci_note" in score.details else ""
        rows.append(
            [
                escaped(f"{short_name(score)} {_ARROWS[score.direction]}"),
                *sides,
                escaped(value),
                interval(score.ci) + mark,
                counted_n(score),
                escaped(left_out_of(score)) or NOTHING,
            ]
        )
    header = ["score", escaped(pair.first), escaped(pair.second), "difference", "95 % interval", "n", "left out"]
    return table(header, rows, "lrrrlll")


def signed(value: float) -> str:
    """A difference with its sign; a rounded zero has none."""
    text = number(value)
    return text if text.strip("-0.") == "" or value < 0 else f"+{text}"


def latex_table(comparison: Comparison) -> str:
    """The scores as a LaTeX tabular, with a line of intervals below each run."""
    columns = comparison.main_columns()
    best = {key: best_runs(comparison, key) for key in columns}
    groups: list[tuple[str, int]] = []
    for key, score in columns.items():
        head = f"{latex(METRICS[key[0]][0] if key[0] in METRICS else key[0])} {_LATEX_ARROWS[score.direction]}"
        if groups and groups[-1][0] == head:
            groups[-1] = (head, groups[-1][1] + 1)
        else:
            groups.append((head, 1))
    rules, start = [], 2
    for _, width in groups:
        rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
        start += width
    parts = ["" if key[0] in ("exp", "rel", "cha") else latex(key[1]) for key in columns]
    lines = [
        "% needs \\usepackage{booktabs}; Chinese names need xelatex or lualatex with a Chinese font",
        "% best value of a column in bold; in brackets 95 % intervals; -- is undefined",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        " & ".join(["", *(rf"\multicolumn{{{width}}}{{c}}{{{head}}}" for head, width in groups)]) + r" \\",
        " ".join(rules),
        " & ".join(["", *parts]) + r" \\",
        r"\midrule",
    ]
    for n, run in enumerate(comparison.runs):
        scores = {key: run.score(key) for key in columns}
        values = [_latex_value(score, bold=n in best[key]) for key, score in scores.items()]
        lines.append(" & ".join([latex(run.name), *values]) + r" \\")
        if any(score is not None and score.ci is not None for score in scores.values()):
            small = [
                rf"{{\scriptsize {interval(score.ci)}}}" if score is not None and score.ci is not None else ""
                for score in scores.values()
            ]
            lines.append(" & ".join(["", *small]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _latex_value(score: Score | None, *, bold: bool) -> str:
    if score is None:
        return ""
    if score.value is None:
        return "--"
    text = number(score.value)
    text = f"${text}$" if text.startswith("-") else text
    return rf"\textbf{{{text}}}" if bold else text


def latex(text: str) -> str:
    """A text that LaTeX prints as it is."""
    return re.sub(r"[\\~^&%$#_{}]", lambda match: _LATEX[match[0]], " ".join(text.split()))


def csv_table(comparison: Comparison) -> str:
    """All scores: a row per run; per score its value, the ends of its interval, n, and the reason where it is undefined."""
    columns = comparison.columns()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [short_name(score) for score in columns.values()]
    writer.writerow(["run", *(f"{head}{end}" for head in heads for end in ("", " low", " high", " n", " reason"))])
    for run in comparison.runs:
        cells: list[object] = [run.name]
        for key in columns:
            score = run.score(key)
            ends = (None, None) if score is None or score.ci is None else score.ci
            cells += [None] * 5 if score is None else [score.value, *ends, score.n, score.reason]
        writer.writerow(["" if cell is None else cell for cell in cells])
    return out.getvalue()
