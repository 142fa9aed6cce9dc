import pytest

from emotion.experts.expert import Case
from emotion.experts.prosody import ProsodyExpert
from mmrole.core.errors import InputError, UsageError


def vote(rate, pitch, volume, **options):
    prosody = {"rate_z": rate, "pitch_z": pitch, "volume_z": volume}
    case = Case(utterance_id="u", speaker="Ann", text="", prosody=prosody)
    return ProsodyExpert(**options).vote(case, "speech", 0)


@pytest.mark.parametrize(
    ("voice", "label"),
    [
        # directions of Juslin and Laukka (2003)
        ((1.0, 1.0, 2.0), "anger"),
        ((1.2, 1.2, 0.5), "happy"),
        ((1.0, 1.5, -1.0), "fear"),
        ((-1.0, -0.8, -1.2), "sadness"),
        ((0.5, -0.5, 0.0), "neutral"),  # within half a standard deviation, the cut belongs to normal
    ],
)
def test_patterns(voice, label):
    assert vote(*voice).label == label


def test_close_patterns_and_none():
    # (2, 2, 2.25): cosine with anger 8.5 / (sqrt 6 * 3.614), with happy 5.125 / (1.5 * 3.614): .960 and .945
    close = vote(2.0, 2.0, 2.25)
    assert (close.label, close.status, close.reason) == (None, "ambiguous", "tie")
    assert close.detail["fits"]["anger"] == pytest.approx(0.9601, abs=1e-4)
    none = vote(-1.0, 1.0, 0.0)
    assert (none.label, none.status, none.reason) == (None, "abstained", "no_pattern")


def test_without_a_reference_there_is_no_label():
    for voice, reason in (
        ((None, 1.0, 1.0), "no_rate_against_a_reference"),
        ((1.0, None, 1.0), "no_pitch_against_a_reference"),
        ((1.0, 1.0, None), "no_volume_against_a_reference"),
    ):
        found = vote(*voice)
        assert (found.label, found.status, found.reason) == (None, "absent", reason)
    silent = ProsodyExpert().vote(Case(utterance_id="u", speaker="Ann", text=""), "speech", 0)
    assert (silent.label, silent.status, silent.reason) == (None, "absent", "no_prosody")


def test_labels_and_refusals():
    assert ProsodyExpert().can_give == ("happy", "anger", "sadness", "fear", "neutral")
    assert vote(1.2, 1.2, 0.5, labels="meld-7").label == "joy"
    assert ProsodyExpert().baseline
    with pytest.raises(UsageError, match="reads the stream speech, not face"):
        ProsodyExpert(streams=("face",))
    for wrong in (float("nan"), float("inf"), "high", True):
        with pytest.raises(InputError, match="pitch_z of the prosody has to be a number"):
            vote(1.0, wrong, 1.0)
