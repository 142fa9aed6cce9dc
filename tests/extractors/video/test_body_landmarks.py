import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.body_landmarks import (
    BodyLandmarker,
    body_detector,
    body_landmarker,
    refine,
    region_below_face,
    region_of_body,
)
from extractors.video.detections import Detection
from extractors.video.picture import Picture
from extractors.video.regions import Region
from mmrole.core.errors import ModelFileError


def heat_of(cells, rows=8, columns=8, count=1):
    """A cold map with some warm cells {(row, column): value}, for the first landmark."""
    heat = np.full((rows, columns, count), -30, np.float32)
    for (row, column), value in cells.items():
        heat[row, column, 0] = value
    return heat


def test_one_warm_cell_draws_the_point():
    # cell (row 3, column 5) of 8 x 8: its corner is at (5/8, 3/8)
    found = refine(np.array([[0.5, 0.5]], np.float32), heat_of({(3, 5): 30}))
    np.testing.assert_allclose(found, [[0.625, 0.375]], atol=1e-6)


def test_two_cells_are_weighted_by_hand():
    # logistic function of 0 is 1/2, of ln 3 is 3/4: centre of gravity (2 * 0.5 + 6 * 0.75) / 1.25 = 4.4
    found = refine(np.array([[0.55, 0.5]], np.float32), heat_of({(4, 2): 0, (4, 6): np.log(3)}))
    np.testing.assert_allclose(found, [[4.4 / 8, 0.5]], atol=1e-6)


def test_cold_far_and_outside_stay():
    cold = heat_of({(4, 4): -0.1})  # just below .5
    near = np.array([[0.5, 0.5]], np.float32)
    assert np.array_equal(refine(near, cold), near)
    far = np.array([[0.05, 0.5]], np.float32)  # column 0: the window reaches to column 3
    assert np.array_equal(refine(far, heat_of({(4, 4): 30})), far)
    for outside in ((1.0, 0.5), (-0.2, 0.5), (0.5, 1.1), (0.5, -0.2)):
        point = np.array([outside], np.float32)
        assert np.array_equal(refine(point, np.full((8, 8, 1), 30, np.float32)), point)


def refine_by_loop(points, heat):
    """The definition, cell by cell."""
    rows, columns, count = heat.shape
    refined = points.astype(np.float64)
    for index in range(count):
        column, row = int(points[index, 0] * columns), int(points[index, 1] * rows)
        if not (0 <= column < columns and 0 <= row < rows):
            continue
        total = x = y = best = 0.0
        for r in range(max(0, row - 3), min(rows, row + 4)):
            for c in range(max(0, column - 3), min(columns, column + 4)):
                weight = 1 / (1 + np.exp(-float(heat[r, c, index])))
                total, x, y, best = total + weight, x + c * weight, y + r * weight, max(best, weight)
        if best >= 0.5:
            refined[index] = x / total / columns, y / total / rows
    return refined


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 12), columns=st.integers(1, 12), count=st.integers(1, 5))
def test_any_map(seed, rows, columns, count):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.1, 1.1, (count, 2)).astype(np.float32)
    heat = rng.normal(-2, 2, (rows, columns, count)).astype(np.float32)
    np.testing.assert_allclose(refine(points, heat), refine_by_loop(points, heat), atol=1e-5)


def test_region_of_a_detection_by_hand():
    detection = Detection(
        score=0.9, box_px=np.zeros(4, np.float32), keypoints_px=np.array([[100, 200], [100, 80]], np.float32)
    )
    region = region_of_body(detection)
    # upright, radius 120: side 2 * 120 * 1.25
    assert (region.x_px, region.y_px, region.side_px) == (100, 200, 300)
    assert region.angle_rad == pytest.approx(0)
    lying = Detection(
        score=0.9, box_px=np.zeros(4, np.float32), keypoints_px=np.array([[100, 200], [220, 200]], np.float32)
    )
    assert region_of_body(lying).angle_rad == pytest.approx(np.pi / 2)


def test_region_below_a_face_by_hand():
    region = region_below_face(np.array([90, 100, 110, 130], np.float32))
    # hips 3.3 * 30 below the centre (100, 115); side 2 * 4.2 * 30 * 1.25
    assert region.x_px == pytest.approx(100)
    assert region.y_px == pytest.approx(214)
    assert region.side_px == pytest.approx(315)
    assert region.angle_rad == pytest.approx(0)


class FakeModel:
    """All points in the middle of the input, 12 pixels deep; the heat maps are warm one cell to the right of it."""

    input_shape = (256, 256, 3)

    def __call__(self, fill):
        fill(np.empty(self.input_shape, np.float32))
        points = np.tile(np.array([128, 128, 12, 0, 5], np.float32), 39)
        points[5 * 34 : 5 * 34 + 2] = (128, 28)  # the rim point, above the hips
        heat = np.full((1, 64, 64, 39), -30, np.float32)
        heat[0, 32, 33] = 30
        heat[..., 34] = -30  # where it is cold the point stays
        return points[np.newaxis], np.array([[0.8]], np.float32), heat


def test_landmarks_are_refined_and_placed():
    landmarker = BodyLandmarker.__new__(BodyLandmarker)
    landmarker._model, landmarker._pixels = FakeModel(), 256
    region = Region(x_px=300, y_px=200, side_px=512, angle_rad=0)
    found = landmarker.find(Picture.from_rgb(np.zeros((400, 600, 3), np.uint8)), region)
    # cell 33 of 64 is pixel 132 of 256: 4 pixels of the input, 8 of the picture, beside the middle
    np.testing.assert_allclose(found.landmarks, np.tile([308, 200, 24, 0.5], (33, 1)), atol=1e-3)
    assert found.presence == pytest.approx(0.8)
    # next region: from the hips (308, 200) to the rim (300, 0)
    assert (found.region.x_px, found.region.y_px) == pytest.approx((308, 200))
    assert found.region.side_px == pytest.approx(2 * 1.25 * np.hypot(8, 200), rel=1e-5)
    assert found.region.angle_rad == pytest.approx(-np.arctan(8 / 200), rel=1e-3)


def test_beside_the_picture_its_outermost_pixels_go_on(model_files):
    from skimage.data import astronaut

    landmarker = body_landmarker(model_files["pose_landmarker_full.task"])
    region = Region(x_px=196, y_px=505, side_px=1210, angle_rad=0)
    inside = landmarker.find(
        Picture.from_rgb(np.pad(astronaut(), ((640, 640), (640, 640), (0, 0)), mode="edge")),
        Region(x_px=836, y_px=1145, side_px=1210, angle_rad=0),
    )
    beside = landmarker.find(Picture.from_rgb(astronaut()), region)
    np.testing.assert_allclose(beside.landmarks[:13, :2] + 640, inside.landmarks[:13, :2], atol=2)


def test_missing_bundle(tmp_path):
    for load in (body_detector, body_landmarker):
        with pytest.raises(ModelFileError, match=r"pose\.task: no such model file"):
            load(tmp_path / "pose.task")
