"""The scores of a run of LIFECHOICE for people, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mmrole.core.scores import Score
from mmrole.jobs.interval_notes import interval_notes
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table
from textbench.lifechoice.evaluation import By, Evaluation
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.references import Reference

_TITLES: dict[By, str] = {
    "motivation": "Accuracy by motivation type",
    "class": "Accuracy by motivation class",
    "genre": "Accuracy by genre (a book may have several)",
    "time": "Accuracy by how much of the text was told",
}


def page(plan: LifeChoicePlan, evaluation: Evaluation, reference: Reference | None) -> str:
    """All tables.

    Args:
        plan: the plan
        evaluation: the numbers
        reference: published figures to stand beside
    """
    methods = [method.name for method in plan.parsed]
    lines = ["# LIFECHOICE", "", *_conditions(plan), *_notes(methods, evaluation), "", *_overall(methods, evaluation)]
    for by, title in _TITLES.items():
        names = evaluation.names(by)
        if names:
            lines += ["", f"## {title}", "", *_by(methods, names, by, evaluation)]
    lines += _profiles(methods, evaluation)
    lines += _counted(evaluation)
    if reference is not None:
        lines += ["", *_published(reference)]
    return "\n".join([*lines, ""])


def _conditions(plan: LifeChoicePlan) -> Iterator[str]:
    data, sizes = plan.data, plan.sizes
    yield f"- data: {escaped(data.get('name', ''))} ({plan.data_version}), {data.get('items', 0):,} items, runs: {plan.runs}"
    yield (
        f"- profile: at most {plan.budget:,} tokens ({escaped(plan.counter)}), chunks of {sizes.chunk:,}, {plan.order}, "
        f"share of the description {plan.split:g}"
    )
    names = {
        "none": "left as they are",
        "given": "replaced by a given map",
        "model": "replaced by a map that a model found",
    }
    yield f"- names: {names[plan.masking]}; options: {'in the order of the data' if plan.seed is None else 'shuffled'}"
    yield (
        "- accuracy is over all answers (item x run) that came, whether or not they could be read; parsed is over those that could; n "
        "counts the answers"
    )
    yield "- left out: what got no answer or has no right option"
    if plan.prefixes > 1:
        yield f"- asked after each 1/{plan.prefixes} of the text; where nothing else is said, scores are after the whole"
    yield (
        "- position bias: half the summed distance between how often each place was chosen and how often it would be without a "
        "preference; 0 is none, and few answers are never quite at 0"
    )
    yield (
        "- in brackets 95 % intervals: of whole books (of MoralChoice: rules) drawn (b), or Wilson's over the items (w) where that "
        "cannot be done"
    )


def _notes(methods: Sequence[str], evaluation: Evaluation) -> list[str]:
    """Why the intervals are too sure of themselves, where they are."""
    scores = [found for name in methods if (found := evaluation.score(name)) is not None]
    drawn = [score for score in scores if score.details.get("interval") == "cluster"]
    books = [score.details["clusters"] for score in drawn]
    return [f"- **note**: {note}" for note in interval_notes(drawn, min(books, default=0), drawn="books")]


def _overall(methods: Sequence[str], evaluation: Evaluation) -> list[str]:
    rows = []
    for method in methods:
        whole, parsed = (evaluation.score(method, metric=name) for name in ("accuracy", "accuracy_parsed"))
        bias = evaluation.score(method, metric="position_bias")
        unread = sum(whole.details["unread"].values()) if whole is not None else 0
        chance = whole.details["chance"] if whole is not None else None
        rows.append(
            [
                escaped(method),
                shown(whole),
                shown(parsed),
                f"{whole.n:,}" if whole is not None else NOTHING,
                f"{unread:,}",
                number(chance),
                NOTHING if bias is None or bias.value is None else number(bias.value),
                _left_out(whole),
            ]
        )
    head = ["method", "accuracy ↑", "parsed ↑", "n", "unread", "chance", "position bias →0", "left out"]
    return table(head, rows, "lrrrrrrl")


def _left_out(score: Score | None) -> str:
    found = score.excluded.items() if score is not None else ()
    return ", ".join(f"{escaped(name)} {count:,}" for name, count in found if count) or NOTHING


def _by(methods: Sequence[str], names: Sequence[str], by: By, evaluation: Evaluation) -> list[str]:
    rows = [
        [escaped(method), *(shown(evaluation.score(method, by, name), count=True) for name in names)]
        for method in methods
    ]
    return table(["method", *map(escaped, names)], rows, "l" + "r" * len(names))


def _profiles(methods: Sequence[str], evaluation: Evaluation) -> list[str]:
    scores = [(part.method, part.score) for part in evaluation.parts if part.score.metric.startswith("profile_")]
    if not scores:
        return []
    rows = [
        [
            escaped(method),
            escaped(score.metric.removeprefix("profile_")),
            shown(score),
            f"{score.n:,}",
            _left_out(score),
        ]
        for method, score in scores
        if method in methods or method == "all"
    ]
    head = ["method", "what", "value", "n", "left out"]
    return ["", "## Profiles, scored from 1 to 3", "", *table(head, rows, "llrrl")]


def _counted(evaluation: Evaluation) -> list[str]:
    rows = []
    for record in evaluation.counts:
        outcomes = ", ".join(f"{escaped(name)} {count:,}" for name, count in record["outcomes"].items())
        fallback = ", ".join(f"{escaped(name)} {count:,}" for name, count in record["segments_fallback"].items())
        rows.append(
            [
                escaped(record["method"]),
                f"{record['questions']:,}",
                outcomes,
                fallback or NOTHING,
                f"{record['memory_empty']:,}",
            ]
        )
    head = ["method", "questions", "what became of them", "segments missing, question used", "memory empty"]
    said = "All questions: items x runs x shares of the text."
    return ["", "## Counts", "", said, "", *table(head, rows, "lrllr")]


def _published(reference: Reference) -> list[str]:
    rows = [[escaped(name), number(value)] for name, value in reference.accuracies.items()]
    title = f"## Published accuracies, {reference.heading}"
    return [title, "", *table(["method", "accuracy"], rows, "lr"), "", escaped(reference.source) + "."]


def shown(score: Score | None, *, count: bool = False) -> str:
    """Value and interval of a score, with its n when `count`."""
    if score is None:
        return NOTHING
    if score.value is None:
        return f"{NOTHING} ({escaped(score.reason)})"
    mark = {"cluster": " b", "wilson": " w"}.get(str(score.details.get("interval")), "")
    ends = f" {interval(score.ci)}{mark}" if score.ci is not None else ""
    return f"{number(score.value)}{ends}{f' n={score.n:,}' if count else ''}"
