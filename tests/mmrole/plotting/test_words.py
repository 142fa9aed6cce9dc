import pytest

from mmrole.core.media import Reason
from mmrole.plotting.words import REASON_WORDS, count, in_words, not_measured


def test_every_reason_has_words():
    assert set(REASON_WORDS) == set(Reason)
    assert len(set(REASON_WORDS.values())) == len(Reason)


@pytest.mark.parametrize(
    ("kind", "status", "reason", "expected"),
    [
        ("audio", "missing", "no_audio_stream", "no sound was measured: the file has no sound (no_audio_stream)"),
        ("video", "failed", "corrupt", "no picture was measured: the data are damaged (corrupt)"),
        ("audio", "off", None, "the sound was left out (--no-audio)"),
        ("video", "off", None, "the picture was left out (--no-video)"),
        ("video", "failed", None, "no picture was measured: reason unknown"),
    ],
)
def test_why_nothing_was_measured(kind, status, reason, expected):
    assert not_measured(kind, status, reason) == expected


def test_a_code_of_a_later_version_is_shown_as_it_is():
    assert in_words("eclipsed") == "eclipsed"


def test_count():
    assert [count(number, "face") for number in (0, 1, 2)] == ["no faces", "1 face", "2 faces"]
