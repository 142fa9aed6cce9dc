"""`mmrole labels`, and label sets and maps as an option names them: by name in the package, or a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mmrole.core.errors import UsageError
from mmrole.core.label_maps import LabelMap, label_map, label_maps, read_label_map
from mmrole.core.labels import LabelSet, label_set, label_sets, read_label_set


def find_label_set(name: str) -> LabelSet:
    """A label set by its name in the package or the path of its TOML file.

    Raises:
        UsageError: neither
        InputError: the file is no label set
    """
    return read_label_set(name) if _is_file(name) else label_set(name)


def find_label_map(name: str) -> LabelMap:
    """A label map by its name in the package or the path of its TOML file.

    Raises:
        UsageError: neither
        InputError: the file is no label map
    """
    return read_label_map(name) if _is_file(name) else label_map(name)


def _is_file(name: str) -> bool:
    return name.endswith(".toml") or Path(name).is_file()


def all_labels() -> tuple[list[LabelSet], list[LabelMap]]:
    """The label sets and the maps in the package."""
    return [label_set(name) for name in label_sets()], [label_map(name) for name in label_maps()]


def find_labels(name: str) -> LabelSet | LabelMap:
    """A label set or a map, by its name in the package or the path of its TOML file.

    Raises:
        UsageError: neither
        InputError: the file is none
    """
    if _is_file(name):
        # a map says where it leads, a set does not
        text = Path(name).read_text(encoding="utf-8", errors="replace") if Path(name).is_file() else ""
        is_map = any(line.split("=")[0].strip() == "target" for line in text.splitlines())
        return read_label_map(name) if is_map else read_label_set(name)
    if name in label_maps():
        return label_map(name)
    if name in label_sets():
        return label_set(name)
    there = ", ".join([*label_sets(), *label_maps()])
    raise UsageError(f"no label set or map {name!r}; there are {there}, or give a TOML file")


def map_record(mapping: LabelMap) -> dict[str, Any]:
    """A label map as one JSON record."""
    return {
        "name": mapping.name,
        "source": mapping.source.name,
        "target": mapping.target.name,
        "map": dict(mapping.to),
        "drop": list(mapping.dropped),
        "merges": mapping.merges,
        "reference": mapping.reference,
    }


def map_of_record(record: dict[str, Any]) -> LabelMap:
    """A label map from what `map_record` gave; its label sets are those of the package."""
    return LabelMap(
        name=record["name"],
        source=label_set(record["source"]),
        target=label_set(record["target"]),
        to=record["map"],
        dropped=tuple(record["drop"]),
        merges=record["merges"],
        reference=record["reference"],
    )
