"""Position bias: whether an agent prefers options for the place where they are shown."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mmrole.core.scores import Score, definition
from textbench.choices.answers import Answer
from textbench.choices.questions import LETTERS


def position_bias(answers: Iterable[Answer], *, part: str = "all") -> Score:
    """Half the summed distance between how often each place was chosen and how often it would be without a preference.

    value = 1/2 sum over places p of abs(share of answers at p - mean over items of [p < k] / k), k the item's number of options

    Without a preference, and with options in a random order, each place of an item is chosen with probability 1 / k, however
    well the agent does. Few answers differ from that by chance: see ``p_value``.

    Args:
        answers: one per item
        part: of the score

    Returns:
        0 for none, up to 1 - 1 / k when always the same place is chosen; ``n`` answers that were read. ``excluded``: the others
        by status. ``details``: by letter ``counts``, ``shares`` and ``expected`` (a share), ``by_correct`` (letter of the right
        option -> letter chosen -> items), and ``p_value`` of Pearson's chi-squared test that no place is preferred (None
        where an expected count is below 5). Undefined: ``no_items``
    """
    listed = list(answers)
    read = [answer for answer in listed if answer.position is not None]
    unread = [answer.status for answer in listed if answer.position is None]
    places = max((answer.count for answer in read), default=0)
    counts = np.zeros(places)
    expected = np.zeros(places)
    by_correct: dict[str, dict[str, int]] = {}
    for answer in read:
        assert answer.position is not None  # noqa: S101  told apart above
        counts[answer.position] += 1
        expected[: answer.count] += 1 / answer.count
        if answer.correct_position is not None:
            row = by_correct.setdefault(LETTERS[answer.correct_position], dict.fromkeys(LETTERS[:places], 0))
            row[LETTERS[answer.position]] += 1
    n = len(read)
    letters = LETTERS[:places]
    return Score(
        metric="position_bias",
        part=part,
        value=float(np.abs(counts - expected).sum() / (2 * n)) if n else None,
        n=n,
        excluded={status: unread.count(status) for status in sorted(set(unread))},
        definition=definition("choices/position-bias/v1", expected="1/k"),
        bounds=(0.0, 1.0),
        direction="zero",
        reason=None if n else "no_items",
        details={
            "counts": {letter: int(count) for letter, count in zip(letters, counts, strict=True)},
            "shares": {letter: float(count / n) for letter, count in zip(letters, counts, strict=True)},
            "expected": {letter: float(count / n) for letter, count in zip(letters, expected, strict=True)},
            "by_correct": dict(sorted(by_correct.items())),
            "p_value": _p_value(counts, expected, {answer.count for answer in read}),
        },
    )


def _p_value(counts: np.ndarray, expected: np.ndarray, sizes: set[int]) -> float | None:
    """Pearson's test; with items of different sizes the sum has no chi-squared distribution, and there is none."""
    if len(sizes) != 1 or expected.min() < 5:
        return None
    from scipy.special import chdtrc

    statistic = float(((counts - expected) ** 2 / expected).sum())
    return float(chdtrc(len(counts) - 1, statistic))
