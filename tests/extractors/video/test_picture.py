import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.video.picture import Picture
from mmrole.core.errors import UsageError

UPRIGHT = np.eye(2, 3)


def smooth(width, height):
    """An RGB picture without edges, so that sampling and colour at half resolution lose next to nothing."""
    y, x = np.mgrid[:height, :width]
    parts = [90 + 60 * np.sin(x / 23), 110 + 50 * np.cos(y / 19), 120 + 40 * np.sin((x + y) / 31)]
    return np.stack(parts, axis=-1).astype(np.uint8)


def frame_of(rgb, name="yuv420p"):
    return av.VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24").reformat(format=name, threads=1)


@pytest.mark.parametrize("size", [(64, 48), (321, 241), (17, 16)])
def test_upright_warp_is_the_picture(size):
    rgb = smooth(*size)
    assert np.array_equal(Picture.from_rgb(rgb).rgb(), rgb)
    np.testing.assert_allclose(Picture.from_rgb(rgb).warp(UPRIGHT, size), rgb / np.float32(255), atol=1e-6)
    # from YUV: rounding of three values and colour from neighbouring samples, 5 levels
    picture = Picture(frame_of(rgb))
    np.testing.assert_allclose(picture.warp(UPRIGHT, size, border="replicate") * 255, rgb, atol=5)
    np.testing.assert_allclose(picture.rgb().astype(int), rgb, atol=5)


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_rotation_counterclockwise_as_numpy_turns(quarter):
    rgb = smooth(80, 48)
    picture = Picture(frame_of(rgb), rotation_deg=90 * quarter)
    turned = np.rot90(rgb, quarter)
    assert (picture.height_px, picture.width_px) == turned.shape[:2]
    np.testing.assert_allclose(picture.rgb().astype(int), turned, atol=5)
    size = (picture.width_px, picture.height_px)
    np.testing.assert_allclose(picture.warp(UPRIGHT, size, border="replicate") * 255, turned, atol=5)
    box = (10, 4, 30, 24)
    np.testing.assert_allclose(picture.rgb(box).astype(int), turned[4:24, 10:30], atol=5)


def test_negative_and_uneven_rotation():
    frame = frame_of(smooth(80, 48))
    assert np.array_equal(Picture(frame, rotation_deg=-90).rgb(), Picture(frame, rotation_deg=270).rgb())
    assert np.array_equal(Picture(frame, rotation_deg=88).rgb(), Picture(frame, rotation_deg=90).rgb())


@pytest.mark.parametrize("aspect", [2.0, 0.5])
def test_pixel_aspect_stretches_the_width(aspect):
    rgb = np.zeros((40, 64, 3), np.uint8)
    rgb[:, 32:] = 255
    picture = Picture(frame_of(rgb), sample_aspect_ratio=aspect)
    width = round(64 * aspect)
    assert (picture.width_px, picture.height_px) == (width, 40)
    warped = picture.warp(UPRIGHT, (width, 40), border="replicate")
    for seen in (picture.rgb()[20, :, 1] / 255, warped[20, :, 1]):
        # the edge lies in the middle: half of the light on each side, within a coded pixel
        assert seen[: width // 2 - 2].max() < 0.1
        assert seen[width // 2 + 2 :].min() > 0.9
        assert seen.sum() == pytest.approx(width / 2, abs=aspect)


def test_aspect_and_rotation_together():
    picture = Picture(frame_of(smooth(64, 40)), rotation_deg=90, sample_aspect_ratio=1.5)
    assert (picture.width_px, picture.height_px) == (40, 96)
    assert picture.rgb().shape == (96, 40, 3)


def test_square_pixels_when_the_aspect_is_not_told():
    assert Picture(frame_of(smooth(64, 40)), sample_aspect_ratio=0).width_px == 64
    assert Picture(frame_of(smooth(64, 40)), sample_aspect_ratio=None).width_px == 64


@pytest.mark.parametrize("shift", [4, 30])  # a little outside, and mostly: two ways of computing the same
@pytest.mark.parametrize("make", [Picture.from_rgb, lambda rgb: Picture(frame_of(rgb))])
def test_outside_is_black_or_the_outermost_pixels(make, shift):
    rgb = smooth(64, 48)
    matrix = np.array([[1.0, 0, -shift], [0, 1.0, -shift]])
    size = (64, 48)
    black = make(rgb).warp(matrix, size, border="black")
    assert black[: shift - 1].max() < 0.02
    assert black[:, : shift - 1].max() < 0.02
    inside = rgb[: 48 - shift, : 64 - shift]
    np.testing.assert_allclose(black[shift + 1 :, shift + 1 :] * 255, inside[1:, 1:], atol=6)
    repeated = make(rgb).warp(matrix, size, border="replicate")
    expected = np.pad(rgb, ((shift, 0), (shift, 0), (0, 0)), mode="edge")[:48, :64]
    np.testing.assert_allclose(repeated * 255, expected, atol=6)


@pytest.mark.parametrize("shift", [-8.3, -50.0, -140.0, 60.0])
def test_both_ways_of_repeating_the_border_agree(monkeypatch, shift):
    picture = Picture(frame_of(smooth(320, 240)))
    matrix = np.array([[1.9, -0.3, shift], [0.3, 1.9, -10.0]])  # turned, so that rows and columns mix
    seen = []
    for limit in (0.0, 1.1):  # never and always by warpAffine
        monkeypatch.setattr("extractors.video.picture._MOSTLY_INSIDE", limit)
        seen.append(picture.warp(matrix, (96, 96), border="replicate"))
    # a level of Y, U or V: places are rounded differently
    np.testing.assert_allclose(seen[0] * 255, seen[1] * 255, atol=3)


def test_warp_enlarges_between_pixels():
    rgb = np.zeros((4, 4, 3), np.uint8)
    rgb[:, 2:] = 200
    matrix = np.array([[0.5, 0, 0], [0, 0.5, 0]])
    row = Picture.from_rgb(rgb).warp(matrix, (8, 8), border="replicate")[0, :, 0] * 255
    # places 0, .5, 1, 1.5, 2, ...: bilinear between 0 at place 1 and 200 at place 2
    np.testing.assert_allclose(row, [0, 0, 0, 100, 200, 200, 200, 200], atol=1)


def test_warp_writes_where_it_is_told():
    out = np.full((48, 64, 3), 7, np.float32)
    picture = Picture(frame_of(smooth(64, 48)))
    assert picture.warp(UPRIGHT, (64, 48), out=out) is out
    assert np.array_equal(out, picture.warp(UPRIGHT, (64, 48)))


def test_box_is_cut_to_the_picture_and_widened_to_whole_colour_samples():
    rgb = smooth(64, 48)
    picture = Picture(frame_of(rgb))
    assert picture.rgb((-20, -5, 20, 20)).shape == (20, 20, 3)
    widened = picture.rgb((11, 11, 20.5, 20.5))
    assert widened.shape == (12, 12, 3)  # 10..22 in both directions
    np.testing.assert_allclose(widened.astype(int), rgb[10:22, 10:22], atol=5)
    assert Picture.from_rgb(rgb).rgb((11, 11, 20.5, 20.5)).shape == (10, 10, 3)


def test_box_outside_is_an_error():
    with pytest.raises(UsageError, match=r"\(70, 5, 90, 20\) lies outside of the picture of 64 x 48 pixels"):
        Picture(frame_of(smooth(64, 48))).rgb((70, 5, 90, 20))


def test_shrinking_averages():
    stripes = np.zeros((64, 64, 3), np.uint8)
    stripes[:, ::2] = 250
    small = Picture.from_rgb(stripes).rgb(max_side_px=16)
    assert small.shape == (16, 16, 3)
    # every area of 4 x 4 pixels holds as many black as bright ones; a bilinear look-up would see only one kind
    assert np.abs(small.astype(int) - 125).max() <= 1
    assert Picture.from_rgb(stripes).rgb(max_side_px=500).shape == (64, 64, 3)


def test_longest_side_is_limited():
    assert Picture(frame_of(smooth(320, 100))).rgb(max_side_px=64).shape == (20, 64, 3)
    assert Picture(frame_of(smooth(320, 100)), rotation_deg=90).rgb(max_side_px=64).shape == (64, 20, 3)


def test_picture_outlives_its_frame():
    frame = frame_of(smooth(64, 48))
    picture = Picture(frame)
    before = picture.rgb()
    del frame
    others = [frame_of(np.full((48, 64, 3), value, np.uint8)) for value in (0, 255)]  # would reuse freed memory
    assert np.array_equal(picture.rgb(), before)
    assert len(others) == 2


@pytest.mark.parametrize("wrong", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_from_rgb_says_what_it_takes(wrong):
    with pytest.raises(UsageError, match=r"an array \(height, width, 3\) of uint8, not \("):
        Picture.from_rgb(wrong)


@settings(max_examples=40, deadline=None)
@given(
    width=st.integers(2, 90),
    height=st.integers(2, 90),
    quarter=st.integers(0, 3),
    aspect=st.sampled_from([None, 0.75, 1.0, 1.4587, 3.0]),
    name=st.sampled_from(["yuv420p", "yuv444p", "yuv422p", "rgb24"]),
)
def test_any_size_keeps_its_colour_and_shape(width, height, quarter, aspect, name):
    flat = np.full((height, width, 3), (150, 90, 60), np.uint8)
    picture = Picture(frame_of(flat, name), rotation_deg=90 * quarter, sample_aspect_ratio=aspect)
    stretched = max(1, round(width * (aspect or 1)))
    assert sorted((picture.width_px, picture.height_px)) == sorted((stretched, height))
    whole = picture.rgb()
    assert whole.shape == (picture.height_px, picture.width_px, 3)
    np.testing.assert_allclose(whole.astype(int), np.broadcast_to((150, 90, 60), whole.shape), atol=3)
    seen = picture.warp(UPRIGHT, (picture.width_px, picture.height_px), border="replicate")
    np.testing.assert_allclose(seen * 255, np.broadcast_to((150, 90, 60), seen.shape), atol=3)
