"""What was measured of clips, as experts take it: means of the blendshapes, prosody against the reference, the file itself."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import InputError
from mmrole.core.features import UTTERANCES, FeatureStore, track_file
from mmrole.core.tables import read_table

PROSODY: Final = ("rate_z", "pitch_z", "volume_z", "rate_level", "pitch_level", "volume_level")


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One clip; see the fields of `emotion.experts.expert.Case`."""

    blendshapes: npt.NDArray[np.float64] | None = None
    blendshape_names: tuple[str, ...] = ()
    prosody: dict[str, Any] | None = None
    audio: Path | None = None
    audio_sha256: str | None = None


class ClipFeatures:
    """The features folder by utterance; a clip belongs to the utterance whose id is its clip id, or the last part of it.

    Args:
        folder: what `mmrole extract` filled
        utterance_ids: of the dialogues
        faces: read the tracks, one file a clip; without it there are no blendshapes
        sound: give the files of clips, for experts that listen

    Attributes:
        clips: utterance id -> clip id
        strangers: clips of no utterance

    Raises:
        StoreError: it is no finished features folder
        InputError: two clips belong to one utterance
    """

    def __init__(
        self, folder: str | os.PathLike[str], utterance_ids: set[str], *, faces: bool = True, sound: bool = True
    ) -> None:
        self._store = FeatureStore(Path(folder))
        self._faces, self._sound = faces, sound
        self.clips: dict[str, str] = {}
        self.strangers: list[str] = []
        for clip_id in self._store.records:
            name = clip_id if clip_id in utterance_ids else clip_id.rpartition("/")[2]
            if name not in utterance_ids:
                self.strangers.append(clip_id)
            elif name in self.clips:
                raise InputError(
                    f"{folder}: the clips {self.clips[name]!r} and {clip_id!r} are both of utterance {name!r}"
                )
            else:
                self.clips[name] = clip_id
        table = read_table(self._store.folder / UTTERANCES)
        columns = {name: table.column(name).to_pylist() for name in ("clip_id", "audio_status", *PROSODY)}
        self._row = {clip_id: row for row, clip_id in enumerate(columns["clip_id"])}
        self._columns = columns
        self._means: dict[str, tuple[npt.NDArray[np.float64] | None, tuple[str, ...]]] = {}

    def of(self, utterance_id: str) -> Measured:
        """What was measured of an utterance; nothing where it has no clip.

        Raises:
            StoreError: its track is missing or damaged
        """
        clip_id = self.clips.get(utterance_id)
        if clip_id is None:
            return Measured()
        if self._faces and clip_id not in self._means:
            self._means[clip_id] = self._blendshapes(clip_id)
        means, names = self._means.get(clip_id, (None, ()))
        audio, sha256 = self._audio(clip_id) if self._sound else (None, None)
        return Measured(
            blendshapes=means, blendshape_names=names, prosody=self._prosody(clip_id), audio=audio, audio_sha256=sha256
        )

    def _prosody(self, clip_id: str) -> dict[str, Any] | None:
        row = self._row.get(clip_id)
        if row is None or self._columns["audio_status"][row] not in ("ok", "partial"):
            return None
        return {name: self._columns[name][row] for name in PROSODY}

    def _blendshapes(self, clip_id: str) -> tuple[npt.NDArray[np.float64] | None, tuple[str, ...]]:
        name = track_file(clip_id)
        if name not in self._store.record(clip_id).get("files", {}):
            return None, ()
        table = read_table(self._store.folder / name)
        values: Any = table.column("blendshapes").drop_null().combine_chunks()
        metadata = table.schema.field("blendshapes").metadata or {}
        names = tuple(json.loads(metadata.get(b"names", b"[]")))
        if not len(values):
            return None, names
        rows = np.asarray(values.flatten(), dtype=np.float64).reshape(len(values), -1)
        return rows.mean(axis=0), names

    def _audio(self, clip_id: str) -> tuple[Path | None, str | None]:
        record = self._store.record(clip_id)
        there = (record.get("audio") or {}).get("status") in ("ok", "partial")
        if not there or record.get("segment") is not None:  # a segment's file holds more than the clip
            return None, None
        return Path(record["path"]), record.get("sha256")
