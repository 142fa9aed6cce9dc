import numpy as np
import pytest

from extractors.video.mouth import Envelope, mouth_evidence, speech_envelope
from mmrole.core.errors import UsageError

GRID = np.arange(0, 4, 0.01)
FRAMES = np.arange(0.2, 3.8, 0.2)


def syllables(times_s):
    """Loudness of uneven syllables, 0..1."""
    return np.abs(np.sin(2 * np.pi * 1.7 * times_s) * np.sin(2 * np.pi * 0.6 * times_s + 1))


def decibels(loudness):
    return 35 * (loudness - 1) - 20  # what the envelope maps back to `loudness` when its loud part is at -20 dB


def test_silence_and_little_speech_have_no_envelope():
    everything, nothing = np.ones(400, bool), np.zeros(400, bool)
    assert speech_envelope(GRID, np.full(400, -20.0), nothing) is None
    assert speech_envelope(GRID, np.full(400, np.nan), everything) is None
    assert speech_envelope(GRID, np.full(400, -np.inf), everything) is None
    assert speech_envelope(GRID, np.full(400, -20.0), np.arange(400) < 29) is None
    assert speech_envelope(GRID, np.full(400, -20.0), np.arange(400) < 31) is not None  # 0.3 s is enough
    assert speech_envelope([], [], []) is None


def test_envelope_of_a_steady_voice():
    speech = (GRID > 1) & (GRID < 3)
    envelope = speech_envelope(GRID, np.where(speech, -20.0, -25.0), speech)
    # loud part -> 1; what is no speech -> 0, however loud; outside of the sound -> 0
    assert envelope.at(np.array([-1.0, 0.5, 2.0, 3.5, 9.0])) == pytest.approx([0, 0, 1, 0, 0])
    assert envelope.between(np.array([0.0, 0.5, 1.5, 2.5])) == pytest.approx([0, 0.5, 1], abs=0.02)


def test_each_value_of_an_envelope_stands_for_half_a_step_around_it():
    envelope = Envelope(start_s=2.0, step_s=1.0, loudness=np.array([0.0, 1.0, 0.0]))
    assert envelope.between(np.array([2.0, 2.5, 3.5, 4.5])) == pytest.approx([0, 1, 0])
    assert envelope.between(np.array([2.0, 3.0, 4.0])) == pytest.approx([0.5, 0.5])
    assert envelope.at(np.array([2.5, 3.0])) == pytest.approx([0.5, 1])


def test_envelope_counts_35_db():
    level = np.full(400, -20.0)
    level[200:] = -37.5
    level[300:] = -80.0
    envelope = speech_envelope(GRID, level, np.ones(400, bool))
    assert envelope.at(np.array([1.0, 2.5, 3.5])) == pytest.approx([1, 0.5, 0])


def test_lengths_must_agree():
    with pytest.raises(UsageError, match="of one length"):
        speech_envelope(GRID, GRID[1:], np.ones(400, bool))


def test_evidence_by_hand(face_of):
    """A jaw that opens by .3 in every other frame under a steady voice, lips that keep still.

    Opening: the voice does not vary, 0. Movement: .3 in every step under loudness 1, damped by .03 and .02:
    .3 / sqrt((.3^2 + .03^2)(1 + .02^2)) = .99484 for the jaw, 0 for the lips, weighted 2 : 1. (0 + .66323) / 2.
    """
    envelope = speech_envelope(GRID, np.full(400, -20.0), np.ones(400, bool))
    times_s = np.arange(0.4, 3.6, 0.2)
    faces = [face_of(jawOpen=0.3 * (index % 2)) for index in range(len(times_s))]
    assert mouth_evidence(times_s, faces, envelope) == pytest.approx(0.33161, abs=1e-4)


@pytest.fixture(scope="module")
def voice():
    return speech_envelope(GRID, decibels(syllables(GRID)), np.ones(400, bool))


@pytest.mark.parametrize("lag_s", [-0.04, 0.0, 0.08])
def test_a_mouth_that_speaks(face_of, voice, lag_s):
    loud = syllables(FRAMES + lag_s)
    faces = [face_of(jawOpen=0.4 * value, lips=0.25 * value) for value in loud]
    assert mouth_evidence(FRAMES, faces, voice) > 0.7


def test_a_mouth_that_is_still(face_of, voice):
    assert mouth_evidence(FRAMES, [face_of(jawOpen=0.2, lips=0.1)] * len(FRAMES), voice) == pytest.approx(0, abs=1e-6)


def test_a_mouth_that_flickers(face_of, voice):
    rng = np.random.default_rng(0)
    flicker = rng.normal(0, 0.01, (20, 2, len(FRAMES)))
    evidence = [
        mouth_evidence(FRAMES, [face_of(jawOpen=0.1 + j, lips=0.1 + k) for j, k in zip(*one, strict=True)], voice)
        for one in flicker
    ]
    assert max(evidence) < 0.3  # what a speaker must reach


def test_a_mouth_that_closes_when_the_voice_is_loud(face_of, voice):
    faces = [face_of(jawOpen=0.4 * (1 - value)) for value in syllables(FRAMES)]
    speaks = [face_of(jawOpen=0.4 * value) for value in syllables(FRAMES)]
    # it moves as much, so only the opening tells them apart
    assert mouth_evidence(FRAMES, faces, voice) < mouth_evidence(FRAMES, speaks, voice) - 0.4
