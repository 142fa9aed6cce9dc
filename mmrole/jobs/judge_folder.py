"""The folder of `mmrole judge`, read again: its judgements, and the files that it is of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from emotion.metrics.rc import Aspect
from emotion.response_records import agents_of
from mmrole.core.canonical import Record, file_sha256, printable_path
from mmrole.core.errors import InputError, StoreError
from mmrole.core.journal import read_records
from mmrole.core.manifest import read_manifest
from mmrole.jobs.judge_inputs import JudgeInputs, read_judge_inputs
from mmrole.jobs.kept import keep_to_settings, keep_to_utterances
from mmrole.jobs.result_folder import MANIFEST

File = str | os.PathLike[str]
JUDGEMENTS: Final = "judgements.jsonl"
SETTINGS: Final = "judged.json"
"""What the folder's judgements are of."""


@dataclass(frozen=True, kw_only=True)
class JudgeFolder:
    """A finished run of `mmrole judge`.

    Attributes:
        path: the folder
        manifest: what its manifest.json holds
        records: of judgements.jsonl
    """

    path: Path
    manifest: Record
    records: list[Record]

    @property
    def method(self) -> str:
        """``evidence`` or ``subjective``."""
        return str(self.manifest["settings"]["method"])

    @property
    def aspects(self) -> list[Aspect]:
        """What was judged."""
        aspects: list[Aspect] = self.manifest["settings"]["aspects"]
        return aspects

    @property
    def judges(self) -> list[str]:
        """Names of the judges."""
        return list(self.manifest["judges"])

    def inputs(self, moved: Mapping[str, File | None]) -> JudgeInputs:
        """What was judged, read anew from the same files.

        Args:
            moved: responses, dialogues, roles, previous -> where the file is now; None for where it was

        Raises:
            InputError: a file is not where it was, or is another one
        """
        settings: Mapping[str, Any] = self.manifest["settings"]
        files: dict[str, File] = {}
        for name, before in self.manifest["inputs"].items():
            path = moved.get(name) or before["path"]
            try:
                same = file_sha256(os.fspath(path)) == before["sha256"]
            except OSError as error:
                raise InputError(
                    f"{printable_path(path)}: the {name} of {self.path} cannot be read ({error.strerror}): say where they are with --{name}"
                ) from None
            if not same:
                raise InputError(
                    f"{printable_path(path)}: not the {name} that {self.path} is of, it has other bytes: judge again, or name the file "
                    f"that was judged with --{name}"
                )
            files[name] = path
        return read_judge_inputs(
            files["responses"], files["dialogues"], files["roles"], files.get("previous"),
            aspects=self.aspects, lang=settings["language"], format=settings["format"],
        )  # fmt: skip


def keep_to_judged(folder: Path, found: JudgeInputs, journals: Sequence[Path], *, write: bool = True) -> None:
    """Refuses to judge other responses, or in another language, than a folder's judgements are of.

    Args:
        folder: the folder
        found: what is to be judged
        journals: of the replies of the judges
        write: keep what it is of where nothing is kept yet

    Raises:
        UsageError: it is of something else
    """
    responses = [sample.response for sample in found.samples]
    settings = {"language": found.language, "judgements of": agents_of(responses)}
    keep_to_settings(folder / SETTINGS, settings, "judgements", write=write)
    ids = {response.utterance_id for response in responses}
    # the keys are METHOD/ASPECT/ID#ROUND
    keep_to_utterances(
        folder, journals, ids, lambda record: str(record["key"]).split("/", 2)[2].rpartition("#")[0], "judgements"
    )


def read_judge_folder(folder: File) -> JudgeFolder:
    """Reads a folder of judgements.

    Args:
        folder: the ``--out`` of `mmrole judge`

    Raises:
        StoreError: it is no such folder, its run has not ended, or a file is missing, damaged or another one than when it was made
    """
    path = Path(folder)
    if path.is_file():
        raise StoreError(f"{folder} is a file: name the folder of judgements, the --out of mmrole judge")
    if not path.is_dir():
        raise StoreError(f"{folder} is no folder of judgements: make it with mmrole judge --out {folder}")
    manifest = read_manifest(path / MANIFEST)
    if manifest.get("command") != "judge":
        raise StoreError(f"{folder} holds the results of mmrole {manifest.get('command')}, not of mmrole judge")
    place = path / JUDGEMENTS
    try:
        if JUDGEMENTS not in manifest["files"]:
            raise StoreError(f"{folder} has no judgements yet, a judge is not through: run mmrole judge again")
        if file_sha256(place) != manifest["files"][JUDGEMENTS]:
            raise StoreError(f"{place}: has other bytes than when it was made; run mmrole judge again")
        return JudgeFolder(path=path, manifest=manifest, records=list(read_records(place)))
    except (KeyError, TypeError, OSError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{folder} is damaged ({type(error).__name__}: {error}); run mmrole judge again") from None
