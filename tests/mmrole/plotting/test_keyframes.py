import re

import numpy as np
import pytest
from matplotlib.figure import Figure

import mmrole
from mmrole.core.errors import InputError, UsageError
from mmrole.plotting.keyframes import KeyframesDisplay


@pytest.fixture
def store(fixture_features):
    return mmrole.read_features(fixture_features)


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def test_sampled_frames_are_shown_as_they_were_seen(store):
    display = KeyframesDisplay.from_features(store, "01_000_000")
    assert not hasattr(display, "ax_")
    track = store.track("01_000_000")
    assert [frame.time_s for frame in display.frames] == list(track.time_s)
    # the clips of the fixtures are 640 x 360
    assert {frame.rgb.shape for frame in display.frames} == {(225, 400, 3)}
    assert all(frame.face_rgb is not None for frame in display.frames)
    assert len(display.keyframes) == len(store.keyframes("01_000_000"))
    assert display.plot() is display
    # a picture and a close-up of each frame, the keyframes, two strips
    assert len(display.ax_.images) == 2 * len(track) + len(display.keyframes) + 2
    assert words(display).count("1 face, body") == len(track)


def test_the_stored_keyframe_shows_the_same_as_the_decoded_frame(store):
    """The picture of a frame is that of its time: the whole-frame keyframe was stored when it was measured."""
    display = KeyframesDisplay.from_features(store, "01_000_003")
    for keyframe in (one for one in display.keyframes if one.kind == "frame"):
        differences = {}
        for frame in display.frames:
            small = keyframe.rgb[:: keyframe.rgb.shape[0] // 45, :: keyframe.rgb.shape[1] // 80][:45, :80].astype(float)
            again = frame.rgb[::5, ::5].astype(float)
            differences[frame.time_s] = np.abs(small - again).mean()
        assert min(differences, key=differences.get) == pytest.approx(keyframe.time_s, abs=1e-5)


def test_at_most_so_many_frames_evenly_spread(store):
    times = list(store.track("01_001_000").time_s)
    display = KeyframesDisplay.from_features(store, "01_001_000", frames=3).plot()
    shown = [frame.time_s for frame in display.frames]
    assert len(shown) == 3
    assert (shown[0], shown[-1]) == (times[0], times[-1])
    # nobody is seen in this clip: three labels, and no close-ups
    assert words(display).count("no face, no body") == 3
    assert len(display.ax_.images) == 3 + len(display.keyframes) + 2
    assert "not everything was measured: no face was found (no_face)" in words(display)
    with pytest.raises(UsageError, match="1 frame or more, not 0"):
        KeyframesDisplay.from_features(store, "01_001_000", frames=0)


def test_without_the_video_the_stored_keyframes_are_shown(store):
    store.records["01_000_000"]["path"] = "/nowhere/clip.mp4"
    display = KeyframesDisplay.from_features(store, "01_000_000").plot()
    assert display.frames == []
    said = words(display)
    assert "there is no video at /nowhere/clip.mp4 any more, so only the stored keyframes are shown" in said
    assert len(display.ax_.images) == len(display.keyframes) + 2
    # with the landmarks of their frames
    assert display.ax_.collections


def test_a_video_that_cannot_be_decoded_any_more(store, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"\0\0\0\x18ftypisom")
    record = store.records["01_000_000"]
    from mmrole.core.canonical import file_sha256

    store.records["01_000_000"] = {**record, "path": str(broken), "sha256": file_sha256(broken)}
    display = KeyframesDisplay.from_features(store, "01_000_000").plot()
    assert any(re.match("the video cannot be decoded again: .*broken.mp4", text) for text in words(display))


def test_a_clip_without_picture_says_why(store):
    record = {**store.record("01_000_000"), "files": {}, "video": {"status": "missing", "reason": "no_video_stream"}}
    store.records["sound"] = {**record, "clip_id": "sound"}
    display = KeyframesDisplay.from_features(store, "sound").plot()
    assert "no picture was measured: the file has no picture (no_video_stream)" in words(display)
    assert len(display.ax_.images) == 0
    with pytest.raises(InputError, match="no clip 'x'"):
        KeyframesDisplay.from_features(store, "x")


def test_draws_on_the_axes_that_are_given_in_proportion(store):
    display = KeyframesDisplay.from_features(store, "01_001_000", frames=2)
    width, height = display.size_in
    sizes = []
    for scale in (1.0, 0.5):
        ax = Figure(figsize=(scale * width, scale * height)).add_axes((0, 0, 1, 1))
        display.plot(ax)
        assert display.ax_ is ax
        assert display.figure_ is ax.figure
        sizes.append(display.ax_.texts[0].get_fontsize())
    assert sizes[1] == pytest.approx(sizes[0] / 2)
