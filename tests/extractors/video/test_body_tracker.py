"""The tracker's logic against a world of people: a stand-in for the models sees a body where it is, and only there."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from extractors.video.body_landmarks import BodyPose
from extractors.video.body_tracker import BodyTracker
from extractors.video.detections import Detection
from extractors.video.regions import Region

FACE = 20.0  # side of every face; the hips are 3.3 faces below, the body reaches 4.2 faces from there


@dataclass
class World:
    """People of the current frame, by the x of their faces at y = 100; what the detector sees; what was asked."""

    people: list = field(default_factory=list)
    detected: dict = field(default_factory=dict)  # x -> score
    searches: list = field(default_factory=list)
    looks: int = 0

    def detect(self, picture):
        self.searches.append(picture)
        return [
            Detection(
                score=score,
                box_px=np.array([x - 15, 95, x + 15, 125], np.float32),  # around the chin
                keypoints_px=np.array([[x, 166], [x, 82]], np.float32),
            )
            for x, score in self.detected.items()
        ]

    def find(self, picture, region):
        self.looks += 1
        near = [x for x in self.people if abs(x - region.x_px) < region.side_px / 5]
        x = min(near, key=lambda place: abs(place - region.x_px), default=None)
        return pose(region.x_px, presence=0.1) if x is None else pose(x)


def pose(x, presence=0.9):
    landmarks = np.zeros((33, 4), np.float32)
    landmarks[:, :2] = (x, 166)
    landmarks[:11, :2] = (x, 100)
    region = Region(x_px=x, y_px=166, side_px=210, angle_rad=0)
    return BodyPose(presence=presence, landmarks=landmarks, region=region)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def run(world, face_of):
    """Runs frames of (faces by track, people, detected) through a tracker: for each frame x of the body by track."""
    tracker = BodyTracker(world, world.detect, max_bodies=3)

    def go(frames, step_s=0.2):
        tracker.start_clip()
        world.searches.clear()
        seen = []
        for index, (faces, people, detected) in enumerate(frames):
            world.people, world.detected = people, detected
            given = [face_of(track=track, centre=(x, 100.0), side=FACE) for track, x in faces.items()]
            bodies = tracker.update(index, index * step_s, given)
            seen.append({body.track: round(float(body.landmarks[0, 0])) for body in bodies})
        return seen

    return go


def test_the_body_below_a_face_needs_no_detector(run, world):
    frames = [({0: 200 + 5 * index}, [200 + 5 * index], {}) for index in range(8)]
    assert run(frames) == [{0: 200 + 5 * index} for index in range(8)]
    assert world.searches == []
    assert world.looks == 8


def test_one_body_for_each_face(run, world):
    frame = ({0: 200, 3: 600}, [200, 600], {})
    assert run([frame] * 3) == [{0: 200, 3: 600}] * 3
    assert world.looks == 6


def test_where_the_face_does_not_lead_the_detector_does(run, world, monkeypatch):
    elsewhere = Region(x_px=-500, y_px=0, side_px=210, angle_rad=0)
    monkeypatch.setattr("extractors.video.body_tracker.region_below_face", lambda box: elsewhere)
    frame = ({0: 200}, [200], {200: 0.55})
    assert run([frame] * 3) == [{0: 200}] * 3
    assert world.searches == [0]


def test_a_face_without_a_body_is_searched_at_once_and_then_every_second(run, world):
    assert run([({0: 200}, [], {})] * 12) == [{}] * 12
    assert world.searches == [0, 5, 10]
    run([({0: 200}, [], {})] * 2 + [({0: 200, 1: 500}, [], {})] * 2)
    assert world.searches == [0, 2]


def test_a_detected_body_must_have_the_head_in_the_face(run):
    # the detector points at the face, but the landmarks are those of a neighbour 30 pixels aside
    assert run([({0: 200}, [230], {205: 0.9})]) == [{}]


def test_a_body_whose_face_is_hidden_keeps_its_track_while_the_detector_agrees(run, world):
    shown, hidden = ({0: 200}, [200], {200: 0.9}), ({}, [200], {200: 0.9})
    assert run([shown] * 2 + [hidden] * 10) == [{0: 200}] * 12
    assert world.searches == [2, 7]
    denied = ({}, [200], {200: 0.55})
    assert run([shown] * 2 + [denied] * 4) == [{0: 200}] * 2 + [{}] * 4


def test_a_body_without_a_face_counts_from_its_second_sighting(run, world):
    frame = ({}, [200], {200: 0.7})
    assert run([frame] * 4) == [{}, {None: 200}, {None: 200}, {None: 200}]
    assert world.searches == [0, 1]


def test_a_single_or_weak_sighting_is_no_body(run, world):
    nothing = ({}, [200], {})
    assert run([({}, [200], {200: 0.9})] + [nothing] * 3) == [{}] * 4
    assert run([({}, [200], {200: 0.59})] * 8) == [{}] * 8
    # nothing known, no face: the detector is asked every second
    assert world.searches == [0, 5]


def test_faceless_people_are_not_sought_beside_faces(run):
    assert run([({0: 200}, [200, 600], {200: 0.9, 600: 0.9})] * 4) == [{0: 200}] * 4


def test_a_face_that_appears_takes_its_body(run):
    frames = [({}, [200], {200: 0.7})] * 3 + [({5: 200}, [200], {200: 0.7})]
    assert run(frames)[-1] == {5: 200}


def test_a_body_that_slips_to_a_neighbour_becomes_the_neighbours(run):
    # person 0 leaves; the region finds person 1 nearby, who has a face and no body of their own yet
    frames = [({0: 200}, [200], {}), ({1: 225}, [225], {})]
    assert run(frames) == [{0: 200}, {1: 225}]


def test_a_body_that_slips_to_someone_without_a_face_is_dropped(run):
    # the face moves on; the region finds a passer-by where the body was
    frames = [({0: 200}, [200], {}), ({0: 240}, [205, 240], {})]
    assert run(frames) == [{0: 200}, {0: 240}]


def test_a_hidden_body_is_verified_also_beside_other_faces(run, world):
    both = ({0: 200, 1: 600}, [200, 600], {})
    hidden = ({1: 600}, [200, 600], {})
    # denied at once, since the last search is more than a second ago: there was none
    assert run([both, hidden, hidden]) == [{0: 200, 1: 600}, {1: 600}, {1: 600}]
    assert world.searches == [1]


def test_two_tracks_on_one_body_become_one(run):
    frames = [({0: 200, 1: 300}, [200, 300], {}), ({0: 200}, [200], {}), ({0: 230}, [230], {})]
    assert [len(bodies) for bodies in run(frames)] == [2, 1, 1]


def test_no_more_bodies_than_allowed(run):
    faces = {track: 300 * track for track in range(5)}
    assert len(run([(faces, list(faces.values()), {})])[0]) == 3


def test_clips_do_not_know_of_each_other(run):
    frames = [({}, [200], {200: 0.7}), ({0: 220}, [220], {}), ({}, [220], {220: 0.7})]
    alone = run(frames)
    run([({0: 200, 1: 500}, [200, 500], {})] * 3)
    assert run(frames) == alone
