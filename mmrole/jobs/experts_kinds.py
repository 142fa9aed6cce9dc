"""What `mmrole experts` lists: each kind of expert that a panel may have, and the labels that it can give."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emotion.experts.entries import KINDS, ExpertEntry, LocalEntry
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet
from mmrole.jobs.labels import find_label_set


@dataclass(frozen=True, kw_only=True)
class ExpertKind:
    """One kind of expert.

    Attributes:
        kind: what a panel calls it
        streams: that it can read
        baseline: whether its votes are not for reporting
        can_give: labels of the set that it can give; None where its file, model or endpoint decides
        needs: keys that its table in a panel has to have beside name and kind
        needs_features: whether it reads what `mmrole extract` measured, so that it votes on clips, not on responses
        what: one line for people
        gives: `can_give` for people
    """

    kind: str
    streams: tuple[str, ...]
    baseline: bool
    can_give: tuple[str, ...] | None
    needs: tuple[str, ...]
    needs_features: bool
    what: str
    gives: str

    def to_record(self) -> dict[str, Any]:
        """The kind as one JSON record."""
        return {
            "kind": self.kind,
            "streams": list(self.streams),
            "baseline": self.baseline,
            "can_give": None if self.can_give is None else list(self.can_give),
            "needs": list(self.needs),
            "needs_features": self.needs_features,
            "what": self.what,
        }


def kinds_of_experts(labels: str = "cped-13") -> list[ExpertKind]:
    """The kinds of experts that a panel may have.

    Args:
        labels: name or TOML file of the label set

    Raises:
        UsageError: there is no such set
        InputError: the file is no label set
    """
    names = find_label_set(labels)
    return [_kind(kind, form, names) for kind, form in KINDS.items()]


def _kind(kind: str, form: type[ExpertEntry], labels: LabelSet) -> ExpertKind:
    needs = tuple(name for name, field in form.model_fields.items() if field.is_required() and name not in _OF_ALL)
    can_give: tuple[str, ...] | None = None
    gives, baseline = _DECIDED_BY.get(kind, f"decided by its {' and '.join(needs)}"), False
    if issubclass(form, LocalEntry) and not needs:
        entry = form.model_validate({"name": kind, "kind": kind})
        try:
            expert = entry.build(labels, Path())
        except UsageError:  # it has no label in common with the set
            can_give, gives, baseline = (), f"none of {labels.name}", True
        else:
            given = expert.can_give
            can_give, baseline = given, expert.baseline
            gives = f"all {len(labels)}" if given == labels.labels else f"{len(given)}: {' '.join(given)}"
    return ExpertKind(
        kind=kind,
        streams=form.reads,
        baseline=baseline,
        can_give=can_give,
        needs=needs,
        needs_features=form.needs_features,
        what=inspect.getdoc(form).splitlines()[0],  # type: ignore[union-attr]  # every form has a docstring
        gives=gives,
    )


_OF_ALL = ("name", "kind")
_DECIDED_BY = {"llm": "all that its prompt lists"}
