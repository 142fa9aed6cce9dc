"""RC, role consistency: whether a response fits the role's experience (exp), relationships (rel), characteristics (cha).

Conventions
    A judge lists evidence that supports and evidence that contradicts; a table turns the two into a score (`EVIDENCE_SCORES`).
    Quoted evidence has to be found in the supplied material or in the response, else it does not count (see
    `emotion.judgements.is_quoted_from`).
    The score of a sample is the mean of its valid judgements; a sample without one is left out and counted, apart where no judge
    could be asked (a role without a profile, a turn without a response).

    Methods: ``evidence`` (the table), ``graded`` (3 + s - c with the strengths 0, 1, 2 of both sides), ``subjective`` (the
    judge's own score from 1 to 5: the ablation). Judging itself is not here.

Source: MERRY (arXiv 2602.21941), role consistency; the cells of the table are reconstructed with medium confidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from emotion.judgements import Judgement
from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.bootstrap import Estimate, mean_of_sums
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition

FloatArray = npt.NDArray[np.float64]
Aspect = Literal["exp", "rel", "cha"]
Method = Literal["evidence", "graded", "subjective"]

ASPECTS: Final[tuple[Aspect, ...]] = get_args(Aspect)
METHODS: Final[tuple[Method, ...]] = get_args(Method)

EVIDENCE_SCORES: Final[Mapping[tuple[bool, bool], int | None]] = {
    (True, False): 5,
    (True, True): 3,
    (False, True): 1,
    (False, False): None,
}
"""(supporting, contradicting) -> score; None is invalid, the judgement is dropped."""

NO_EVIDENCE: Final = "no_evidence"
OTHER_METHOD: Final = "other_method"
NOT_ASKED: Final = ("no_profile", "no_response")
"""Reasons of samples that no judge was asked about."""


def judgement_score(judgement: Judgement, method: Method = "evidence") -> tuple[int | None, str | None]:
    """The score of one judgement.

    Returns:
        score from 1 to 5 and None, or None and the reason: the judgement's own, ``no_evidence``, ``no_rating``, or ``other_method``
        when the judge was asked for evidence and the score wants a rating, or the other way round
    """
    if method not in METHODS:
        raise UsageError(f"method has to be one of {', '.join(METHODS)}, not {method!r}")
    if judgement.reason is not None:
        return None, judgement.reason
    if judgement.method is not None and (judgement.method == "subjective") != (method == "subjective"):
        return None, OTHER_METHOD
    if method == "subjective":
        rating = judgement.rating
        return (rating, None) if rating is not None and 1 <= rating <= 5 else (None, "no_rating")
    supporting, contradicting = (
        [item.strength for item in side if item.verified] for side in (judgement.supporting, judgement.contradicting)
    )
    if method == "graded":
        s, c = max(supporting, default=0), max(contradicting, default=0)
        if not (0 <= s <= 2 and 0 <= c <= 2):
            raise UsageError(f"{judgement.utterance_id}: strengths of evidence are 0, 1 or 2, not {s} and {c}")
        return (3 + s - c, None) if s or c else (None, NO_EVIDENCE)
    score = EVIDENCE_SCORES[bool(supporting), bool(contradicting)]
    return score, None if score is not None else NO_EVIDENCE


def rc(
    judgements: Sequence[Judgement],
    aspect: Aspect,
    *,
    method: Method = "evidence",
    clusters: Mapping[str, str] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Role consistency of one aspect.

    Args:
        judgements: of any samples, aspects and judges; a later one of the same three replaces an earlier one
        aspect: exp, rel or cha
        method: how a judgement becomes a score
        clusters: id of a sample -> dialogue, for the interval; each sample is its own when None
        bootstrap: draws of the interval; 0 for none
        seed: of the draws

    Returns:
        mean over samples in [1, 5], up; ``n`` samples, ``excluded`` no_profile, no_response (samples that no judge was asked about),
        no_valid_judgement (samples), and of single judgements no_evidence, other_method and the judges' reasons as judgement_...;
        unverified_evidence (quotes); ``details`` coverage, scored_by_one_judge (samples), judges: judge -> {mean, n},
        alpha: ordinal alpha between the judges, alpha_reason.
        ``no_samples`` and ``no_valid_judgement`` are undefined

    Raises:
        UsageError: an unknown aspect or method
    """
    if aspect not in ASPECTS:
        raise UsageError(f"aspect has to be one of {', '.join(ASPECTS)}, not {aspect!r}")
    rated = rated_samples(judgements, aspect, method)
    samples, judges, table, excluded, not_asked = rated
    votes = np.isfinite(table).sum(axis=0)
    kept = votes > 0
    means = rated.means()[kept]
    # only what has a score is drawn: a dialogue without any would make the interval of a single other one look like one of two
    estimate = Estimate(rows=np.column_stack([means, np.ones(len(means))]), statistic=mean_of_sums)
    value = estimate.value() if kept.any() else None
    scored = [sample for sample, is_kept in zip(samples, kept, strict=True) if is_kept]
    owners = None if clusters is None else [clusters.get(sample, sample) for sample in scored]
    alpha = krippendorff_alpha(table, level="ordinal") if judges else None
    return Score(
        metric=aspect,
        part=method,
        value=value,
        n=int(kept.sum()),
        excluded={"no_valid_judgement": int((~kept).sum()) - sum(not_asked.values()), **not_asked, **excluded},
        ci=estimate.interval(owners, draws=bootstrap, seed=seed) if value is not None else None,
        definition=definition(f"rc/{method}/v1"),
        bounds=(1.0, 5.0),
        direction="up",
        reason=None if value is not None else "no_valid_judgement" if samples else "no_samples",
        details=_details(table, judges, votes, alpha),
    )


class RatedSamples(NamedTuple):
    """Scores of samples by judges.

    Attributes:
        samples: their ids
        judges: names of the judges
        table: score of each judge (row) for each sample, NaN where there is none
        excluded: reason -> number of judgements that gave no score, and of unverified quotes
        not_asked: reason -> number of samples that no judge was asked about
    """

    samples: list[str]
    judges: list[str]
    table: FloatArray
    excluded: dict[str, int]
    not_asked: dict[str, int]

    def means(self) -> FloatArray:
        """Mean of the valid scores of each sample, NaN without one, shape (samples,)."""
        votes = np.isfinite(self.table).sum(axis=0)
        sums = np.nansum(self.table, axis=0)
        means: FloatArray = np.divide(sums, votes, out=np.full(len(self.samples), np.nan), where=votes > 0)
        return means


def rated_samples(judgements: Sequence[Judgement], aspect: Aspect, method: Method = "evidence") -> RatedSamples:
    """Scores of the samples of one aspect.

    Args:
        judgements: of any samples, aspects and judges; a later one of the same three replaces an earlier one
        aspect: exp, rel or cha
        method: how a judgement becomes a score
    """
    mine = {(j.utterance_id, j.judge): j for j in judgements if j.aspect == aspect}
    samples = list(dict.fromkeys(sample for sample, _ in mine))
    judges = list(dict.fromkeys(judge for _, judge in mine))
    excluded: dict[str, int] = {}
    asked = {sample for (sample, _), judgement in mine.items() if judgement.reason not in NOT_ASKED}
    unasked = {sample: judgement.reason for (sample, _), judgement in mine.items() if sample not in asked}
    table = np.full((len(judges), len(samples)), np.nan)
    at_judge, at_sample = ({name: i for i, name in enumerate(names)} for names in (judges, samples))
    for (sample, judge), judgement in mine.items():
        score, reason = judgement_score(judgement, method)
        if sample in unasked:
            continue
        if score is None:
            key = f"judgement_{reason}"
            excluded[key] = excluded.get(key, 0) + 1
        else:
            table[at_judge[judge], at_sample[sample]] = score
        unverified = sum(not item.verified for item in (*judgement.supporting, *judgement.contradicting))
        excluded["unverified_evidence"] = excluded.get("unverified_evidence", 0) + unverified
    not_asked = Counter(reason for reason in unasked.values() if reason is not None)
    return RatedSamples(samples=samples, judges=judges, table=table, excluded=excluded, not_asked=dict(not_asked))


def _details(table: Any, judges: list[str], votes: Any, alpha: Score | None) -> dict[str, Any]:
    rated = [row[np.isfinite(row)] for row in table]
    return {
        "coverage": float((votes > 0).mean()) if len(votes) else None,
        "scored_by_one_judge": int((votes == 1).sum()),
        "judges": {
            judge: {"mean": float(row.mean()) if len(row) else None, "n": len(row)}
            for judge, row in zip(judges, rated, strict=True)
        },
        "alpha": None if alpha is None else alpha.value,
        "alpha_reason": "no_samples" if alpha is None else alpha.reason,
    }
