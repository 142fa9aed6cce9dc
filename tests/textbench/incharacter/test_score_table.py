import numpy as np
import pytest

from mmrole.core.errors import UsageError
from textbench.incharacter.scales import scale
from textbench.incharacter.score_table import score_table

BFI = scale("BFI")


def test_characters_by_dimensions_by_runs():
    table = score_table({"Ann": {"Openness": [1, None, 3.0]}, "Bob": {"Extraversion": [2]}}, BFI)
    assert (table.characters, table.dimensions, table.values.shape) == (("Ann", "Bob"), BFI.dimensions, (2, 5, 3))
    np.testing.assert_array_equal(table.values[0, 4], [1, np.nan, 3])
    np.testing.assert_array_equal(table.values[1, 0], [2, np.nan, np.nan])
    assert np.isnan(table.values).sum() == 27


def test_nothing_is_an_empty_table():
    assert score_table({}, BFI).values.shape == (0, 5, 0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"Ann": {"Lying": [1]}}, "BFI has no dimension 'Lying'"),
        ({"Ann": {"Openness": ["x"]}}, "Ann, Openness, run 0: a score is a number or None, not 'x'"),
        ({"Ann": {"Openness": [1, float("inf")]}}, "Ann, Openness, run 1"),
        ({"Ann": {"Openness": 3.0}}, "a single score is no list"),
    ],
)
def test_errors(scores, message):
    with pytest.raises(UsageError, match=message):
        score_table(scores, BFI)
