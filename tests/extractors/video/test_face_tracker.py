"""The tracker's logic against a world of squares: a stand-in for the models sees a face where it is, and only there."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from extractors.video.detections import Detection
from extractors.video.face_landmarks import FaceMesh
from extractors.video.face_tracker import FaceTracker


@dataclass
class World:
    """Faces of the current frame as (x, y, side), and what was asked."""

    faces: list = field(default_factory=list)
    searches: list = field(default_factory=list)
    looks: int = 0

    def detect(self, picture):
        self.searches.append(picture)
        return [
            Detection(
                score=0.9,
                box_px=np.array([x - side / 2, y - side / 2, x + side / 2, y + side / 2], np.float32),
                keypoints_px=np.array([[x - side / 4, y], [x + side / 4, y]], np.float32),
            )
            for x, y, side in self.faces
        ]

    def find(self, picture, region):
        """A face whose centre lies within a quarter of the region's side, and that fills it about half."""
        self.looks += 1
        for x, y, side in self.faces:
            near = max(abs(x - region.x_px), abs(y - region.y_px)) < region.side_px / 4
            if near and 0.4 < side / region.side_px < 1:
                return mesh(x, y, side)
        return mesh(region.x_px, region.y_px, region.side_px / 2, presence=0.1)

    def describe(self, found, number):
        return number, found


def mesh(x, y, side, presence=0.95):
    landmarks = np.tile(np.array([x, y, 0], np.float32), (478, 1))
    landmarks[33, 0], landmarks[263, 0] = x - side / 2, x + side / 2
    box = np.array([x - side / 2, y - side / 2, x + side / 2, y + side / 2], np.float32)
    return FaceMesh(presence=presence, landmarks=landmarks, box_px=box)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def run(world):
    """Runs frames through a tracker: for each frame the track numbers with the rounded x of their faces."""
    tracker = FaceTracker(world, world.detect, max_faces=3)

    def go(frames, step_s=0.2):
        tracker.start_clip()
        seen = []
        for index, faces in enumerate(frames):
            world.faces = faces
            found = tracker.update(index, index * step_s)
            seen.append({number: round(float(face.landmarks[0, 0])) for number, face in found})
        return seen

    return go


def test_one_face_keeps_its_number_while_it_moves(run, world):
    frames = [[(100 + 15 * index, 100, 60)] for index in range(10)]
    assert run(frames) == [{0: 100 + 15 * index} for index in range(10)]
    # at 0 s because nothing is known, then every second of the clip (at 1 s)
    assert world.searches == [0, 5]


def test_a_resting_face_costs_one_look_a_frame(run, world):
    run([[(100, 100, 60)]] * 5)
    assert world.looks == 2 + 4  # the detector's region and the face's own in the first frame


def test_a_face_that_moved_far_is_looked_at_again(run, world):
    run([[(100, 100, 60)], [(115, 100, 60)]])
    assert world.looks == 2 + 2
    world.looks = 0
    run([[(100, 100, 60)], [(102, 100, 60)]])
    assert world.looks == 2 + 1


def test_the_detector_is_asked_while_nothing_is_known(run, world):
    assert run([[], [], [], [(100, 100, 60)], [(100, 100, 60)]]) == [{}, {}, {}, {0: 100}, {0: 100}]
    assert world.searches == [0, 1, 2, 3]


def test_a_jump_within_a_second_keeps_the_number(run):
    # too far to be followed, near enough to be the same
    assert run([[(100, 100, 60)], [(150, 100, 60)]]) == [{0: 100}, {0: 150}]
    assert run([[(100, 100, 60)], [], [], [(140, 100, 60)]]) == [{0: 100}, {}, {}, {0: 140}]


def test_far_away_or_much_later_it_is_another_face(run):
    assert run([[(100, 100, 60)], [(300, 100, 60)]]) == [{0: 100}, {1: 300}]
    assert run([[(100, 100, 60)], [(100, 100, 180)]]) == [{0: 100}, {1: 100}]
    gone = [[(100, 100, 60)]] + [[]] * 6 + [[(100, 100, 60)]]
    assert run(gone)[-1] == {1: 100}


def test_a_second_face_is_found_at_the_next_search(run):
    frames = [[(100, 100, 60)]] + [[(100, 100, 60), (300, 100, 60)]] * 6
    seen = run(frames)
    assert seen[4] == {0: 100}
    assert seen[5] == {0: 100, 1: 300}


def test_a_lost_face_is_searched_for_a_second(run, world):
    both, one = [(100, 100, 60), (300, 100, 60)], [(100, 100, 60)]
    seen = run([both, one, one, both, both])
    assert seen[2] == {0: 100}
    assert seen[3] == {0: 100, 1: 300}
    assert world.searches == [0, 1, 2, 3]


def test_tracks_that_run_into_one_another_become_one(run):
    frames = [[(100 + 20 * index, 100, 60), (300 - 20 * index, 100, 60)] for index in range(5)] + [[(200, 100, 60)]] * 2
    assert run(frames)[-1] == {0: 200}


def test_no_more_faces_than_allowed_and_the_largest(run):
    faces = [(100, 100, 40), (300, 100, 60), (500, 100, 50), (700, 100, 70)]
    assert run([faces]) == [{0: 700, 1: 300, 2: 500}]


def test_what_the_landmarks_deny_is_no_face(run, world):
    world.find = lambda picture, region: mesh(100, 100, 60, presence=0.4)
    assert run([[(100, 100, 60)]] * 2) == [{}, {}]


def test_clips_do_not_know_of_each_other(run):
    frames = [[(100, 100, 60)], [(130, 100, 60)], [], [(130, 100, 60)]]
    alone = run(frames)
    run([[(500, 100, 90), (130, 100, 60)]] * 3)
    assert run(frames) == alone
