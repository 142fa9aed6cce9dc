import dataclasses
import json

import numpy as np
import pyarrow as pa
import pytest

from extractors.video.speaker import choose_speaker
from extractors.video.track import COLUMNS, frame_track, schema
from mmrole.core.tables import read_table, table_bytes


@pytest.fixture
def track(face_of, body_of, seen):
    """Four frames: both faces and bodies; the other face only; the speaker without body; nobody."""
    speaker = {"track": 0, "centre": (40, 45), "side": 20, "jawOpen": 0.5}
    faces = [
        [face_of(**speaker), face_of(track=1, side=10)],
        [face_of(track=1, side=10)],
        [face_of(**speaker, score=float("nan"))],
        [],
    ]
    bodies = [[body_of(track=1), body_of(track=0, centre=(40, 60))], [body_of(track=1)], [], []]
    observations = seen(faces, bodies, start_s=1.5)
    return frame_track(observations, choose_speaker(observations))


def test_columns(track):
    columns = track.table().to_pydict()
    assert tuple(columns) == COLUMNS
    assert columns["time_s"] == pytest.approx([1.5, 1.7, 1.9, 2.1])
    assert columns["face"] == [True, False, True, False]
    assert columns["face_score"] == [pytest.approx(0.9), None, None, None]  # NaN is not known
    assert columns["face_box_px"] == [[30, 35, 50, 55], None, [30, 35, 50, 55], None]
    assert columns["head_pose_deg"] == [[1, 2, 3], None, [1, 2, 3], None]
    assert columns["faces"] == [2, 1, 1, 0]
    assert columns["body"] == [True, False, False, False]
    assert columns["blendshapes"][0][25] == 0.5  # jawOpen
    assert columns["landmarks"][0][:6] == [40, 45, 0, 40, 45, 0]
    # by hand: the nose of a body with a torso of 20 px is 20 px above the middle of the shoulders, and visible
    assert columns["body_landmarks"][0][:4] == [40, 40, 0, 1]
    assert columns["body_landmarks"][1:] == [None, None, None]
    sizes = {"face_box_px": 4, "landmarks": 1434, "blendshapes": 52, "head_pose_deg": 3, "body_landmarks": 132}
    assert {name: len(columns[name][0]) for name in sizes} == sizes


def test_summary(track):
    assert (track.frames, track.frames_face, track.frames_body, track.face_rate) == (4, 2, 1, 0.5)


def test_no_frames():
    empty = frame_track([], choose_speaker([]))
    assert (empty.frames, empty.frames_face, empty.face_rate) == (0, 0, None)
    assert empty.table().num_rows == 0
    assert empty.table().schema == schema()


def test_nobody(seen):
    observations = seen([[], []])
    columns = frame_track(observations, choose_speaker(observations)).table().to_pydict()
    assert columns["landmarks"] == [None, None]
    assert columns["face"] == [False, False]


def test_what_is_not_finite_was_not_measured(face_of, seen):
    pose = np.array([np.nan, 0, 0], np.float32)
    observations = seen([[dataclasses.replace(face_of(), head_pose_deg=pose)]])
    columns = frame_track(observations, choose_speaker(observations)).table().to_pydict()
    assert (columns["head_pose_deg"], columns["face"]) == ([None], [True])
    assert columns["blendshapes"] != [None]


def test_both_tracks_of_a_person_count(face_of, seen):
    observations = seen([[face_of(track=0)]] * 3 + [[]] + [[face_of(track=1)]] * 3)
    assert frame_track(observations, choose_speaker(observations)).frames_face == 6


def test_parquet_keeps_values_units_and_names(track, tmp_path):
    path = tmp_path / "clip.parquet"
    path.write_bytes(table_bytes(track.table()))
    table = read_table(path)
    assert table.to_pydict() == track.table().to_pydict()
    assert table.schema.metadata[b"definition"] == b"track-1"
    notes = {field.name: {k.decode(): v.decode() for k, v in field.metadata.items()} for field in table.schema}
    assert {name: note["unit"] for name, note in notes.items()} == {
        "time_s": "s",
        "face": "1",
        "face_score": "1",
        "face_box_px": "px",
        "landmarks": "px",
        "blendshapes": "1",
        "head_pose_deg": "deg",
        "faces": "1",
        "body": "1",
        "body_landmarks": "px, px, px, 1",
    }
    assert json.loads(notes["blendshapes"]["names"])[25] == "jawOpen"
    assert json.loads(notes["head_pose_deg"]["names"]) == ["pitch", "yaw", "roll"]
    assert json.loads(notes["body_landmarks"]["names"])[11] == "left_shoulder"
    assert table.schema.field("landmarks").type == pa.list_(pa.float32(), 1434)


def test_equal_tracks_give_equal_bytes(track):
    assert table_bytes(track.table()) == table_bytes(track.table())
