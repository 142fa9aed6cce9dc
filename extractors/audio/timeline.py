"""Where the runs of sound belong on the clip's time axis, from the times of their frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from extractors.audio.grid import SAMPLE_RATE_HZ
from extractors.audio.runs import JUMP_S, Run

# Frames this far off for good (the median of nine) are moved; less is the rounding of the container's clock. A lost frame of
# any common codec is longer than 5 ms, and 1 ms clocks (FLV, Matroska) stay below it.
_STEP_S = 0.005
_MEDIAN_OF = 9
# Holes shorter than one step of the 10 ms grid are filled but not reported.
_HOLE_S = 0.01
# A jump back by more than this is a clock that was set anew, not sound that overlaps.
_RESET_S = 0.5
# A hole longer than this is taken for a damaged time: silence of any length could be asked for by one wrong number.
_LONGEST_HOLE_S = 600.0


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Samples [begin, end) of run number `run`, which belong at `start_s`."""

    run: int
    begin: int
    end: int
    start_s: float

    @property
    def end_s(self) -> float:
        """Time of the first sample after it."""
        return self.start_s + (self.end - self.begin) / SAMPLE_RATE_HZ


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """Pieces in the order of time, none overlapping another.

    Attributes:
        pieces: what to put where
        holes: how many holes of 10 ms or more lie between them
        holes_s: their length in all
        repaired: whether times were overruled: sound overlapped, the clock was set back, or a hole was beyond belief
    """

    pieces: tuple[Piece, ...]
    holes: int
    holes_s: float
    repaired: bool


def pieces_of(number: int, run: Run) -> list[Piece]:
    """Cuts a run where its frames' times leave the count of its samples for good.

    The deviation of each frame is smoothed by a running median, which forgets jitter and keeps steps where they are; in the
    first and last four frames of a run a step is taken for jitter.
    """
    if not run.marks or not len(run):
        return []
    at, deviation_s = np.array(run.marks).T
    half = _MEDIAN_OF // 2
    padded = np.pad(deviation_s, half, mode="reflect")
    smooth_s = np.median(np.lib.stride_tricks.sliding_window_view(padded, _MEDIAN_OF), axis=1)
    cuts, offsets_s = [0], [0.0]
    if np.abs(smooth_s).max() > _STEP_S:
        for begin, offset_s in zip(at.round().astype(int).tolist(), smooth_s.tolist(), strict=True):
            if abs(offset_s - offsets_s[-1]) > _STEP_S:
                cuts.append(begin)
                offsets_s.append(offset_s)
    ends = [*cuts[1:], len(run)]
    return [
        Piece(run=number, begin=begin, end=end, start_s=run.start_s + begin / SAMPLE_RATE_HZ + offset_s)
        for begin, end, offset_s in zip(cuts, ends, offsets_s, strict=True)
        if end > begin
    ]


def place(pieces: Sequence[Piece], *, first_s: float | None = 0.0) -> Timeline:
    """Puts pieces on one time axis.

    Args:
        pieces: in the order in which they were decoded
        first_s: where sound is expected to begin, for the check against absurd times; None when it may begin anywhere

    Returns:
        the timeline; where pieces overlap, the earlier one is kept
    """
    placed: list[Piece] = []
    shift_s, holes, holes_s, repaired = 0.0, 0, 0.0, False
    cursor_s = first_s
    for piece, following in zip_longest(pieces, pieces[1:]):
        start_s = piece.start_s + shift_s
        if cursor_s is not None:
            ahead_s = start_s - cursor_s
            led_to_s = cursor_s + piece.end_s - piece.start_s
            if placed and abs(ahead_s) > JUMP_S and following and abs(following.start_s + shift_s - led_to_s) <= JUMP_S:
                # one wrong time between right ones
                start_s, repaired = cursor_s, True
            elif ahead_s > _LONGEST_HOLE_S or (placed and ahead_s < -_RESET_S):
                shift_s, start_s, repaired = shift_s - ahead_s, cursor_s, True
        begin = piece.begin
        if placed and cursor_s is not None:
            hole_s = start_s - cursor_s
            if hole_s < 0:
                begin = min(begin + round(-hole_s * SAMPLE_RATE_HZ), piece.end)
                repaired = repaired or hole_s < -JUMP_S
            elif hole_s >= _HOLE_S:
                holes, holes_s = holes + 1, holes_s + hole_s
        if begin < piece.end:
            placed.append(replace(piece, begin=begin, start_s=start_s + (begin - piece.begin) / SAMPLE_RATE_HZ))
            cursor_s = placed[-1].end_s
    return Timeline(pieces=tuple(placed), holes=holes, holes_s=holes_s, repaired=repaired)
