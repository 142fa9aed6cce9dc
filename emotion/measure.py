"""Values of all metrics over responses, and what each dialogue adds to them: what intervals and differences are drawn from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from emotion.draws import Draws, Sides, TransitionCounts
from emotion.metrics.cec import cec_of_codes
from emotion.metrics.ed import ed_of_counts
from emotion.metrics.edd import edd
from emotion.metrics.mec import mec_of_indicators
from emotion.metrics.rcd import rcd
from emotion.options import ScoreOptions
from emotion.responses import Responses
from emotion.transitions import KINDS, Kind
from emotion.votes import STREAMS
from mmrole.core.labels import INVALID, Level
from mmrole.core.scores import Score

LEVELS: Final[tuple[Level, ...]] = ("lower", "upper")
MODALITIES: Final = ("face", "body", "speech")
RCD_DRAWS: Final = 200
"""Draws of RCD at most: it compares every two roles in each."""
BIASED: Final = "drawing dialogues again adds noise to the matrices: the interval need not hold the value"
DYNAMIC: Final = ("edd", "rcd")


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
    scores = [
        *_sets(responses, options, draws),
        *_modalities(responses, options, draws),
        *_discrepancy(responses, options, draws),
    ]
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


def _modalities(responses: Responses, options: ScoreOptions, draws: Draws) -> list[Score]:
    chosen = [*MODALITIES, *(["text"] if "text" in responses.counts.streams else [])]
    codes = responses.modality[:, [STREAMS.index(stream) for stream in chosen]]
    paired = np.flatnonzero((codes >= 0).sum(axis=1) >= 2)  # the others add nothing, and may be many
    out = []
    for level in LEVELS:
        result, estimate = cec_of_codes(
            codes[paired], chosen, responses.corpus.labels, level=level, measure=options.cec_measure
        )
        draws.add(estimate, responses.dialogue[responses.owner[paired]])
        excluded = {"fewer_than_two_labels": len(codes) - result.n, **responses.left_out_utterances}
        out.append(replace(result, excluded=excluded))
    return out


def _discrepancy(responses: Responses, options: ScoreOptions, draws: Draws) -> list[Score]:
    counts, units = responses.counts, responses.units
    dialogue = responses.dialogue_of_units()
    out = []
    for stream in counts.streams:
        mine = counts.unit_stream[units] == STREAMS.index(stream)
        chosen = units[mine]
        invalid = int(counts.invalid[chosen].sum())
        result, estimate = ed_of_counts(
            counts.counts[chosen], counts.labels, part=stream, invalid=invalid, measure=options.ed_measure
        )
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
