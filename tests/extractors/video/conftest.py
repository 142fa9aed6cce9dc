"""Builders of synthetic observations: session fixtures that return functions, so that property tests may use them."""

import numpy as np
import pytest

from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS, Body, Face, FrameObservation


@pytest.fixture(scope="session")
def face_of():
    """A face: its box is a square around `centre`; blendshapes by name, all others 0; `lips` is the mouth's opening."""

    def build(*, track=0, centre=(80.0, 45.0), side=30.0, score=0.9, lips=0.0, **shapes):
        x, y = centre
        blendshapes = np.zeros(52, np.float32)
        for name, value in shapes.items():
            blendshapes[BLENDSHAPES.index(name)] = value
        return Face(
            track=track,
            score=score,
            box_px=np.array([x - side / 2, y - side / 2, x + side / 2, y + side / 2], np.float32),
            landmarks=np.tile(np.array([x, y, 0], np.float32), (478, 1)),
            blendshapes=blendshapes,
            head_pose_deg=np.array([1, 2, 3], np.float32),
            mouth_opening=lips,
        )

    return build


@pytest.fixture(scope="session")
def body_of():
    """A body: the shoulders are `torso` apart around `centre`, the hips as far below; `shift` moves single points."""

    def build(*, track=0, centre=(80.0, 60.0), torso=20.0, score=0.8, hidden=(), **shift):
        places = {"nose": (0, -1), "shoulder": (0.5, 0), "elbow": (0.7, 0.5), "wrist": (0.7, 1), "hip": (0.5, 1)}
        landmarks = np.zeros((33, 4), np.float32)
        for index, name in enumerate(BODY_LANDMARKS):
            joint = name.split("_")[-1]
            across, down = places.get(joint, (0, 0))
            dx, dy = shift.get(name, (0, 0))
            side = 1 if name.startswith("left") else -1
            landmarks[index, :2] = centre[0] + side * across * torso + dx, centre[1] + down * torso + dy
            landmarks[index, 3] = float(joint in places and name not in hidden and joint not in hidden)
        return Body(track=track, score=score, landmarks=landmarks)

    return build


@pytest.fixture(scope="session")
def seen():
    """Observations at `fps`, one for each list of faces (and of bodies)."""

    def build(faces, bodies=None, *, fps=5.0, start_s=0.0):
        bodies = [[] for _ in faces] if bodies is None else bodies
        return [
            FrameObservation(time_s=start_s + index / fps, faces=tuple(some), bodies=tuple(others))
            for index, (some, others) in enumerate(zip(faces, bodies, strict=True))
        ]

    return build
