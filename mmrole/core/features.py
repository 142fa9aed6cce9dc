"""The features folder: where each part of it lies, and how it is read back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Final

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, StoreError
from mmrole.core.journal import read_records
from mmrole.core.manifest import read_manifest
from mmrole.core.tables import read_table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

JOURNAL = "clips.jsonl"
MANIFEST = "manifest.json"
UTTERANCES = "utterances.parquet"
PROSODY, TRACKS, KEYFRAMES = "prosody", "tracks", "keyframes"
KEYFRAME_LIST = "keyframes.jsonl"

_LONGEST_BYTES = 255 - len(".parquet")
"""File systems take 255 bytes for one part of a path."""


def output_name(clip_id: str) -> str:
    """The path of a clip's outputs below their folder: the clip id, with parts that are too long shortened by a hash."""
    return "/".join(_short(part) for part in clip_id.split("/"))


def _short(part: str) -> str:
    data = part.encode("utf-8", "surrogateescape")
    if len(data) <= _LONGEST_BYTES:
        return part
    kept = data[: _LONGEST_BYTES - 20].decode("utf-8", "ignore")
    return f"{kept}~{hashlib.sha256(data).hexdigest()[:12]}"


def prosody_file(clip_id: str) -> str:
    """Name of a clip's prosody table below the features folder."""
    return f"{PROSODY}/{output_name(clip_id)}.parquet"


def track_file(clip_id: str) -> str:
    """Name of a clip's track table below the features folder."""
    return f"{TRACKS}/{output_name(clip_id)}.parquet"


def keyframe_folder(clip_id: str) -> str:
    """Name of the folder of a clip's keyframes below the features folder."""
    return f"{KEYFRAMES}/{output_name(clip_id)}"


class FeatureStore:
    """What `mmrole extract` left in a folder.

    Args:
        folder: the folder that was its ``--out``

    Raises:
        StoreError: there is no finished run in it
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.is_file():
            raise StoreError(f"{folder} is a file: name the folder of features, the --out of mmrole extract")
        if not self.folder.is_dir():
            raise StoreError(f"{folder} is no folder of features: run `mmrole extract VIDEOS --out {folder}`")
        try:
            self.manifest: Record = read_manifest(self.folder / MANIFEST)
        except StoreError as error:
            raise _by_extract(error, self.folder) from None
        if self.manifest.get("command") not in (None, "extract"):
            raise StoreError(
                f"{folder} holds the results of mmrole {self.manifest['command']}, no features: name a folder of mmrole extract"
            )
        self.records = _records(self.folder / JOURNAL)

    @property
    def utterances(self) -> pd.DataFrame:
        """One row per clip: summary, levels and normalised sequences (columns: see the README). Missing is null."""
        return self.table(UTTERANCES).to_pandas()

    def table(self, name: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """One of the tables.

        Args:
            name: of its file below the folder, such as `track_file` gives
            columns: of these columns only; all when None

        Raises:
            StoreError: it is missing, damaged or without one of the columns; the message names it
        """
        try:
            return read_table(self.folder / name, columns=columns)
        except StoreError as error:
            raise _by_extract(error, self.folder) from None

    def record(self, clip_id: str) -> Record:
        """The journal record of a clip: statuses, reasons, warnings.

        Raises:
            InputError: there is no such clip; the message names some that are there
        """
        if clip_id not in self.records:
            some = ", ".join(sorted(self.records)[:5])
            raise InputError(f"{self.folder} holds no clip {clip_id!r}; it holds {len(self.records)}: {some}, ...")
        return self.records[clip_id]

    def prosody(self, clip_id: str) -> pd.DataFrame:
        """Prosody of a clip on the 10 ms grid: time_s, f0_hz, volume_db, speech, rate_syll_s. Missing is null.

        Raises:
            InputError: there is no such clip, or it has no prosody; the message says why
        """
        return self._table(clip_id, prosody_file(clip_id), "audio")

    def track(self, clip_id: str) -> pd.DataFrame:
        """Sampled frames of a clip: time_s, the speaker's face and body. Missing is null.

        Raises:
            InputError: there is no such clip, or it has no track; the message says why
        """
        return self._table(clip_id, track_file(clip_id), "video")

    def _table(self, clip_id: str, name: str, kind: str) -> pd.DataFrame:
        record = self.record(clip_id)
        if name not in record.get("files", {}):
            why = (
                (record.get(kind) or {}).get("reason") or record.get("reason") or (record.get(kind) or {}).get("status")
            )
            raise InputError(f"clip {clip_id!r} has no {kind} features: {why}")
        return self.table(name).to_pandas()

    def keyframes(self, clip_id: str) -> list[Record]:
        """The keyframes of a clip: ``path`` of the JPEG, kind (face, body or frame), time_s, reason.

        Raises:
            InputError: there is no such clip
        """
        folder = self.folder / keyframe_folder(clip_id)
        if f"{keyframe_folder(clip_id)}/{KEYFRAME_LIST}" not in self.record(clip_id).get("files", {}):
            return []
        return [{**row, "path": folder / row["file"]} for row in read_records(folder / KEYFRAME_LIST)]


def _by_extract(error: StoreError, folder: Path) -> StoreError:
    """The error for who reads the features: another command has to mend them."""
    return StoreError(f"{str(error).partition('; run ')[0]}; run mmrole extract again, with --out {folder}")


def _records(path: Path) -> dict[str, Record]:
    """Clip id -> record of the journal."""
    out: dict[str, Record] = {}
    try:
        for number, record in enumerate(read_records(path), start=1):
            strange = next((name for name, kind in _FORM.items() if not isinstance(record.get(name), kind)), None)
            if strange is not None:
                raise StoreError(
                    f"{path}, record {number}: field {strange} is {record.get(strange)!r:.60}: the journal is damaged; "
                    f"run mmrole extract again, into a new folder"
                )
            out[record["clip_id"]] = record
    except FileNotFoundError:
        raise StoreError(f"{path} is missing; run mmrole extract again, with --out {path.parent}") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror or error})") from None
    return out


_FORM: Final[Mapping[str, type | UnionType]] = {
    "clip_id": str,
    "status": str | None,
    "audio": dict | None,
    "video": dict | None,
    "files": dict | None,
}
"""What a record of the journal has to hold for its readers."""


def read_features(folder: str | Path) -> FeatureStore:
    """Opens a features folder.

    Raises:
        StoreError: there is no finished run in it
    """
    return FeatureStore(folder)
