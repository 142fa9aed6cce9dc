"""Channel layouts: which weights make one channel of many without losing the dialogue or changing its level."""

from __future__ import annotations

from math import sqrt

import av
import numpy as np
from numpy.typing import NDArray

_H = sqrt(0.5)

# Weights into left and right: ITU-R BS.775-3, annex 4, table 2 (down-mix to stereo). The mean of the two is its down-mix to
# mono: centre 1, left and right .707, surround .5, up to a factor. Height and wide channels count as surround, LFE as silent.
_WEIGHTS = {
    "FL": (1.0, 0.0),
    "FR": (0.0, 1.0),
    "FC": (_H, _H),
    "LFE": (0.0, 0.0),
    "LFE2": (0.0, 0.0),
    "BL": (_H, 0.0),
    "BR": (0.0, _H),
    "SL": (_H, 0.0),
    "SR": (0.0, _H),
    "FLC": (1.0, 0.0),
    "FRC": (0.0, 1.0),
    "BC": (0.5, 0.5),
    "DL": (1.0, 0.0),
    "DR": (0.0, 1.0),
    "WL": (_H, 0.0),
    "WR": (0.0, _H),
    "SDL": (_H, 0.0),
    "SDR": (0.0, _H),
    "TC": (0.5, 0.5),
    "TFL": (_H, 0.0),
    "TFC": (0.5, 0.5),
    "TFR": (0.0, _H),
    "TBL": (_H, 0.0),
    "TBC": (0.5, 0.5),
    "TBR": (0.0, _H),
    "TSL": (_H, 0.0),
    "TSR": (0.0, _H),
    "BFL": (_H, 0.0),
    "BFC": (0.5, 0.5),
    "BFR": (0.0, _H),
}


def mid_side_weights(layout: av.AudioLayout) -> tuple[NDArray[np.float32], bool]:
    """Weights that fold the channels of a layout into mid and side.

    Left and right are each normalised, so that n equal channels fold to a left and a right of the level of one;
    mid = (left + right) / 2 is the mono mix and side = (left - right) / 2 what it cancels. Where the layout does not say
    what its channels are, two are taken for left and right, as all programs do; of more, mid is the plain mean, and left
    and right are the means of every other one.

    Args:
        layout: of a decoded frame

    Returns:
        weights `[shape=(2, channels)]`, or `[shape=(1, channels)]` where side is always zero; and whether the layout is
        known. One or two channels are known whatever they are called.
    """
    names = [channel.name for channel in layout.channels]
    count = len(names)
    if count == 1:
        return np.ones((1, 1), np.float32), True
    if count == 2 and not any(name in _WEIGHTS for name in names):
        names = ["FL", "FR"]
    known = all(name in _WEIGHTS for name in names)
    if known:
        pair = np.array([_WEIGHTS[name] for name in names]).T
    else:
        pair = np.array([np.arange(count) % 2 == 0, np.arange(count) % 2 == 1], float)
    sums = pair.sum(axis=1)
    if not sums.any():
        # nothing but low-frequency channels: they are all there is
        return np.full((1, count), 1 / count, np.float32), known
    # a layout with channels of one side only has that side for both
    left, right = (pair[i] / sums[i] if sums[i] else pair[1 - i] / sums[1 - i] for i in (0, 1))
    mid = (left + right) / 2 if known else np.full(count, 1 / count)
    side = (left - right) / 2
    return np.asarray([mid, side] if side.any() else [mid], np.float32), known
