"""The real models on a public-domain portrait (Eileen Collins, NASA; scikit-image's `astronaut`) and on what is no face."""

import numpy as np
import pytest

from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS, HEAD_POSE_AXES
from extractors.video.observer import LiteRtObserver, ModelPaths
from extractors.video.picture import Picture
from mmrole.core.errors import ModelFileError


@pytest.fixture(scope="session")
def portrait():
    """RGB (512, 512, 3). By eye: irises at (203, 101) and (246, 103), lips at (222, 140) and (222, 150), chin (225, 177)."""
    from skimage.data import astronaut

    return astronaut()


@pytest.fixture(scope="module")
def paths(model_files):
    return ModelPaths(
        face_landmarker=model_files["face_landmarker.task"],
        face_detector=model_files["face_detection_full_range.tflite"],
        pose_landmarker=model_files["pose_landmarker_full.task"],
    )


@pytest.fixture(scope="module")
def observer(paths):
    return LiteRtObserver(paths)


@pytest.fixture
def look(observer):
    """Observes frames of one clip at 5 frames a second."""

    def go(*rgbs):
        observer.start_clip()
        frames = [np.ascontiguousarray(rgb) for rgb in rgbs]
        return [observer.observe(Picture.from_rgb(rgb), index / 5) for index, rgb in enumerate(frames)]

    return go


def scene(portrait, *places, width=1280, height=720):
    """A wide grey picture with portraits (down to the chest) whose left upper corners are at the places."""
    picture = np.full((height, width, 3), 100, np.uint8)
    for (x, y), person in zip(places, (portrait, portrait[:, ::-1]), strict=False):
        part = person[:360]
        picture[y : y + 360, x : x + 512] = part[: height - y, : width - x]
    return picture


def test_the_portrait(look, portrait):
    (seen,) = look(portrait)
    (face,) = seen.faces
    (body,) = seen.bodies
    assert seen.time_s == 0
    assert face.track == body.track == 0
    assert face.score > 0.9
    assert (face.landmarks.shape, face.blendshapes.shape, face.head_pose_deg.shape) == ((478, 3), (52,), (3,))
    assert {face.landmarks.dtype, face.blendshapes.dtype, face.box_px.dtype, body.landmarks.dtype} == {np.dtype("f4")}
    assert body.landmarks.shape == (33, 4)
    # centres of the irises, by eye
    np.testing.assert_allclose(face.landmarks[[468, 473], :2], [(203, 101), (246, 103)], atol=2)
    # inner lips and chin, by eye
    np.testing.assert_allclose(face.landmarks[[13, 14, 152], :2], [(222, 141), (222, 150), (225, 177)], atol=4)
    shapes = dict(zip(BLENDSHAPES, face.blendshapes, strict=True))
    assert 0 <= face.blendshapes.min() <= face.blendshapes.max() <= 1
    assert min(shapes["mouthSmileLeft"], shapes["mouthSmileRight"]) > 0.5  # she smiles with open lips, eyes open
    assert max(shapes["eyeBlinkLeft"], shapes["eyeBlinkRight"]) < 0.3
    assert 0.05 < face.mouth_opening < 0.4
    assert np.abs(face.head_pose_deg).max() < 20
    points = dict(zip(BODY_LANDMARKS, body.landmarks, strict=True))
    np.testing.assert_allclose(points["nose"][:2], face.landmarks[4, :2], atol=12)
    assert points["left_shoulder"][0] > points["right_shoulder"][0]
    assert min(points["left_shoulder"][3], points["right_shoulder"][3]) > 0.9
    assert points["left_ankle"][3] < 0.5  # not in the picture


def test_left_and_right_are_the_persons_own(look, portrait):
    straight = dict(zip(BLENDSHAPES, look(portrait)[0].faces[0].blendshapes, strict=True))
    mirrored = dict(zip(BLENDSHAPES, look(portrait[:, ::-1])[0].faces[0].blendshapes, strict=True))
    # she raises one side of the mouth more than the other
    assert mirrored["mouthSmileLeft"] == pytest.approx(straight["mouthSmileRight"], abs=0.1)


def test_head_pose_of_turned_pictures(look, portrait):
    pose = dict(zip(HEAD_POSE_AXES, look(portrait)[0].faces[0].head_pose_deg, strict=True))
    mirrored = dict(zip(HEAD_POSE_AXES, look(portrait[:, ::-1])[0].faces[0].head_pose_deg, strict=True))
    assert mirrored["roll"] == pytest.approx(-pose["roll"], abs=2)
    assert mirrored["yaw"] == pytest.approx(-pose["yaw"], abs=3)
    assert mirrored["pitch"] == pytest.approx(pose["pitch"], abs=3)
    lying = dict(zip(HEAD_POSE_AXES, look(np.rot90(portrait, -1))[0].faces[0].head_pose_deg, strict=True))
    # a picture turned clockwise by 90 degrees tilts the head by as much
    assert lying["roll"] == pytest.approx(pose["roll"] + 90, abs=5)


def test_small_faces_of_a_wide_shot(look, portrait):
    # 91 pixels in a picture of 1280: MediaPipe's own face landmarker finds none
    seen = look(*[scene(portrait, (300, 300))] * 2)
    for frame in seen:
        (face,) = frame.faces
        assert 80 < face.box_px[2] - face.box_px[0] < 110
        np.testing.assert_allclose(face.landmarks[[468, 473], :2], [(503, 401), (546, 403)], atol=2)


def test_two_people(look, portrait):
    seen = look(*[scene(portrait, (60, 200), (700, 200))] * 3)
    for frame in seen:
        assert [face.track for face in frame.faces] == [0, 1]
        assert {body.track for body in frame.bodies} == {0, 1}
        centres = {face.track: face.box_px[[0, 2]].mean() for face in frame.faces}
        noses = {body.track: body.landmarks[0, 0] for body in frame.bodies}
        for track, centre in centres.items():
            assert noses[track] == pytest.approx(centre, abs=30)
    # nothing moves between the frames
    for before, after in zip(seen[1].faces, seen[2].faces, strict=True):
        np.testing.assert_allclose(before.box_px, after.box_px, atol=2)


def test_a_moving_face_is_one_track(look, portrait):
    seen = look(*[scene(portrait, (100 + 40 * index, 200)) for index in range(6)])
    assert [[face.track for face in frame.faces] for frame in seen] == [[0]] * 6
    moved = np.diff([frame.faces[0].landmarks[4, 0] for frame in seen])
    np.testing.assert_allclose(moved, 40, atol=2)


def no_faces():
    rng = np.random.default_rng(3)
    ramp = np.linspace(0, 255, 640, dtype=np.uint8)
    bars = np.repeat([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255]], 128, axis=0).astype(
        np.uint8
    )
    return {
        "black": np.zeros((360, 640, 3), np.uint8),
        "white": np.full((360, 640, 3), 255, np.uint8),
        "noise": rng.integers(0, 256, (360, 640, 3), np.uint8),
        "ramp": np.broadcast_to(ramp[:, np.newaxis], (360, 640, 3)),
        "bars": np.broadcast_to(bars, (360, 640, 3)),
        "tiny": rng.integers(0, 256, (16, 16, 3), np.uint8),
        "speck": np.zeros((1, 1, 3), np.uint8),
    }


@pytest.mark.parametrize("name", no_faces())
def test_what_is_no_face(look, name):
    for frame in look(*[no_faces()[name]] * 3):
        assert frame.faces == ()
        assert frame.bodies == ()


def numbers(seen):
    """Everything that was measured, for comparison bit by bit."""
    faces = [
        (face.track, face.score, *(part.tobytes() for part in (face.box_px, face.landmarks, face.blendshapes)))
        for frame in seen
        for face in frame.faces
    ]
    return faces, [(body.track, body.score, body.landmarks.tobytes()) for frame in seen for body in frame.bodies]


def test_a_clip_does_not_know_of_the_clips_before(look, paths, portrait):
    clip = [scene(portrait, (100 + 30 * index, 200)) for index in range(3)]
    first = numbers(look(*clip))
    look(*[portrait] * 2, np.zeros((64, 64, 3), np.uint8))
    assert numbers(look(*clip)) == first
    other = LiteRtObserver(paths)
    other.start_clip()
    frames = [other.observe(Picture.from_rgb(np.ascontiguousarray(rgb)), index / 5) for index, rgb in enumerate(clip)]
    assert numbers(frames) == first


def test_earlier_results_stay_as_they_are(look, portrait):
    # results must not be views of memory that the next frame overwrites
    observed = look(portrait)
    before = numbers(observed)
    look(portrait[:, ::-1])
    assert numbers(observed) == before


def test_without_bodies(paths, portrait):
    observer = LiteRtObserver(
        ModelPaths(face_landmarker=paths.face_landmarker, face_detector=paths.face_detector), body=False
    )
    observer.start_clip()
    seen = observer.observe(Picture.from_rgb(portrait), 0.0)
    assert len(seen.faces) == 1
    assert seen.bodies == ()


def test_bodies_need_their_model(paths):
    with pytest.raises(ModelFileError, match=r"no model file for bodies is named \(pose_landmarker_full\.task\)"):
        LiteRtObserver(ModelPaths(face_landmarker=paths.face_landmarker, face_detector=paths.face_detector))
