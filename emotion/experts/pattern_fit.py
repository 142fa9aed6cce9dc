"""How well a measurement fits patterns: the cosine of the angle between the two, so that strength does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NO_PATTERN = "no_pattern"
"""Reason: something is there, but it fits no pattern well enough."""
TIE = "tie"
"""Reason: two patterns fit about equally well."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The best pattern, or why there is none.

    Attributes:
        label: of the best pattern; None where there is none
        reason: `NO_PATTERN` or `TIE` without a label
        fits: label -> cosine, rounded to four decimals, best first
    """

    label: str | None
    reason: str | None
    fits: Mapping[str, float]


def best_fit(
    measured: npt.NDArray[np.float64],
    patterns: Mapping[str, npt.NDArray[np.float64]],
    *,
    fit: float,
    margin: float,
) -> Fit:
    """The pattern that points where the measurement does.

    Args:
        measured: shape (n,), finite, not all 0
        patterns: label -> shape (n,), not all 0
        fit: the least cosine
        margin: by how much the best has to be better than the next

    >>> best_fit(np.array([2.0, 0.1]), {"a": np.array([1.0, 0.0]), "b": np.array([0.0, 1.0])}, fit=0.5, margin=0.05).label
    'a'
    """
    size = float(np.linalg.norm(measured))
    # rounded before they are compared, so that what is stored decides
    cosines = {
        label: round(float(pattern @ measured) / (float(np.linalg.norm(pattern)) * size), 4)
        for label, pattern in patterns.items()
    }
    ranked = sorted(cosines.items(), key=lambda pair: -pair[1])
    (label, best), others = ranked[0], ranked[1:]
    reason = None
    if best < fit:
        reason = NO_PATTERN
    elif others and round(best - others[0][1], 4) < margin:
        reason = TIE
    return Fit(label=label if reason is None else None, reason=reason, fits=dict(ranked))
