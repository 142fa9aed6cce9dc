import av
import numpy as np
import pytest

from extractors.video.frame_planes import planes_of, planes_of_rgb, yuv_to_rgb

# 8-bit values of the 100 % colour bars: Y, Cb, Cr of red, green, blue.
# BT.601 and BT.709 limited range: ITU-R BT.601-7 and BT.709-6 quantisation; full range: JFIF 1.02.
BARS = {
    ("601", False): [(81, 90, 240), (145, 54, 34), (41, 240, 110)],
    ("709", False): [(63, 102, 240), (173, 42, 26), (32, 240, 118)],
    ("601", True): [(76, 85, 255), (150, 44, 21), (29, 255, 107)],
}
MATRIX = {"601": 5, "709": 1}

# read in place, through swscale to another YUV format, and through swscale to RGB
FORMATS = ["yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p"]
FORMATS += ["nv12", "yuyv422", "yuva420p", "yuv420p10le", "yuv422p10le", "yuv444p10le"]
FORMATS += ["bgr0", "rgb24", "gbrp", "rgb48le"]


@pytest.mark.parametrize(("standard", "full"), BARS)
def test_colour_bars_become_primaries(standard, full):
    matrix = yuv_to_rgb(MATRIX[standard], full_range=full, height_px=100)
    bars = np.array([(*bar, 1) for bar in BARS[standard, full]], np.float32)
    # the bars are rounded to whole levels, and chroma is amplified up to twice: 2 levels of 255
    np.testing.assert_allclose(bars @ matrix.T, np.eye(3), atol=2 / 255)


@pytest.mark.parametrize(("full", "black", "white"), [(False, 16, 235), (True, 0, 255)])
def test_black_and_white(full, black, white):
    for colorspace in (1, 5, 6, 9):
        matrix = yuv_to_rgb(colorspace, full_range=full, height_px=100)
        np.testing.assert_allclose(matrix @ [black, 128, 128, 1], 0, atol=1e-5)
        np.testing.assert_allclose(matrix @ [white, 128, 128, 1], 1, atol=1e-5)


def test_untold_matrix_goes_by_the_height():
    told = {code: yuv_to_rgb(code, full_range=False, height_px=100) for code in (1, 5)}
    assert np.array_equal(yuv_to_rgb(2, full_range=False, height_px=719), told[5])
    assert np.array_equal(yuv_to_rgb(2, full_range=False, height_px=720), told[1])


def quarters(width, height):
    """An RGB picture of four flat quarters."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:, :] = (200, 60, 40)
    picture[: height // 2, width // 2 :] = (40, 160, 60)
    picture[height // 2 :, : width // 2] = (50, 70, 190)
    picture[height // 2 :, width // 2 :] = (120, 120, 120)
    return picture


@pytest.mark.parametrize("size", [(64, 48), (321, 241), (16, 16)])
@pytest.mark.parametrize("name", FORMATS)
def test_colours_survive_every_format(name, size):
    rgb = quarters(*size)
    # one thread: of a picture this small, several give other values each time (libswscale 9.5)
    frame = av.VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format=name, threads=1)
    planes = planes_of(frame)
    width, height = size
    for row, column in ((1 / 4, 1 / 4), (1 / 4, 3 / 4), (3 / 4, 1 / 4), (3 / 4, 3 / 4)):
        y, x = int(row * height), int(column * width)
        if len(planes.arrays) == 1:
            values = planes.arrays[0][y, x]
        else:
            across, down = planes.subsampling
            values = [planes.arrays[0][y, x], *(plane[y // down, x // across] for plane in planes.arrays[1:])]
        seen = planes.to_rgb @ [*(float(value) for value in values), 1]
        # rounding of Y, U and V, twice for formats that pass through swscale: 4 levels
        np.testing.assert_allclose(seen * 255, rgb[y, x], atol=4)


def test_grey_and_palette():
    grey = np.tile(np.arange(0, 256, 4, dtype=np.uint8), (32, 1))
    planes = planes_of(av.VideoFrame.from_ndarray(grey, format="gray"))
    # grey is full range: 0 is black and 255 white
    np.testing.assert_allclose(planes.arrays[0][..., 1].astype(int), grey, atol=1)
    palette = np.zeros((256, 4), np.uint8)
    palette[7] = (255, 10, 20, 30)  # alpha, red, green, blue
    indices = np.full((16, 24), 7, np.uint8)
    planes = planes_of(av.VideoFrame.from_ndarray((indices, palette), format="pal8"))
    assert planes.arrays[0][3, 5].tolist() == [10, 20, 30]


def test_planes_are_read_in_place():
    frame = av.VideoFrame(64, 48, "yuv420p")
    planes = planes_of(frame)
    addresses = [plane.buffer_ptr for plane in frame.planes]
    assert [array.ctypes.data for array in planes.arrays] == addresses
    assert [array.shape for array in planes.arrays] == [(48, 64), (24, 32), (24, 32)]


def test_odd_sizes_have_a_chroma_sample_for_the_last_column_and_row():
    planes = planes_of(av.VideoFrame(321, 241, "yuv420p"))
    assert [array.shape for array in planes.arrays] == [(241, 321), (121, 161), (121, 161)]


def test_full_range_by_tag():
    frame = av.VideoFrame(64, 48, "yuv420p")
    assert planes_of(frame).black == (16, 128, 128)
    frame.color_range = 2
    assert planes_of(frame).black == (0, 128, 128)


def test_packed_rgb_is_only_scaled():
    planes = planes_of_rgb(quarters(8, 8))
    np.testing.assert_allclose(planes.to_rgb @ [255, 0, 51, 1], [1, 0, 0.2], atol=1e-6)
