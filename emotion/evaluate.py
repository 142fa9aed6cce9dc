"""`score`: from ground-truth dialogues and expert votes to all scores of one agent under one condition.

Targets are the turns with a predecessor, in dialogues of exactly two speakers, of speakers who are a role (MERRY,
arXiv 2602.21941, section on data). Ground truth and agent are always counted over the same answered turns.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from emotion.corpus import PLAYED, STATUSES, Corpus, corpus_of
from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD, exact
from emotion.judgements import Judgement, judgements_of
from emotion.measure import BIASED, DYNAMIC, RCD_DRAWS, measure
from emotion.metrics.cec import Measure as CecMeasure
from emotion.metrics.ed import Measure as EdMeasure
from emotion.metrics.mec import Average, Empty
from emotion.metrics.rc import ASPECTS, Method, rc
from emotion.metrics.role_matrices import MIN_TRANSITIONS
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.responses import Responses, responses_of
from emotion.transitions import Kind
from emotion.votes import EmotionVote, VoteCounts, count_votes
from mmrole.core.bootstrap import interval, require_draws
from mmrole.core.dialogue import NOBODY, Dialogue
from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import LabelMap, label_map
from mmrole.core.labels import LabelSet, label_set
from mmrole.core.records import JsonLines, Place, places
from mmrole.core.scores import Score

File = str | os.PathLike[str]


def score(
    dialogues: Iterable[Dialogue],
    votes: Iterable[Mapping[str, Any] | EmotionVote] | VoteCounts | File,
    responses: Iterable[Mapping[str, Any]] | File | None = None,
    judgements: Iterable[Mapping[str, Any] | Judgement] | File | None = None,
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
    cec_measure: CecMeasure = "alpha",
    ed_measure: EdMeasure = "entropy",
    rc_method: Method = "evidence",
    place: Place | None = None,
) -> ScoreReport:
    """Scores an agent's responses.

    Args:
        dialogues: the ground truth
        votes: vote records, `EmotionVote` objects, counts (see `emotion.votes`), or a JSONL file of records
        responses: response records {"utterance_id", "utterances"} or a JSONL file of them, to count those that nobody voted on
        judgements: judgement records, objects, or a JSONL file of records, for role consistency
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
        cec_measure: see there
        ed_measure: see there
        rc_method: see there
        place: from the number of a vote record to its file and line, for messages

    Returns:
        MEC and CEC (lower, upper), ED per stream, EDD and RCD (pairwise, margin) per kind, and with judgements exp, rel, cha

    Raises:
        InputError: no dialogues, no votes, a vote that is no vote or is on an utterance in no dialogue
        UsageError: an option that makes no sense
    """
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
        cec_measure=cec_measure,
        ed_measure=ed_measure,
        rc_method=rc_method,
    )
    return score_with(
        options,
        dialogues,
        votes,
        responses,
        judgements,
        bootstrap=bootstrap,
        seed=seed,
        labels=labels,
        truth_map=truth_map,
        place=place,
    )


def score_with(
    options: ScoreOptions,
    dialogues: Iterable[Dialogue],
    votes: Iterable[Mapping[str, Any] | EmotionVote] | VoteCounts | File,
    responses: Iterable[Mapping[str, Any]] | File | None = None,
    judgements: Iterable[Mapping[str, Any] | Judgement] | File | None = None,
    *,
    bootstrap: int = 1000,
    seed: int = 0,
    labels: LabelSet | str = "cped-13",
    truth_map: LabelMap | str | None = None,
    place: Place | None = None,
) -> ScoreReport:
    """`score` with its options in one object.

    Args:
        options: what decides the scores; its `truth_map` is set from the argument of that name
        dialogues: see `score`, as are the following
        votes: see there
        responses: see there
        judgements: see there
        bootstrap: see there
        seed: see there
        labels: see there
        truth_map: see there
        place: see there
    """
    require_draws(bootstrap)
    names = label_set(labels)
    mapping = None if truth_map is None else label_map(truth_map)
    if mapping is not None and mapping.target.labels != names.labels:
        raise UsageError(f"label map {mapping.name} maps to {mapping.target.name}, but the scores are of {names.name}")
    options = replace(options, truth_map=None if mapping is None else mapping.name)
    # judgements are few: what is wrong with them shows before the votes are counted
    stated = _opened(() if judgements is None else judgements, "judgements")
    judged = judgements_of(stated)
    cast = _opened(votes, "votes")
    counts = cast if isinstance(cast, VoteCounts) else count_votes(cast, names, place=place)
    corpus = corpus_of(
        dialogues,
        names,
        truth_map=mapping,
        two_speakers_only=options.two_speakers_only,
        nobody=options.nobody,
    )
    where = places(stated, "judgement")
    for number, judgement in enumerate(judged):
        if judgement.utterance_id not in corpus.turn_of:
            raise InputError(f"{where(number)}: no turn starts with utterance id {judgement.utterance_id!r}")
    given = None if responses is None else _opened(responses, "responses")
    found = responses_of(corpus, counts, threshold=options.threshold, min_valid=options.min_valid, given=given)
    return evaluate(found, options, judged, bootstrap=bootstrap, seed=seed)


def _opened(records: Any, what: str) -> Any:
    return JsonLines(os.fspath(records), what) if isinstance(records, (str, os.PathLike)) else records


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
    judged = [j for j in judgements if _status(responses.corpus, j) == PLAYED]
    if judgements:
        rows += _role_consistency(responses.corpus, judgements, judged, options, bootstrap=bootstrap, seed=seed)
    return ScoreReport(
        scores=rows,
        labels=responses.corpus.labels,
        options=options,
        responses=responses,
        judgements=tuple(judged),
        matrices=found.matrices,
        bootstrap=bootstrap,
        seed=seed,
    )


def _role_consistency(
    corpus: Corpus,
    judgements: Sequence[Judgement],
    played: Sequence[Judgement],
    options: ScoreOptions,
    *,
    bootstrap: int,
    seed: int,
) -> list[Score]:
    """exp, rel and cha over the turns that are played, as all other scores; the others are counted."""
    clusters = corpus.dialogue_of_turns()
    out = []
    for aspect in ASPECTS:
        score = rc(played, aspect, method=options.rc_method, clusters=clusters, bootstrap=bootstrap, seed=seed)
        statuses = {j.utterance_id: _status(corpus, j) for j in judgements if j.aspect == aspect}
        left_out = Counter(STATUSES[status] for status in statuses.values() if status != PLAYED)
        out.append(replace(score, excluded={**score.excluded, **left_out}))
    return out


def _status(corpus: Corpus, judgement: Judgement) -> int:
    return int(corpus.status[corpus.turn_of[judgement.utterance_id]])
