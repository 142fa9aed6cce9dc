"""Reading a features folder again: is every file there, whole, and the one that the journal vouches for?"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from mmrole.core.canonical import Record, bytes_sha256, file_sha256
from mmrole.core.errors import StoreError
from mmrole.core.features import JOURNAL, KEYFRAME_LIST, KEYFRAMES, MANIFEST, PROSODY, TRACKS, UTTERANCES
from mmrole.core.journal import read_records
from mmrole.core.manifest import read_manifest
from mmrole.core.tables import read_table


@dataclass(kw_only=True)
class Verification:
    """What `verify` found.

    Attributes:
        clips: clips in the journal
        files: files that were read
        problems: one line for each thing that is wrong, with what to do
    """

    clips: int = 0
    files: int = 0
    problems: list[str] = field(default_factory=list)


def verify(features: str | os.PathLike[str]) -> Verification:
    """Reads everything in a features folder and checks it against journal and manifest.

    Raises:
        StoreError: there is no features folder, or its journal is damaged
    """
    folder = Path(features)
    journal = folder / JOURNAL
    if folder.is_file():
        raise StoreError(f"{features} is a file: name the folder of features, the --out of mmrole extract")
    if not journal.is_file():
        raise StoreError(
            f"{features} is no folder of features: it holds no {JOURNAL}; run `mmrole extract VIDEOS --out {features}`"
        )
    records = {record["clip_id"]: record for record in read_records(journal)}
    report = Verification(clips=len(records))
    for record in records.values():
        for name, sha256 in record["files"].items():
            report.files += 1
            report.problems += _file_problems(folder / name, sha256)
    _check_manifest(folder, records, report)
    known = {name for record in records.values() for name in record["files"]}
    found = (
        path for kind in (PROSODY, TRACKS, KEYFRAMES) for path in sorted((folder / kind).rglob("*")) if path.is_file()
    )
    strange = [path for path in found if path.relative_to(folder).as_posix() not in known]
    report.problems += [f"{path}: no record in {JOURNAL} knows it; it may be deleted" for path in strange]
    return report


def _file_problems(path: Path, sha256: str) -> list[str]:
    mend = "run the same mmrole extract command again to make it anew"
    try:
        data = path.read_bytes()
    except OSError as error:
        return [f"{path}: cannot be read: {error.strerror or error}; {mend}"]
    if bytes_sha256(data) != sha256:
        return [f"{path}: has other bytes than when it was made; {mend}"]
    try:
        if path.suffix == ".parquet":
            read_table(path)
        elif path.name == KEYFRAME_LIST:
            list(read_records(path))
        elif cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_REDUCED_COLOR_8) is None:
            return [f"{path}: is no picture; {mend}"]
    except StoreError as error:
        return [str(error)]
    return []


def _check_manifest(folder: Path, records: dict[str, Record], report: Verification) -> None:
    try:
        manifest = read_manifest(folder / MANIFEST)
        utterances = read_table(folder / UTTERANCES)
    except StoreError as error:
        report.problems.append(str(error))
        return
    report.files += 2
    rows = [str(clip_id) for clip_id in utterances.column("clip_id").to_pylist()]
    if sorted(rows) != sorted(records):
        report.problems.append(
            f"{folder / UTTERANCES}: holds {len(rows)} clips, {JOURNAL} holds {len(records)}; run mmrole extract again"
        )
    if manifest.get("utterances_sha256") != file_sha256(folder / UTTERANCES):
        report.problems.append(
            f"{folder / UTTERANCES}: has other bytes than when it was made; run mmrole extract again"
        )
    counts = manifest["counts"]
    if counts["inputs"] != counts["done"] + counts["failed"] + counts["skipped"]:
        report.problems.append(f"{folder / MANIFEST}: inputs = done + failed + skipped does not hold: {counts}")
