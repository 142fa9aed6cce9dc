"""LiteRT against stock MediaPipe 0.10.33 (the `mediapipe` extra), on a public-domain portrait and changes of it.

Where both sample pixels alike (with OpenCV 4, as MediaPipe is built with, which rounds places to 1/32 pixel) they agree to
.02 % everywhere. OpenCV 5 samples exactly; what that changes is in the measured figures beside the tolerances.
"""

import sys

import cv2
import numpy as np
import pytest

from extractors.video.backends import make_observer
from extractors.video.body_landmarks import body_detector, body_landmarker, region_of_body
from extractors.video.detections import SingleShotDetector
from extractors.video.face_landmarks import FaceLandmarker, region_of_detection
from extractors.video.litert_model import LiteRtModel, read_bundle
from extractors.video.mediapipe_backend import MediaPipeObserver
from extractors.video.observer import LiteRtObserver, ModelPaths
from extractors.video.picture import Picture
from mmrole.core.errors import MissingExtraError
from mmrole.core.extraction import ExtractSettings

CHANGES = {
    "plain": lambda rgb: rgb,
    "mirrored": lambda rgb: rgb[:, ::-1],
    "small": lambda rgb: cv2.resize(rgb, (384, 384), interpolation=cv2.INTER_AREA),
    "dark": lambda rgb: (rgb * 0.6).astype(np.uint8),
    "tilted": lambda rgb: cv2.warpAffine(
        rgb, cv2.getRotationMatrix2D((256, 256), 10, 1), (512, 512), borderMode=cv2.BORDER_REPLICATE
    ),
}


@pytest.fixture(scope="module")
def paths(model_files):
    return ModelPaths(
        face_landmarker=model_files["face_landmarker.task"],
        face_detector=model_files["face_detection_full_range.tflite"],
        pose_landmarker=model_files["pose_landmarker_full.task"],
    )


@pytest.fixture(scope="module")
def stock(paths):
    return MediaPipeObserver(paths, max_faces=1)


@pytest.fixture(scope="module", params=CHANGES)
def picture(request):
    from skimage.data import astronaut

    return Picture.from_rgb(np.ascontiguousarray(CHANGES[request.param](astronaut())))


@pytest.fixture
def expected(stock, picture):
    stock.start_clip()
    return stock.observe(picture, 0.0)


def distances(found, expected):
    return np.hypot(*(found[:, :2] - expected[:, :2]).T)


@pytest.mark.conformance
def test_face_models(paths, picture, expected):
    """The same detector, so that both look at the same region. Measured: .010-.030 % and .0002-.0006."""
    (short_range,) = read_bundle(paths.face_landmarker, "face_detector.tflite")
    detector = SingleShotDetector(
        LiteRtModel(short_range, "face_detector.tflite"), strides=(8, 16, 16, 16), per_place=2, min_score=0.5
    )
    landmarker = FaceLandmarker(paths.face_landmarker)
    found = landmarker.describe(landmarker.find(picture, region_of_detection(detector(picture)[0])), 0)
    (face,) = expected.faces
    eyes = np.hypot(*(face.landmarks[468, :2] - face.landmarks[473, :2]))
    assert distances(found.landmarks, face.landmarks).mean() < 0.001 * eyes
    assert np.abs(found.landmarks[:, 2] - face.landmarks[:, 2]).mean() < 0.005 * eyes
    assert np.abs(found.blendshapes - face.blendshapes).mean() < 0.002
    np.testing.assert_allclose(found.head_pose_deg, face.head_pose_deg, atol=0.2)


@pytest.mark.conformance
def test_body_models(paths, picture, expected):
    """Each frame by itself. Measured: seen points .14-1.6 % of the shoulders' width, all 1.2-2.7 %, visibility .004-.016."""
    detector, landmarker = body_detector(paths.pose_landmarker), body_landmarker(paths.pose_landmarker)
    found = landmarker.find(picture, region_of_body(detector(picture)[0])).landmarks
    (body,) = expected.bodies
    points = body.landmarks
    shoulders = np.hypot(*(points[11, :2] - points[12, :2]))
    inside = ((points[:, :2] >= 0) & (points[:, :2] < (picture.width_px, picture.height_px))).all(axis=1)
    seen = inside & (points[:, 3] > 0.5)
    assert seen.sum() >= 11
    away = distances(found, points)
    assert away[seen].mean() < 0.02 * shoulders
    assert away.mean() < 0.04 * shoulders
    assert np.abs(found[:, 3] - points[:, 3]).mean() < 0.03


@pytest.mark.conformance
def test_whole_observers(paths, picture, expected):
    """Different face detectors, and the body is sought below the face. Measured: face .93-1.5 % and .011-.019."""
    observer = LiteRtObserver(paths, max_faces=1)
    observer.start_clip()
    seen = observer.observe(picture, 0.0)
    (face,), (found,) = expected.faces, seen.faces
    eyes = np.hypot(*(face.landmarks[468, :2] - face.landmarks[473, :2]))
    assert distances(found.landmarks, face.landmarks).mean() < 0.025 * eyes
    assert np.abs(found.blendshapes - face.blendshapes).mean() < 0.03
    (body,), (other,) = expected.bodies, seen.bodies
    assert body.track == other.track == 0
    shoulders = np.hypot(*(body.landmarks[11, :2] - body.landmarks[12, :2]))
    # the head, which is always seen
    assert distances(other.landmarks, body.landmarks)[:11].mean() < 0.08 * shoulders


@pytest.mark.conformance
def test_stock_observer_links_faces_and_forgets_clips(stock, portrait_frames):
    for _ in range(2):
        stock.start_clip()
        seen = [stock.observe(picture, index / 5) for index, picture in enumerate(portrait_frames)]
        assert [[face.track for face in frame.faces] for frame in seen] == [[0], [0], [], [1]]
        assert np.isnan([face.score for frame in seen for face in frame.faces]).all()
        assert seen[0].bodies[0].landmarks.shape == (33, 4)


@pytest.fixture(scope="module")
def portrait_frames():
    from skimage.data import astronaut

    portrait = astronaut()
    black = np.zeros_like(portrait)
    return [Picture.from_rgb(rgb) for rgb in (portrait, np.roll(portrait, 10, axis=1), black, portrait)]


@pytest.mark.conformance
def test_observer_of_the_settings(model_files):
    assert isinstance(make_observer(model_files, ExtractSettings(face_backend="mediapipe")), MediaPipeObserver)


def test_missing_extra(paths, monkeypatch):
    monkeypatch.setitem(sys.modules, "mediapipe", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'mmrole\[mediapipe\]'"):
        MediaPipeObserver(paths)
