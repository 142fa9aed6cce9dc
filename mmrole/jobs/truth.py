"""The ground truth of a scoring command: dialogues, the label set they are scored by, and what is odd about the two together."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import Final

from emotion.recognition import Target
from mmrole.core.dialogue import Dialogue
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import LabelMap
from mmrole.core.labels import INVALID, LabelSet, label_set
from mmrole.jobs.labels import find_label_map, find_label_set

DEFAULT_LABELS: Final = "cped-13"
"""Label set where neither an option nor the format of the file says one."""


@dataclass(frozen=True, kw_only=True)
class Truth:
    """Dialogues with the label set of the scores.

    Attributes:
        dialogues: in the order of the file
        format: cped, meld or jsonl
        labels: the label set
        truth_map: from the labels of the file to those of the scores, where they differ
        notes: what has to be said beside the scores
    """

    dialogues: list[Dialogue]
    format: str
    labels: LabelSet
    truth_map: LabelMap | None
    notes: list[str]


def read_truth(
    path: str | os.PathLike[str],
    *,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    truth_map: str | None = None,
    target: Target = "emotion",
) -> Truth:
    """Reads dialogues and chooses the label set.

    Args:
        path: CPED, MELD or the project's JSONL
        format: of the file; ``auto`` tells it from the file
        labels: name or TOML file of the label set; that of the map's target, of the format, or cped-13 when None
        truth_map: name or TOML file of a label map
        target: whether the emotions or the sentiments of the file are the truth

    Raises:
        InputError: the file cannot be read, or none of its labels is in the set
        UsageError: no such label set or map, or a map to another set
    """
    if target == "sentiment" and labels is None and truth_map is None:
        labels = "sentiment-3"
    mapping = None if truth_map is None else find_label_map(truth_map)
    chosen = None if labels is None else find_label_set(labels)
    if mapping is not None and chosen is not None and mapping.target.labels != chosen.labels:
        raise UsageError(f"label map {mapping.name} maps to {mapping.target.name}, but the scores are of {chosen.name}")
    data_set = read_data_set(os.fspath(path), format=format, strict=True)
    if chosen is None:
        chosen = label_set(data_set.labels or DEFAULT_LABELS) if mapping is None else mapping.target
    code = chosen.code if mapping is None else mapping.code
    given = Counter(
        utterance.emotion if target == "emotion" else utterance.sentiment
        for dialogue in data_set.dialogues
        for utterance in dialogue.utterances
    )
    codes = {label: code(label) for label in given}
    strange = {str(label): given[label] for label, number in codes.items() if number == INVALID}
    first = ", ".join(repr(label) for label in list(strange)[:3]) + (", ..." if len(strange) > 3 else "")
    of_set = chosen.name if mapping is None else mapping.source.name
    if not any(number >= 0 for number in codes.values()):
        seen = f"there are {first}" if strange else "there is none"
        raise InputError(
            f"{path}: no {target} of an utterance is in the label set {of_set} ({seen}); choose a set with --labels, "
            "see mmrole labels"
        )
    notes = []
    if strange:
        notes.append(
            f"{sum(strange.values()):,} of {given.total():,} true labels are not in {of_set} and count as invalid: {first}"
        )
    return Truth(dialogues=data_set.dialogues, format=data_set.format, labels=chosen, truth_map=mapping, notes=notes)
