import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.persons import box_area, find_persons, frames_needed


@pytest.mark.parametrize(
    ("frames", "fps", "needed"),
    # by hand: 1 below four frames, else max(2, min(a tenth rounded up, frames in two seconds))
    [(1, 5, 1), (3, 5, 1), (4, 5, 2), (20, 5, 2), (21, 5, 3), (60, 5, 6), (100, 5, 10), (1500, 5, 10), (1500, 25, 50)],
)
def test_frames_needed(frames, fps, needed):
    assert frames_needed([index / fps for index in range(frames)]) == needed


def test_one_face_that_stays(face_of, seen):
    # sides by hand: 30, 40, 40 -> mean 36.67; areas 900, 1600, 1600 -> median 1600; 3 of 4 frames
    (person,) = find_persons(seen([[face_of(side=30)], [face_of(side=40)], [], [face_of(side=40)]]))
    assert (person.track, person.ids, person.frames, person.presence) == (0, (0,), 3, 0.75)
    assert person.mean_side_px == pytest.approx(110 / 3)
    assert person.median_area_px == pytest.approx(1600)
    assert person.persistent
    assert person.indices.tolist() == [0, 1, 3]


def test_no_frames_and_no_faces(seen):
    assert find_persons([]) == ()
    assert find_persons(seen([[], []])) == ()


def lost_and_found(face_of, seen, *, gap=3, fps=5.0, **found):
    """A face with id 0 in four frames, nothing for some frames, another with id 1 in four frames."""
    return seen([[face_of()]] * 4 + [[]] * (gap - 1) + [[face_of(track=1, **found)]] * 4, fps=fps)


def test_a_face_that_was_lost_is_joined(face_of, seen):
    (person,) = find_persons(lost_and_found(face_of, seen, centre=(86, 49), side=34))
    assert (person.track, person.ids, person.frames) == (0, (0, 1), 8)


@pytest.mark.parametrize(
    "found",
    [
        {"centre": (110, 45)},  # a whole side away, half is allowed
        {"side": 45},  # one and a half times as large, 1.4 is allowed
        {"side": 20},
        {"gap": 11},  # 2.2 s later, 2 s are allowed
    ],
)
def test_a_face_elsewhere_is_another_person(face_of, seen, found):
    assert [person.ids for person in find_persons(lost_and_found(face_of, seen, **found))] == [(0,), (1,)]


def test_two_faces_at_once_are_two_persons(face_of, seen):
    both = [face_of(), face_of(track=1, centre=(84, 45))]
    assert len(find_persons(seen([[face_of()], both, [face_of(track=1, centre=(84, 45))]]))) == 2


def test_three_pieces_are_one_person(face_of, seen):
    pieces = [[face_of(track=4)], [face_of(track=4)], [], [face_of(track=2)], [], [face_of(track=9)]]
    assert [person.ids for person in find_persons(seen(pieces))] == [(4, 2, 9)]


def test_the_nearer_of_two_new_faces_is_the_old_one(face_of, seen):
    new = [face_of(track=1, centre=(70, 45)), face_of(track=2, centre=(83, 45))]
    assert [person.ids for person in find_persons(seen([[face_of()], [face_of()], new, new]))] == [(0, 2), (1,)]


def test_a_passer_by_does_not_stay(face_of, seen):
    stranger = face_of(track=1, centre=(20, 20), side=10)
    persons = find_persons(seen([[face_of()]] * 10 + [[face_of(), stranger]] + [[face_of()]] * 9))
    assert [(person.track, person.persistent) for person in persons] == [(0, True), (1, False)]


def test_area_of_an_inside_out_box_is_none():
    assert box_area([5, 5, 3, 9]) == 0


@settings(max_examples=30, deadline=None)
@given(names=st.permutations(range(5)), data=st.data())
def test_names_of_tracks_do_not_matter(face_of, seen, names, data):
    frames = data.draw(
        st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), min_size=1, max_size=12), label="ids per frame"
    )
    places = {0: (20, 20), 1: (28, 20), 2: (90, 20), 3: (95, 60), 4: (40, 70)}
    plain = seen([[face_of(track=i, centre=places[i], side=20 + i) for i in ids] for ids in frames])
    renamed = [
        dataclasses.replace(o, faces=tuple(dataclasses.replace(f, track=names[f.track]) for f in o.faces))
        for o in plain
    ]
    expected = [tuple(names[i] for i in person.ids) for person in find_persons(plain)]
    assert [person.ids for person in find_persons(renamed)] == expected
    # every face of every frame is in exactly one person
    assert sum(person.frames for person in find_persons(plain)) == sum(map(len, frames))
