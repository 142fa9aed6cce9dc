import numpy as np
import pytest

from emotion.describers.face import MOVEMENTS, summarise_face
from extractors.video.observation import BLENDSHAPES


def codes(face):
    return [each.code for each in summarise_face(face).movements]


def head(face):
    return [each.code for each in summarise_face(face).head]


def test_every_movement_is_of_blendshapes_that_there_are():
    assert {name for movement in MOVEMENTS.values() for name in movement.shapes} <= set(BLENDSHAPES)
    assert all(0 < movement.clear < movement.strong < 1 for movement in MOVEMENTS.values())


@pytest.mark.parametrize("code", MOVEMENTS)
def test_each_movement_alone_from_its_limits_on(make_face, code):
    movement = MOVEMENTS[code]
    said = {"mouth_corners_out": "smile"}.get(code, code)

    def found(strength):
        face = make_face()
        face.blendshapes[:, [BLENDSHAPES.index(name) for name in movement.shapes]] = strength
        return [(each.code, each.strong) for each in summarise_face(face).movements]

    assert found(movement.clear - 0.001) == []
    assert found(movement.clear) == [(said, False)]
    assert found(movement.strong) == [(said, True)]


def test_a_drawn_out_mouth_is_a_smile_only_in_an_open_face(make_face):
    assert codes(make_face(mouthSmile=0.7)) == ["smile"]
    assert codes(make_face(mouthSmile=0.7, browDown=0.6)) == ["brows_lowered", "mouth_corners_out"]
    assert codes(make_face(mouthSmile=0.7, eyeBlink=0.7)) == ["eyes_closed", "mouth_corners_out"]
    assert codes(make_face(mouthSmile=0.7, eyeBlink=0.7, mouthUpperUp=0.5)) == [
        "eyes_closed",
        "smile",
        "upper_lip_raised",
    ]


def test_shut_eyes_look_nowhere(make_face):
    assert codes(make_face(eyeBlink=0.7, eyeLookDown=0.9, eyeSquint=0.8)) == ["eyes_closed"]


def test_gaze_to_a_side_takes_both_eyes(make_face):
    face = make_face()
    face.blendshapes[:, BLENDSHAPES.index("eyeLookOutLeft")] = 0.9  # one eye: mean .45
    assert codes(face) == []
    face.blendshapes[:, BLENDSHAPES.index("eyeLookInRight")] = 0.9
    # the person's left is the picture's right
    assert codes(face) == ["gaze_picture_right"]


def test_a_speaking_mouth(make_face):
    assert codes(make_face(jawOpen=[0, 0.3, 0, 0.3, 0, 0.3, 0, 0.3, 0, 0])) == ["mouth_moving"]
    once = summarise_face(make_face(jawOpen=[0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0])).movements
    assert [(each.code, each.when, each.peak_s) for each in once] == [("mouth_opens", "end", 1.4)]
    assert codes(make_face(jawOpen=0.3)) == ["mouth_open"]
    # a clip of 40 s in which the mouth opens twice: at times, not throughout
    rare = np.zeros(200)
    rare[[50, 120]] = 0.3
    (found,) = summarise_face(make_face(n=200, jawOpen=rare)).movements
    assert (found.code, found.when) == ("mouth_moving", "at_times")


def test_postures_of_the_head(make_face):
    assert head(make_face()) == ["head_front", "head_still"]
    assert head(make_face(pose=(0, 15, 0))) == ["head_picture_right", "head_still"]
    assert head(make_face(pose=(0, -15, 0))) == ["head_picture_left", "head_still"]
    assert head(make_face(pose=(-14, 0, 0))) == ["head_front", "head_still"]  # a camera at the height of the face
    assert head(make_face(pose=(-16, 0, 12))) == ["head_lowered", "head_tilted_right", "head_still"]
    assert head(make_face(pose=(13, 0, -12))) == ["head_raised", "head_tilted_left", "head_still"]


def test_movements_of_the_head(make_face):
    nodding = [0, 8, 0, 8, 0, 8, 0, 8, 0, 8]
    assert head(make_face(pose=(nodding, 0, 0))) == ["head_front", "head_nods"]
    assert head(make_face(pose=(0, [value * 1.2 for value in nodding], 0))) == ["head_front", "head_shakes"]
    assert head(make_face(pose=(np.linspace(0, 9, 10), 0, 0))) == ["head_front", "head_moves"]
    assert head(make_face(pose=(0, 0, np.linspace(-20, 20, 10))))[-1] == "head_moves_much"
    # up and down twice in 20 s is no nodding
    slow = np.interp(np.arange(100), [0, 25, 50, 75, 99], [0, 8, 0, 8, 0])
    assert head(make_face(n=100, pose=(slow, 0, 0))) == ["head_front", "head_moves"]


def test_one_frame_shows_no_movement(make_face):
    summary = summarise_face(make_face(n=1, frames=8, mouthSmile=0.9))
    assert [each.code for each in summary.movements] == ["smile"]
    assert [each.code for each in summary.head] == ["head_front"]
    assert summary.seen == 1 / 8
