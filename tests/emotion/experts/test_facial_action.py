import numpy as np
import pytest

from emotion.experts.expert import Case
from emotion.experts.facial_action import FacialActionExpert, action_units
from extractors.video.observation import BLENDSHAPES
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import LabelSet


def face(**shapes):
    """A face with both sides of the named blendshapes at a value."""
    values = np.zeros(len(BLENDSHAPES))
    for name, value in shapes.items():
        there = [n for n, shape in enumerate(BLENDSHAPES) if shape in (name, f"{name}Left", f"{name}Right")]
        assert there, name
        values[there] = value
    return values


def vote(values, **options):
    case = Case(utterance_id="u", speaker="Ann", text="", blendshapes=values, blendshape_names=BLENDSHAPES)
    return FacialActionExpert(**options).vote(case, "face", 0)


def test_action_units_by_hand():
    # rest is .25: (.5 - .25) / .75 = 1/3; one side at 1 and one at 0 has the mean .5 as well
    units = action_units(face(mouthSmile=0.5, browInnerUp=1.0), BLENDSHAPES)
    assert units["12"] == pytest.approx(1 / 3)
    assert units["1"] == 1.0
    assert sum(units.values()) == pytest.approx(4 / 3)
    one_side = face()
    one_side[BLENDSHAPES.index("mouthSmileLeft")] = 1.0
    assert action_units(one_side, BLENDSHAPES)["12"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("shapes", "label"),
    [
        # the prototypes of Du, Tao and Martinez (2014), table 1, units seen in more than 70 % of the people
        ({"mouthSmile": 0.8, "cheekSquint": 0.6}, "happy"),
        ({"browDown": 0.7, "mouthFrown": 0.8, "browInnerUp": 0.5}, "sadness"),
        ({"browInnerUp": 0.8, "browDown": 0.8, "mouthStretch": 0.8, "eyeWide": 0.8}, "fear"),
        ({"browDown": 0.9, "eyeSquint": 0.9, "mouthPress": 0.9}, "anger"),
        ({"browInnerUp": 0.9, "browOuterUp": 0.9, "eyeWide": 0.6}, "astonished"),
        ({"noseSneer": 0.9, "mouthUpperUp": 0.9, "mouthShrugLower": 0.9}, "disgust"),
        ({}, "neutral"),
        ({"jawOpen": 1.0}, "neutral"),  # speech moves the jaw
        ({"browDown": 0.25, "eyeSquint": 0.25}, "neutral"),  # at rest
    ],
)
def test_prototypes(shapes, label):
    found = vote(face(**shapes))
    assert (found.label, found.status) == (label, "ok")


def test_between_two_patterns_is_ambiguous_and_far_from_all_is_no_label():
    # brows of surprise with a smile: happily surprised, table 1
    both = vote(face(mouthSmile=0.9, browInnerUp=0.72, browOuterUp=0.72))
    assert (both.label, both.status, both.reason) == (None, "ambiguous", "tie")
    # cheeks alone: cosine .5 / 1.86 with sadness, .51 / 1.12 with happy, both below .5
    alone = vote(face(cheekSquint=1.0))
    assert (alone.label, alone.status, alone.reason) == (None, "abstained", "no_pattern")
    assert alone.detail["action_units"] == {"6": 1.0}
    assert alone.detail["fits"]["happy"] == pytest.approx(0.51 / np.hypot(1, 0.51), abs=1e-4)


def test_without_a_face_there_is_no_label():
    found = vote(None)
    assert (found.label, found.status, found.reason) == (None, "absent", "no_face")


def test_other_label_sets():
    assert FacialActionExpert().can_give == ("happy", "anger", "sadness", "fear", "disgust", "astonished", "neutral")
    assert vote(face(browInnerUp=0.9, browOuterUp=0.9), labels="meld-7").label == "surprise"
    two = LabelSet(name="two", labels=("happy", "neutral"))
    found = vote(face(browInnerUp=0.9, browOuterUp=0.9), labels=two)
    assert (found.label, found.reason, found.detail["own_label"]) == (None, "label_not_in_set", "astonished")


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="reads the stream face, not speech"):
        FacialActionExpert(streams=("speech",))
    for values, names, message in (
        (face(), BLENDSHAPES[:-1], "52 blendshapes came with 51 names"),
        (face(jawOpen=1.5), BLENDSHAPES, "no number from 0 to 1"),
        (face(jawOpen=np.nan), BLENDSHAPES, "no number from 0 to 1"),
        (face(), ("x", *BLENDSHAPES[1:4], "y", *BLENDSHAPES[5:]), "have no browOuterUpLeft"),
    ):
        with pytest.raises(InputError, match=message):
            action_units(values, names)


def test_stamped_and_identified():
    expert = FacialActionExpert()
    assert expert.baseline
    assert expert.identity["rule"].startswith("facial-action/")
    assert expert.identity == FacialActionExpert(name="other").identity
