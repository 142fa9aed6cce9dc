# /// script
# requires-python = ">=3.11"
# dependencies = ["krippendorff==0.9.0", "statsmodels>=0.14", "numpy>=2.0"]
# ///
"""Writes agreement_reference.json: random tables of ratings and what independent libraries say of them.

Alpha is from the package krippendorff (fast-krippendorff), Fleiss' kappa from statsmodels. They are needed here only; the
tests read the numbers. Run it in this folder: `uv run agreement_reference.py`, or with a Python that has them.
"""

import json
import math
import random
import warnings
from pathlib import Path

import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

LEVELS = ("nominal", "ordinal", "interval", "ratio")
SHAPES = 500


def table(rng: random.Random) -> list[list[int | None]]:
    """Raters fewer than, as many as and more than the values; a third of the tables is whole."""
    raters, units, values = rng.randint(2, 8), rng.randint(1, 12), rng.randint(1, 9)
    missing = rng.choice((0.0, 0.2, 0.5))
    return [[None if rng.random() < missing else rng.randint(1, values) for _ in range(units)] for _ in range(raters)]


def alpha(ratings: list[list[int | None]], level: str) -> float | None:
    data = np.array([[np.nan if v is None else v for v in row] for row in ratings], dtype=float)
    try:
        value = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    except (AssertionError, ValueError, ZeroDivisionError):  # no variation, or nothing to pair
        return None
    return float(value) if math.isfinite(value) else None


def fleiss(ratings: list[list[int | None]]) -> float | None:
    if any(value is None for row in ratings for value in row):
        return None
    value = float(fleiss_kappa(aggregate_raters(np.array(ratings).T)[0]))
    return value if math.isfinite(value) else None


def main() -> None:
    rng = random.Random(20110125)
    cases = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(SHAPES):
            ratings = table(rng)
            level = LEVELS[number % len(LEVELS)]
            cases.append(
                {"ratings": ratings, "level": level, "alpha": alpha(ratings, level), "fleiss": fleiss(ratings)}
            )
    text = "[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n"
    Path(__file__).with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
