import numpy as np
import pytest

from extractors.video.face_detector import face_detector
from extractors.video.picture import Picture
from mmrole.core.errors import ModelFileError


@pytest.fixture(scope="module")
def detector(model_files):
    return face_detector(model_files["face_detection_full_range.tflite"])


@pytest.mark.parametrize("place", [(0, 0), (400, 200), (768, 208)])
def test_face_of_a_wide_picture(detector, place):
    from skimage.data import astronaut

    x, y = place
    picture = np.full((720, 1280, 3), 90, np.uint8)
    picture[y : y + 512, x : x + 512] = astronaut()
    (found,) = detector(Picture.from_rgb(picture))
    assert found.score > 0.6
    # by eye: the person's right and left eye, tip of the nose, middle of the mouth
    seen = np.array([(203, 101), (246, 103), (224, 125), (222, 146)]) + place
    # 1280 pixels are seen as 192: two and a half of these
    np.testing.assert_allclose(found.keypoints_px[:4], seen, atol=16)
    left, top, right, bottom = found.box_px
    assert left < seen[0, 0] < seen[1, 0] < right
    assert top < seen[0, 1] < seen[3, 1] < bottom


def test_nothing(detector):
    assert detector(Picture.from_rgb(np.zeros((72, 128, 3), np.uint8))) == []


def test_missing_model(tmp_path):
    with pytest.raises(ModelFileError, match=r"face\.tflite: no such model file; fetch it with `mmrole models fetch`"):
        face_detector(tmp_path / "face.tflite")
