import dataclasses
import json

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.keyframes import MOST_PICTURES, KeyframePool
from extractors.video.picture import Picture
from extractors.video.speaker import choose_speaker


def picture(index=0, size=(160, 90)):
    """A picture of one colour that tells its index."""
    return Picture.from_rgb(np.full((size[1], size[0], 3), (5 * index % 256, 90, 200), np.uint8))


def run(observations, *, speaker=None, size=(160, 90), **options):
    pool = KeyframePool(**options)
    for index, observation in enumerate(observations):
        pool.add(picture(index, size), observation)
    return pool.choose(choose_speaker(observations) if speaker is None else speaker)


def told(picks):
    return [(pick.file, round(pick.time_s * 5), str(pick.reason)) for pick in picks]


@pytest.fixture(scope="module")
def smiling(face_of, body_of, seen):
    """A face that is neutral, smiles from frame 4 on and is astonished in frame 9; its body waves in frame 6."""

    def build(**options):
        smile = {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "cheekSquintLeft": 0.5}
        wow = {"jawOpen": 0.9, "browInnerUp": 0.9, "eyeWideLeft": 0.9, "eyeWideRight": 0.9}
        looks = [{}] * 4 + [smile] * 5 + [wow] + [{}] * 3
        bodies = [body_of(left_wrist=(0, -40) if index == 6 else (0, 0)) for index in range(13)]
        return seen([[face_of(**look, **options)] for look in looks], [[body] for body in bodies])

    return build


def test_expression_gesture_and_whole_frames(smiling):
    picks = run(smiling())
    # changes of the face by hand (of 41): 2.3 in frame 4, 5.9 in frame 9, 3.6 back in frame 10; calm at once: frame 0
    # the body moves in frame 6 and back in frame 7: equally, so the first counts
    assert told(picks) == [
        ("face_01.jpg", 0, "calmest"),
        ("face_02.jpg", 4, "peak_motion"),
        ("face_03.jpg", 9, "peak_motion"),
        ("body_01.jpg", 0, "calmest"),
        ("body_02.jpg", 6, "peak_motion"),
        ("frame_01.jpg", 0, "calmest"),
        ("frame_02.jpg", 9, "peak_motion"),
    ]
    motion = {pick.file: pick.motion for pick in picks}
    assert motion["face_03.jpg"] == pytest.approx(5.9 / 41 * 5, rel=1e-6)
    assert motion["body_02.jpg"] == pytest.approx(40 / 9 / 20 * 5, rel=1e-6)  # 40 px of a torso of 20, 1 of 9 joints
    assert motion["face_01.jpg"] is None  # nothing before the first frame


def test_each_picture_is_that_of_its_time(smiling):
    for pick in run(smiling()):
        shown = cv2.imdecode(np.frombuffer(pick.jpeg, np.uint8), cv2.IMREAD_COLOR)
        blue, green, red = shown.reshape(-1, 3).mean(axis=0)
        assert (red, green, blue) == pytest.approx((5 * round(pick.time_s * 5), 90, 200), abs=3)
        left, top, right, bottom = pick.box_px
        assert shown.shape[:2] == pytest.approx((bottom - top, right - left), abs=1)
        assert (pick.kind == "frame") == (pick.box_px == (0, 0, 160, 90))


def test_rows_are_json(smiling):
    for pick in run(smiling()):
        row = json.loads(json.dumps(pick.row(), allow_nan=False))
        assert row.keys() == {"file", "kind", "time_s", "reason", "box_px", "track", "motion"}
        assert row["file"].startswith(row["kind"])


def test_only_the_speaker_is_shown(face_of, seen):
    """The other face is livelier."""
    frames = [
        [
            face_of(track=0, centre=(30, 45), side=30, browInnerUp=0.9 * (index > 5)),
            face_of(track=1, centre=(120, 45), side=20, jawOpen=0.9 * (index % 2), mouthPucker=0.9 * (index % 2)),
        ]
        for index in range(12)
    ]
    faces = [pick for pick in run(seen(frames)) if pick.kind == "face"]
    assert {pick.box_px[0] for pick in faces} == {4}  # by hand: 30 - 1.7 * 30 / 2 = 4.5
    assert [round(pick.time_s * 5) for pick in faces] == [0, 6]
    assert {pick.track for pick in faces} == {0}


def test_a_person_with_two_tracks(face_of, seen):
    frames = [[face_of(track=1)]] * 4 + [[]] * 2 + [[face_of(track=2, jawOpen=0.9, mouthPucker=0.9)]] * 4
    faces = [pick for pick in run(seen(frames)) if pick.kind == "face"]
    assert [(round(pick.time_s * 5), str(pick.reason), pick.track) for pick in faces] == [
        (0, "calmest", 1),
        (6, "most_different", 1),
    ]


def test_nobody(seen):
    assert told(run(seen([[]] * 9))) == [
        ("frame_01.jpg", 0, "first"),
        ("frame_02.jpg", 4, "middle"),
        ("frame_03.jpg", 8, "last"),
    ]
    assert told(run(seen([[]]))) == [("frame_01.jpg", 0, "only_frame")]
    assert run(seen([])) == []


def test_one_frame(face_of, body_of, seen):
    assert told(run(seen([[face_of()]], [[body_of()]]))) == [
        ("face_01.jpg", 0, "only_frame"),
        ("body_01.jpg", 0, "only_frame"),
        ("frame_01.jpg", 0, "only_frame"),
    ]


def test_a_body_without_face(body_of, seen):
    """Of two bodies without a face the larger one is shown."""
    bodies = [[body_of(track=None, torso=5), body_of(track=None, left_wrist=(0, -40 * (i == 4)))] for i in range(9)]
    assert told(run(seen([[]] * 9, bodies))) == [
        ("body_01.jpg", 0, "calmest"),
        ("body_02.jpg", 4, "peak_motion"),
        ("frame_01.jpg", 0, "calmest"),
        ("frame_02.jpg", 4, "peak_motion"),
    ]


def test_a_face_outside_of_the_picture_gives_no_crop(face_of, seen):
    picks = run(seen([[face_of(centre=(500, 45))]] * 5))
    assert {pick.kind for pick in picks} == {"frame"}


def test_count(smiling):
    assert [pick.reason for pick in run(smiling(), count=1) if pick.kind == "face"] == ["peak_motion"]
    assert len([pick for pick in run(smiling(), count=2) if pick.kind == "face"]) == 2


def test_no_keyframes_are_wanted(smiling):
    assert run(smiling(), count=0) == []


def random_walk(face_of, body_of, seen, seed, frames, people, names=range(9)):
    rng = np.random.default_rng(seed)
    levels = np.cumsum(rng.normal(0, 0.2, (frames, people, 3)) * (rng.random((frames, people, 3)) < 0.3), axis=0)
    there = rng.random((frames, people)) < 0.85
    return seen(
        [
            [
                face_of(
                    track=names[k],
                    centre=(25 + 40 * k, 40),
                    side=20 + 3 * k,
                    jawOpen=abs(level[k][0]),
                    mouthSmileLeft=abs(level[k][1]),
                    browInnerUp=abs(level[k][2]),
                )
                for k in range(people)
                if here[k]
            ]
            for level, here in zip(levels, there, strict=True)
        ],
        [
            [
                body_of(track=names[k], centre=(25 + 40 * k, 60), left_wrist=(0, -30 * level[k][0]))
                for k in range(people)
            ]
            for level in levels
        ],
    )


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), frames=st.integers(1, 40), people=st.integers(1, 3), count=st.integers(1, 5))
def test_properties_of_any_choice(face_of, body_of, seen, seed, frames, people, count):
    observations = random_walk(face_of, body_of, seen, seed, frames, people)
    picks = run(observations, count=count)
    times_s = [o.time_s for o in observations]
    for kind in ("face", "body", "frame"):
        some = [pick for pick in picks if pick.kind == kind]
        assert len(some) <= (3 if kind == "frame" else count)
        assert [pick.file for pick in some] == [f"{kind}_{n:02d}.jpg" for n in range(1, len(some) + 1)]
        assert [pick.time_s for pick in some] == sorted({pick.time_s for pick in some})
        assert {pick.time_s for pick in some} <= set(times_s)
    assert "frame" in {pick.kind for pick in picks}
    assert picks == run(observations, count=count)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), names=st.permutations(range(3)))
def test_names_of_tracks_do_not_matter(face_of, body_of, seen, seed, names):
    plain = run(random_walk(face_of, body_of, seen, seed, 20, 3))
    renamed = run(random_walk(face_of, body_of, seen, seed, 20, 3, names))
    assert [dataclasses.replace(pick, track=None) for pick in renamed] == [
        dataclasses.replace(pick, track=None) for pick in plain
    ]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 999), frames=st.integers(1, 16))
def test_a_short_clip_loses_nothing_to_the_limit(face_of, body_of, seen, seed, frames):
    """Of a clip with fewer frames than may be held the choice is the same as with all pictures held."""
    observations = random_walk(face_of, body_of, seen, seed, frames, 2)
    assert run(observations) == run(observations, most_pictures=10_000)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 999), people=st.integers(1, 5), limit=st.integers(6, 12))
def test_few_pictures_are_held(face_of, body_of, seen, seed, people, limit):
    pool = KeyframePool(most_pictures=limit)
    observations = random_walk(face_of, body_of, seen, seed, 60, people)
    for index, observation in enumerate(observations):
        pool.add(picture(index), observation)
        assert pool.pictures_held <= limit
    kinds = {pick.kind for pick in pool.choose(choose_speaker(observations))}
    assert "frame" in kinds
    assert people > 2 or kinds == {"face", "body", "frame"}  # four series at most, there is room for each


def test_strangers_do_not_push_out_the_speaker(face_of, seen):
    """Thirty faces that pass, two frames each, and a speaker: the calmest frame and the strongest peak are the speaker's own."""
    frames = [
        [face_of(track=0, jawOpen=0.9 * (20 <= index < 40)), face_of(track=1 + index // 2, centre=(20, 15), side=20)]
        for index in range(60)
    ]
    faces = [pick for pick in run(seen(frames), most_pictures=6) if pick.kind == "face"]
    assert [(round(pick.time_s * 5), str(pick.reason)) for pick in faces] == [(0, "calmest"), (20, "peak_motion")]


def reasons(observations, speaker, limit):
    return [str(pick.reason) for pick in run(observations, speaker=speaker, most_pictures=limit) if pick.kind == "face"]


def lively(face_of, seen, **small):
    """A large face that looks different every four frames, and a small one to the right that does so two frames later."""
    looks = [
        *("jawOpen", "mouthPucker", "browInnerUp", "cheekPuff", "mouthSmileLeft", "noseSneerLeft"),
        *("browDownLeft", "mouthLeft", "jawLeft", "mouthClose", "mouthFunnel"),
    ]
    return seen(
        [
            [
                face_of(track=0, centre=(30, 45), side=30, **{looks[index // 4]: 0.9}),
                face_of(track=1, centre=(120, 45), **{looks[(index + 2) // 4]: 0.9}, **small),
            ]
            for index in range(40)
        ]
    )


def test_two_faces_share_few_pictures(face_of, seen):
    observations = lively(face_of, seen, side=28)
    speaker = choose_speaker(observations, face_box_px=(106, 31, 134, 59))
    assert speaker.track == 1
    assert reasons(observations, speaker, 6).count("peak_motion") >= 2


def test_the_reel_does_not_take_the_pictures_of_a_face(face_of, seen):
    observations = [dataclasses.replace(o, faces=o.faces[:1]) for o in lively(face_of, seen)]
    assert reasons(observations, choose_speaker(observations), 5).count("peak_motion") == 3


def test_a_small_face_that_shows_up_keeps_one_picture(face_of, seen):
    observations = [
        dataclasses.replace(o, faces=o.faces if 21 <= index < 27 else o.faces[:1])
        for index, o in enumerate(lively(face_of, seen, side=4))
    ]
    speaker = choose_speaker(observations, face_box_px=(115, 40, 125, 50))
    assert speaker.track == 1
    assert "calmest" in reasons(observations, speaker, 6)


def test_there_is_a_frame_even_when_a_passer_by_took_its_place(face_of, seen):
    observations = seen([[]] * 3 + [[face_of()]] + [[]] * 16)
    assert told(run(observations, most_pictures=1)) == [("frame_01.jpg", 3, "only_frame")]


@pytest.mark.parametrize(
    ("size", "most"),
    # by hand: 64 MiB / (1.5 bytes x pixels): 48 -> 24 at most, 21, 5; 8k would be 1, five are held at least
    [((1280, 720), MOST_PICTURES), ((1920, 1080), 10), ((3840, 2160), 5), ((7680, 4320), 5)],
)
def test_large_pictures_are_held_in_small_numbers(face_of, body_of, seen, size, most):
    class Sized:
        width_px, height_px = size

    pool = KeyframePool()
    held = []
    for observation in random_walk(face_of, body_of, seen, 3, 120, 3):
        pool.add(Sized(), observation)
        held.append(pool.pictures_held)
    assert max(held) == most
