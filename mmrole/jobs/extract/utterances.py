"""The second pass: one row per stored clip, normalised over all that are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import pyarrow as pa

from extractors.audio.moments import STRETCHES, FeatureSummary, Moments
from extractors.audio.normalize import Normalized, Utterance, normalize
from extractors.audio.prosody import ProsodyFeatures
from mmrole.core.canonical import Record
from mmrole.core.tables import table_bytes

DEFINITION: Final = "utterances/v1"
"""Changes whenever a column comes to mean something else."""

_NOTHING: Final = FeatureSummary(moments=Moments(), stretches=(None,) * STRETCHES)
_TEXT, _REAL, _WHOLE = pa.string(), pa.float64(), pa.int32()
_SEQUENCE = pa.list_(pa.float64(), STRETCHES)

_Row = tuple[Record, Normalized]
_Get = Callable[[_Row], Any]


def _of(*path: str) -> _Get:
    """A value of the record, null where a step is missing."""

    def get(row: _Row) -> Any:
        value: Any = row[0]
        for step in path:
            value = (value or {}).get(step)
        return value

    return get


def _norm(feature: str, what: str) -> _Get:
    return lambda row: getattr(getattr(row[1], feature), what)


def _warnings(row: _Row) -> list[str]:
    return sorted({*row[0]["warnings"], *map(str, row[1].cautions)})


_Z = "(mean of the clip - mean of the reference's frames) / their standard deviation"
_STRETCH = "the same for 20 equal stretches of the clip, null where a stretch was not measured"
_WORD = "very low, low, normal, high, very high: cut at -1.3, -0.5, 0.5, 1.3"
_COLUMNS: Final[tuple[tuple[str, pa.DataType, str, str, _Get], ...]] = (
    ("clip_id", _TEXT, "", "the clip", _of("clip_id")),
    ("path", _TEXT, "", "its file", _of("path")),
    ("status", _TEXT, "", "ok, partial or failed", _of("status")),
    ("reason", _TEXT, "", "why nothing could be measured", _of("reason")),
    ("audio_status", _TEXT, "", "ok, partial, missing, failed or off", _of("audio", "status")),
    ("audio_reason", _TEXT, "", "why the sound could not be measured, or not wholly", _of("audio", "reason")),
    ("video_status", _TEXT, "", "ok, partial, missing, failed or off", _of("video", "status")),
    ("video_reason", _TEXT, "", "why the picture could not be measured, or not wholly", _of("video", "reason")),
    ("warnings", pa.list_(_TEXT), "", "what a reader of the numbers should know", _warnings),
    ("speaker", _TEXT, "", "name of the speaking role", _of("speaker")),
    ("gender", _TEXT, "", "gender of the speaking role, as the table spells it", _of("gender")),
    ("duration_s", _REAL, "s", "from the container's start to the end of what was decoded", _of("duration_s")),
    ("speech_s", _REAL, "s", "speech time", _of("audio", "speech_s")),
    ("syllables", _WHOLE, "1", "syllables", _of("audio", "syllables")),
    ("syllables_from", _TEXT, "", "transcript or sound", _of("audio", "syllables_from")),
    ("rate_syll_s", _REAL, "syllables/s", "syllables over speech time", _of("audio", "rate_syll_s")),
    ("f0_median_hz", _REAL, "Hz", "median fundamental frequency of the voiced frames", _of("audio", "f0_median_hz")),
    ("volume_mean_db", _REAL, "dB", "mean level of the speech frames, dBFS", _of("audio", "volume_mean_db")),
    ("rate_z", _REAL, "1", f"speaking rate: {_Z}", _norm("speed", "z")),
    ("pitch_z", _REAL, "1", f"ln F0: {_Z}", _norm("pitch", "z")),
    ("volume_z", _REAL, "1", f"volume: {_Z}", _norm("volume", "z")),
    ("rate_level", _TEXT, "", _WORD, _norm("speed", "level")),
    ("pitch_level", _TEXT, "", _WORD, _norm("pitch", "level")),
    ("volume_level", _TEXT, "", _WORD, _norm("volume", "level")),
    ("reference", _TEXT, "", "speaker, gender or corpus: what it was normalised against", lambda row: row[1].reference),
    ("speed_seq", _SEQUENCE, "1", f"speaking rate: {_STRETCH}", _norm("speed", "sequence")),
    ("pitch_seq", _SEQUENCE, "1", f"ln F0: {_STRETCH}", _norm("pitch", "sequence")),
    ("volume_seq", _SEQUENCE, "1", f"volume: {_STRETCH}", _norm("volume", "sequence")),
    ("frames", _WHOLE, "1", "sampled frames", _of("video", "frames")),
    ("frames_face", _WHOLE, "1", "sampled frames with the speaker's face", _of("video", "frames_face")),
    ("frames_body", _WHOLE, "1", "sampled frames with the speaker's body", _of("video", "frames_body")),
    ("face_rate", _REAL, "1", "share of the sampled frames with the speaker's face", _of("video", "face_rate")),
)


def utterance_table(records: Iterable[Record]) -> bytes:
    """utterances.parquet: a row for every stored clip, in the order of their ids, which makes it the same for any number of jobs.

    Args:
        records: all records of the journal
    """
    ordered = sorted(records, key=lambda record: str(record["clip_id"]))
    rows = list(zip(ordered, normalize([_utterance(record) for record in ordered]), strict=True))
    fields, arrays = [], []
    for name, kind, unit, meaning, get in _COLUMNS:
        arrays.append(pa.array([get(row) for row in rows], kind))
        fields.append(pa.field(name, kind, metadata={"unit": unit, "meaning": meaning}))
    schema = pa.schema(
        fields, metadata={"definition": DEFINITION, "content": "one row per clip; null where not measured"}
    )
    return table_bytes(pa.Table.from_arrays(arrays, schema=schema))


def _utterance(record: Record) -> Utterance:
    stored = (record.get("audio") or {}).get("features") or {}

    def summary(name: str) -> FeatureSummary:
        return FeatureSummary.from_record(stored[name]) if name in stored else _NOTHING

    features = ProsodyFeatures(speed=summary("speed"), pitch=summary("pitch"), volume=summary("volume"))
    return Utterance(features=features, speaker=record.get("speaker"), gender=record.get("gender"))
