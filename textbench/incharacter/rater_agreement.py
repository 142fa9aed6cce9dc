"""How well annotators agree with one another, and the interviewer model with people.

Source: InCharacter (ACL 2024), section 4.1 (annotators) and 4.3 (interviewer).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from mmrole.core.agreement import is_missing
from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.correlation import kendall, pearson, spearman
from mmrole.core.kappa import cohen_kappa
from mmrole.core.scores import Score, definition
from textbench.incharacter.label_building import Sheets
from textbench.incharacter.scales import Scale
from textbench.incharacter.scales import scale as find_scale

CLOSE: Final = 1.0
"""Points apart at which a rating is close; less is right, more is wrong."""

_ROUNDING: Final = 1e-9  # 3.3 - 2.3 is a little less than 1


def annotator_kappa(
    sheets: Sheets,
    scale: str | Scale,
    *,
    labels: Sequence[int] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Quadratic-weighted Cohen's kappa of the annotators of one scale, the mean over pairs of annotators.

    Args:
        sheets: see `textbench.incharacter.label_building.read_sheets`
        scale: the scale or its name
        labels: all possible ratings in rising order; every choice of the scale when None
        bootstrap: draws of the interval (characters and dimensions are drawn), with two annotators only; 0 for none
        seed: of the draws

    Returns:
        kappa in [-1, 1], up; ``n`` cells (character and dimension) that two annotators rated, ``excluded`` not_rated_by_two;
        ``details`` pairs: ``A+B`` -> kappa, n, reason. Undefined: ``no_ratings``, ``fewer_than_two_annotators``, or the reason
        of the pairs
    """
    of = find_scale(scale)
    cells = sheets.get(of.name, {})
    names = sorted({annotator for given in cells.values() for annotator in given})
    options = list(range(of.low, of.high + 1)) if labels is None else list(labels)
    draws = bootstrap if len(names) == 2 else 0
    pairs: dict[str, Score] = {}
    for a, b in combinations(names, 2):
        rows = [[given.get(name) for given in cells.values()] for name in (a, b)]
        pairs[f"{a}+{b}"] = cohen_kappa(*rows, labels=options, weights="quadratic", bootstrap=draws, seed=seed)
    values = [score.value for score in pairs.values() if score.value is not None]
    rated = sum(sum(rating is not None for rating in given.values()) >= 2 for given in cells.values())
    reason = None
    if not values:
        first = next((score.reason for score in pairs.values()), None)
        reason = first or ("fewer_than_two_annotators" if names else "no_ratings")
    return Score(
        metric="annotator_kappa",
        part=of.name,
        value=sum(values) / len(values) if values else None,
        n=rated,
        excluded={"not_rated_by_two": len(cells) - rated},
        ci=next(iter(pairs.values())).ci if draws else None,
        definition=definition(
            "incharacter/annotator-kappa/v1", weights="quadratic", labels=",".join(map(str, options))
        ),
        bounds=(-1.0, 1.0),
        direction="up",
        reason=reason,
        details={
            "pairs": {
                name: {"kappa": score.value, "n": score.n, "reason": score.reason} for name, score in pairs.items()
            }
        },
    )


def interviewer_agreement(
    interviewer: Sequence[Any], human: Sequence[Any], *, bootstrap: int = 0, seed: int = 0
) -> dict[str, Score]:
    """Ratings of the interviewer model against those of people.

    Args:
        interviewer: ratings of the model; missing as None, NaN or an empty text
        human: ratings of people of the same things, on the same scale
        bootstrap: draws of the intervals (pairs are drawn); 0 for none
        seed: of the draws

    Returns:
        ``pearson``, ``spearman``, ``kendall`` (tau-b), and ``accuracy`` in [0, 1]: a rating less than 1 point apart is right (1), exactly 1
        is close (0.5), more is wrong (0); its ``details`` count right, close, wrong

    Raises:
        UsageError: lists of different lengths, ratings that are no numbers
    """
    out = {
        name: test(interviewer, human, bootstrap=bootstrap, seed=seed)
        for name, test in (("pearson", pearson), ("spearman", spearman), ("kendall", kendall))
    }
    pairs = [(a, b) for a, b in zip(interviewer, human, strict=True) if not is_missing(a) and not is_missing(b)]
    apart = np.array([abs(float(a) - float(b)) for a, b in pairs], dtype=np.float64)
    close = np.abs(apart - CLOSE) <= _ROUNDING
    right = (apart < CLOSE) & ~close
    credit = np.where(right, 1.0, np.where(close, 0.5, 0.0))
    estimate = Estimate(rows=np.column_stack([credit, np.ones_like(credit)]), statistic=mean_of_sums)
    value = estimate.value() if pairs else None
    out["accuracy"] = Score(
        metric="accuracy",
        part="all",
        value=value,
        n=len(pairs),
        excluded={"missing": len(interviewer) - len(pairs)},
        ci=estimate.interval(draws=bootstrap, seed=seed) if pairs else None,
        definition=definition("incharacter/interviewer-accuracy/v1", close=CLOSE),
        bounds=(0.0, 1.0),
        direction="up",
        reason=None if pairs else "no_pairs",
        details={
            "right": int(right.sum()),
            "close": int(close.sum()),
            "wrong": int(len(pairs) - right.sum() - close.sum()),
        },
    )
    return out
