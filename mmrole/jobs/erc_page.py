"""scores.md of `mmrole erc`: recognition of the dialogues' own utterances for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from emotion.metrics.erc import ErcResult
from mmrole.core.labels import LabelSet
from mmrole.jobs.markdown import escaped, table
from mmrole.jobs.score_page import class_table, definitions, score_table, shown_label


def erc_page(
    result: ErcResult,
    labels: LabelSet,
    inputs: Mapping[str, Mapping[str, Any]],
    *,
    bootstrap: int,
    seed: int,
    notes: Sequence[str] = (),
) -> str:
    """The page of recognition scores.

    Args:
        result: the scores
        labels: the label set that they are of
        inputs: name of an option -> its file with ``name`` and ``sha256``
        bootstrap: draws of the intervals
        seed: of the draws
        notes: lines that have to be seen first
    """
    lines = ["# Emotion recognition", ""]
    lines += [f"- {option}: {escaped(file['name'])} (sha256 {file['sha256'][:12]})" for option, file in inputs.items()]
    lines.append(f"- label set: {escaped(labels.name)} ({escaped(', '.join(labels.labels))})")
    lines.append(
        f"- intervals: 95 %, {bootstrap:,} draws of whole dialogues, seed {seed}"
        if bootstrap
        else "- no intervals were asked for"
    )
    lines += [f"- **note**: {escaped(note)}" for note in notes]
    lines += ["", *score_table(list(result.values()))]
    lines += [
        "",
        "Scores named `..._answered` are over the utterances with a predicted label of the set; in the others what has none is a miss.",
    ]
    absent = result["macro_f1"].details.get("absent_classes")
    if absent:
        lines += ["", f"Labels that neither occur nor are predicted leave macro_f1: {escaped(', '.join(absent))}."]
    if result.per_class:
        lines += ["", "## Labels, all utterances", "", *class_table(result.per_class, labels)]
        lines += ["", "## Labels, answered utterances", "", *class_table(result.per_class_answered, labels)]
        lines += ["", "## Confusion", "", "Rows are true, columns predicted labels.", "", *_confusion(result, labels)]
    lines += ["", "## What the numbers are", "", *definitions(list(result.values()))]
    return "\n".join([*lines, ""])


def _confusion(result: ErcResult, labels: LabelSet) -> list[str]:
    rows = [
        [escaped(shown_label(label, labels)), *(f"{count:,}" for count in counts), f"{sum(counts):,}"]
        for label, counts in zip(labels.labels, result.confusion.tolist(), strict=True)
    ]
    header = ["true", *map(escaped, result.columns), "all"]
    return table(header, rows, "l" + "r" * (len(header) - 1))
