"""Two runs side by side: paired differences on the items that both have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from emotion.measure import BIASED, DYNAMIC, RCD_DRAWS, measure
from emotion.metrics.rc import ASPECTS, Aspect
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.responses import Responses
from mmrole.core.bootstrap import interval, mean_of_sums, paired_difference, sums_by_cluster
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition

SampleScores = Mapping[str, float | None]
"""Sample -> mean of its valid judgements, None without one."""


def paired_differences(first: ScoreReport, second: ScoreReport, *, bootstrap: int = 1000, seed: int = 0) -> list[Score]:
    """Differences of the scores of two runs, second minus first, on the responses that both have.

    Args:
        first: one run
        second: another, scored on the same dialogues with the same options
        bootstrap: draws of the intervals (dialogues are drawn), of RCD at most 200; 0 for none
        seed: of the draws

    Returns:
        see `response_differences`

    Raises:
        UsageError: the runs were scored on different dialogues or with different options
    """
    if first.options != second.options or first.labels.labels != second.labels.labels:
        raise UsageError("runs are compared with the same options and label set")
    return response_differences(first.responses, second.responses, first.options, bootstrap=bootstrap, seed=seed)


def response_differences(
    first: Responses, second: Responses, options: ScoreOptions, *, bootstrap: int = 1000, seed: int = 0
) -> list[Score]:
    """Differences of the scores of two runs, second minus first, on the responses that both have.

    The same dialogues are drawn for both in each draw, so what makes a dialogue hard for both cancels out. MEC is on the
    responses that have a label in both; EDD and RCD are over the roles that have enough transitions in both.

    Args:
        first: one run
        second: another, on the same dialogues
        options: what decides the scores of both
        bootstrap: draws of the intervals (dialogues are drawn), of RCD at most 200; 0 for none
        seed: of the draws

    Returns:
        one score per metric and part that both have: ``value`` the difference, ``n`` as in the scores, ``excluded``
        only_in_first, only_in_second and for MEC not_clear_in_both, no_truth (responses), ``details`` first and second:
        the values on the common responses

    Raises:
        UsageError: the runs are on different dialogues
    """
    a, b = first, second
    if a.corpus.turn_of != b.corpus.turn_of or not np.array_equal(a.corpus.emotion, b.corpus.emotion):
        raise UsageError("runs are compared on the same dialogues; these were scored on different ones")
    common = np.intersect1d(a.turn, b.turn)
    left_out = {"only_in_first": len(a.turn) - len(common), "only_in_second": len(b.turn) - len(common)}
    out = []
    clear = np.intersect1d(_clear(a), _clear(b)) if options.empty == "excluded" else common
    of_sets = replace(options, kinds=())
    for turns, metrics, chosen in ((clear, ("mec",), of_sets), (common, ("cec", "ed", *DYNAMIC), options)):
        sides = a.only(np.isin(a.turn, turns)), b.only(np.isin(b.turn, turns))
        rows = _differences(sides, chosen, bootstrap=bootstrap, seed=seed)
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
    values = [
        dict(zip(_keys(found.scores), drew.flat(), strict=True)) for found, drew in zip(whole, drawn, strict=True)
    ]
    scores = [dict(zip(_keys(found.scores), found.scores, strict=True)) for found in whole]
    rows = []
    for key in (key for key in scores[0] if key in scores[1]):
        one, two = scores[0][key], scores[1][key]
        ci = None
        if bootstrap and not (one.metric in DYNAMIC and options.equalise):
            ci = interval(values[1][key] - values[0][key], clusters=drawn[0].clusters)
        rows.append(difference(one, two, ci))
    return rows


def difference(one: Score, two: Score, ci: tuple[float, float] | None) -> Score:
    """The difference of two scores of the same items, second minus first.

    Args:
        one: the first score
        two: the second
        ci: interval of the difference; left out where the difference is undefined

    Returns:
        the first score with the difference as value, and both values in ``details``
    """
    defined = one.value is not None and two.value is not None
    low, high = one.bounds
    noted = one.metric in DYNAMIC and ci is not None and defined
    return replace(
        one,
        value=two.value - one.value if two.value is not None and one.value is not None else None,
        reason=None if defined else one.reason or two.reason,
        n=min(one.n, two.n),
        ci=ci if defined else None,
        definition=f"difference of {one.definition}",
        bounds=(None, None) if low is None or high is None else (low - high, high - low),
        details={"first": one.value, "second": two.value, **({"ci_note": BIASED} if noted else {})},
    )


def _scored_roles(scores: list[Score]) -> dict[str, set[str]]:
    return {score.part: set(score.details["roles"]) for score in scores if score.metric == "edd"}


def _keys(scores: list[Score]) -> list[tuple[str, str, str]]:
    return [(score.metric, score.part, score.definition.split(" ")[0]) for score in scores]


def judgement_differences(
    first: Mapping[Aspect, SampleScores],
    second: Mapping[Aspect, SampleScores],
    clusters: Mapping[str, str],
    *,
    method: str = "evidence",
    bootstrap: int = 1000,
    seed: int = 0,
) -> list[Score]:
    """Differences of role consistency, second minus first, on the samples that have a score in both runs.

    Args:
        first: aspect -> scores of the samples of one run
        second: the same of another
        clusters: sample -> dialogue
        method: how judgements became scores, for the definition
        bootstrap: draws of the intervals (dialogues are drawn); 0 for none
        seed: of the draws

    Returns:
        one score per aspect that was judged in both: as `response_differences`; ``excluded`` only_in_first, only_in_second,
        not_scored_in_both (samples); ``no_samples`` is undefined
    """
    rows = []
    for aspect in (aspect for aspect in ASPECTS if first.get(aspect) and second.get(aspect)):
        one, two = first[aspect], second[aspect]
        common = [sample for sample in one if sample in two]
        pairs = [(one[sample], two[sample], sample) for sample in common]
        scored = [(a, b, sample) for a, b, sample in pairs if a is not None and b is not None]
        numbers: dict[str, int] = {}
        owners = np.array([numbers.setdefault(clusters.get(s, s), len(numbers)) for *_, s in scored], dtype=np.int64)
        sides = [
            sums_by_cluster([(row[side], 1.0) for row in scored], owners, len(numbers)) if scored else np.zeros((0, 2))
            for side in (0, 1)
        ]
        found = paired_difference(sides[0], sides[1], mean_of_sums, draws=bootstrap, seed=seed)
        excluded = {"only_in_first": len(one) - len(common), "only_in_second": len(two) - len(common)}
        rows.append(
            Score(
                metric=aspect,
                part=method,
                value=found.value,
                n=len(scored),
                excluded={**excluded, "not_scored_in_both": len(common) - len(scored)},
                ci=found.ci,
                definition=f"difference of {definition(f'rc/{method}/v1')}",
                bounds=(-4.0, 4.0),
                direction="up",
                reason=None if found.value is not None else "no_samples",
                details=_sides(found.first, found.second),
            )
        )
    return rows


def _sides(first: float | None, second: float | None) -> dict[str, Any]:
    return {"first": first, "second": second}
