"""A trained expert for people: what it was trained on, how, and how good it is."""

from __future__ import annotations

from typing import Any

from emotion.experts.trained_model import TrainedText
from mmrole.jobs.markdown import interval, number

_LEVELS = {"lower": "labels", "upper": "sentiments"}
_NAMES = {"macro_f1": "macro F1", "weighted_f1": "weighted F1", "accuracy": "accuracy"}


def trained_lines(model: TrainedText) -> list[str]:
    """The lines.

    Args:
        model: as it was read from its file
    """
    header = model.header
    settings, validation = header["settings"], header["validation"]
    missing = [label for label in model.labels.labels if label not in model.classes]
    by_label = header["counts"].get("by_label", {})
    lines = [
        f"trained text expert, {model.features.size:,} n-grams, sha256 {model.sha256}",
        *(f"  data: {each.get('name')} ({each.get('format')}), sha256 {each.get('sha256')}" for each in header["data"]),
        f"  labels: {model.labels.name}; can give {', '.join(f'{label} ({by_label.get(label, 0):,})' for label in model.classes)}",
        *([f"  never gives {', '.join(missing)}: not in the data"] if missing else []),
        f"  settings: {', '.join(f'{name} {_shown(value)}' for name, value in sorted(settings.items()))}",
        f"  libraries: {', '.join(f'{name} {version}' for name, version in sorted(header['libraries'].items()))}",
        f"  cross-validated: {validation['folds']} folds over {validation['number_of_groups']:,} groups ({validation['groups']})",
    ]
    for level, scores in validation["scores"].items():
        for name, score in scores.items():
            most = validation["majority"][level][name]
            lines.append(
                f"    {_NAMES.get(name, name)} of {_LEVELS.get(level, level)}: {number(score['value'])} {interval(score['ci'])}; "
                f"always the most frequent: {number(most['value'])}"
            )
    return [*lines, *(f"  note: {note}" for note in header.get("notes", []))]


def _shown(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)
