"""`score`: from ground-truth dialogues and expert votes to all scores of one agent under one condition.

Targets are the turns with a predecessor, in dialogues of exactly two speakers, of speakers who are a role (MERRY,
arXiv 2602.21941, section on data). Ground truth and agent are always counted over the same answered turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from emotion.corpus import corpus_of
from emotion.draws import Draws, Sides, TransitionCounts
from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD, exact
from emotion.judgements import Judgement, judgement_of
from emotion.metrics.cec import cec_of_codes
from emotion.metrics.ed import ed_of_counts
from emotion.metrics.edd import edd
from emotion.metrics.mec import Average, Empty, mec_of_indicators
from emotion.metrics.rc import ASPECTS, rc
from emotion.metrics.rcd import rcd
from emotion.metrics.role_matrices import MIN_TRANSITIONS
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.responses import Responses, responses_of
from emotion.transitions import KINDS, Kind
from emotion.votes import STREAMS, EmotionVote, Place, VoteCounts, count_votes
from mmrole.core.bootstrap import interval
from mmrole.core.dialogue import NOBODY, Dialogue
from mmrole.core.errors import UsageError
from mmrole.core.label_maps import LabelMap, label_map
from mmrole.core.labels import INVALID, LabelSet, Level, label_set
from mmrole.core.scores import Score

LEVELS: Final[tuple[Level, ...]] = ("lower", "upper")
RCD_DRAWS: Final = 200
"""Draws of RCD at most: it compares every two roles in each."""
BIASED: Final = "drawing dialogues again adds noise to the matrices: the interval need not hold the value"
DYNAMIC: Final = ("edd", "rcd")
MODALITIES: Final = ("face", "body", "speech")


def score(
    dialogues: Iterable[Dialogue],
    votes: Iterable[Mapping[str, Any] | EmotionVote] | VoteCounts,
    responses: Iterable[Mapping[str, Any]] | None = None,
    judgements: Iterable[Mapping[str, Any] | Judgement] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
    *,
    labels: LabelSet | str = "cped-13",
    truth_map: LabelMap | str | None = None,
    threshold: float | str | Fraction = DEFAULT_THRESHOLD,
    min_valid: float | str | Fraction = DEFAULT_MIN_VALID,
    average: Average = "micro",
    empty: Empty = "excluded",
    min_transitions: int = MIN_TRANSITIONS,
    kinds: Sequence[Kind] = ("intra", "inter"),
    drop_self_loops: bool = False,
    equalise: bool = False,
    two_speakers_only: bool = True,
    nobody: Collection[str] = NOBODY,
    place: Place | None = None,
) -> ScoreReport:
    """Scores an agent's responses.

    Args:
        dialogues: the ground truth
        votes: vote records, `EmotionVote` objects or counts (see `emotion.votes`)
        responses: response records {"utterance_id", "utterances"}, to count the responses that nobody voted on
        judgements: judgement records or objects, for role consistency
        bootstrap: draws of the intervals (dialogues are drawn), of RCD at most 200; 0 for none
        seed: of the draws
        labels: the label set of the scores or its name
        truth_map: from the labels of the dialogues to those of the scores, where they differ
        threshold: see `ScoreOptions`, as are the following
        min_valid: see there
        average: see there
        empty: see there
        min_transitions: see there
        kinds: see there
        drop_self_loops: see there
        equalise: see there; draws with `seed`
        two_speakers_only: see there
        nobody: see there
        place: from the number of a vote record to its file and line, for messages

    Returns:
        MEC and CEC (lower, upper), ED per stream, EDD and RCD (pairwise, margin) per kind, and with judgements exp, rel, cha

    Raises:
        InputError: no dialogues, no votes, a vote that is no vote or is on an utterance in no dialogue
        UsageError: an option that makes no sense
    """
    if bootstrap < 0:
        raise UsageError(f"bootstrap is a number of draws from 0, not {bootstrap}")
    names = label_set(labels)
    mapping = None if truth_map is None else label_map(truth_map)
    if mapping is not None and mapping.target.labels != names.labels:
        raise UsageError(f"label map {mapping.name} maps to {mapping.target.name}, but the scores are of {names.name}")
    options = ScoreOptions(
        threshold=exact(threshold),
        min_valid=exact(min_valid, "min_valid"),
        average=average,
        empty=empty,
        min_transitions=min_transitions,
        kinds=tuple(kinds),
        drop_self_loops=drop_self_loops,
        equalise=equalise,
        two_speakers_only=two_speakers_only,
        nobody=frozenset(nobody),
        truth_map=None if mapping is None else mapping.name,
    )
    counts = votes if isinstance(votes, VoteCounts) else count_votes(votes, names, place=place)
    corpus = corpus_of(
        dialogues,
        names,
        truth_map=mapping,
        two_speakers_only=two_speakers_only,
        nobody=options.nobody,
    )
    found = responses_of(corpus, counts, threshold=options.threshold, min_valid=options.min_valid, given=responses)
    judged = [judgement_of(item, number) for number, item in enumerate(judgements or ())]
    return evaluate(found, options, judged, bootstrap=bootstrap, seed=seed)


def evaluate(
    responses: Responses,
    options: ScoreOptions,
    judgements: Sequence[Judgement] = (),
    *,
    bootstrap: int = 1000,
    seed: int = 0,
) -> ScoreReport:
    """The scores of responses that are laid beside their turns.

    Args:
        responses: the responses
        options: what decides the scores
        judgements: for role consistency
        bootstrap: draws of the intervals
        seed: of the draws
    """
    names = responses.corpus.labels
    found = measure(responses, options, seed=seed)
    rows = []
    drawn = found.draws.run(draws=bootstrap, rcd_draws=min(bootstrap, RCD_DRAWS), seed=seed)
    for row, values in zip(found.scores, drawn.flat(), strict=True):
        ci = interval(values, clusters=drawn.clusters) if row.value is not None else None
        dynamic = row.metric in DYNAMIC
        if dynamic and options.equalise:  # an equalised matrix is itself a draw: it would need draws within draws
            ci = None
        note = {"ci_note": BIASED} if dynamic and ci is not None else {}
        rows.append(replace(row, ci=ci, details={**row.details, **note}))
    if judgements:
        clusters = _dialogue_of_turns(responses)
        rows += [rc(judgements, aspect, clusters=clusters, bootstrap=bootstrap, seed=seed) for aspect in ASPECTS]
    return ScoreReport(
        scores=rows,
        labels=names,
        options=options,
        responses=responses,
        matrices=found.matrices,
        bootstrap=bootstrap,
        seed=seed,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """Scores without intervals, and what their draws need.

    Attributes:
        scores: in the order of `Drawn.flat`
        draws: what each dialogue adds to them
        matrices: kind -> transition matrices by role
    """

    scores: list[Score]
    draws: Draws
    matrices: dict[Kind, Sides]


def measure(
    responses: Responses, options: ScoreOptions, *, seed: int = 0, roles: Mapping[Kind, Collection[str]] | None = None
) -> Measured:
    """Everything but intervals and role consistency.

    Args:
        responses: the responses
        options: what decides the scores
        seed: of equalised transition matrices
        roles: kind -> the only roles that EDD and RCD are over; all that have enough transitions when None
    """
    draws = Draws(responses)
    scores = [*_sets(responses, options, draws), *_modalities(responses, draws), *_discrepancy(responses, draws)]
    counts = {kind: TransitionCounts.of(responses, kind) for kind in KINDS}
    for kind in options.kinds:
        scores += _dynamics(counts[kind], options, draws, seed, None if roles is None else roles[kind])
    scores = [replace(row, definition=row.definition + _common(row.metric, options, responses)) for row in scores]
    return Measured(scores=scores, draws=draws, matrices={kind: table.by_role() for kind, table in counts.items()})


def _common(metric: str, options: ScoreOptions, responses: Responses) -> str:
    """What the definition of every score of a metric says of the labels that it is made from."""
    words = [] if metric == "ed" else [f"threshold={options.threshold}", f"min_valid={options.min_valid}"]
    words += ["fused=pooled"] if metric != "ed" and responses.fused_from == "pooled" else []
    words += [f"truth_map={options.truth_map}"] if options.truth_map is not None else []
    return "".join(f" {word}" for word in words)


def _sets(responses: Responses, options: ScoreOptions, draws: Draws) -> list[Score]:
    corpus = responses.corpus
    truth, prediction = responses.truth_sets(), responses.predicted_sets()
    first, stop = corpus.start[responses.turn], corpus.start[responses.turn + 1]
    before = np.concatenate([[0], np.cumsum(corpus.emotion == INVALID)])
    invalid = int((before[stop] - before[first]).sum())
    out = []
    for level in LEVELS:
        result, estimate = mec_of_indicators(
            truth, prediction, corpus.labels, level=level, average=options.average, empty=options.empty
        )
        draws.add(estimate, responses.dialogue)
        out.append(replace(result, excluded={**result.excluded, "invalid_truth": invalid, **responses.left_out}))
    return out


def _modalities(responses: Responses, draws: Draws) -> list[Score]:
    chosen = [*MODALITIES, *(["text"] if "text" in responses.counts.streams else [])]
    codes = responses.modality[:, [STREAMS.index(stream) for stream in chosen]]
    paired = np.flatnonzero((codes >= 0).sum(axis=1) >= 2)  # the others add nothing, and may be many
    out = []
    for level in LEVELS:
        result, estimate = cec_of_codes(codes[paired], chosen, responses.corpus.labels, level=level)
        draws.add(estimate, responses.dialogue[responses.owner[paired]])
        excluded = {"fewer_than_two_labels": len(codes) - result.n, **responses.left_out_utterances}
        out.append(replace(result, excluded=excluded))
    return out


def _discrepancy(responses: Responses, draws: Draws) -> list[Score]:
    counts, units = responses.counts, responses.units
    dialogue = responses.dialogue_of_units()
    out = []
    for stream in counts.streams:
        mine = counts.unit_stream[units] == STREAMS.index(stream)
        chosen = units[mine]
        invalid = int(counts.invalid[chosen].sum())
        result, estimate = ed_of_counts(counts.counts[chosen], counts.labels, part=stream, invalid=invalid)
        draws.add(estimate, dialogue[mine])
        unlabelled = int(counts.cast[chosen].sum() - counts.counts[chosen].sum()) - invalid
        excluded = {**result.excluded, "votes_without_label": unlabelled, **responses.left_out_utterances}
        out.append(replace(result, excluded=excluded))
    return out


def _dynamics(
    counts: TransitionCounts, options: ScoreOptions, draws: Draws, seed: int, roles: Collection[str] | None
) -> list[Score]:
    truth, prediction = counts.by_role()
    if roles is not None:
        truth, prediction = ({r: m for r, m in side.items() if r in roles} for side in (truth, prediction))
    shared: dict[str, Any] = {
        "min_transitions": options.min_transitions,
        "part": counts.kind,
        "drop_self_loops": options.drop_self_loops,
        "equalise": options.equalise,
        "seed": seed,
    }
    scores = [
        edd(prediction, truth, **shared),
        rcd(prediction, truth, "pairwise", **shared),
        rcd(prediction, truth, "margin", **shared),
    ]
    scored = scores[0].details["roles"]
    kept = [number for number, role in enumerate(counts.roles) if role in scored]
    draws.add_transitions(counts, kept, drop_self_loops=options.drop_self_loops)
    return scores


def _dialogue_of_turns(responses: Responses) -> dict[str, str]:
    """Id of the turn of each response -> id of its dialogue."""
    corpus = responses.corpus
    names = [dialogue.dialogue_id for dialogue in corpus.dialogues]
    return {turn_id: names[int(corpus.dialogue[turn])] for turn_id, turn in corpus.turn_of.items()}
