import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emotion.experts.pattern_fit import best_fit

PATTERNS = {"a": np.array([1.0, 0.0]), "b": np.array([1.0, 1.0]), "c": np.array([-1.0, 0.0])}


def test_cosines_by_hand():
    # (3, 4): cosine with (1, 0) is 3/5, with (1, 1) 7 / (5 * sqrt 2) = .9899, with (-1, 0) -3/5
    found = best_fit(np.array([3.0, 4.0]), PATTERNS, fit=0.5, margin=0.05)
    assert (found.label, found.reason) == ("b", None)
    assert dict(found.fits) == {"b": 0.9899, "a": 0.6, "c": -0.6}
    assert list(found.fits) == ["b", "a", "c"]


def test_too_bad_a_fit_and_too_close_a_second():
    # (0, -1) has -.7071 with b and 0 with a and c
    assert best_fit(np.array([0.0, -1.0]), PATTERNS, fit=0.5, margin=0.05).reason == "no_pattern"
    # half way between a and b: equal cosines
    half = np.array([np.cos(np.pi / 8), np.sin(np.pi / 8)])
    found = best_fit(half, PATTERNS, fit=0.5, margin=0.05)
    assert (found.label, found.reason) == (None, "tie")


@given(st.floats(1e-3, 1e3), st.floats(-3.1, 3.1))
def test_strength_does_not_matter(size, angle):
    measured = np.array([np.cos(angle), np.sin(angle)])
    assert best_fit(size * measured, PATTERNS, fit=0.5, margin=0.05).fits == pytest.approx(
        best_fit(measured, PATTERNS, fit=0.5, margin=0.05).fits, abs=1.1e-4
    )
