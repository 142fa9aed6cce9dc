"""Which landmarks to join by lines, so that a face and a body are recognised."""

from __future__ import annotations

from typing import Final

from extractors.video.observation import BODY_LANDMARKS

# fmt: off
FACE_CONTOURS: Final = (
    # oval of the face
    (10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172,
     58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10),
    # right and left eye
    (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246, 33),
    (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466, 263),
    # right and left iris
    (469, 470, 471, 472, 469),
    (474, 475, 476, 477, 474),
    # right and left brow
    (46, 53, 52, 65, 55, 107, 66, 105, 63, 70, 46),
    (276, 283, 282, 295, 285, 336, 296, 334, 293, 300, 276),
    # nose
    (168, 6, 197, 195, 5, 4, 1),
    (98, 97, 2, 326, 327),
    # outer and inner lips
    (61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185, 61),
    (78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191, 78),
)
"""Lines through points of MediaPipe's face mesh (478 points)."""
# fmt: on

HEAD_POINTS: Final = BODY_LANDMARKS.index("left_shoulder")
"""The first points of the body are on the head. They are not joined: the face has lines of its own."""

_CHAINS: Final = (
    "left_hip left_shoulder right_shoulder right_hip left_hip",
    "left_shoulder left_elbow left_wrist left_index left_pinky left_wrist left_thumb",
    "right_shoulder right_elbow right_wrist right_index right_pinky right_wrist right_thumb",
    "left_hip left_knee left_ankle left_heel left_foot_index left_ankle",
    "right_hip right_knee right_ankle right_heel right_foot_index right_ankle",
)

SKELETON: Final = tuple(
    (BODY_LANDMARKS.index(first), BODY_LANDMARKS.index(second))
    for chain in _CHAINS
    for first, second in zip(chain.split(), chain.split()[1:], strict=False)
)
"""Pairs of points of the body (33 points) that are joined."""
