"""One clip on its way from decoded frames to measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import av

from extractors.audio.prosody import Prosody, measure_prosody
from extractors.audio.waveform import WaveformBuilder
from extractors.decoding import damage, end_s, stream_cautions
from extractors.status import FAILED, OFF, Part, absent_part, audio_part, clip_status, video_part
from extractors.video.face_persistence import drop_unsteady_faces
from extractors.video.frames import FrameSampler
from extractors.video.keyframes import KeyframePool
from extractors.video.picture import Picture
from extractors.video.speaker import SpeakerChoice, choose_speaker
from extractors.video.track import FrameTrack, frame_track
from mmrole.core.canonical import Record, to_json
from mmrole.core.features import KEYFRAME_LIST
from mmrole.core.media import LATE_S, Caution, Clip, Reason

if TYPE_CHECKING:
    from extractors.container import Source
    from extractors.decoding import Pass
    from extractors.video.observation import FrameObservation
    from extractors.video.observer import Observer
    from mmrole.core.extraction import ExtractSettings

_CUT_S = 0.1
"""A segment that lacks more than this at its end was cut off."""


@dataclass(frozen=True, kw_only=True)
class MeasuredClip:
    """What was measured of a clip, ready to be stored.

    Attributes:
        record: statuses, reasons, warnings and summaries
        prosody: of its sound; None when that was not measured
        track: face and body over its sampled frames; None when the picture was not measured
        keyframes: bytes of its keyframes and of their list, by file name
        detail: for people, what went wrong
    """

    clip: Clip
    record: Record
    prosody: Prosody | None = None
    track: FrameTrack | None = None
    keyframes: Mapping[str, bytes] = field(default_factory=dict)
    detail: str | None = None


class Take:
    """One clip while its file is decoded.

    What is not needed any more is let go at once: of a long clip, the sound, the pictures and the faces are large.

    Args:
        clip: which clip
        settings: how to measure
        observer: sees faces and bodies; None when there are no models
        source: the file
    """

    def __init__(self, clip: Clip, settings: ExtractSettings, observer: Observer | None, source: Source) -> None:
        self._clip = clip
        self._settings = settings
        self._observer = observer
        self._source = source
        self._start_s = clip.segment.start_s if clip.segment else 0.0
        self._end_s = clip.segment.end_s if clip.segment else None
        self._sound = WaveformBuilder(start_s=self._start_s, end_s=self._end_s)
        self._sampler: FrameSampler[av.VideoFrame] | None = FrameSampler(
            settings.fps, self._observe, start_s=self._start_s, end_s=self._end_s
        )
        self._pool = KeyframePool(count=settings.keyframes) if settings.keyframes else None
        self._observations: list[FrameObservation] = []
        self._size_px: tuple[int, int] | None = None
        self._rotated = False
        self._heard = 0
        self._picture_s: float | None = None

    def hear(self, frame: av.AudioFrame, time_s: float) -> None:
        """Takes a frame of sound."""
        ends_s = time_s + frame.samples / frame.sample_rate
        self._heard += ends_s > self._start_s and (self._end_s is None or time_s < self._end_s)
        self._sound.add(frame, time_s)

    def see(self, frame: av.VideoFrame, time_s: float) -> None:
        """Takes a picture."""
        if self._sampler is None:
            return
        if self._end_s is not None and time_s >= self._end_s:
            self._end_picture()
        elif time_s >= self._start_s or self._end_s is None:
            self._picture_s = time_s if self._picture_s is None else self._picture_s
            self._sampler.add(frame, time_s)

    def _end_picture(self) -> None:
        """No picture comes any more; the last one is looked at before the next take begins."""
        rate = self._source.video and self._source.video.guessed_rate
        if self._sampler is not None:
            self._sampler.finish(1 / float(rate) if rate else 0.04)
        # it refers to this take: without the circle the pictures are freed at once, not some clips later
        self._sampler = None

    def _observe(self, frame: av.VideoFrame, time_s: float) -> None:
        if self._observer is None or self._source.video is None:
            raise ValueError("a picture is sampled although nobody looks at it")
        picture = Picture(frame, sample_aspect_ratio=self._source.video.sample_aspect_ratio)
        if self._size_px is None:
            self._observer.start_clip()
            self._size_px = (picture.width_px, picture.height_px)
            self._rotated = bool(frame.rotation)
        observation = self._observer.observe(picture, time_s - self._start_s)
        self._observations.append(observation)
        if self._pool is not None:
            self._pool.add(picture, observation)

    def finish(self, done: Pass) -> MeasuredClip:
        """Turns what was taken into measurements; the file has been decoded."""
        self._end_picture()
        reached_s = end_s(done.audio, done.video)
        last_s = reached_s if reached_s is None or self._end_s is None else min(reached_s, self._end_s)
        damaged = self._damage(done, reached_s)
        sound, prosody = self._prosody(last_s)
        observations = drop_unsteady_faces(self._observations)
        self._observations = []
        speaker = self._speaker(observations, prosody)
        keyframes = self._keyframes(speaker)
        track = None if speaker is None else frame_track(observations, speaker)
        del observations
        audio = self._audio(done, prosody, damaged)
        video = self._video(done, speaker, track, damaged)
        status, reason = clip_status((audio, video))
        dropped = sum(self._within(time_s) for time_s in done.video.dropped_s)
        length_s = None if last_s is None or last_s <= self._start_s else round(last_s - self._start_s, 6)
        record: Record = {
            "status": status,
            "reason": reason,
            "warnings": self._warnings(done, (audio, video), prosody, speaker),
            "duration_s": length_s,
            "container_duration_s": self._source.declared_s,
            "audio": {**audio.record(), **sound},
            "video": {**video.record(), **({"pictures_dropped": dropped} if dropped else {})},
        }
        nothing = (
            f"nothing could be measured (sound {audio.reason or audio.status}, picture {video.reason or video.status})"
        )
        if self._end_s is not None:
            ends = "nothing in the file decodes" if reached_s is None else f"the file ends at {reached_s:g} s"
            nothing = f"{self._start_s:g} to {self._end_s:g} s: {nothing}; {ends}"
        return MeasuredClip(
            clip=self._clip,
            record=record,
            prosody=prosody if audio.usable else None,
            track=track if video.usable else None,
            keyframes=keyframes if video.usable else {},
            detail=None if reason is None else nothing,
        )

    def _damage(self, done: Pass, reached_s: float | None) -> dict[str, list[Reason]]:
        """Why the file, or this part of it, was not whole, by modality."""
        if self._clip.segment is None:
            whole, parts = damage(done)
            kinds = {kind: [reason] for kind, reason in parts.items()}
            if whole is not None and whole not in parts.values():
                kinds = {kind: [*kinds.get(kind, []), whole] for kind in ("audio", "video")}
            return kinds
        cut = reached_s is None or (self._end_s is not None and reached_s < self._end_s - _CUT_S)
        return {
            kind: [Reason.CORRUPT] * any(map(self._within, tally.broken_s)) + [Reason.TRUNCATED] * cut
            for kind, tally in (("audio", done.audio), ("video", done.video))
        }

    def _within(self, time_s: float) -> bool:
        return self._end_s is None or self._start_s <= time_s < self._end_s

    def _prosody(self, last_s: float | None) -> tuple[Record, Prosody | None]:
        """What is to be said of the sound as such, and its prosody."""
        if not self._heard:
            return {}, None
        waveform = self._sound.finish(end_s=last_s)
        self._sound = WaveformBuilder()
        sound = {
            "gaps": waveform.gaps,
            "gaps_s": round(waveform.gaps_s, 6),
            "damaged_s": round(waveform.damaged_s, 6),
        }
        return sound, measure_prosody(waveform, pitch=self._settings.pitch, text=self._clip.text)

    def _speaker(self, observations: Sequence[FrameObservation], prosody: Prosody | None) -> SpeakerChoice | None:
        if not observations:
            return None
        energy = None if prosody is None else (prosody.time_s, prosody.volume_db)
        speech = None if prosody is None else prosody.speech
        return choose_speaker(observations, speech_energy=energy, speech=speech, face_box_px=self._clip.face_box_px)

    def _keyframes(self, speaker: SpeakerChoice | None) -> dict[str, bytes]:
        if speaker is None or self._pool is None:
            return {}
        picks = self._pool.choose(speaker)
        self._pool = None
        rows = "".join(to_json(pick.row()) + "\n" for pick in picks)
        return {**{pick.file: pick.jpeg for pick in picks}, KEYFRAME_LIST: rows.encode()}

    def _audio(self, done: Pass, prosody: Prosody | None, damaged: Mapping[str, list[Reason]]) -> Part:
        if not self._settings.audio:
            return Part(status=OFF)
        if self._source.audio is None:
            return absent_part("audio", self._source)
        return audio_part(prosody, done.audio, damaged.get("audio", ()))

    def _video(
        self, done: Pass, speaker: SpeakerChoice | None, track: FrameTrack | None, damaged: Mapping[str, list[Reason]]
    ) -> Part:
        if not self._settings.video:
            return Part(status=OFF)
        if self._source.video is None:
            return absent_part("video", self._source)
        if self._observer is None:
            return Part(status=FAILED, reason=Reason.MODELS_MISSING)
        return video_part(track, speaker, self._size_px, done.video, damaged.get("video", ()))

    def _warnings(
        self, done: Pass, parts: Sequence[Part], prosody: Prosody | None, speaker: SpeakerChoice | None
    ) -> list[str]:
        """Cautions, and those reasons for which a modality has no room, in alphabetical order."""
        cautions: set[str] = {*self._source.cautions, *(reason for part in parts for reason in part.more)}
        if self._clip.segment is None:
            cautions |= set(stream_cautions(done))
        elif self._picture_s is not None and self._picture_s - self._start_s > LATE_S:
            cautions.add(Caution.VIDEO_STARTS_LATE)
        if any(map(self._within, (*done.audio.repaired_s, *done.video.repaired_s))):
            cautions.add(Caution.TIMESTAMPS_REPAIRED)
        if any(map(self._within, done.video.resized_s)):
            cautions.add(Caution.SIZE_CHANGES)
        cautions |= set(prosody.cautions if prosody else ())
        if self._rotated:
            cautions.add(Caution.ROTATED)
        if speaker is not None and speaker.several:
            cautions.add(Caution.SEVERAL_FACES)
        return sorted(str(caution) for caution in cautions)
