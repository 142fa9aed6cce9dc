import cv2
import numpy as np
import pytest

from extractors.video.keyframe_pictures import body_crop, encode, face_crop
from extractors.video.picture import Picture


@pytest.mark.parametrize(
    ("face", "box"),
    [
        # by hand: side 100 -> square of 170 around the centre, 8 px further up
        ({"centre": (300, 200), "side": 100}, (215, 107, 385, 277)),
        ({"centre": (30, 200), "side": 100}, (0, 107, 115, 277)),  # cut at the left edge
        ({"centre": (630, 350), "side": 100}, (545, 257, 640, 360)),  # cut at the lower right corner
        ({"centre": (900, 200), "side": 100}, None),  # outside
        ({"centre": (300, 200), "side": 0}, None),
        ({"centre": (float("nan"), 200), "side": 100}, None),
    ],
)
def test_face_crop(face_of, face, box):
    assert face_crop(face_of(**face), (640, 360)) == box


@pytest.mark.parametrize(
    ("body", "box"),
    [
        # by hand, torso 100: elbows and wrists 70 to both sides, wrists and hips 100 below the shoulders' middle, nose 100 above,
        # top of the head 200 above: 140 x 300, margin 45
        ({"centre": (300, 200), "torso": 100}, (185, 0, 415, 345)),
        ({"centre": (300, 260), "torso": 100}, (185, 15, 415, 360)),  # the margin goes to the edge
        # unseen wrists do not count, hips do
        ({"centre": (300, 200), "torso": 100, "left_wrist": (200, 0), "hidden": ("left_wrist",)}, (185, 0, 415, 345)),
        ({"centre": (300, 200), "torso": 100, "left_wrist": (200, 0)}, (179, 0, 621, 351)),  # 340 x 300 -> margin 51
        ({"centre": (900, 200), "torso": 100}, None),
        # head and trunk only: 100 x 300, margin 45
        ({"centre": (300, 200), "torso": 100, "hidden": ("elbow", "wrist", "hip")}, (205, 0, 395, 345)),
    ],
)
def test_body_crop(body_of, body, box):
    crop = body_crop(body_of(**body), (640, 360))
    assert crop == (None if box is None else pytest.approx(box, abs=1))


def decoded(jpeg):
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]


def test_colours_and_place():
    rgb = np.zeros((90, 160, 3), np.uint8)
    rgb[:, :80] = (200, 30, 60)
    rgb[:, 80:] = (20, 60, 220)
    jpeg = encode(Picture.from_rgb(rgb), (80, 10, 120, 50), "face")
    assert jpeg[:2] == b"\xff\xd8"
    shown = decoded(jpeg)
    assert shown.shape == (40, 40, 3)
    assert np.abs(shown[5:-5, 5:-5].astype(int) - (20, 60, 220)).max() <= 8  # JPEG's own loss


@pytest.mark.parametrize(("kind", "size"), [("face", (512, 256)), ("body", (1280, 640)), ("frame", (1280, 640))])
def test_large_pictures_are_shrunk(kind, size):
    picture = Picture.from_rgb(np.full((700, 1400, 3), 90, np.uint8))
    assert decoded(encode(picture, (0, 0, 1400, 700), kind)).shape[1::-1] == size


def test_small_pictures_are_not_enlarged():
    picture = Picture.from_rgb(np.full((50, 60, 3), 90, np.uint8))
    assert decoded(encode(picture, (0, 0, 60, 50), "frame")).shape == (50, 60, 3)
