"""Summaries of a feature that can be added: all that normalisation needs to know of an utterance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRETCHES = 20


@dataclass(frozen=True, kw_only=True)
class Moments:
    """Count, mean and sum of squared deviations of frames, and how many utterances they come from.

    `a + b` are the moments of the frames of both (Chan, Golub and LeVeque 1979, "Updating formulae and a pairwise algorithm
    for computing sample variances", eq. 2.1).
    """

    count: int = 0
    mean: float = 0.0
    m2: float = 0.0
    utterances: int = 0

    @classmethod
    def of(cls, values: NDArray[Any]) -> Moments:
        """Moments of one utterance's frames; values that are not finite are left out."""
        finite = np.asarray(values, np.float64)[np.isfinite(values)]
        if not len(finite):
            return cls()
        mean = float(finite.mean())
        return cls(count=len(finite), mean=mean, m2=float(((finite - mean) ** 2).sum()), utterances=1)

    def __add__(self, other: Moments) -> Moments:
        count = self.count + other.count
        if not count:
            return Moments()
        step = other.mean - self.mean
        return Moments(
            count=count,
            mean=self.mean + step * other.count / count,
            m2=self.m2 + other.m2 + step**2 * self.count * other.count / count,
            utterances=self.utterances + other.utterances,
        )

    @property
    def std(self) -> float | None:
        """Standard deviation of the frames (n in the denominator); None without frames."""
        return float(np.sqrt(self.m2 / self.count)) if self.count else None


def pooled(parts: Iterable[Moments]) -> Moments:
    """Moments of all frames of several parts; the empty `Moments()` for none."""
    return sum(parts, start=Moments())


@dataclass(frozen=True, kw_only=True)
class FeatureSummary:
    """One feature of one utterance, before normalisation.

    Attributes:
        moments: of its frames
        stretches: its mean in each of 20 equal stretches of the utterance; None where a stretch has no frame of it
    """

    moments: Moments
    stretches: tuple[float | None, ...]

    @classmethod
    def of(cls, values: NDArray[Any]) -> FeatureSummary:
        """Summary of a curve.

        Args:
            values: one per frame of the utterance `[shape=(frames,)]`; NaN where there is none
        """
        values = np.asarray(values, np.float64)
        there = np.isfinite(values)
        stretch = np.arange(len(values)) * STRETCHES // max(len(values), 1)
        counts = np.bincount(stretch[there], minlength=STRETCHES)
        sums = np.bincount(stretch[there], weights=values[there], minlength=STRETCHES)
        means = tuple(float(s / n) if n else None for s, n in zip(sums, counts, strict=True))
        return cls(moments=Moments.of(values), stretches=means)

    def to_record(self) -> dict[str, Any]:
        """As plain numbers and lists, for a journal; floats survive exactly."""
        m = self.moments
        return {"count": m.count, "mean": m.mean, "m2": m.m2, "stretches": list(self.stretches)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> FeatureSummary:
        """The inverse of `to_record`."""
        count = record["count"]
        moments = Moments(count=count, mean=record["mean"], m2=record["m2"], utterances=min(count, 1))
        return cls(moments=moments, stretches=tuple(record["stretches"]))
