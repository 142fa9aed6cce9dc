"""Finds questionnaires: the user's own files, and those that are packaged with their texts."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from textbench.incharacter.questionnaire import Questionnaire, questionnaire_of
from textbench.incharacter.scales import SCALES
from textbench.json_files import read_object

PACKAGED: Final = ("IPIP-50",)
"""Questionnaires that come with their texts."""


def read_questionnaire(path: str | Path) -> Questionnaire:
    """A questionnaire file.

    Raises:
        InputError: one line with file, key and what is wrong
    """
    return questionnaire_of(read_object(path), str(path))


def packaged_questionnaire(name: str) -> Questionnaire:
    """One of `PACKAGED`.

    Raises:
        UsageError: there is none of this name
    """
    if name not in PACKAGED:
        if name in SCALES:
            raise UsageError(f"the items of {name} are not ours to give away: point --questionnaires to your copy")
        raise UsageError(f"there is no packaged questionnaire {name!r}; there is {', '.join(PACKAGED)}")
    place = files("textbench.incharacter").joinpath("data", f"{name}.json")
    record: Record = json.loads(place.read_text("utf-8"))
    return questionnaire_of(record, f"{name}.json")


def find_questionnaires(names: list[str], folder: str | Path | None = None) -> list[Questionnaire]:
    """Questionnaires by the names of their scales.

    Args:
        names: of scales; ``["all"]`` for every file in the folder
        folder: ``NAME.json`` files; what it lacks is looked for among the packaged ones

    Raises:
        UsageError: the folder is not there, or there is none of a name
        InputError: a file cannot be understood
    """
    if folder is not None and not Path(folder).is_dir():
        raise UsageError(f"{folder} is no folder: --questionnaires takes the folder of the questionnaires' JSON files")
    there = {} if folder is None else {path.stem: path for path in sorted(Path(folder).glob("*.json"))}
    if names == ["all"]:
        names = list(there) or list(PACKAGED)
    found = [read_questionnaire(there[name]) if name in there else packaged_questionnaire(name) for name in names]
    for number, each in enumerate(found):
        if any(other.name == each.name for other in found[:number]):
            raise UsageError(f"the scale {each.name} is named twice")
    return found
