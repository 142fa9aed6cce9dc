"""Whether votes, judgements and responses that are scored together are of the same responses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record, printable_path
from mmrole.core.errors import InputError, StoreError
from mmrole.core.manifest import read_manifest
from mmrole.jobs.result_folder import MANIFEST

_COMMANDS: Final = {"votes": "recognize", "judgements": "judge"}


def check_same_responses(inputs: Mapping[str, Record]) -> None:
    """Refuses files whose manifests say that they were made of different responses: of another agent, condition or run.

    A file without a manifest beside it that vouches for its bytes says nothing, and is taken as it is.

    Args:
        inputs: name of the option -> record of its file, of ``votes``, ``judgements`` and ``responses``

    Raises:
        InputError: two of them are of different responses
    """
    made_of = {option: sha256 for option in _COMMANDS if (sha256 := _responses_of(option, inputs)) is not None}
    if "responses" in inputs:
        made_of = {"responses": inputs["responses"]["sha256"], **made_of}
    for option, sha256 in made_of.items():
        first, wanted = next(iter(made_of.items()))
        if sha256 != wanted:
            raise InputError(
                f"{_shown(inputs[option])}: the {option} are on other responses than {_of(first, inputs)}: they belong to another "
                f"agent, condition or run; name the right files, or run mmrole {_COMMANDS[option]} again"
            )


def _responses_of(option: str, inputs: Mapping[str, Record]) -> str | None:
    """SHA-256 of the responses that a file was made of, where its manifest vouches for the file."""
    if option not in inputs:
        return None
    path = Path(inputs[option]["path"])
    try:
        manifest = read_manifest(path.parent / MANIFEST)
        if manifest["command"] != _COMMANDS[option] or manifest["files"][path.name] != inputs[option]["sha256"]:
            return None
        sha256 = manifest["inputs"]["responses"]["sha256"]
    except (StoreError, KeyError, TypeError):
        return None
    return sha256 if isinstance(sha256, str) else None


def _of(option: str, inputs: Mapping[str, Record]) -> str:
    return _shown(inputs[option]) if option == "responses" else f"the {option} in {_shown(inputs[option])}"


def _shown(record: Record) -> str:
    return printable_path(Path(record["path"]))
