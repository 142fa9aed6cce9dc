import numpy as np
import pytest

from extractors.video.detections import Detection
from extractors.video.face_landmarks import FaceLandmarker, FaceMesh, region_of_detection, region_of_mesh
from extractors.video.picture import Picture
from extractors.video.regions import Region
from mmrole.core.errors import ModelFileError


@pytest.fixture(scope="module")
def landmarker(model_files):
    return FaceLandmarker(model_files["face_landmarker.task"])


@pytest.fixture(scope="module")
def portrait():
    """RGB (512, 512, 3); by eye the face lies between (181, 75) and (268, 178)."""
    from skimage.data import astronaut

    return Picture.from_rgb(astronaut())


def test_region_of_landmarks_by_hand():
    landmarks = np.tile(np.array([150, 120, 0], np.float32), (478, 1))
    landmarks[33], landmarks[263] = (
        (100, 100, 0),
        (200, 200, 0),
    )  # the line of the eyes falls to the right by 45 degrees
    mesh = FaceMesh(presence=1, landmarks=landmarks, box_px=np.array([100, 80, 200, 240], np.float32))
    region = region_of_mesh(mesh)
    # centre of the box, 1.5 times its longer side
    assert (region.x_px, region.y_px, region.side_px) == (150, 160, 240)
    assert region.angle_rad == pytest.approx(np.pi / 4)


def test_region_of_a_detection_by_hand():
    box = np.array([10, 20, 50, 50], np.float32)
    detection = Detection(score=1, box_px=box, keypoints_px=np.array([[20, 30], [40, 30]], np.float32))
    region = region_of_detection(detection)
    assert region == Region(x_px=30, y_px=35, side_px=60, angle_rad=0)


def test_face_and_no_face(landmarker, portrait):
    face = landmarker.find(portrait, Region(x_px=225, y_px=126, side_px=160, angle_rad=0))
    assert face.presence > 0.9
    np.testing.assert_allclose(face.box_px, [181, 75, 268, 178], atol=8)
    helmet = landmarker.find(portrait, Region(x_px=320, y_px=430, side_px=160, angle_rad=0))
    assert helmet.presence < 0.1


def test_beside_the_picture_its_outermost_pixels_go_on(landmarker):
    from skimage.data import astronaut

    cut = astronaut()[100:, :225]  # a quarter of the face is left
    padded = np.pad(cut, ((80, 0), (0, 80), (0, 0)), mode="edge")
    beside = landmarker.find(Picture.from_rgb(cut), Region(x_px=225, y_px=26, side_px=160, angle_rad=0))
    inside = landmarker.find(Picture.from_rgb(padded), Region(x_px=225, y_px=106, side_px=160, angle_rad=0))
    np.testing.assert_allclose(beside.landmarks[:, :2] + (0, 80), inside.landmarks[:, :2], atol=0.5)


def test_landmarks_settle(landmarker, portrait):
    mesh = landmarker.find(portrait, Region(x_px=220, y_px=130, side_px=175, angle_rad=0.1))
    settled = landmarker.find(portrait, region_of_mesh(mesh))
    again = landmarker.find(portrait, region_of_mesh(settled))
    # measured .6 pixels, of 43 between the eyes
    assert np.abs(again.landmarks[:, :2] - settled.landmarks[:, :2]).mean() < 1


def test_size_of_the_picture_does_not_matter_for_the_blendshapes(landmarker, portrait):
    # the model gets pixels and must normalise them itself
    mesh = landmarker.find(portrait, Region(x_px=225, y_px=126, side_px=160, angle_rad=0))
    larger = FaceMesh(presence=1, landmarks=mesh.landmarks * 3 + 50, box_px=mesh.box_px)
    one, three = landmarker.describe(mesh, 0), landmarker.describe(larger, 0)
    np.testing.assert_allclose(one.blendshapes, three.blendshapes, atol=1e-3)
    np.testing.assert_allclose(one.head_pose_deg, three.head_pose_deg, atol=1e-2)
    assert one.mouth_opening == pytest.approx(three.mouth_opening, rel=1e-4)


def test_missing_bundle(tmp_path):
    with pytest.raises(ModelFileError, match=r"face_landmarker\.task: no such model file"):
        FaceLandmarker(tmp_path / "face_landmarker.task")
