"""From the features folder to the measures of one utterance, or the reason why there are none."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from emotion.describers.measures import BodyMeasures, FaceMeasures, Sequence20, SpeechMeasures
from emotion.describers.requests import Picture
from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS
from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError
from mmrole.core.features import UTTERANCES, FeatureStore, track_file
from mmrole.jobs.describe.units import Unit
from mmrole.llm import ImagePart

T = TypeVar("T")

_COLUMNS: Final = (
    "clip_id", "rate_level", "pitch_level", "volume_level", "speed_seq", "pitch_seq", "volume_seq", "reference", "warnings",
)  # fmt: skip
"""Of the table of utterances, which has many more."""
_TRACK: Final = ("time_s", "blendshapes", "head_pose_deg", "body_landmarks")
"""Of a track, whose other columns are much larger."""


@dataclass(frozen=True, kw_only=True)
class Absent:
    """Why there is nothing to describe.

    Attributes:
        reason: a code, and for people what was seen
        failed: the features should be there and cannot be read
    """

    reason: str
    failed: bool = False


class Measures:
    """The measures of the utterances of one features folder.

    Args:
        store: the features
    """

    def __init__(self, store: FeatureStore) -> None:
        self._store = store
        self._last: tuple[str, Any] | None = None

    @cached_property
    def _rows(self) -> dict[str, Record]:
        rows: list[Record] = self._store.table(UTTERANCES, columns=_COLUMNS).to_pylist()
        return {row["clip_id"]: row for row in rows}

    def files_key(self, unit: Unit, modality: str) -> Record:
        """Everything of the features that decides an embedded description, as JSON values."""
        record = {} if unit.clip_id is None else self._store.records[unit.clip_id]
        if modality == "speech":
            speech = self.speech(unit)
            return {"speech": speech.reason if isinstance(speech, Absent) else speech.to_record()}
        video = record.get("video") or {}
        return {
            "status": record.get("status"),
            "reason": record.get("reason"),
            "video": {name: video.get(name) for name in ("status", "reason", "frames_face", "frames_body", "width_px", "height_px")},
            "track": None if unit.clip_id is None else (record.get("files") or {}).get(track_file(unit.clip_id)),
        }  # fmt: skip

    def speech(self, unit: Unit) -> SpeechMeasures | Absent:
        """Levels and curves of an utterance."""
        record = self._usable(unit)
        if isinstance(record, Absent):
            return record
        row = self._rows.get(record["clip_id"])
        if row is None:
            return Absent(
                reason="features_damaged: the clip is not in utterances.parquet; run mmrole extract again", failed=True
            )
        speech = SpeechMeasures(
            speed_level=_word(row["rate_level"]),
            pitch_level=_word(row["pitch_level"]),
            volume_level=_word(row["volume_level"]),
            speed=_sequence(row["speed_seq"]),
            pitch=_sequence(row["pitch_seq"]),
            volume=_sequence(row["volume_seq"]),
            reference=_word(row["reference"]),
            transcript=unit.text,
        )
        return speech if speech.measured else Absent(reason=_why_no_speech(record, row))

    def face(self, unit: Unit) -> FaceMeasures | Absent:
        """The face over the frames of a clip."""
        record = self._seen(unit, "face")
        return record if isinstance(record, Absent) else self._read(record, self._face)

    def body(self, unit: Unit) -> BodyMeasures | Absent:
        """The body over the frames of a clip."""
        record = self._seen(unit, "body")
        return record if isinstance(record, Absent) else self._read(record, self._body)

    def pictures(self, unit: Unit, modality: str) -> tuple[Picture, ...] | Absent:
        """The keyframes of a face or a body: the cut-out ones and whole frames, in the order of time."""
        record = self._seen(unit, modality)
        return record if isinstance(record, Absent) else self._read(record, lambda r: self._pictures(r, modality))

    def duration_s(self, unit: Unit) -> float:
        """Length of the clip, 0 where it is not known."""
        record = {} if unit.clip_id is None else self._store.records[unit.clip_id]
        return float(record.get("duration_s") or 0.0)

    def _usable(self, unit: Unit) -> Record | Absent:
        if unit.clip_id is None:
            return Absent(reason="not_in_features")
        record = self._store.records[unit.clip_id]
        if record.get("status") == "failed":
            return Absent(reason=f"clip_failed: {record.get('reason')}")
        return record

    def _seen(self, unit: Unit, what: str) -> Record | Absent:
        """The record of a clip in which a face or a body was found."""
        record = self._usable(unit)
        if isinstance(record, Absent):
            return record
        video = record.get("video") or {}
        if video.get("status") in ("off", "missing", "failed", None):
            return Absent(reason=str(video.get("reason") or f"video_{video.get('status') or 'missing'}"))
        if not video.get(f"frames_{what}"):
            return Absent(reason=f"no_{what}")
        return record

    def _read(self, record: Record, read: Callable[[Record], T | Absent]) -> T | Absent:
        """What is in the files of a clip; one damaged file costs its descriptions, not the run."""
        try:
            return read(record)
        except (StoreError, OSError, KeyError, TypeError, ValueError) as error:
            why = " ".join(f"{error}".partition("; run ")[0].split())[:160] or type(error).__name__
            return Absent(reason=f"features_damaged: {why}; run mmrole extract again", failed=True)

    def _track(self, record: Record) -> Any:
        clip_id = record["clip_id"]
        if self._last is None or self._last[0] != clip_id:  # face and body of a clip are asked for one after the other
            self._last = clip_id, self._store.table(track_file(clip_id), columns=_TRACK)
        return self._last[1]

    def _face(self, record: Record) -> FaceMeasures | Absent:
        table = self._track(record)
        known = _known(table, "blendshapes") & _known(table, "head_pose_deg")
        if not known.any():
            return Absent(reason="no_face")
        return FaceMeasures(
            time_s=table["time_s"].to_numpy()[known],
            blendshapes=_vectors(table, "blendshapes", known),
            names=BLENDSHAPES,
            head_pose_deg=_vectors(table, "head_pose_deg", known),
            frames=table.num_rows,
        )

    def _body(self, record: Record) -> BodyMeasures | Absent:
        table = self._track(record)
        known = _known(table, "body_landmarks")
        if not known.any():
            return Absent(reason="no_body")
        return BodyMeasures(
            time_s=table["time_s"].to_numpy()[known],
            landmarks=_vectors(table, "body_landmarks", known).reshape(int(known.sum()), -1, 4),
            names=BODY_LANDMARKS,
            width_px=float(record["video"]["width_px"]),
            height_px=float(record["video"]["height_px"]),
            frames=table.num_rows,
        )

    def _pictures(self, record: Record, modality: str) -> tuple[Picture, ...] | Absent:
        chosen = [row for row in self._store.keyframes(record["clip_id"]) if row["kind"] in (modality, "frame")]
        if not any(row["kind"] == modality for row in chosen):
            return Absent(reason="no_keyframes")
        # the pictures that show it best come first in a row of equal times
        chosen.sort(key=lambda row: (float(row["time_s"]), row["kind"] == "frame"))
        return tuple(
            Picture(image=ImagePart(data=row["path"].read_bytes()), kind=row["kind"], time_s=float(row["time_s"]))
            for row in chosen
        )


def _why_no_speech(record: Record, row: Record) -> str:
    audio = record.get("audio") or {}
    status = audio.get("status")
    if status in ("off", "missing", "failed", None):
        return str(audio.get("reason") or f"audio_{status or 'missing'}")
    warnings = row["warnings"] if row["warnings"] is not None else ()
    if "no_reference" in warnings:
        return "no_reference"
    return str(audio.get("reason") or ("no_speech" if "no_speech" in warnings else "not_measured"))


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _sequence(values: Any) -> Sequence20 | None:
    if values is None or isinstance(values, float):
        return None
    return tuple(None if value is None or math.isnan(value) else float(value) for value in values)


def _known(table: Any, name: str) -> NDArray[np.bool_]:
    return np.asarray(table[name].is_valid().to_numpy(), np.bool_)


def _vectors(table: Any, name: str, known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n, size) of the rows that are known."""
    column = table[name].combine_chunks().filter(known)
    values = np.asarray(column.flatten().to_numpy(zero_copy_only=False), np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"the track has a value of {name} that is no number")
    return values.reshape(len(column), -1)
