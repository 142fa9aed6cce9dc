import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.audio.layout import mid_side_weights

LAYOUTS = [
    "mono",
    "stereo",
    "downmix",
    "2.1",
    "3.0",
    "4.0",
    "quad",
    "5.0",
    "5.1",
    "5.1(side)",
    "6.1",
    "7.1",
    "7.1(wide)",
    "22.2",
]
UNKNOWN = ["3 channels", "5 channels", "6 channels", "ambisonic 1"]


@given(st.sampled_from(LAYOUTS + UNKNOWN + ["1 channels", "2 channels", "FR", "FL+FC"]))
def test_equal_channels_keep_their_level(layout):
    weights, _ = mid_side_weights(av.AudioLayout(layout))
    mid, *side = weights
    equal = [1.0 if c.name[:3] != "LFE" else 0.0 for c in av.AudioLayout(layout).channels]
    assert mid @ equal == pytest.approx(1, abs=1e-6)
    assert all(abs(s @ equal) < 1e-6 for s in side)


@pytest.mark.parametrize(
    ("layout", "known"),
    [*((n, True) for n in LAYOUTS), *((n, False) for n in UNKNOWN), ("1 channels", True), ("2 channels", True)],
)
def test_known(layout, known):
    assert mid_side_weights(av.AudioLayout(layout))[1] is known


def test_bs775():
    # ITU-R BS.775-3, annex 4, table 2: mono = .7071 L + .7071 R + C + .5 Ls + .5 Rs, here over its sum of 3.4142
    mid, _ = mid_side_weights(av.AudioLayout("5.1"))[0]
    np.testing.assert_allclose(mid, np.array([0.7071, 0.7071, 1, 0, 0.5, 0.5]) / 3.4142, atol=1e-4)


def test_stereo_by_hand():
    for layout in ("stereo", "2 channels"):
        np.testing.assert_allclose(mid_side_weights(av.AudioLayout(layout))[0], [[0.5, 0.5], [0.5, -0.5]])


def test_unknown_layout_is_a_plain_mean():
    mid, side = mid_side_weights(av.AudioLayout("5 channels"))[0]
    np.testing.assert_allclose(mid, np.full(5, 0.2), rtol=1e-6)
    # by hand: left = mean of channels 0, 2, 4; right = mean of channels 1, 3
    np.testing.assert_allclose(side, [1 / 6, -1 / 4, 1 / 6, -1 / 4, 1 / 6], rtol=1e-6)


@pytest.mark.parametrize("layout", ["mono", "FR", "LFE", "FC+LFE"])
def test_no_side_where_left_is_right(layout):
    assert mid_side_weights(av.AudioLayout(layout))[0].shape[0] == 1


def test_low_frequency_channel_is_left_out_unless_alone():
    np.testing.assert_allclose(mid_side_weights(av.AudioLayout("FC+LFE"))[0], [[1, 0]], atol=1e-6)
    np.testing.assert_allclose(mid_side_weights(av.AudioLayout("LFE"))[0], [[1]])
    np.testing.assert_allclose(mid_side_weights(av.AudioLayout("LFE+LFE2"))[0], [[0.5, 0.5]])
