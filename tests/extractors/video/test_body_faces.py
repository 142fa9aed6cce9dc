import numpy as np
import pytest

from extractors.video.body_faces import face_tracks, head_share


def body_at(x, y):
    landmarks = np.zeros((33, 4), np.float32)
    landmarks[:7, :2] = (x, y)
    return landmarks


def test_share_by_hand(face_of):
    face = face_of(centre=(50.0, 50.0), side=20.0)
    landmarks = body_at(50, 50)
    assert head_share(landmarks, face) == 1
    landmarks[:3, 0] = 75
    assert head_share(landmarks, face) == pytest.approx(4 / 7)
    # a tenth of the box beside it still counts: 60 + 2
    assert head_share(body_at(61.5, 50), face) == 1
    assert head_share(body_at(62.5, 50), face) == 0


def test_each_body_gets_its_face(face_of):
    faces = [face_of(track=4, centre=(50.0, 50.0)), face_of(track=7, centre=(150.0, 50.0))]
    assert face_tracks([body_at(150, 50), body_at(300, 50), body_at(50, 50)], faces) == [7, None, 4]
    assert face_tracks([], faces) == []
    assert face_tracks([body_at(1, 1)], []) == [None]


def test_one_body_for_a_face_the_better_one(face_of):
    face = face_of(track=4, centre=(50.0, 50.0), side=20.0)
    half = body_at(50, 50)
    half[:3, 0] = 75
    assert face_tracks([half, body_at(50, 50)], [face]) == [None, 4]


def test_less_than_half_of_the_head_is_not_enough(face_of):
    third = body_at(50, 50)
    third[:4, 0] = 75
    assert face_tracks([third], [face_of(centre=(50.0, 50.0), side=20.0)]) == [None]
