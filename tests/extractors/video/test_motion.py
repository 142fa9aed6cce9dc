import numpy as np
import pytest

from extractors.video.motion import Expression, Pose, torso_size_px


def test_expression_counts_41_blendshapes(face_of):
    # by hand: two of 41 differ, by .3 and by .11
    still, smiles = Expression.of(face_of()), Expression.of(face_of(mouthSmileLeft=0.3, jawOpen=0.11))
    assert still.distance(smiles) == pytest.approx(0.41 / 41)
    assert smiles.distance(still) == still.distance(smiles)
    assert still.distance(still) == 0


def test_blinks_and_glances_are_no_expression(face_of):
    blinks = Expression.of(face_of(eyeBlinkLeft=0.9, eyeBlinkRight=0.7, eyeLookDownLeft=0.5, _neutral=0.1))
    assert Expression.of(face_of()).distance(blinks) == 0
    assert blinks.blink == pytest.approx(0.8)


def test_pose_moves_in_torso_sizes(body_of):
    # by hand: 9 joints are visible (nose, 2 x shoulder, elbow, wrist, hip); one wrist moves by 30, 40 -> 50 px; torso 20 px
    still, waves = Pose.of(body_of()), Pose.of(body_of(left_wrist=(30, 40)))
    assert still.distance(waves) == pytest.approx(50 / 9 / 20)
    assert still.distance(still) == 0


def test_pose_does_not_depend_on_the_size_of_the_picture(body_of):
    small = Pose.of(body_of()).distance(Pose.of(body_of(left_wrist=(6, 8))))
    large = Pose.of(body_of(torso=200)).distance(Pose.of(body_of(torso=200, left_wrist=(60, 80))))
    assert small == pytest.approx(large)


def test_points_that_are_not_seen_do_not_move(body_of):
    hidden = {"hidden": ("left_wrist",)}
    assert Pose.of(body_of()).distance(Pose.of(body_of(left_wrist=(30, 40), **hidden))) == 0


def test_poses_without_common_points(body_of):
    upper = body_of(hidden=("elbow", "wrist", "hip"))
    lower = body_of(hidden=("nose", "shoulder"))
    assert Pose.of(upper).distance(Pose.of(lower)) is None


@pytest.mark.parametrize(
    ("options", "size_px"),
    [
        ({}, 20),  # shoulders 20 apart, hips 20 below
        ({"left_hip": (0, 30), "right_hip": (0, 30)}, 50),  # hips 50 below
        ({"left_hip": (0, 30), "right_hip": (0, 30), "hidden": ("hip",)}, 20),  # which are not seen
    ],
)
def test_size_of_the_torso(body_of, options, size_px):
    assert torso_size_px(body_of(**options).landmarks) == pytest.approx(size_px)


def test_a_body_in_one_point_has_no_distance(body_of):
    point = body_of(torso=0)
    point.landmarks[:, 3] = 1
    assert Pose.of(point).distance(Pose.of(point)) is None
    assert np.isfinite(torso_size_px(point.landmarks))
