import av
import numpy as np
import pytest

from mmrole.core.canonical import file_sha256
from mmrole.core.errors import MediaError
from mmrole.plotting import frames_again
from mmrole.plotting.clip_pictures import SampledFrame
from mmrole.plotting.frames_again import find_video, with_pictures

FPS, FRAMES = 25, 60


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    """60 grey pictures at 25 a second, the k-th of brightness 20 + 3 k, with a white square of 8 x 8 at (40, 24)."""
    path = tmp_path_factory.mktemp("video") / "grey.mkv"
    with av.open(path, "w") as file:
        stream = file.add_stream("mpeg4", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        stream.bit_rate, stream.gop_size = 4_000_000, 12
        for index in range(FRAMES):
            rgb = np.full((64, 96, 3), 20 + 3 * index, np.uint8)
            rgb[24:32, 40:48] = 255
            file.mux(stream.encode(av.VideoFrame.from_ndarray(rgb, format="rgb24")))
        file.mux(stream.encode())
    return path


def frame_at(index, start_s=0.0, **more):
    return SampledFrame(time_s=index / FPS - start_s, faces=0, face=False, body=False, **more)


def shown(frame):
    """Which picture it is, by its brightness away from the square."""
    return round((float(frame.rgb[:16].mean()) - 20) / 3)


SIZES = {"max_side_px": 96, "zoom_side_px": 40}


@pytest.mark.parametrize("whole_pass_s", [90.0, 0.5])
@pytest.mark.parametrize("start_s", [0.0, 0.2, 1.2])
def test_each_frame_gets_the_picture_of_its_time(video, monkeypatch, whole_pass_s, start_s):
    monkeypatch.setattr(frames_again, "_WHOLE_PASS_S", whole_pass_s)
    wanted = [30, 31, 41, 59]
    found = with_pictures([frame_at(k, start_s) for k in wanted], video, start_s=start_s, **SIZES)
    assert [shown(frame) for frame in found] == wanted
    assert [frame.time_s for frame in found] == [k / FPS - start_s for k in wanted]


def test_a_frame_that_is_not_there_stays_without_a_picture(video):
    found = with_pictures([frame_at(10), frame_at(10.5), frame_at(200)], video, start_s=0, **SIZES)
    assert [frame.rgb is not None for frame in found] == [True, False, False]


def test_pictures_are_shrunk_and_the_close_up_shows_the_face(video):
    # the box is the white square: the close-up shows half as much again on each side together, black nowhere
    face = frame_at(5, face_box_px=np.array([40, 24, 48, 32], np.float32))
    (found,) = with_pictures([face], video, start_s=0, max_side_px=48, zoom_side_px=60)
    assert found.rgb.shape == (32, 48, 3)
    assert found.face_rgb.shape == (60, 60, 3)
    # of 12 pixels the middle 8 are white: the middle two thirds of 60
    bright = found.face_rgb.mean(axis=2) > 128
    rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
    assert (rows[0], rows[-1], columns[0], columns[-1]) == pytest.approx((10, 49, 10, 49), abs=2)


def test_a_file_that_is_no_video_is_an_error_with_a_reason(tmp_path):
    path = tmp_path / "empty.mp4"
    path.touch()
    with pytest.raises(MediaError, match="empty_file"):
        with_pictures([frame_at(0)], path, start_s=0, **SIZES)
    assert with_pictures([], path, start_s=0, **SIZES) == []


def test_the_video_is_found_where_it_was(video, tmp_path):
    record = {"path": str(video), "sha256": file_sha256(video)}
    assert find_video(record, tmp_path) == (video, "")


def test_a_relative_path_is_looked_for_above_the_features_too(video, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = {"path": video.name, "sha256": file_sha256(video)}
    features = video.parent / "out" / "features"
    assert find_video(record, features) == (video, "")
    assert find_video(record, tmp_path / "features") == (None, "there is no video at grey.mkv any more")


def test_another_video_in_its_place_is_not_taken_for_it(video, tmp_path):
    record = {"path": str(video), "sha256": "0" * 64}
    assert find_video(record, tmp_path) == (None, f"{video} is no longer the video that was measured")


@pytest.mark.parametrize("name", ["nowhere/x.mp4", "null\0byte.mp4", "."])
def test_a_path_that_cannot_be_opened_is_gone(name, tmp_path):
    assert find_video({"path": name, "sha256": "0" * 64}, tmp_path)[0] is None
