"""What was measured of clips, as experts take it: means of the blendshapes, prosody against the reference, the file itself."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mmrole.core.errors import InputError, StoreError
from mmrole.core.features import UTTERANCES, FeatureStore, track_file

PROSODY: Final = ("rate_z", "pitch_z", "volume_z", "rate_level", "pitch_level", "volume_level")


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One clip; see the fields of `emotion.experts.expert.Case`."""

    blendshapes: npt.NDArray[np.float64] | None = None
    blendshape_names: tuple[str, ...] = ()
    prosody: dict[str, Any] | None = None
    audio: Path | None = None
    audio_sha256: str | None = None
    damaged: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Face:
    """What was measured of a face: means of the blendshapes; or why it cannot be read."""

    means: npt.NDArray[np.float64] | None = None
    names: tuple[str, ...] = ()
    damaged: str | None = None


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
        StoreError: it is no finished features folder, or its table of utterances cannot be read
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
                    f"{folder}: the clips {self.clips[name]!r} and {clip_id!r} are both of utterance {name!r}: "
                    "extract one of them into another folder"
                )
            else:
                self.clips[name] = clip_id
        columns = self._store.table(UTTERANCES, columns=("clip_id", "audio_status", *PROSODY)).to_pydict()
        self._row = {clip_id: row for row, clip_id in enumerate(columns["clip_id"])}
        self._columns = columns
        self._seen: dict[str, _Face] = {}

    def of(self, utterance_id: str) -> Measured:
        """What was measured of an utterance; nothing where it has no clip.

        What cannot be read of one clip is in ``damaged``, and costs no other clip anything.
        """
        clip_id = self.clips.get(utterance_id)
        if clip_id is None:
            return Measured()
        if self._faces and clip_id not in self._seen:
            self._seen[clip_id] = self._face(clip_id)
        face = self._seen.get(clip_id, _Face())
        audio, sha256 = self._audio(clip_id) if self._sound else (None, None)
        damaged = {} if face.damaged is None else {"face": face.damaged}
        if clip_id not in self._row:
            damaged["speech"] = f"clip {clip_id!r} is not in {UTTERANCES}; run mmrole extract again"
        return Measured(
            blendshapes=face.means,
            blendshape_names=face.names,
            prosody=self._prosody(clip_id),
            audio=audio,
            audio_sha256=sha256,
            damaged=damaged,
        )

    def _prosody(self, clip_id: str) -> dict[str, Any] | None:
        row = self._row.get(clip_id)
        if row is None or self._columns["audio_status"][row] not in ("ok", "partial"):
            return None
        return {name: self._columns[name][row] for name in PROSODY}

    def _face(self, clip_id: str) -> _Face:
        name = track_file(clip_id)
        if name not in (self._store.record(clip_id).get("files") or {}):
            return _Face()
        try:
            table = self._store.table(name, columns=("blendshapes",))
            values: Any = table.column("blendshapes").drop_null().combine_chunks()
            metadata = table.schema.field("blendshapes").metadata or {}
            names = tuple(json.loads(metadata.get(b"names", b"[]")))
            if not len(values):
                return _Face(names=names)
            rows = np.asarray(values.flatten(), dtype=np.float64).reshape(len(values), -1)
        except StoreError as error:
            return _Face(damaged=str(error))
        except (TypeError, ValueError, AttributeError) as error:  # a column of another type
            return _Face(damaged=f"{self._store.folder / name} is damaged ({error}); run mmrole extract again")
        return _Face(means=rows.mean(axis=0), names=names)

    def _audio(self, clip_id: str) -> tuple[Path | None, str | None]:
        record = self._store.record(clip_id)
        there = (record.get("audio") or {}).get("status") in ("ok", "partial")
        if not there or record.get("segment") is not None:  # a segment's file holds more than the clip
            return None, None
        return Path(record["path"]), record.get("sha256")
