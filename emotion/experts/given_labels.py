"""From an expert's own labels to those of a run: by their spelling, and never to the nearest one.

The baselines speak of the labels of cped-13. Where a run's set does not know one, the other spellings that cped-13 declares for it are
tried (``astonished`` is ``surprise`` in meld-7).
"""

from __future__ import annotations

from collections.abc import Iterable

from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

NOT_IN_SET = "label_not_in_set"
"""Reason of a vote whose label the run's set does not have."""


def given_labels(own: Iterable[str], labels: LabelSet, kind: str) -> dict[str, str]:
    """Which labels of a run an expert can give.

    Args:
        own: the expert's labels
        labels: the run's set
        kind: the expert, for the message

    Returns:
        own label -> label of the set that it is a spelling of, in the order of the set; own labels that the set does not know are
        not there

    Raises:
        UsageError: none of them is in the set
    """
    spellings = label_set("cped-13").spellings
    found = {label: _code((label, *spellings.get(label, ())), labels) for label in own}
    given = {label: labels.labels[code] for label, code in sorted(found.items(), key=lambda pair: pair[1]) if code >= 0}
    if not given:
        raise UsageError(
            f"the expert {kind} can give {', '.join(found)}, none of which is in the label set {labels.name}: leave it out"
        )
    return given


def _code(spellings: Iterable[str], labels: LabelSet) -> int:
    """Code of the first spelling that the set knows, negative when it knows none."""
    return next((code for code in labels.codes(spellings) if code >= 0), -1)


def in_order(given: Iterable[str], labels: LabelSet) -> tuple[str, ...]:
    """Labels in the order of the set, each once."""
    there = set(given)
    return tuple(label for label in labels.labels if label in there)
