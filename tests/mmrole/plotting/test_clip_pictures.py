import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmrole
from mmrole.core.errors import StoreError
from mmrole.plotting.clip_pictures import Timeline, evenly_spread, measured_frames, read_keyframes


@pytest.mark.parametrize(
    ("count", "most", "expected"),
    [
        (0, 5, []),
        (3, 5, [0, 1, 2]),
        (5, 3, [0, 2, 4]),
        (10, 4, [0, 3, 6, 9]),
        (100, 2, [0, 99]),
        (9, 1, [0]),
    ],  # by hand
)
def test_evenly_spread_by_hand(count, most, expected):
    assert evenly_spread(count, most) == expected


@given(st.integers(2, 5000), st.integers(2, 30))
def test_evenly_spread(count, most):
    chosen = evenly_spread(count, most)
    assert len(chosen) == min(count, most)
    assert (chosen[0], chosen[-1]) == (0, count - 1)
    steps = np.diff(chosen)
    assert steps.min() > 0
    assert steps.max() - steps.min() <= 1


def test_measurements_of_a_frame_are_those_of_the_track(fixture_features):
    track = mmrole.read_features(fixture_features).track("01_000_000")
    frame = measured_frames(track.iloc[[3]])[0]
    row = track.iloc[3]
    assert frame.time_s == row.time_s
    assert (frame.faces, frame.face, frame.body) == (1, True, True)
    # x, y, z in turn in the track
    assert frame.face_points_px.tolist() == np.reshape(row.landmarks, (478, 3))[:, :2].tolist()
    assert frame.body_points.tolist() == np.reshape(row.body_landmarks, (33, 4))[:, [0, 1, 3]].tolist()
    assert frame.face_box_px.tolist() == list(row.face_box_px)
    assert frame.rgb is None


def test_what_was_not_found_is_none(fixture_features):
    track = mmrole.read_features(fixture_features).track("01_001_000")
    for frame in measured_frames(track):
        assert (frame.faces, frame.face, frame.face_box_px, frame.face_points_px) == (0, False, None, None)
        assert frame.zoom_box_px is None
    timeline = Timeline.of(track)
    assert timeline.face.sum() == 0
    assert len(timeline.time_s) == len(track)


def test_the_close_up_is_a_square_around_the_face(frame_of):
    # by hand: the box is 40 x 50 around (80, 45); 1.5 x 50 / 2 = 37.5
    assert frame_of().zoom_box_px == (42.5, 7.5, 117.5, 82.5)
    flat = dataclasses.replace(frame_of(), face_box_px=np.array([5, 5, 5, 5], np.float32))
    assert flat.zoom_box_px == (4.0, 4.0, 6.0, 6.0)


def test_keyframes_have_pictures_and_their_frame(fixture_features):
    store = mmrole.read_features(fixture_features)
    track = store.track("01_000_000")
    keyframes = read_keyframes(store, "01_000_000", track)
    assert {keyframe.kind for keyframe in keyframes} == {"face", "body", "frame"}
    for keyframe in keyframes:
        assert keyframe.measured.time_s == pytest.approx(keyframe.time_s, abs=1e-6)
        left, top, right, bottom = keyframe.box_px
        height, width, _ = keyframe.rgb.shape
        assert width / height == pytest.approx((right - left) / (bottom - top), rel=0.02)


@pytest.mark.parametrize(
    ("damage", "said"), [(None, "cannot be read"), (b"", "is no picture"), (b"no JPEG", "is no picture")]
)
def test_a_keyframe_that_is_damaged_is_named(fixture_features, tmp_path, damage, said):
    store = mmrole.read_features(fixture_features)
    path = tmp_path / "face_01.jpg"
    if damage is not None:
        path.write_bytes(damage)

    class Store:
        def keyframes(self, clip_id):
            return [{**store.keyframes(clip_id)[0], "path": path}]

    with pytest.raises(StoreError, match=f"face_01.jpg {said}.*run mmrole extract again"):
        read_keyframes(Store(), "01_000_000", store.track("01_000_000"))
