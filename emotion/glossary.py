"""What names in scores mean, for people: metrics, what n counts, directions, and why something was left out or is undefined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mmrole.core.counting import counted
from mmrole.core.scores import Score

METRICS: Final[Mapping[str, tuple[str, str]]] = {
    "mec": ("MEC", "Multimodal Emotional Consistency: fused emotions of a response against those of the ground truth"),
    "cec": ("CEC", "Cross-modal Emotional Consistency: whether face, body and speech of an utterance agree"),
    "ed": ("ED", "Emotional Discrepancy: how much the experts disagree about an utterance"),
    "edd": (
        "EDD",
        "Emotional Distribution Divergence: emotion transitions of a role against its own in the ground truth",
    ),
    "rcd": ("RCD", "Relative Character Discrepancy: whether roles differ from one another as they do in the ground truth"),
    "exp": ("Exp", "Experience: evidence for and against consistency with what the role has lived through, 1 to 5"),
    "rel": ("Rel", "Relationship: evidence for and against consistency with the role's relationships, 1 to 5"),
    "cha": ("Cha", "Characteristic: evidence for and against consistency with the role's characteristics, 1 to 5"),
    "erc": ("ERC", "emotion recognition in conversation: predicted labels of utterances against their true ones"),
}  # fmt: skip
"""Metric -> short name and what it measures."""

DIRECTIONS: Final[Mapping[str, str]] = {"up": "higher", "down": "lower", "zero": "nearer to 0"}
"""Direction of a score -> what is better."""

_UNITS: Final = {
    "mec": "responses",
    "cec": "utterances",
    "ed": "utterances",
    "edd": "roles",
    "erc": "utterances",
    "exp": "samples",
    "rel": "samples",
    "cha": "samples",
    "dbr": "decisions",
    "debiased_dbr": "dilemmas",
    "accuracy": "answers",
    "accuracy_parsed": "answers",
}

_LEFT_OUT_UNITS: Final[Mapping[str, str]] = {
    "no_votes": "responses",
    "no_response": "turns",
    "invalid_truth": "labels",
    "invalid_prediction": "labels",
    "invalid_labels": "labels",
    "invalid_votes": "votes",
    "votes_without_label": "votes",
    "few_transitions": "roles",
    "no_common_row": "roles",
    "judgement_other_method": "judgements",
    "unverified_evidence": "quotes",
}
"""Reason for which something is left out -> what is counted there, where that is not what `n` of the score counts."""

REASONS: Final[Mapping[str, str]] = {
    # left out
    "not_two_speakers": "in a dialogue of one speaker or of more than two: not scored",
    "no_predecessor": "the first turn of a dialogue: nobody has to produce it",
    "no_role": "of a speaker who is no role, such as 其他",
    "no_votes": "responses that nobody voted on",
    "no_response": "turns that the agent did not answer",
    "no_predictions": "without any prediction",
    "no_truth": "without a ground-truth label",
    "invalid_truth": "ground-truth labels that are not in the label set",
    "all_ambiguous": "responses without any accepted label",
    "invalid_prediction": "predicted labels that are not in the label set",
    "fewer_than_two_labels": "utterances with an accepted label in fewer than two modalities",
    "invalid_labels": "labels that are not in the label set",
    "fewer_than_two_votes": "utterances with fewer than two valid votes",
    "invalid_votes": "votes for a label that is not in the label set",
    "votes_without_label": "votes that gave no label (unreadable, refused, cut off)",
    "few_transitions": "roles with too few transitions in ground truth or agent",
    "no_common_row": "roles whose two matrices have no row in common",
    "no_valid_judgement": "samples without any valid judgement",
    "no_profile": "samples of roles without a profile: nothing to judge them against",
    "judgement_other_method": "judgements made for another method than that of the score",
    "unverified_evidence": "quotes that are in none of the texts: they do not count",
    "ambiguous": "utterances with an ambiguous or missing prediction",
    "invalid": "predictions that are not in the label set",
    "only_in_first": "items that only the first run has",
    "only_in_second": "items that only the second run has",
    "not_clear_in_both": "responses without an accepted label in one of the two runs",
    "not_answered_in_both": "utterances without a predicted label of the set in one of the two runs",
    "not_scored_in_both": "samples without a valid judgement in one of the two runs",
    # undefined
    "no_pairable_units": "no utterance has two labels to compare",
    "no_variation": "one single value everywhere: agreement by chance is complete",
    "no_sentiment_map": "sentiment is no function of the label in this label set",
    "no_utterances": "there is no utterance to score",
    "no_class": "no label occurs",
    "no_responses": "there is no response to score",
    "no_scorable_responses": "no response has both a true and an accepted label",
    "no_roles": "no role has enough transitions",
    "fewer_than_two_roles": "fewer than two roles have enough transitions",
    "no_samples": "there is no judgement of this aspect",
}
"""Reason -> what it says, of exclusions first, then of undefined scores."""

_JUDGEMENT: Final = "judgement_"


def unit_of(score: Score) -> str:
    """What `n` of a score counts."""
    if score.metric == "rcd":
        return "pairs of roles" if "pairwise" in score.definition else "roles"
    # a picture may show the metric under another name; its definition keeps the name
    metric = score.metric if score.metric in _UNITS else score.definition.rpartition(" metric=")[2].split(" ")[0]
    return _UNITS.get(metric, "items")


def counted_n(score: Score) -> str:
    """`n` of a score with its unit, and the share of the responses that it is of where some are left out as unclear."""
    coverage = score.details.get("coverage")
    of_all = "" if coverage is None or coverage == 1 else f" (coverage {coverage:.1%})"
    return f"{_counted(score.n, unit_of(score))}{of_all}"


def left_out_of(score: Score) -> str:
    """What a score leaves out: each reason with its number and what is counted, such as ``no_votes 3 responses``."""
    return ", ".join(
        f"{reason} {_counted(count, _unit_left_out(reason, score))}"
        for reason, count in score.excluded.items()
        if count
    )


def _unit_left_out(reason: str, score: Score) -> str:
    if reason == "no_response" and score.metric in ("exp", "rel", "cha"):
        return "samples"
    if reason.startswith(_JUDGEMENT):
        return "judgements"
    return _LEFT_OUT_UNITS.get(reason) or unit_of(score)


def _counted(number: int, unit: str) -> str:
    one = "pair of roles" if unit == "pairs of roles" else unit.removesuffix("s")
    return counted(number, one, unit)


def short_name(score: Score) -> str:
    """Metric and part in a few letters, such as ``MEC lower``; the second kind of RCD is named.

    The part of role consistency is its method, which every row of a run has in common, and is left out.
    """
    name = METRICS[score.metric][0] if score.metric in METRICS else score.metric
    if score.metric in ("exp", "rel", "cha"):
        return name
    kind = " margin" if "-margin/" in score.definition else ""
    return f"{name}{kind} {score.part}"


def meaning_of(reason: str) -> str:
    """What a reason says; the reasons of judges are their own."""
    if reason.startswith(_JUDGEMENT) and reason not in REASONS:
        return f"judgements that gave no score: {reason.removeprefix(_JUDGEMENT).replace('_', ' ')}"
    return REASONS.get(reason, reason.replace("_", " "))
