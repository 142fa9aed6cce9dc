"""The sound of a clip as the measures want it: mono, 16 kHz, sample 0 at the clip's time 0, with what is missing marked."""

from __future__ import annotations

from dataclasses import dataclass

import av
import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import SAMPLE_RATE_HZ, STEP_SAMPLES
from extractors.audio.runs import Run
from extractors.audio.timeline import Timeline, pieces_of, place
from mmrole.core.media import LATE_S, Caution

# A mono mix this much weaker (10 dB in power) than one of its channels is called cancelled; one silent channel costs 6 dB.
_CANCELLED = 0.1
# -100 dBFS: rounding noise is no channel that another could cancel
_SILENT_POWER = 1e-10
# frames around a segment that are used to start and stop its resampler
_MARGIN_S = 0.1


@dataclass(frozen=True, kw_only=True)
class Waveform:
    """Mono sound at 16 kHz from the clip's start on.

    Attributes:
        samples: `[shape=(n,), float32]`, full scale is 1, mean 0; 0 where nothing was measured
        missing: spans [begin, end) of samples that were not measured `[shape=(spans, 2)]`, ascending, none touching another:
            before the sound starts, holes, damaged samples, after its end
        sound_start_s: time of the first measured sample; None when there is none
        sound_end_s: time after the last measured sample; None when there is none
        gaps: holes of 10 ms or more that were filled with silence
        gaps_s: their length in all
        damaged_s: how much of the sound is missing because its samples were not finite
        cautions: what a reader of the numbers should know
    """

    samples: NDArray[np.float32]
    missing: NDArray[np.int64]
    sound_start_s: float | None = None
    sound_end_s: float | None = None
    gaps: int = 0
    gaps_s: float = 0.0
    damaged_s: float = 0.0
    cautions: tuple[Caution, ...] = ()

    @property
    def duration_s(self) -> float:
        """From the clip's start to the end of the last sample."""
        return len(self.samples) / SAMPLE_RATE_HZ

    @property
    def measured_s(self) -> float:
        """How much of it was measured."""
        return (len(self.samples) - int(np.diff(self.missing).sum())) / SAMPLE_RATE_HZ

    @property
    def frames(self) -> int:
        """Frames of the 10 ms grid: those whose time lies before the end."""
        return -(-len(self.samples) // STEP_SAMPLES)

    @property
    def time_s(self) -> NDArray[np.float64]:
        """Times of the grid `[shape=(frames,)]`."""
        return np.arange(self.frames) * STEP_SAMPLES / SAMPLE_RATE_HZ

    def measured(self) -> NDArray[np.bool_]:
        """Per sample, whether it was measured `[shape=(n,)]`."""
        mask = np.ones(len(self.samples), np.bool_)
        for begin, end in self.missing:
            mask[begin:end] = False
        return mask

    def measured_frames(self) -> NDArray[np.bool_]:
        """Per frame, whether at least half of the 10 ms around its time were measured `[shape=(frames,)]`."""
        if not len(self.missing):
            return np.ones(self.frames, np.bool_)
        # hops are centred on the frames' times: half of the first lies before the clip
        half = STEP_SAMPLES // 2
        inside, good = (np.zeros((self.frames + 1) * STEP_SAMPLES, np.bool_) for _ in range(2))
        inside[half : half + len(self.samples)] = True
        good[half : half + len(self.samples)] = self.measured()
        available, present = (
            a[: self.frames * STEP_SAMPLES].reshape(-1, STEP_SAMPLES).sum(axis=1) for a in (inside, good)
        )
        return np.asarray(2 * present >= available)


class WaveformBuilder:
    """Builds a `Waveform` from decoded frames, in the order in which they come.

    Frames are placed by their times: sound that starts late, and holes, become silence that is marked as missing; rounding
    and jitter of the times move nothing. The rate, layout and sample format may change between frames. Only 16 kHz
    mono (and, for more than one channel, half a second channel) is kept.

    Args:
        start_s: start of the wanted segment on the frames' clock, which becomes time 0 of the waveform
        end_s: its end; all there is when None
    """

    def __init__(self, *, start_s: float = 0.0, end_s: float | None = None) -> None:
        self.start_s = start_s
        self.end_s = end_s
        self._runs: list[Run] = []

    def add(self, frame: av.AudioFrame, time_s: float) -> None:
        """Adds the next decoded frame.

        Args:
            frame: in any format
            time_s: of its first sample: pts * time_base less the container's start; may be negative
        """
        if not frame.samples or time_s + frame.samples / frame.sample_rate < self.start_s - _MARGIN_S:
            return
        if self.end_s is not None and time_s > self.end_s + _MARGIN_S:
            return
        if not self._runs or not self._runs[-1].takes(frame, time_s):
            if self._runs:
                self._runs[-1].close()
            self._runs.append(Run(frame, time_s))
        self._runs[-1].push(frame, time_s)

    def finish(self, *, end_s: float | None = None) -> Waveform:
        """Ends the sound; the builder cannot be used any more.

        Args:
            end_s: where the clip ends, on the frames' clock, if that is known to be later than the sound's end (the picture
                may go on): the waveform reaches to there, marked as missing

        Returns:
            the waveform, empty when there was no sound and no `end_s`
        """
        if self._runs:
            self._runs[-1].close()
        pieces = [piece for number, run in enumerate(self._runs) for piece in pieces_of(number, run)]
        timeline = place(pieces, first_s=0.0 if self.start_s == 0 else None)
        length = max([self._at(piece.end_s) for piece in timeline.pieces] + [0 if end_s is None else self._at(end_s)])
        if self.end_s is not None:
            length = min(length, self._at(self.end_s))
        length = max(length, 0)
        channel, cancelled = _channel(self._runs)
        samples = self._room(timeline, length)
        measured = self._fill(samples, timeline, channel)
        spans = _complement(measured, length)
        cautions = {
            Caution.PHASE_CANCELLED: cancelled,
            Caution.GAPS_FILLED: timeline.holes > 0,
            Caution.UNKNOWN_LAYOUT: not all(run.known_layout for run in self._runs),
            Caution.TIMESTAMPS_REPAIRED: timeline.repaired,
            Caution.AUDIO_STARTS_LATE: bool(measured) and measured[0][0] > LATE_S * SAMPLE_RATE_HZ,
        }
        _remove_mean(samples, measured)
        return Waveform(
            samples=samples,
            missing=spans,
            sound_start_s=measured[0][0] / SAMPLE_RATE_HZ if measured else None,
            sound_end_s=measured[-1][1] / SAMPLE_RATE_HZ if measured else None,
            gaps=timeline.holes,
            gaps_s=timeline.holes_s,
            damaged_s=sum(end - begin for run in self._runs for begin, end in run.damaged) / SAMPLE_RATE_HZ,
            cautions=tuple(caution for caution, applies in cautions.items() if applies),
        )

    def _at(self, time_s: float) -> int:
        return round((time_s - self.start_s) * SAMPLE_RATE_HZ)

    def _room(self, timeline: Timeline, length: int) -> NDArray[np.float32]:
        """Where the sound goes: the only run's own memory where it lies at its place already, else new memory."""
        if len(self._runs) == len(timeline.pieces) == 1:
            [piece] = timeline.pieces
            if piece.begin == 0 and self._at(piece.start_s) == 0:
                return self._runs[0].hand_over(length)
        return np.zeros(length, np.float32)

    def _fill(self, samples: NDArray[np.float32], timeline: Timeline, sign: int) -> list[tuple[int, int]]:
        """Copies the pieces to their places and returns the spans that are measured, ascending."""
        spans: list[tuple[int, int]] = []
        for piece in timeline.pieces:
            run = self._runs[piece.run]
            target = self._at(piece.start_s)
            begin = piece.begin + max(-target, 0)
            # rounding can make neighbours touch the same sample
            target = max(target, spans[-1][1] if spans else 0)
            end = min(piece.end, begin + len(samples) - target)
            if end <= begin:
                continue
            if not run.handed_over:
                samples[target : target + end - begin] = run.mid[begin:end]
            if sign and run.side is not None:
                samples[target : target + end - begin] += sign * run.side[begin:end]
            spans += _without(run.damaged, begin, end, target)
        return spans


def _without(damaged: list[tuple[int, int]], begin: int, end: int, target: int) -> list[tuple[int, int]]:
    """What remains of a run's samples [begin, end) without the damaged ones, moved to `target`."""
    kept, cursor = [], begin
    for first, last in [*damaged, (end, end)]:
        if first > cursor and cursor < end:
            kept.append((cursor - begin + target, min(first, end) - begin + target))
        cursor = max(cursor, last)
    return kept


def _complement(spans: list[tuple[int, int]], length: int) -> NDArray[np.int64]:
    """The spans of [0, length) that are in none of the given ones, which ascend."""
    edges = np.array([0, *(edge for span in spans for edge in span), length], np.int64).reshape(-1, 2)
    return edges[edges[:, 1] > edges[:, 0]]


def _remove_mean(samples: NDArray[np.float32], spans: list[tuple[int, int]]) -> None:
    """Takes the mean of the measured samples off them, in place, and sets the others to zero."""
    count = sum(end - begin for begin, end in spans)
    if not count:
        return
    mean = sum(float(samples[begin:end].sum(dtype=np.float64)) for begin, end in spans) / count
    samples -= np.float32(mean)
    for begin, end in _complement(spans, len(samples)):
        samples[begin:end] = 0


def _channel(runs: list[Run]) -> tuple[int, bool]:
    """Whether to take the mix (0), left (1) or right (-1), and whether left and right cancel each other in the mix."""
    sums = np.zeros(5)
    count = 0
    for run in runs:
        for begin in range(0, len(run), 1 << 16):
            mid = run.mid[begin : begin + (1 << 16)].astype(np.float64)
            side = np.zeros_like(mid) if run.side is None else run.side[begin : begin + (1 << 16)].astype(np.float64)
            products = [np.einsum("i,i->", a, b) for a, b in ((mid, mid), (side, side), (mid, side))]
            sums += [mid.sum(), side.sum(), *products]
            count += len(mid)
    if not count:
        return 0, False
    mid_mean, side_mean = sums[:2] / count
    mid_power = sums[2] / count - mid_mean**2
    side_power = sums[3] / count - side_mean**2
    product = sums[4] / count - mid_mean * side_mean
    left, right = mid_power + side_power + 2 * product, mid_power + side_power - 2 * product
    cancelled = bool(mid_power < _CANCELLED * max(left, right) and max(left, right) > _SILENT_POWER)
    return (0 if not cancelled else 1 if left >= right else -1), cancelled
