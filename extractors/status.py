"""What became of a clip and of its two modalities, as the journal says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmrole.core.canonical import Record
from mmrole.core.media import Reason

if TYPE_CHECKING:
    from extractors.audio.prosody import Prosody
    from extractors.container import Source
    from extractors.tally import StreamTally
    from extractors.video.speaker import SpeakerChoice
    from extractors.video.track import FrameTrack

OK, PARTIAL, MISSING, FAILED, OFF = "ok", "partial", "missing", "failed", "off"
_UNUSABLE_SOUND = (Reason.EMPTY_AUDIO, Reason.TOO_SHORT)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One modality of a clip.

    Attributes:
        status: ok, partial (read, but something in it could not be measured), missing (no such stream), failed (could
            not be read), off (not asked for)
        reason: the first of the reasons
        more: further reasons
        summary: what was measured, in numbers
    """

    status: str
    reason: Reason | None = None
    more: tuple[Reason, ...] = ()
    summary: Record = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether something was measured."""
        return self.status in (OK, PARTIAL)

    def record(self) -> Record:
        """The modality's block in the record of its clip."""
        return {"status": self.status, "reason": self.reason, **self.summary}


def absent_part(kind: str, source: Source) -> Part:
    """A modality without a stream, or whose stream is damaged or no decoder knows."""
    reason = source.absent[kind]
    return Part(status=FAILED if reason in (Reason.CORRUPT, Reason.DECODER_MISSING) else MISSING, reason=reason)


def audio_part(prosody: Prosody | None, tally: StreamTally, damage: Iterable[Reason]) -> Part:
    """The sound: measured when there is prosody, else unreadable or empty."""
    reasons = [*damage, *([prosody.reason] if prosody and prosody.reason else [])]
    if prosody is None:
        reason = reasons[0] if reasons else Reason.CORRUPT if tally.broken_s else Reason.EMPTY_AUDIO
        return Part(status=FAILED, reason=reason, more=tuple(r for r in reasons if r != reason))
    unusable = [reason for reason in reasons if reason in _UNUSABLE_SOUND]
    if unusable:
        return Part(status=FAILED, reason=unusable[0], more=tuple(r for r in reasons if r != unusable[0]))
    summary = {
        "speech_s": prosody.speech_s,
        "syllables": prosody.syllables,
        "syllables_from": prosody.syllables_from,
        "rate_syll_s": prosody.rate_syll_s,
        "f0_median_hz": prosody.f0_median_hz,
        "volume_mean_db": prosody.volume_mean_db,
        "features": {
            "speed": prosody.features.speed.to_record(),
            "pitch": prosody.features.pitch.to_record(),
            "volume": prosody.features.volume.to_record(),
        },
    }
    return _measured(reasons, summary)


def video_part(
    track: FrameTrack | None,
    speaker: SpeakerChoice | None,
    size_px: tuple[int, int] | None,
    tally: StreamTally,
    damage: Iterable[Reason],
) -> Part:
    """The picture: measured when there is a track, else unreadable."""
    reasons = list(damage)
    if track is None or size_px is None or speaker is None:
        reason = reasons[0] if reasons else Reason.NO_VIDEO_STREAM if not tally.frames else Reason.CORRUPT
        status = MISSING if reason is Reason.NO_VIDEO_STREAM else FAILED
        return Part(status=status, reason=reason, more=tuple(r for r in reasons if r != reason))
    if not track.frames_face:
        reasons.append(Reason.NO_FACE)
    if not track.frames_body:
        reasons.append(Reason.NO_BODY)
    summary = {
        "width_px": size_px[0],
        "height_px": size_px[1],
        "frames": track.frames,
        "frames_face": track.frames_face,
        "frames_body": track.frames_body,
        "face_rate": track.face_rate,
        "speaker": speaker.record(),
    }
    return _measured(reasons, summary)


def _measured(reasons: list[Reason], summary: Record) -> Part:
    unique = list(dict.fromkeys(reasons))
    return Part(
        status=PARTIAL if unique else OK, reason=unique[0] if unique else None, more=tuple(unique[1:]), summary=summary
    )


def clip_status(parts: Iterable[Part]) -> tuple[str, Reason | None]:
    """Status and top-level reason of a clip: ok when all that was asked for is ok, failed when nothing is usable."""
    asked = [part for part in parts if part.status != OFF]
    if all(part.status == OK for part in asked):
        return OK, None
    if any(part.usable for part in asked):
        return PARTIAL, None
    # what broke tells more than what was never there
    telling = sorted(asked, key=lambda part: part.status != FAILED)
    return FAILED, telling[0].reason
