from types import SimpleNamespace

import pytest

from extractors.status import FAILED, MISSING, OFF, OK, PARTIAL, Part, absent_part, audio_part, clip_status, video_part
from extractors.tally import StreamTally
from mmrole.core.media import Reason


def prosody(reason=None):
    summary = SimpleNamespace(to_record=lambda: {"count": 1})
    return SimpleNamespace(
        reason=reason, speech_s=1.0, syllables=4, syllables_from="sound", rate_syll_s=4.0, f0_median_hz=220.0, volume_mean_db=-20.0,
        features=SimpleNamespace(speed=summary, pitch=summary, volume=summary),
    )  # fmt: skip


def track(frames=10, face=10, body=10):
    return SimpleNamespace(frames=frames, frames_face=face, frames_body=body, face_rate=face / frames)


SPEAKER = SimpleNamespace(record=lambda: {"rule": "only"})
WHOLE = StreamTally(frames=50)


def seen(the_track, damage=(), tally=WHOLE):
    return video_part(
        the_track, None if the_track is None else SPEAKER, (640, 360) if the_track else None, tally, damage
    )


@pytest.mark.parametrize(
    ("reason", "damage", "status", "first", "more"),
    [
        (None, [], OK, None, ()),
        (Reason.SILENT, [], PARTIAL, Reason.SILENT, ()),
        (Reason.UNVOICED, [Reason.TRUNCATED], PARTIAL, Reason.TRUNCATED, (Reason.UNVOICED,)),
        (None, [Reason.CORRUPT, Reason.TRUNCATED], PARTIAL, Reason.CORRUPT, (Reason.TRUNCATED,)),
        (Reason.TOO_SHORT, [], FAILED, Reason.TOO_SHORT, ()),
        (Reason.EMPTY_AUDIO, [Reason.CORRUPT], FAILED, Reason.EMPTY_AUDIO, (Reason.CORRUPT,)),
    ],
)
def test_sound_that_was_read(reason, damage, status, first, more):
    part = audio_part(prosody(reason), WHOLE, damage)
    assert (part.status, part.reason, part.more) == (status, first, more)
    assert part.usable == (status in (OK, PARTIAL))
    # what was not usable has no numbers
    assert ("f0_median_hz" in part.record()) == part.usable


def test_sound_that_was_not_read():
    assert audio_part(None, StreamTally(), []).reason == Reason.EMPTY_AUDIO
    assert audio_part(None, StreamTally(errors_s=[1.0]), []).reason == Reason.CORRUPT
    cut = audio_part(None, StreamTally(), [Reason.TRUNCATED, Reason.CORRUPT])
    assert (cut.status, cut.reason, cut.more) == (FAILED, Reason.TRUNCATED, (Reason.CORRUPT,))


@pytest.mark.parametrize(
    ("the_track", "damage", "status", "first", "more"),
    [
        (track(), [], OK, None, ()),
        (track(face=0), [], PARTIAL, Reason.NO_FACE, ()),
        (track(face=0, body=0), [], PARTIAL, Reason.NO_FACE, (Reason.NO_BODY,)),
        (track(body=0), [Reason.TRUNCATED], PARTIAL, Reason.TRUNCATED, (Reason.NO_BODY,)),
        (None, [Reason.TRUNCATED], FAILED, Reason.TRUNCATED, ()),
        (None, [], FAILED, Reason.CORRUPT, ()),
    ],
)
def test_pictures(the_track, damage, status, first, more):
    part = seen(the_track, damage)
    assert (part.status, part.reason, part.more) == (status, first, more)
    assert ("face_rate" in part.record()) == (the_track is not None)


def test_a_stream_without_a_picture_is_none():
    part = seen(None, tally=StreamTally())
    assert (part.status, part.reason) == (MISSING, Reason.NO_VIDEO_STREAM)


@pytest.mark.parametrize(
    ("reason", "status"),
    [(Reason.NO_AUDIO_STREAM, MISSING), (Reason.DECODER_MISSING, FAILED), (Reason.CORRUPT, FAILED)],
)
def test_streams_that_are_not_there(reason, status):
    part = absent_part("audio", SimpleNamespace(absent={"audio": reason}))
    assert part.record() == {"status": status, "reason": reason}


def test_the_record_has_status_reason_and_numbers():
    record = seen(track(frames=8, face=4)).record()
    assert (record["status"], record["reason"], record["face_rate"], record["width_px"]) == (OK, None, 0.5, 640)
    assert record["speaker"] == {"rule": "only"}


def parts(*statuses):
    reasons = {FAILED: Reason.CORRUPT, MISSING: Reason.NO_AUDIO_STREAM, PARTIAL: Reason.NO_FACE}
    return [Part(status=status, reason=reasons.get(status)) for status in statuses]


@pytest.mark.parametrize(
    ("statuses", "status", "reason"),
    [
        ((OK, OK), OK, None), ((OK, OFF), OK, None), ((OFF, OK), OK, None), ((OK, PARTIAL), PARTIAL, None), ((OK, MISSING), PARTIAL, None),
        ((FAILED, OK), PARTIAL, None), ((PARTIAL, FAILED), PARTIAL, None), ((FAILED, OFF), FAILED, Reason.CORRUPT),
        ((MISSING, FAILED), FAILED, Reason.CORRUPT), ((FAILED, MISSING), FAILED, Reason.CORRUPT),
        ((OFF, MISSING), FAILED, Reason.NO_AUDIO_STREAM),
    ],
)  # fmt: skip
def test_status_of_a_clip(statuses, status, reason):
    """What broke is told before what was never there."""
    assert clip_status(parts(*statuses)) == (status, reason)
