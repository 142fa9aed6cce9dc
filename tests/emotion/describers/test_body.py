from dataclasses import replace

import numpy as np
import pytest

from emotion.describers.body import summarise_body


def codes(body):
    return [each.code for each in summarise_body(body).findings]


def test_a_still_body(make_body):
    summary = summarise_body(make_body(frames=20))
    assert (summary.extent, summary.seen, summary.energy) == ("body_upper", 0.5, 0.0)
    assert [each.code for each in summary.findings] == ["body_still"]


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ({"left_wrist": (320, 120)}, "hand_raised_left"),  # above the shoulders, 1.2 widths from the nose
        ({"right_wrist": (80, 120)}, "hand_raised_right"),
        ({"left_wrist": (320, 120), "right_wrist": (80, 120)}, "hand_raised_both"),
        ({"left_wrist": (230, 160)}, "hand_face_left"),  # .36 widths from the nose
        ({"left_wrist": (380, 250)}, "hand_out_left"),  # 1.3 widths outside of the shoulder
        ({"right_wrist": (20, 250)}, "hand_out_right"),
        ({"left_wrist": (230, 300), "right_wrist": (170, 300)}, "hand_front_both"),
    ],
)
def test_hands(make_body, points, said):
    assert codes(make_body(**points)) == [said, "body_still"]


def test_a_hand_out_of_the_picture_is_not_spoken_of(make_body):
    body = make_body(left_wrist=(320, -20))
    assert codes(body) == ["body_still"]
    body = make_body(left_wrist=(320, 120))
    body.landmarks[:, 15, 3] = 0.49  # the wrist: MediaPipe's landmark 15
    assert codes(body) == ["body_still"]


def test_shoulders(make_body):
    # 16 px over 100 px are 9.1 degrees
    assert codes(make_body(left_shoulder=(250, 216))) == ["shoulder_left_higher", "body_still"]
    assert codes(make_body(right_shoulder=(150, 216))) == ["shoulder_right_higher", "body_still"]
    # with the back to the camera the left shoulder is on the picture's left
    assert codes(make_body(left_shoulder=(150, 216), right_shoulder=(250, 200))) == [
        "shoulder_right_higher",
        "body_still",
    ]
    y = np.array([200] * 7 + [188] * 3)  # .12 widths up
    shrug = summarise_body(make_body(left_shoulder=(250, y), right_shoulder=(150, y))).findings
    assert (shrug[0].code, shrug[0].when) == ("shoulders_up", "end")


def test_trunk(make_body):
    hips = {"left_hip": (290, 350), "right_hip": (210, 350)}  # 50 px over 150: 18 degrees
    summary = summarise_body(make_body(**hips))
    assert summary.extent == "body_to_hips"
    assert [each.code for each in summary.findings] == ["lean_picture_left", "body_still"]
    grow = np.linspace(1, 1.4, 10)
    nearer = make_body(
        nose=(200, 200 - 60 * grow), left_shoulder=(200 + 50 * grow, 200), right_shoulder=(200 - 50 * grow, 200)
    )
    assert "comes_nearer" in codes(nearer)
    turned = make_body(left_shoulder=(200 + 50 / grow, 200), right_shoulder=(200 - 50 / grow, 200))
    assert not {"comes_nearer", "goes_back"} & set(codes(turned))  # narrower, but not smaller
    shift = np.linspace(0, 60, 10)
    moved = make_body(nose=(200 + shift, 140), left_shoulder=(250 + shift, 200), right_shoulder=(150 + shift, 200))
    assert "moves_picture_right" in codes(moved)


@pytest.mark.parametrize(
    ("step_px", "said"),  # px a frame at 5 frames a second over shoulders of 100 px: .05 widths a second for each px
    [(2, "body_still"), (4, "body_slight"), (10, "body_lively"), (21, "body_vigorous")],
)
def test_energy(make_body, step_px, said):
    x = np.arange(10) * step_px - 5 * step_px
    body = make_body(nose=(200 + x, 140), left_shoulder=(250 + x, 200), right_shoulder=(150 + x, 200))
    summary = summarise_body(body)
    assert summary.energy == pytest.approx(step_px * 0.05)
    # to and fro between neighbouring frames is how landmarks shake in a still picture
    shake = np.where(np.arange(10) % 2, 3, 0) * (np.arange(10) == 5)
    assert summarise_body(make_body(nose=(200 + shake, 140), left_shoulder=(250 + shake, 200))).energy == 0
    assert said in [each.code for each in summary.findings]


def test_distances_do_not_depend_on_the_size_of_the_picture(make_body):
    body = make_body(left_wrist=(320, 120), left_shoulder=(250, 216))
    # four times is exact in binary, and so are the quotients
    large = replace(body, landmarks=body.landmarks * (4, 4, 4, 1), width_px=1600, height_px=1600)
    assert summarise_body(large) == summarise_body(body)


def test_without_shoulders_there_is_no_measure(make_body):
    assert summarise_body(make_body(left_shoulder=(450, 200))) is None
    x = np.array([450] * 6 + [250] * 4)  # in .4 of the frames
    assert summarise_body(make_body(left_shoulder=(x, 200))) is None
    assert summarise_body(make_body(nose=(150, 200), left_shoulder=(150, 200), right_shoulder=(150, 200))) is None
    x = np.array([450] * 5 + [250] * 5)
    summary = summarise_body(make_body(frames=20, left_shoulder=(x, 200)))
    assert summary.seen == 5 / 20


def test_a_body_from_the_side_is_measured_by_what_does_not_get_narrow(make_body):
    x = np.arange(10) * 2 - 10  # .1 widths a second from the front
    turned = make_body(
        nose=(240 + x, 140),
        left_shoulder=(205 + x, 210),
        right_shoulder=(195 + x, 200),
        left_wrist=(255 + x, 170),
        right_wrist=(390, 250),
    )
    summary = summarise_body(turned)
    # the nose is 40 px before and 65 px above the middle of the shoulders: 76.3 px, 1.5 times that are 114.5
    assert summary.energy == pytest.approx(
        2 * 5 / 114.5 * 4 / 5, rel=1e-3
    )  # of five moving joints that are seen one keeps still
    assert [each.code for each in summary.findings] == ["body_sideways", "hand_face_left", "body_still"]
    hips = make_body(left_shoulder=(205, 200), right_shoulder=(195, 200), left_hip=(205, 390), right_hip=(195, 390))
    assert "body_sideways" in codes(hips)


def test_one_frame_shows_no_movement(make_body):
    summary = summarise_body(make_body(n=1, left_wrist=(320, 120)))
    assert (summary.energy, [each.code for each in summary.findings]) == (None, ["hand_raised_left"])
