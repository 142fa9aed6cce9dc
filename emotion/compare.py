"""Two runs side by side: paired differences on the responses that both have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emotion.evaluate import BIASED, DYNAMIC, RCD_DRAWS, measure
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.responses import Responses
from mmrole.core.bootstrap import interval
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score


def paired_differences(first: ScoreReport, second: ScoreReport, *, bootstrap: int = 1000, seed: int = 0) -> list[Score]:
    """Differences of the scores of two runs, second minus first, on the responses that both have.

    The same dialogues are drawn for both in each draw, so what makes a dialogue hard for both cancels out. MEC is on the
    responses that have a label in both; EDD and RCD are over the roles that have enough transitions in both.

    Args:
        first: one run
        second: another, scored on the same dialogues with the same options
        bootstrap: draws of the intervals (dialogues are drawn), of RCD at most 200; 0 for none
        seed: of the draws

    Returns:
        one score per metric and part that both have: ``value`` the difference, ``n`` as in the scores, ``excluded``
        only_in_first, only_in_second and for MEC not_clear_in_both, no_truth (responses), ``details`` first and second:
        the values on the common responses

    Raises:
        UsageError: the runs were scored on different dialogues or with different options
    """
    a, b = first.responses, second.responses
    if first.options != second.options or first.labels.labels != second.labels.labels:
        raise UsageError("runs are compared with the same options and label set")
    if a.corpus.turn_of != b.corpus.turn_of or not np.array_equal(a.corpus.emotion, b.corpus.emotion):
        raise UsageError("runs are compared on the same dialogues; these were scored on different ones")
    common = np.intersect1d(a.turn, b.turn)
    left_out = {"only_in_first": len(a.turn) - len(common), "only_in_second": len(b.turn) - len(common)}
    out = []
    clear = np.intersect1d(_clear(a), _clear(b)) if first.options.empty == "excluded" else common
    of_sets = replace(first.options, kinds=())
    for turns, metrics, options in ((clear, ("mec",), of_sets), (common, ("cec", "ed", *DYNAMIC), first.options)):
        sides = a.only(np.isin(a.turn, turns)), b.only(np.isin(b.turn, turns))
        rows = _differences(sides, options, bootstrap=bootstrap, seed=seed)
        for row in (row for row in rows if row.metric in metrics):
            not_clear = {"not_clear_in_both": len(common) - len(turns)} if row.metric == "mec" else {}
            no_truth = {key: count for key, count in row.excluded.items() if key == "no_truth"}
            out.append(replace(row, excluded={**left_out, **not_clear, **no_truth}))
    return out


def _clear(responses: Responses) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Turns of the responses that have a label."""
    return responses.turn[np.any(responses.predicted_sets(), axis=1)]


def _differences(
    sides: tuple[Responses, Responses], options: ScoreOptions, *, bootstrap: int, seed: int
) -> list[Score]:
    whole = [measure(side, options, seed=seed) for side in sides]
    kept = [_scored_roles(found.scores) for found in whole]
    if kept[0] != kept[1]:
        both = {kind: kept[0][kind] & kept[1][kind] for kind in options.kinds}
        whole = [measure(side, options, seed=seed, roles=both) for side in sides]
    drawn = [found.draws.run(draws=bootstrap, rcd_draws=min(bootstrap, RCD_DRAWS), seed=seed) for found in whole]
    rows = []
    values = [
        dict(zip(_keys(found.scores), drew.flat(), strict=True)) for found, drew in zip(whole, drawn, strict=True)
    ]
    scores = [dict(zip(_keys(found.scores), found.scores, strict=True)) for found in whole]
    for key in (key for key in scores[0] if key in scores[1]):
        one, two = scores[0][key], scores[1][key]
        defined = one.value is not None and two.value is not None
        value = two.value - one.value if two.value is not None and one.value is not None else None
        dynamic = one.metric in DYNAMIC
        ci = None
        if defined and bootstrap and not (dynamic and options.equalise):
            ci = interval(values[1][key] - values[0][key], clusters=drawn[0].clusters)
        low, high = one.bounds
        rows.append(
            replace(
                one,
                value=value,
                reason=None if defined else one.reason or two.reason,
                n=min(one.n, two.n),
                ci=ci,
                definition=f"difference of {one.definition}",
                bounds=(None, None) if low is None or high is None else (low - high, high - low),
                details={"first": one.value, "second": two.value, **({"ci_note": BIASED} if dynamic and ci else {})},
            )
        )
    return rows


def _scored_roles(scores: list[Score]) -> dict[str, set[str]]:
    return {score.part: set(score.details["roles"]) for score in scores if score.metric == "edd"}


def _keys(scores: list[Score]) -> list[tuple[str, str, str]]:
    return [(score.metric, score.part, score.definition.split(" ")[0]) for score in scores]
