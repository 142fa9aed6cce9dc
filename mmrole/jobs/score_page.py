"""scores.md: the scores of one agent under one condition for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from emotion.glossary import DIRECTIONS, METRICS, counted_n, left_out_of, meaning_of, short_name
from emotion.metrics.rc_episodes import EpisodeScore
from emotion.report import ScoreReport
from mmrole.core.counting import counted
from mmrole.core.labels import LabelSet
from mmrole.core.scores import Score
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table

_COVERAGE: Final = {
    "dialogues": "dialogues in the file",
    "played_dialogues": "of them with a turn to be produced",
    "turns": "turns in the file",
    "played_turns": "of them to be produced",
    "answered": "of these with a response that was voted on",
    "utterances": "utterances of these responses",
}


def score_page(
    report: ScoreReport,
    inputs: Mapping[str, Mapping[str, Any]],
    notes: Sequence[str] = (),
    *,
    experts: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """The page of a report.

    Args:
        report: what was scored
        inputs: name of an option -> its file with ``name`` and ``sha256``
        notes: lines that have to be seen first
        experts: expert -> its votes
    """
    lines = ["# Scores", ""]
    lines += [f"- {option}: {escaped(file['name'])} (sha256 {file['sha256'][:12]})" for option, file in inputs.items()]
    if experts:
        votes = ", ".join(f"{name} {counted(count, 'vote')}" for name, count in experts.items())
        lines.append(f"- experts: {escaped(votes)}")
    lines.append(f"- label set: {escaped(report.labels.name)} ({escaped(', '.join(report.labels.labels))})")
    lines += _of_levels(report.labels)
    if report.options.truth_map is not None:
        lines.append(f"- ground truth mapped by: {escaped(report.options.truth_map)}")
    lines.append(_of_intervals(report))
    lines += [f"- **note**: {escaped(note)}" for note in notes]
    lines += ["", *score_table(report.scores)]
    lines += ["", "## Beside the scores", "", *_beside(report.scores)]
    if report.episodes:
        lines += ["", "## Role consistency by episode", "", *episode_lines(report.episodes)]
    lines += ["", "## Coverage", "", *_coverage(report.coverage())]
    lines += ["", "## Labels", "", *_classes(report)]
    lines += ["", "## Roles", "", *_roles(report.scores)]
    lines += ["", "## What the numbers are", "", *definitions(report.scores)]
    return "\n".join([*lines, ""])


def _of_levels(labels: LabelSet) -> list[str]:
    if labels.upper is None:
        return []
    return [f"- lower: the {len(labels)} labels; upper: their sentiments ({escaped(', '.join(labels.upper.labels))})"]


def _of_intervals(report: ScoreReport) -> str:
    if not report.bootstrap:
        return "- no intervals were asked for"
    clusters = report.responses.dialogue.tolist()
    return (
        f"- intervals: 95 %, {report.bootstrap:,} draws of the {counted(len(set(clusters)), 'dialogue')} with a response "
        f"(RCD: at most 200), seed {report.seed}"
    )


def score_table(scores: Sequence[Score]) -> list[str]:
    """Every score with value, interval, n and what was left out; then what the reasons mean."""
    noted = [score for score in scores if "ci_note" in score.details]
    rows = []
    for score in scores:
        mark = " †" if score in noted else ""
        value = f"{NOTHING} ({score.reason})" if score.value is None else number(score.value)
        rows.append(
            [
                escaped(short_name(score)),
                escaped(value),
                interval(score.ci) + mark,
                counted_n(score),
                DIRECTIONS[score.direction],
                escaped(left_out_of(score)) or NOTHING,
            ]
        )
    lines = table(["score", "value", "95 % interval", "n", "better", "left out"], rows, "lrllll")
    lines += ["", f"† {noted[0].details['ci_note']}."] if noted else []
    reasons = dict.fromkeys(reason for score in scores for reason, count in score.excluded.items() if count)
    reasons |= dict.fromkeys(score.reason for score in scores if score.reason is not None)
    if reasons:
        lines += ["", "Reasons:", "", *(f"- {escaped(reason)}: {escaped(meaning_of(reason))}" for reason in reasons)]
    return lines


def definitions(scores: Sequence[Score]) -> list[str]:
    """What each metric measures, and the definition of every score with all that decides it."""
    metrics = [metric for metric in dict.fromkeys(score.metric for score in scores) if metric in METRICS]
    lines = [f"- {METRICS[metric][0]}: {escaped(METRICS[metric][1])}." for metric in metrics]
    rows = [[escaped(short_name(score)), "`{}`".format(score.definition.replace("|", "\\|"))] for score in scores]
    return [*lines, "", *table(["score", "definition"], rows)]


def _beside(scores: Sequence[Score]) -> list[str]:
    lines = []
    for score in scores:
        name, details = short_name(score), score.details
        if (score.metric, score.part) == ("mec", "lower") and details.get("coverage") is not None:
            lines.append(f"- MEC: {details['coverage']:.1%} of the responses have an accepted label")
        if score.metric == "cec" and details["observed_agreement"] is not None:
            pairs = ", ".join(
                f"{pair} {number(share['agreement'])} (n {share['n']:,})" for pair, share in details["pairs"].items()
            )
            lines.append(
                f"- {name}: observed agreement {number(details['observed_agreement'])}, mean over utterances of the share of "
                f"agreeing pairs {number(details['pairwise'])}; {escaped(pairs)}"
            )
        if score.metric == "ed" and details["unanimous"] is not None:
            lines.append(
                f"- {name}: {details['unanimous']:.1%} of the utterances have one label only, {number(details['mean_votes'], 1)} "
                "valid votes on the mean"
            )
        if "judges" in details and details["coverage"] is not None:
            judges = ", ".join(
                f"{judge} {number(of['mean'])} (n {of['n']:,})" for judge, of in details["judges"].items()
            )
            alpha = (
                number(details["alpha"])
                if details["alpha_reason"] is None
                else f"{NOTHING} ({details['alpha_reason']})"
            )
            lines.append(
                f"- {name}: {details['coverage']:.1%} of the samples scored, {details['scored_by_one_judge']:,} by one judge only; "
                f"mean by judge: {escaped(judges)}; ordinal alpha between judges {escaped(alpha)}"
            )
    return lines or ["Nothing."]


def episode_lines(rows: Sequence[EpisodeScore]) -> list[str]:
    """A table per show, and one of all shows together: a row per episode, a column per aspect."""
    aspects = list(dict.fromkeys(row.score.metric for row in rows))
    lines: list[str] = []
    shows = list(dict.fromkeys(row.show for row in rows))
    for show in shows:
        cells: dict[str | None, dict[str, str]] = {}
        for row in (row for row in rows if row.show == show):
            ci = interval(row.score.ci, 2)
            shown = f"{number(row.score.value, 2)}{' ' if ci else ''}{ci} (n {row.score.n:,})"
            cells.setdefault(row.episode, {})[row.score.metric] = shown
        if len(shows) > 1:
            lines += [*([""] if lines else []), "All shows together:" if show is None else f"{escaped(show)}:", ""]
        body = [
            [NOTHING if episode is None else escaped(episode), *(of.get(aspect, NOTHING) for aspect in aspects)]
            for episode, of in cells.items()
        ]
        header = ["episode", *(METRICS[aspect][0] for aspect in aspects)]
        lines += table(header, body, "l" + "r" * len(aspects))
    return lines


def _coverage(coverage: Mapping[str, int]) -> list[str]:
    rows = [[_COVERAGE.get(key) or escaped(f"left out: {meaning_of(key)}"), f"{n:,}"] for key, n in coverage.items()]
    return table(["what", "number"], rows, "lr")


def _classes(report: ScoreReport) -> list[str]:
    lines: list[str] = []
    for level, names in (("lower", report.labels), ("upper", report.labels.upper)):
        score = report["mec", level]
        if names is not None and score.value is not None:
            lines += [f"Responses of {short_name(score)}:", "", *class_table(score.details["classes"], names), ""]
    return lines[:-1] or ["There is no response to count."]


def class_table(classes: Mapping[str, Mapping[str, Any]], labels: LabelSet) -> list[str]:
    """Precision, recall and F1 of each label, with its name in other languages."""
    rows = []
    for label, values in classes.items():
        in_truth = values["support"] if "support" in values else values["tp"] + values["fn"]
        predicted = values["predicted"] if "predicted" in values else values["tp"] + values["fp"]
        shares = [number(values[key]) for key in ("precision", "recall", "f1")]
        rows.append([escaped(shown_label(label, labels)), *shares, f"{in_truth:,}", f"{predicted:,}"])
    return table(["label", "precision", "recall", "F1", "in the truth", "predicted"], rows, "lrrrrr")


def shown_label(label: str, labels: LabelSet) -> str:
    """A label with its names in other languages."""
    others = dict.fromkeys(names[label] for names in labels.names.values() if names.get(label, label) != label)
    return " ".join([label, *others])


def _roles(scores: Sequence[Score]) -> list[str]:
    rows = []
    for score in (score for score in scores if score.metric == "edd"):
        for role, row in score.details["roles"].items():
            rows.append(_role(role, score.part, row["value"], row))
        rows += [_role(role, score.part, None, row) for role, row in score.details["left_out"].items()]
    if not rows:
        return ["There is no role with a response."]
    header = ["role", "transitions", "EDD", "in the truth", "of the agent"]
    return [*table(header, rows, "llrrr"), "", *_pooled(scores)]


def _role(role: str, part: str, value: float | None, counts: Mapping[str, Any]) -> list[str]:
    shown = f"{NOTHING} (few_transitions)" if value is None else number(value)
    return [escaped(role), part, escaped(shown), f"{counts['truth']:,}", f"{counts['prediction']:,}"]


def _pooled(scores: Sequence[Score]) -> Iterator[str]:
    for score in scores:
        if score.metric == "edd" and score.details["pooled"] is not None:
            yield f"- {short_name(score)}, transitions of all these roles pooled: {number(score.details['pooled'])}"
        if score.metric == "rcd" and "mean_absolute_difference" in score.details:
            relative = score.details["relative"]
            yield (
                f"- {short_name(score)}: mean absolute difference {number(score.details['mean_absolute_difference'])}, "
                f"mean distance of the agent's roles {number(score.details['mean_h_prediction'])}, "
                f"of the true ones {number(score.details['mean_h_truth'])}"
                + (f" ({relative:+.1%})" if relative is not None else "")
            )
