"""Maps between label sets: explicit, total, and named in the definition of every score that used one.

A map is a small TOML file. Each label of the source goes to a label of the target or is dropped by name; two labels may go
to one only in a map that says ``merges = true``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_files import LabelMapFile
from mmrole.core.labels import MISSING, LabelSet, label_set
from mmrole.core.records import validated


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelMap:
    """A map from one label set to another.

    Attributes:
        name: what options and scores call it
        source: the set that it maps from
        target: the set that it maps to
        to: label of the source -> label of the target
        dropped: labels of the source that have no counterpart
        reference: where the map is from
    """

    name: str
    source: LabelSet
    target: LabelSet
    to: Mapping[str, str]
    dropped: tuple[str, ...] = ()
    merges: bool = False
    reference: str = ""

    def __post_init__(self) -> None:
        where = f"label map {self.name}"
        for what, labels, names in (
            ("maps from", [*self.to, *self.dropped], self.source),
            ("maps to", list(self.to.values()), self.target),
        ):
            if strange := [label for label in labels if label not in names.labels]:
                raise InputError(f"{where}: {what} {strange[0]!r}, which is no label of {names.name}")
        if twice := [label for label in self.dropped if label in self.to]:
            raise InputError(f"{where}: {twice[0]!r} is both mapped and dropped")
        if lost := [label for label in self.source.labels if label not in self.to and label not in self.dropped]:
            raise InputError(
                f"{where}: says nothing of {', '.join(lost)}; map or drop every label of {self.source.name}"
            )
        if not self.merges and len(set(self.to.values())) < len(self.to):
            raise InputError(f"{where}: two labels go to one; say merges = true if that is meant")

    def code(self, label: object) -> int:
        """Position in the target of what a label of the source maps to; `MISSING` when dropped or missing, else `INVALID`."""
        code = self.source.code(label)
        if code < 0:
            return code
        to = self.to.get(self.source.labels[code])
        return MISSING if to is None else self.target.code(to)

    def resolve(self, label: object) -> str | None:
        """The label of the target, or None."""
        code = self.code(label)
        return self.target.labels[code] if code >= 0 else None

    def lines(self) -> list[str]:
        """The map for people, one label per line."""
        return [f"{label} -> {self.to.get(label, '(dropped)')}" for label in self.source.labels]


def label_maps() -> tuple[str, ...]:
    """Names of the maps in the package."""
    names = (entry.name for entry in files("mmrole.core").joinpath("label_sets", "maps").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def label_map(mapping: LabelMap | str) -> LabelMap:
    """A map by its name in the package, or the map itself.

    Raises:
        UsageError: no map of that name
    """
    return mapping if isinstance(mapping, LabelMap) else _packaged(mapping)


@lru_cache
def _packaged(name: str) -> LabelMap:
    if name not in label_maps():
        raise UsageError(f"no label map {name!r}; there are {', '.join(label_maps())}, or give a TOML file")
    text = files("mmrole.core").joinpath("label_sets", "maps", f"{name}.toml").read_text(encoding="utf-8")
    return _parsed(text, f"label map {name}")


def read_label_map(path: str | Path) -> LabelMap:
    """Reads a map from a TOML file; its label sets are those of the package.

    Raises:
        InputError: the file cannot be read, is not of that form, or the map is not total
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a label map ({error})") from None
    return _parsed(text, str(path))


def _parsed(text: str, place: str) -> LabelMap:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{place}: not TOML ({error})") from None
    given = validated(LabelMapFile, content, place)
    return LabelMap(
        name=given.name,
        source=label_set(given.source),
        target=label_set(given.target),
        to=given.map,
        dropped=tuple(given.drop),
        merges=given.merges,
        reference=given.reference,
    )
