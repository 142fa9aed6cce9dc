import numpy as np
import pytest

from extractors.video.detections import SingleShotDetector, anchor_centres, decode, merge_overlapping
from extractors.video.picture import Picture


def test_anchors_of_the_face_detector():
    centres = anchor_centres(192, (4,), 1)
    assert centres.shape == (48 * 48, 2)
    # by hand: the middle of the first cell of 4 pixels, row by row
    assert centres[0].tolist() == [2, 2]
    assert centres[1].tolist() == [6, 2]
    assert centres[48].tolist() == [2, 6]
    assert centres[-1].tolist() == [190, 190]


def test_anchors_of_the_body_detector():
    centres = anchor_centres(224, (8, 16, 32, 32, 32), 2)
    # 28 x 28 places with 2 anchors, 14 x 14 with 2, 7 x 7 with 3 times 2: 2254, as the model has outputs
    assert centres.shape == (2254, 2)
    assert centres[0].tolist() == centres[1].tolist() == [4, 4]
    assert centres[2 * 28 * 28].tolist() == [8, 8]
    assert centres[-6:].tolist() == [[208, 208]] * 6


def test_decode_by_hand():
    offsets = np.array([[3, -1, 20, 10, 5, 6]], np.float32)
    anchors = np.array([[100, 50]], np.float32)
    # centre (103, 49), half sizes 10 and 5; the keypoint counts from the anchor, not from the centre
    assert decode(offsets, anchors).tolist() == [[93, 44, 113, 54, 105, 56]]


def test_merging_weights_by_score():
    boxes = np.array([[0, 0, 10, 10], [2, 0, 12, 10], [50, 50, 60, 60]], np.float32)
    merged = merge_overlapping(boxes, np.array([0.9, 0.6, 0.7], np.float32))
    # the first two overlap by 80 of 120; (0.9 * 0 + 0.6 * 2) / 1.5 = 0.8
    assert [score for score, _ in merged] == pytest.approx([0.9, 0.7])
    np.testing.assert_allclose(merged[0][1], [0.8, 0, 10.8, 10], rtol=1e-6)
    np.testing.assert_allclose(merged[1][1], [50, 50, 60, 60], rtol=1e-6)


def test_merging_ends_with_boxes_without_area():
    flat = np.zeros((2, 4), np.float32)
    assert len(merge_overlapping(flat, np.array([0.9, 0.8], np.float32))) == 2


class FakeModel:
    """Answers with one detection in the anchor at row 0, column 1, and keeps what it saw."""

    input_shape = (16, 16, 3)

    def __call__(self, fill):
        self.seen = np.empty(self.input_shape, np.float32)
        fill(self.seen)
        offsets = np.zeros((1, 16, 6), np.float32)
        offsets[0, 1] = [0, 0, 4, 4, 1, 0]
        logits = np.full((1, 16, 1), -200, np.float32)
        logits[0, 1] = 2
        return offsets, logits


def test_places_are_taken_out_of_the_letterbox():
    model = FakeModel()
    detector = SingleShotDetector(model, strides=(4,), per_place=1, min_score=0.5)
    white = Picture.from_rgb(np.full((80, 160, 3), 255, np.uint8))
    (found,) = detector(white)
    # 16 pixels show 160: anchor (6, 2) is at (60, 20) of the square, whose upper 40 pixels are letterbox
    np.testing.assert_allclose(found.box_px, [40, -40, 80, 0], atol=1e-4)
    np.testing.assert_allclose(found.keypoints_px, [[70, -20]], atol=1e-4)
    assert found.score == pytest.approx(1 / (1 + np.exp(-2)))
    # -1 is black, 1 is white: bars above and below, picture between
    assert model.seen[:3].max() == -1
    assert model.seen[5:11].min() == 1


def test_nothing_good_enough():
    detector = SingleShotDetector(FakeModel(), strides=(4,), per_place=1, min_score=0.9)
    assert detector(Picture.from_rgb(np.zeros((80, 160, 3), np.uint8))) == []
