"""Published accuracies, each with the version of the data set that it is over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mmrole.core.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What one version published.

    Attributes:
        version: ``v1``, ``v2`` or ``emnlp``
        decisions: items of the data set
        model: whose accuracies they are; None where that is not on record here
        accuracies: method as the paper calls it -> share
        source: where they are from
    """

    version: str
    decisions: int
    model: str | None
    accuracies: Mapping[str, float]
    source: str

    @property
    def heading(self) -> str:
        """Version, number of decisions and model, for a table of the figures."""
        model = "" if self.model is None else f", {self.model}"
        return f"version {self.version} ({self.decisions:,} decisions{model})"


@cache
def references() -> dict[str, Reference]:
    """All versions by name."""
    record = json.loads(files("textbench.lifechoice").joinpath("data", "reference.json").read_text("utf-8"))
    return {
        name: Reference(version=name, source=record["source"], **values) for name, values in record["versions"].items()
    }


def reference_for(version: str, data_version: str) -> Reference:
    """The published figures to be shown beside results.

    Args:
        version: that is asked for
        data_version: which data set the results are over, as `build` was told

    Raises:
        UsageError: there is no such version, or it is another one than that of the results, or it has no figures
    """
    known = references()
    if version not in known:
        raise UsageError(f"there are no published figures of version {version!r}: versions are {', '.join(known)}")
    if version != data_version:
        raise UsageError(
            f"the figures of {version} are over its own {known[version].decisions:,} decisions and cannot stand beside results on data "
            f"that are said to be {data_version!r}: build with --data-version {version} if they are that data set"
        )
    if not known[version].accuracies:
        raise UsageError(f"no accuracies of version {version} are packaged")
    return known[version]
