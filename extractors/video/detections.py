"""Reads the boxes that MediaPipe's single-shot detectors report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.video.litert_model import LiteRtModel, sigmoid
from extractors.video.picture import Picture
from extractors.video.regions import overlap, whole_picture

_SAME_OBJECT = 0.3
"""Boxes that overlap more (intersection over union) are of one object: MediaPipe's min_suppression_threshold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Detection:
    """One object that a detector found.

    Attributes:
        score: 0..1
        box_px: (4,) left, top, right, bottom in pixels of the displayed picture; may reach out of it
        keypoints_px: (k, 2) x, y
    """

    score: float
    box_px: NDArray[np.float32]
    keypoints_px: NDArray[np.float32]


class SingleShotDetector:
    """A detector that compares the letterboxed picture with a grid of anchors.

    Args:
        model: takes RGB in -1..1, square; returns offsets (anchors, 4 + 2 k) and scores (anchors, 1)
        strides: pixels between the anchors of each layer; two anchors for each layer and place, but see `per_place`
        per_place: anchors per layer and place
        min_score: detections below are dropped
    """

    def __init__(self, model: LiteRtModel, *, strides: Sequence[int], per_place: int, min_score: float) -> None:
        self._model = model
        self._pixels = model.input_shape[0]
        self._anchors = anchor_centres(self._pixels, strides, per_place)
        self._min_score = min_score

    def __call__(self, picture: Picture) -> list[Detection]:
        """Finds objects, best first."""
        square = whole_picture(picture.width_px, picture.height_px)

        def fill(seen: NDArray[np.float32]) -> None:
            picture.warp(square.matrix(self._pixels), (self._pixels, self._pixels), border="black", out=seen)
            seen *= 2
            seen -= 1

        offsets, logits = self._model(fill)
        scores = sigmoid(logits[0, :, 0])
        good = scores >= self._min_score
        if not good.any():
            return []
        # both in pixels of the model's input, from its left upper corner
        decoded = decode(offsets[0, good], self._anchors[good])
        scale = np.float32(square.side_px / self._pixels)
        corner = np.array([square.x_px, square.y_px], np.float32) - np.float32(square.side_px / 2)
        found = []
        for score, points in merge_overlapping(decoded, scores[good]):
            placed = points.reshape(-1, 2) * scale + corner
            found.append(Detection(score=score, box_px=placed[:2].reshape(4), keypoints_px=placed[2:]))
        return found


def anchor_centres(pixels: int, strides: Sequence[int], per_place: int) -> NDArray[np.float32]:
    """Centres of the anchors, (n, 2) in pixels of the input (MediaPipe's SsdAnchorsCalculator, fixed size).

    Layers of one stride that follow one another share their places: their anchors of one place are neighbours.
    """
    layers = []
    position = 0
    while position < len(strides):
        stride = strides[position]
        repeats = 0
        while position < len(strides) and strides[position] == stride:
            repeats += per_place
            position += 1
        places = (np.arange(pixels // stride, dtype=np.float32) + np.float32(0.5)) * stride
        rows, columns = np.meshgrid(places, places, indexing="ij")
        layers.append(np.repeat(np.stack([columns, rows], axis=-1).reshape(-1, 2), repeats, axis=0))
    return np.concatenate(layers)


def decode(offsets: NDArray[np.float32], anchors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turns offsets (n, 4 + 2 k): centre, width and height, keypoints, into corners and keypoints.

    Returns:
        (n, 4 + 2 k) left, top, right, bottom, x, y, x, y, ... in pixels of the input
    """
    decoded = offsets + np.tile(anchors, offsets.shape[1] // 2)
    half = offsets[:, 2:4] / 2
    decoded[:, 2:4] = decoded[:, :2] + half
    decoded[:, :2] -= half
    return decoded


def merge_overlapping(
    decoded: NDArray[np.float32], scores: NDArray[np.float32]
) -> list[tuple[float, NDArray[np.float32]]]:
    """Averages boxes and keypoints of detections of one object, weighted by score (BlazeFace, section 3.3).

    Args:
        decoded: (n, m), the first four columns a box
        scores: (n,)

    Returns:
        best first: score of the best one and the average of all that overlap it, (m,)
    """
    merged = []
    left = np.argsort(-scores, kind="stable")
    while left.size:
        boxes = decoded[left, :4]
        same = overlap(boxes[0], boxes) > _SAME_OBJECT
        same[0] = True
        group = left[same]
        weights = scores[group] / scores[group].sum()
        merged.append((float(scores[left[0]]), weights @ decoded[group]))
        left = left[~same]
    return merged
