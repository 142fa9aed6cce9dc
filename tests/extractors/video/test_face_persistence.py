from hypothesis import given
from hypothesis import strategies as st

from extractors.video.face_persistence import drop_unsteady_faces


def tracks(observations):
    return [[face.track for face in observation.faces] for observation in observations]


def test_a_flash_between_two_frames_is_dropped(face_of, seen):
    frames = seen([[], [], [face_of(track=0)], [], []])
    assert tracks(drop_unsteady_faces(frames)) == [[], [], [], [], []]


def test_two_frames_are_enough(face_of, seen):
    frames = seen([[], [face_of(track=0)], [face_of(track=0)], []])
    assert tracks(drop_unsteady_faces(frames)) == [[], [0], [0], []]


def test_first_last_and_only_frames_are_kept(face_of, seen):
    assert tracks(drop_unsteady_faces(seen([[face_of()], [], []]))) == [[0], [], []]
    assert tracks(drop_unsteady_faces(seen([[], [], [face_of()]]))) == [[], [], [0]]
    assert tracks(drop_unsteady_faces(seen([[face_of()]]))) == [[0]]
    assert drop_unsteady_faces([]) == ()


def test_frames_far_apart_are_no_witnesses(face_of, seen):
    for fps, kept in ((1.0, [0]), (1.9, [0]), (2.0, []), (25.0, [])):
        assert tracks(drop_unsteady_faces(seen([[], [face_of()], []], fps=fps)))[1] == kept


def test_a_face_found_again_under_another_number_is_the_same(face_of, seen):
    near, far = face_of(track=1, centre=(90.0, 50.0)), face_of(track=1, centre=(200.0, 50.0))
    assert tracks(drop_unsteady_faces(seen([[], [face_of(track=0)], [near], []]))) == [[], [0], [1], []]
    assert tracks(drop_unsteady_faces(seen([[], [face_of(track=0)], [far], []]))) == [[], [], [], []]


def test_a_gap_in_a_long_track_does_not_cost_its_single_frames(face_of, seen):
    frames = seen([[face_of()], [face_of()], [], [face_of()], [], [face_of()], [face_of()]])
    # frame 3 has no witness beside it
    assert tracks(drop_unsteady_faces(frames)) == [[0], [0], [], [], [], [0], [0]]


def test_bodies_of_dropped_faces(face_of, body_of, seen):
    flash = seen([[], [face_of(track=3)], []], [[], [body_of(track=3)], []])
    assert drop_unsteady_faces(flash)[1].bodies == ()
    followed = seen([[], [face_of(track=3)], [], []], [[], [body_of(track=3)], [body_of(track=3)], []])
    assert [[body.track for body in frame.bodies] for frame in drop_unsteady_faces(followed)] == [
        [],
        [None],
        [None],
        [],
    ]


def test_bodies_of_steady_faces_stay(face_of, body_of, seen):
    frames = seen([[face_of()], [face_of()], [], [face_of()], []], [[body_of()]] * 5)
    assert [[body.track for body in frame.bodies] for frame in drop_unsteady_faces(frames)] == [[0]] * 5


@given(shown=st.lists(st.booleans(), min_size=1, max_size=12))
def test_what_is_left_has_a_neighbour_or_stands_at_an_end(face_of, seen, shown):
    frames = drop_unsteady_faces(seen([[face_of()] if there else [] for there in shown]))
    left = [bool(frame.faces) for frame in frames]
    for place, there in enumerate(left):
        neighbours = shown[max(0, place - 1) : place] + shown[place + 1 : place + 2]
        assert there == (shown[place] and (any(neighbours) or place in (0, len(shown) - 1)))
