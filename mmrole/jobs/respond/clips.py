"""Pictures and sound of a dialogue's clips, from a features folder and the clips that it was made of."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, MediaError
from mmrole.core.features import FeatureStore, read_features
from mmrole.jobs.pictures import picture
from mmrole.llm.chat import AudioPart, ImagePart

KINDS: Final = ("face", "frame")
"""Of each of these kinds one keyframe is shown: the speaker's face, and the whole picture."""
_REMEMBERED: Final = 512
"""Clips whose pictures and sound are kept: the utterances of a dialogue are shown again and again."""


class FeatureClips:
    """The clips of a features folder; see `emotion.playing.history.Clips`.

    Args:
        folder: the features folder
        utterance_ids: of the dialogues

    Raises:
        StoreError: there is no finished run in the folder
        InputError: none of its clips is an utterance of the dialogues
    """

    def __init__(self, folder: str | Path, utterance_ids: Iterable[str]) -> None:
        self._store: FeatureStore = read_features(folder)
        ids = set(utterance_ids)
        if not ids.intersection(self._store.records):
            some = ", ".join(sorted(self._store.records)[:3]) or "none"
            raise InputError(
                f"{folder} holds no clip of these dialogues (it holds {some}, ...; they have {min(ids, default='none')}, ...)"
            )
        self.pictures = lru_cache(_REMEMBERED)(self._pictures)
        self.sound = lru_cache(_REMEMBERED)(self._sound)

    def _pictures(self, utterance_id: str) -> Sequence[ImagePart]:
        if utterance_id not in self._store.records:
            return ()
        frames = self._store.keyframes(utterance_id)
        chosen = [most_moving([row for row in frames if row["kind"] == kind]) for kind in KINDS]
        return tuple(picture(row["path"]) for row in chosen if row is not None)

    def _sound(self, utterance_id: str) -> AudioPart | None:
        record = self._store.records.get(utterance_id)
        if record is None or (record.get("audio") or {}).get("status") not in ("ok", "partial"):
            return None
        return AudioPart(data=wav_of(record), format="wav")


def most_moving(rows: Sequence[Record]) -> Record | None:
    """The keyframe with the strongest motion, the first one where none was measured; None of none."""
    return max(rows, key=lambda row: row.get("motion") or 0.0, default=None)


def wav_of(record: Record) -> bytes:
    """The sound of a clip: WAV, 16 kHz, one channel, 16 bits.

    Args:
        record: of the clip, from the journal of a features folder

    Raises:
        InputError: the clip's file is not where it was, or cannot be read
    """
    from extractors.audio.grid import SAMPLE_RATE_HZ
    from extractors.audio.waveform import WaveformBuilder
    from extractors.container import open_source
    from extractors.decoding import Pass

    segment = record.get("segment") or {"start_s": 0.0, "end_s": None}
    begin_s, end_s = segment["start_s"], segment["end_s"]
    try:
        source = open_source(record["path"])
    except MediaError as error:
        raise InputError(
            f"clip {record['clip_id']!r}: {error.detail}; paths are those that mmrole extract was given: start from the same folder, "
            "or show no sound (--context images or text)"
        ) from None
    sound = WaveformBuilder(start_s=begin_s, end_s=end_s)
    try:
        Pass(source=source, on_audio=sound.add, on_video=None).run(begin_s or None, end_s)
    finally:
        source.close()
    samples = np.clip(np.rint(sound.finish().samples * 32767), -32768, 32767).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes(samples.tobytes())
    return out.getvalue()
