import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mmrole.plotting.clip_pictures import KeyframePicture, Timeline
from mmrole.plotting.contact_sheet import draw_frame, draw_head, draw_keyframe, draw_strip
from mmrole.plotting.sheet_layout import frame_grid
from mmrole.plotting.sheet_parts import BODY, FACE, NOBODY, OTHERS, Sheet


@pytest.fixture
def sheet():
    ax = Figure().add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 1500), ylim=(1000, 0))
    return Sheet(ax=ax, points=0.5)


def words(sheet):
    return [text.get_text() for text in sheet.ax.texts]


def frames_around(sheet):
    return [
        to_hex(patch.get_edgecolor())
        for patch in sheet.ax.patches
        if isinstance(patch, Rectangle) and patch.get_linewidth()
    ]


def timeline(faces, face, body):
    return Timeline(time_s=np.arange(len(faces)) / 5, faces=np.array(faces), face=np.array(face), body=np.array(body))


@pytest.mark.parametrize(
    ("found", "said", "around"),
    [
        ({"faces": 2}, "2 faces, body", []),
        ({"body": False}, "1 face, no body", []),
        ({"face": False, "faces": 1}, "other face, body", [OTHERS]),
        ({"face": False, "faces": 0, "body": False}, "no face, no body", [NOBODY]),
    ],
)
def test_a_frame_says_what_was_found_and_is_red_without_a_face(sheet, frame_of, found, said, around):
    (cell,) = frame_grid(1, 16 / 9, zoom=True, top=0)
    draw_frame(sheet, frame_of(1.4, **found), cell, (160, 90))
    assert words(sheet) == ["1.40 s", said]
    assert frames_around(sheet) == around
    # the picture, and the close-up where there is a face
    assert len(sheet.ax.images) == (2 if found.get("face", True) else 1)


def test_a_frame_that_cannot_be_decoded_again_says_so_and_keeps_its_landmarks(sheet, frame_of):
    (cell,) = frame_grid(1, 16 / 9, zoom=True, top=0)
    draw_frame(sheet, frame_of(pixels=False), cell, (160, 90))
    assert "cannot be\ndecoded again" in words(sheet)
    assert len(sheet.ax.images) == 0
    assert sheet.ax.collections


def test_the_strip_has_the_colour_of_the_nearest_frame(sheet):
    seen = timeline([1, 0, 2, 1], [True, False, False, True], [False, False, True, True])
    draw_strip(sheet, seen, 0.8, [0.0, 0.6])
    face, body = (image.get_array()[0] for image in sheet.ax.images)
    # frames at 0, .2, .4, .6 of .8 s: by hand, the middles of the eighths belong to frames 0 1 1 2 2 3 3 3
    middles = [int(len(face) * (2 * k + 1) / 16) for k in range(8)]
    assert [to_hex(face[m] / 255) for m in middles] == [FACE, NOBODY, NOBODY, OTHERS, OTHERS, FACE, FACE, FACE]
    grey = "#dddddd"
    assert [to_hex(body[m] / 255) for m in middles] == [grey, grey, grey, BODY, BODY, BODY, BODY, BODY]
    assert "4 sampled frames, a tick marks those that are shown" in words(sheet)
    assert len(sheet.ax.lines) == 2


def test_a_time_without_frames_is_white(sheet):
    draw_strip(sheet, timeline([1, 1], [True, True], [True, True]), 10.0, [])
    face = sheet.ax.images[0].get_array()[0]
    assert to_hex(face[0] / 255) == FACE
    assert to_hex(face[-1] / 255) == "#ffffff"
    assert "2 sampled frames" in words(sheet)


@pytest.mark.parametrize("count", [0, 1])
def test_a_strip_of_none_or_one_frame(sheet, count):
    draw_strip(sheet, timeline([1] * count, [True] * count, [True] * count), 0.0, [])
    assert to_hex(sheet.ax.images[0].get_array()[0][0] / 255) == (FACE if count else "#ffffff")


def record(**changes):
    video = {"status": "ok", "reason": None, "width_px": 160, "height_px": 90, "speaker": {"rule": "mouth_motion"}}
    return {"clip_id": "a/b", "speaker": "Ann", "gender": None, "warnings": ["rotated"], "video": {**video, **changes}}


def test_the_head_says_what_was_found(sheet):
    draw_head(sheet, record(), timeline([2, 0], [True, False], [True, True]), None)
    assert words(sheet) == [
        "a/b",
        "   ·   ".join(
            [
                "speaker: Ann",
                "160 x 90 pixels",
                "2 sampled frames: face in 1, body in 2",
                "up to 2 faces at once",
                "the speaker is the face whose mouth fits the voice",
            ]
        ),
        "",
        "warnings: rotated",
    ]


def test_the_head_says_what_went_wrong(sheet):
    said = timeline([0], [False], [False])
    draw_head(sheet, record(status="partial", reason="no_face", speaker={"rule": "none"}), said, "there is no video")
    assert "not everything was measured: no face was found (no_face);  there is no video" in words(sheet)
    assert not any("the speaker is" in text for text in words(sheet))


def test_the_head_of_a_clip_without_picture(sheet):
    draw_head(sheet, record(status="missing", reason="no_video_stream"), None, None)
    assert "no picture was measured: the file has no picture (no_video_stream)" in words(sheet)


@pytest.mark.parametrize(
    ("kind", "landmarks", "drawn"), [("face", False, 0), ("face", True, 2), ("body", True, 4), ("frame", True, 4)]
)
def test_a_keyframe_has_its_kind_time_and_reason(sheet, frame_of, kind, landmarks, drawn):
    rgb = np.zeros((10, 10, 3), np.uint8)
    keyframe = KeyframePicture(
        kind=kind, time_s=1.2, reason="peak_motion", box_px=(50, 10, 110, 80), rgb=rgb, measured=frame_of()
    )
    draw_keyframe(sheet, keyframe, (100, 100, 200, 200), landmarks=landmarks)
    assert words(sheet) == [f"{kind}, 1.20 s", "peak of movement"]
    # contours and box of the face; lines of the body that are well seen and those that are not
    assert len(sheet.ax.collections) == drawn
