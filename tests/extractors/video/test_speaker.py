import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.speaker import Note, Rule, choose_speaker, speaker_body

GRID = np.arange(0, 4, 0.01)
FRAMES = 20
TIMES_S = np.arange(FRAMES) / 5


def syllables(times_s):
    return np.abs(np.sin(2 * np.pi * 1.7 * times_s) * np.sin(2 * np.pi * 0.6 * times_s + 1))


LEVEL_DB = 35 * (syllables(GRID) - 1) - 20
LOUD = syllables(TIMES_S)
LEFT, RIGHT = (40.0, 45.0), (120.0, 45.0)


@pytest.fixture(scope="module")
def duet(face_of, seen):
    """A small face on the left that speaks, a larger one on the right that listens; options replace the listener's mouth."""

    def build(listens=(0.05,) * FRAMES, **options):
        frames = [
            [
                face_of(track=3, centre=LEFT, side=30, jawOpen=0.4 * loud, lips=0.2 * loud),
                face_of(track=5, centre=RIGHT, side=40, jawOpen=0.4 * other, lips=0.2 * other),
            ]
            for loud, other in zip(LOUD, listens, strict=True)
        ]
        return choose_speaker(seen(frames), **options)

    return build


def test_nobody(seen):
    choice = choose_speaker(seen([[], []]))
    assert (choice.track, choice.ids, choice.rule, choice.margin, choice.tracks) == (None, (), Rule.NONE, None, ())
    assert not choice.several
    assert choose_speaker([]).rule == Rule.NONE


def test_a_single_face(face_of, seen):
    stranger = face_of(track=8, centre=(10, 10), side=60)
    choice = choose_speaker(seen([[face_of(track=2)]] * 19 + [[face_of(track=2), stranger]]))
    assert (choice.track, choice.ids, choice.rule, choice.margin) == (2, (2,), Rule.SINGLE, None)
    assert not choice.several
    assert [person.track for person in choice.tracks] == [2]


def test_a_face_of_one_frame_of_twenty_is_nobody(face_of, seen):
    assert choose_speaker(seen([[face_of()]] + [[]] * 19)).rule == Rule.NONE


def test_a_clip_of_one_frame(face_of, seen):
    assert choose_speaker(seen([[face_of()]])).rule == Rule.SINGLE


def test_the_mouth_that_fits_the_voice(duet):
    choice = duet(speech_energy=(GRID, LEVEL_DB))
    assert (choice.track, choice.rule, choice.several) == (3, Rule.MOUTH_MOTION, True)
    assert choice.margin > 0.5
    assert choice.notes == ()


def test_a_mouth_that_moves_to_something_else(duet):
    choice = duet(listens=np.roll(LOUD, 7), speech_energy=(GRID, LEVEL_DB), speech=np.ones(len(GRID), bool))
    assert (choice.track, choice.rule) == (3, Rule.MOUTH_MOTION)


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({}, Note.NO_SPEECH),  # without sound
        ({"speech_energy": (GRID, np.full(len(GRID), np.nan))}, Note.NO_SPEECH),
        ({"speech_energy": (GRID, LEVEL_DB), "speech": np.zeros(len(GRID), bool)}, Note.NO_SPEECH),
        ({"speech_energy": (GRID, LEVEL_DB), "listens": LOUD}, Note.NO_CLEAR_WINNER),  # both mouths alike
    ],
)
def test_without_a_winner_the_largest(duet, options, note):
    choice = duet(**options)
    # areas by hand: 900 and 1600 px, both always there: 1 - 900 / 1600
    assert (choice.track, choice.rule, choice.notes) == (5, Rule.LARGEST, (note,))
    assert choice.margin == pytest.approx(1 - 900 / 1600)


def test_a_voice_from_elsewhere(face_of, seen):
    """Nobody in the picture speaks: no mouth reaches the evidence that is needed."""
    still = [[face_of(track=0, centre=LEFT), face_of(track=1, centre=RIGHT, side=35)]] * FRAMES
    choice = choose_speaker(seen(still), speech_energy=(GRID, LEVEL_DB))
    assert (choice.track, choice.rule, choice.notes) == (1, Rule.LARGEST, (Note.NO_CLEAR_WINNER,))


def test_a_mouth_that_twitches_does_not_speak(face_of, seen):
    """It leads over the still one, but not by what a speaker's mouth does: .03 in each frame is as much as the noise."""
    frames = [
        [face_of(centre=LEFT, jawOpen=0.03 * (i % 2)), face_of(track=1, centre=RIGHT, side=35)] for i in range(20)
    ]
    choice = choose_speaker(seen(frames), speech_energy=(GRID, LEVEL_DB))
    assert (choice.track, choice.rule, choice.notes) == (1, Rule.LARGEST, (Note.NO_CLEAR_WINNER,))


def test_too_few_frames_to_compare_mouths(face_of, seen):
    both = [[face_of(track=0, centre=LEFT), face_of(track=1, centre=RIGHT, side=20)]] * 4
    choice = choose_speaker(seen(both), speech_energy=(GRID, LEVEL_DB))
    assert (choice.track, choice.rule, choice.notes) == (0, Rule.LARGEST, (Note.TOO_FEW_FRAMES,))


def test_size_counts_with_presence(face_of, seen):
    # 1600 px in 5 of 20 frames is less than 900 px in all of them
    small, large = face_of(track=0, centre=LEFT, side=30), face_of(track=1, centre=RIGHT, side=40)
    choice = choose_speaker(seen([[small]] * 15 + [[small, large]] * 5))
    assert (choice.track, choice.rule) == (0, Rule.LARGEST)
    assert choice.margin == pytest.approx(1 - 1600 * 0.25 / 900)


def test_equal_faces_the_left_one(face_of, seen):
    both = [face_of(track=7, centre=RIGHT), face_of(track=9, centre=LEFT)]
    choice = choose_speaker(seen([both] * FRAMES))
    assert (choice.track, choice.margin) == (9, 0.0)


def test_lost_and_found(face_of, seen):
    choice = choose_speaker(seen([[face_of(track=1)]] * 5 + [[]] * 3 + [[face_of(track=4)]] * 5))
    assert (choice.track, choice.ids, choice.rule, choice.several) == (1, (1, 4), Rule.SINGLE, False)


@pytest.mark.parametrize(
    ("box", "notes"),
    [
        ((25, 30, 55, 60), ()),
        ((18, 20, 60, 70), ()),  # larger than the face by half
        ((55, 30, 25, 60), (Note.BOX_SWAPPED,)),
        ((25, 60, 55, 30), (Note.BOX_SWAPPED,)),
        ((55, 60, 25, 30), (Note.BOX_SWAPPED,)),
        ((45, 47, 42, 47), (Note.BOX_IS_POINT,)),  # as mistaken clicks are stored
        ((20, 26, 33, 39), ()),  # hardly overlaps, but its centre is in the face
    ],
)
def test_the_annotated_box(duet, box, notes):
    # the mouth would choose 3 as well, the size 5: without sound only the box can tell
    choice = duet(face_box_px=box)
    assert (choice.track, choice.rule, choice.notes) == (3, Rule.ANNOTATED_BOX, notes)
    assert choice.margin > 0


def test_the_box_beats_the_mouth(duet):
    choice = duet(face_box_px=(100, 25, 140, 65), speech_energy=(GRID, LEVEL_DB))
    # overlap by hand: the box of track 5 itself, 1; none with track 3
    assert (choice.track, choice.rule, choice.margin) == (5, Rule.ANNOTATED_BOX, pytest.approx(1))


@pytest.mark.parametrize("box", [None, (0, 0, 0, 0), (float("nan"),) * 4])
def test_no_box(duet, box):
    choice = duet(face_box_px=box)
    assert (choice.rule, choice.notes) == (Rule.LARGEST, (Note.NO_SPEECH,))


def test_a_box_without_face(duet):
    choice = duet(face_box_px=(70, 70, 90, 90), speech_energy=(GRID, LEVEL_DB))
    assert (choice.track, choice.rule, choice.notes) == (3, Rule.MOUTH_MOTION, (Note.BOX_UNMATCHED,))


def test_a_box_that_two_faces_fit(face_of, seen):
    """Shot and reverse shot: both stand in the same place, one after the other; the larger fills more of the clip."""
    frames = [[face_of(track=0, side=30)]] * 8 + [[]] * 12 + [[face_of(track=1, side=31)]] * 10
    choice = choose_speaker(seen(frames), face_box_px=(65, 30, 95, 60))
    assert (choice.track, choice.rule, choice.margin) == (1, Rule.ANNOTATED_BOX, None)
    assert choice.notes == (Note.BOX_AMBIGUOUS, Note.NO_SPEECH)


def test_the_box_may_name_a_passer_by(face_of, seen):
    frames = [[face_of(track=0, centre=LEFT)]] * 19 + [[face_of(track=0, centre=LEFT), face_of(track=1, centre=RIGHT)]]
    choice = choose_speaker(seen(frames), face_box_px=(105, 30, 135, 60))
    assert (choice.track, choice.rule, choice.several) == (1, Rule.ANNOTATED_BOX, False)


def test_the_box_of_a_face_that_moves(face_of, seen):
    """The box was drawn on one frame: that frame counts, not the mean."""
    frames = [[face_of(track=0, centre=(20 + 6 * i, 45)), face_of(track=1, centre=(80, 10))] for i in range(20)]
    assert choose_speaker(seen(frames), face_box_px=(113, 30, 143, 60)).track == 0


def test_a_fleeting_fit_beats_a_steady_half_fit(face_of, seen):
    """One face is exactly in the box once, another half in it all the time (overlap by hand: 450 / 1350 = 1 / 3)."""
    frames = [[face_of(track=0, centre=(20 + 6 * i, 80)), face_of(track=1, centre=(95, 80))] for i in range(20)]
    choice = choose_speaker(seen(frames), face_box_px=(65, 65, 95, 95))
    assert (choice.track, choice.margin) == (0, pytest.approx(2 / 3))


def test_overlap_comes_before_nearness(face_of, seen):
    """A tiny face sits in the middle of the box, the large one that it was drawn around a little aside."""
    both = [face_of(track=0, centre=(90, 45), side=40), face_of(track=1, centre=(80, 45), side=8)]
    assert choose_speaker(seen([both] * 5), face_box_px=(60, 25, 100, 65)).track == 0


def test_the_record_is_json(duet):
    record = duet(speech_energy=(GRID, LEVEL_DB)).record()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert (record["track"], record["rule"], record["notes"]) == (3, "mouth_motion", [])
    assert record["tracks"] == [
        {"track": 3, "frames": 20, "mean_side_px": 30.0},
        {"track": 5, "frames": 20, "mean_side_px": 40.0},
    ]


def test_the_body_of_the_face(face_of, body_of, seen):
    bodies = [body_of(track=1, centre=RIGHT, torso=30), body_of(track=0, centre=LEFT), body_of(track=None, torso=50)]
    observations = seen([[face_of(track=0, centre=LEFT)]] * 5, [bodies] * 5)
    choice = choose_speaker(observations)
    assert choice.body_tracks == (0,)
    assert speaker_body(observations[0], choice) is bodies[1]


def test_no_body_of_the_face(face_of, body_of, seen):
    observations = seen([[face_of()]] * 5, [[body_of(track=None)]] * 5)
    assert speaker_body(observations[0], choose_speaker(observations)) is None


@pytest.mark.parametrize(("frames", "tracks"), [(7, (None,)), (6, ())])  # a third of 20 frames
def test_a_body_without_face(body_of, seen, frames, tracks):
    observations = seen([[]] * 20, [[body_of(track=None)]] * frames + [[]] * (20 - frames))
    choice = choose_speaker(observations)
    assert (choice.rule, choice.body_tracks) == (Rule.NONE, tracks)


def test_the_largest_body_without_face(body_of, seen):
    pair = [body_of(track=None, torso=20), body_of(track=None, torso=25)]
    observations = seen([[]] * 5, [pair] * 5)
    assert speaker_body(observations[0], choose_speaker(observations)) is pair[1]


def test_a_face_that_passes_does_not_cost_the_body(face_of, body_of, seen):
    """Its body has the track of the face from then on; another person's body does not come in."""
    bodies = [[body_of(track=None)]] * 9 + [[body_of(track=4), body_of(track=6, torso=10)]] * 11
    observations = seen([[]] * 9 + [[face_of(track=4)]] + [[]] * 10, bodies)
    choice = choose_speaker(observations)
    assert choice.rule == Rule.NONE
    assert set(choice.body_tracks) == {None, 4}
    assert [speaker_body(o, choice).track for o in (observations[0], observations[12])] == [None, 4]


@settings(max_examples=25, deadline=None)
@given(names=st.permutations(range(3)), seed=st.integers(0, 1000), sound=st.booleans(), box=st.booleans())
def test_names_of_tracks_do_not_matter(face_of, seen, names, seed, sound, box):
    rng = np.random.default_rng(seed)
    mouths = rng.uniform(0, 0.4, (FRAMES, 3)) * [0.1, 1, 1] + LOUD[:, None] * [0.4, 0, 0]
    there = rng.random((FRAMES, 3)) < [0.9, 0.7, 0.3]
    plain = seen(
        [
            [face_of(track=k, centre=(30 + 45 * k, 45), side=24 + 4 * k, jawOpen=jaw[k]) for k in range(3) if here[k]]
            for jaw, here in zip(mouths, there, strict=True)
        ]
    )
    renamed = [
        dataclasses.replace(o, faces=tuple(dataclasses.replace(f, track=names[f.track]) for f in o.faces))
        for o in plain
    ]
    options = {
        "speech_energy": (GRID, LEVEL_DB) if sound else None,
        "face_box_px": (60, 30, 90, 60) if box else None,
    }
    one, other = choose_speaker(plain, **options), choose_speaker(renamed, **options)
    assert (other.track, other.rule, other.margin) == (names[one.track], one.rule, one.margin)
