"""Runs of sound: frames of one format that follow one another, resampled and folded to mid and side as they come."""

from __future__ import annotations

import av
import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ
from extractors.audio.layout import mid_side_weights

# A frame that is this far from where the frames before it led starts a new run.
JUMP_S = 0.05

# Values beyond this are no sound but damage. Floats on the scale of 32-bit integers, which some programs write, are below.
_ABSURD = 2.0**33
# A damaged sample spoils as many around it as the resampler's filter reaches (16 periods of the lower rate), and some more.
_SPOILT = 20
# side is kept in half precision, enough for the choice of a channel; this is the largest value it holds
_HALF_MAX = 65_504.0
_BLOCK = 4096


class Run:
    """One run: its sound at 16 kHz, and how far its frames' times are from the count of its samples.

    Args:
        frame: the first frame; it still has to be pushed
        time_s: its time

    Attributes:
        start_s: time of the first frame
        known_layout: whether it is known what its channels are
        marks: per frame: the sample (at 16 kHz) it begins at, and its time less the time by that count, in seconds
        damaged: spans [begin, end) of samples (at 16 kHz) that were not finite in the file, or spoilt by such
        handed_over: whether `hand_over` gave its memory away
    """

    def __init__(self, frame: av.AudioFrame, time_s: float) -> None:
        self.start_s = time_s
        self._rate_hz = frame.sample_rate
        self._layout, self._format = frame.layout.name, frame.format.name
        self._weights, self.known_layout = mid_side_weights(frame.layout)
        self.marks: list[tuple[float, float]] = []
        self.damaged: list[tuple[int, int]] = []
        self.handed_over = False
        self._taken = 0
        self._mid = bytearray()
        self._side: bytearray | None = None  # until the channels differ
        # packed output: PyAV 18 cannot read planar frames of more than eight channels
        self._resampler = av.AudioResampler(format="flt", rate=SAMPLE_RATE_HZ, frame_size=_BLOCK)

    def takes(self, frame: av.AudioFrame, time_s: float) -> bool:
        """Whether a frame goes on where the run is: same format, no jump against the frame before it."""
        before_s = self.marks[-1][1] if self.marks else 0.0
        return (
            abs(self._deviation_s(time_s) - before_s) <= JUMP_S
            and frame.sample_rate == self._rate_hz
            and frame.layout.name == self._layout
            and frame.format.name == self._format
        )

    def push(self, frame: av.AudioFrame, time_s: float) -> None:
        """Adds a frame."""
        self.marks.append((self._taken * SAMPLE_RATE_HZ / self._rate_hz, self._deviation_s(time_s)))
        self._taken += frame.samples
        self._fold(self._resampler.resample(frame))

    def close(self) -> None:
        """Takes what is left in the resampler; nothing can be added any more."""
        # a resampler that has nothing to convert hands the None on
        self._fold([frame for frame in self._resampler.resample(None) if frame is not None])

    def __len__(self) -> int:
        return len(self._mid) // 4

    @property
    def mid(self) -> NDArray[np.float32]:
        """The mono mix `[shape=(samples,)]`."""
        return np.frombuffer(self._mid, np.float32)

    @property
    def side(self) -> NDArray[np.float16] | None:
        """Half the difference of left and right `[shape=(samples,)]`; None when they are the same throughout."""
        return None if self._side is None else np.frombuffer(self._side, np.float16)

    def hand_over(self, samples: int) -> NDArray[np.float32]:
        """The mono mix without a copy, cut or filled with zeros to `samples`; it may be changed in place then."""
        self.handed_over = True
        size = 4 * samples
        self._mid += bytes(max(0, size - len(self._mid)))
        del self._mid[size:]
        return np.frombuffer(self._mid, np.float32)

    def _deviation_s(self, time_s: float) -> float:
        return time_s - self.start_s - self._taken / self._rate_hz

    def _fold(self, frames: list[av.AudioFrame]) -> None:
        for frame in frames:
            packed = np.asarray(frame.to_ndarray(), np.float32).reshape(-1, self._weights.shape[1])
            # one pass in the common case: where the sum of squares is finite and small, no value is damaged
            with np.errstate(over="ignore", invalid="ignore"):
                power = float(np.einsum("ij,ij->", packed, packed))
            if not power < _ABSURD**2:
                packed = self._without_damage(packed)
            folded = packed @ self._weights.T
            before = len(self)
            self._mid += np.ascontiguousarray(folded[:, 0]).tobytes()
            if folded.shape[1] == 2 and (self._side is not None or folded[:, 1].any()):
                self._side = bytearray(2 * before) if self._side is None else self._side
                self._side += np.clip(folded[:, 1], -_HALF_MAX, _HALF_MAX).astype(np.float16).tobytes()

    def _without_damage(self, packed: NDArray[np.float32]) -> NDArray[np.float32]:
        """A copy with zeros in place of damaged samples; their spans are noted."""
        with np.errstate(invalid="ignore"):
            bad = ~(np.abs(packed) < _ABSURD)
        before = len(self)
        for at in np.flatnonzero(bad.any(axis=1)).tolist():
            first, last = max(before + at - _SPOILT, 0), before + at + _SPOILT + 1
            if self.damaged and first <= self.damaged[-1][1]:
                self.damaged[-1] = (self.damaged[-1][0], last)
            else:
                self.damaged.append((first, last))
        return np.where(bad, np.float32(0), packed)
