"""The page of the similarity of reasons, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mmrole.core.scores import Score
from mmrole.jobs.bench.rolecde.similarity import PREFIX
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table
from textbench.rolecde.evaluation import Rated

WARNING: Final = (
    "BLEU and the F measures fall with every word that the personal value does not have: 33 neutral words more take the same sentence "
    "from BLEU 63.9 to 11.3, while the recall of ROUGE-L stays 1. Read them with the lengths; a difference between two agents can be "
    "one of how much they write."
)
_TITLES: Final = {"all": "All", "language": "By language", "decision": "By decision type"}
_COLUMNS: Final = {
    "bleu": "BLEU", "rouge1_f": "ROUGE-1 F", "rouge1_recall": "ROUGE-1 recall", "rouge2_f": "ROUGE-2 F",
    "rouge2_recall": "ROUGE-2 recall", "rougeL_f": "ROUGE-L F", "rougeL_recall": "ROUGE-L recall",
    "bertscore_f": "BERTScore F", "bertscore_recall": "BERTScore recall",
}  # fmt: skip


def similarity_lines(scores: Iterable[Rated]) -> list[str]:
    """The section of the page; nothing where similarity was not computed."""
    there = [each for each in scores if each.score.metric.startswith(PREFIX)]
    if not there:
        return []
    out = ["", "## Similarity of the reasons to the personal value", "", WARNING]
    for items, title in (("all", "all dilemmas"), ("without_flagged", "without flagged dilemmas")):
        for by, heading in _TITLES.items():
            found = [each.score for each in there if each.items == items and each.by == by]
            if found:
                out += ["", f"### {heading}, {title}", "", *_table(found)]
    left_out = next(each.score for each in there if each.items == "all" and each.by == "all").excluded
    if left_out:
        out += ["", "Without a value:", ""]
        out += [f"- {escaped(reason)}: {count:,}" for reason, count in sorted(left_out.items())]
    return out


def _table(scores: Sequence[Score]) -> list[str]:
    found = {(score.metric.removeprefix(PREFIX), score.part): score for score in scores}
    names = [name for name in _COLUMNS if any(name == metric for metric, _ in found)]
    parts = list(dict.fromkeys(part for _, part in found))
    header = ["part", "n", "words of the reasons", "words of the value", *(_COLUMNS[name] for name in names)]
    rows = []
    for part in parts:
        first = found["bleu", part]
        lengths = [number(first.details[f"mean_{what}_words"], 1) for what in ("candidate", "reference")]
        cells = [
            f"{number(score.value)} {interval(score.ci)}".strip() if score is not None else NOTHING
            for score in (found.get((name, part)) for name in names)
        ]
        rows.append([escaped(part), f"{first.n:,}", *lengths, *cells])
    return table(header, rows, "l" + "r" * (len(header) - 1))
