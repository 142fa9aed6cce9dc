"""The page of the scores, for people."""

from __future__ import annotations

from collections.abc import Sequence

from mmrole.core.canonical import Record
from mmrole.core.scores import Score
from mmrole.jobs.bench.rolecde.similarity_page import similarity_lines
from mmrole.jobs.interval_notes import interval_notes
from mmrole.jobs.markdown import NOTHING, escaped, interval, number, table
from textbench.rolecde.dbr_metrics import DECISIONS
from textbench.rolecde.evaluation import Items, Rated
from textbench.rolecde.personas import CATEGORIES
from textbench.rolecde.plan import RoleCDEPlan

_METRICS = ("dbr", "debiased_dbr", "position_bias", "flip_rate", "role_share", "coverage")
_ORDERS = (
    "The column both orders counts the dilemmas that have a decision in both. Three columns are of these alone: debiased_dbr, the mean of "
    "the DBR of either order; position_bias, the share of decisions for the option shown first, minus .5; flip_rate, the share whose side "
    "is not the same in both. An agent that always takes the first option has .5, .5 and 1."
)
_TITLES = {
    "all": "All",
    "level": "By level",
    "category": "By category",
    "level_category": "By level and category",
    "order": "By order of the options",
    "language": "By language",
}


def score_page(
    plan: RoleCDEPlan, scores: Sequence[Rated], agreement: Sequence[tuple[str, Score]], audit: Record
) -> str:
    """The page, Markdown.

    Args:
        plan: the plan
        scores: see `textbench.rolecde.evaluation.evaluate`
        agreement: of the judges: what of, score
        audit: see `textbench.rolecde.role_options.audit_counts`
    """
    out = [
        "# RoleCDE",
        "",
        f"{len(plan.personas):,} personas, prompt {plan.style}, orders {', '.join(plan.orders)}, {plan.runs} run{'s' * (plan.runs > 1)}. "
        f"Of {audit['dilemmas']:,} dilemmas {audit['flagged']:,} are flagged: their role option is in doubt (see audit.md)"
        + (f"; {audit['sources']['assumed']:,} are assumed to be B." if audit["sources"].get("assumed") else "."),
        "",
        (
            "DBR = (RF + RC) / (RF + RC + AC + AF). A decision needs an option and a judge that could be read. Planned is the "
            "denominator of coverage; options, the decisions with an option, that of role_share, which needs no judge; decided that of "
            "DBR. What is lost on the way is counted below. Intervals are 95 %, by drawing personas."
        ),
        *(["", _ORDERS] if len(plan.orders) > 1 else []),
        *_notes(scores),
    ]
    for items, title in (("all", "All dilemmas"), ("without_flagged", "Without flagged dilemmas")):
        out += ["", f"## {title}"]
        for by, heading in _TITLES.items():
            there = [each.score for each in scores if each.items == items and each.by == by]
            parts = list(dict.fromkeys(each.part for each in there if each.metric in _METRICS))
            if parts:
                out += ["", f"### {heading}", "", *_table(there, parts)]
    out += ["", "## Without a decision", "", *_missing(scores, "all")]
    if audit["flagged"]:
        out += ["", "Without flagged dilemmas:", "", *_missing(scores, "without_flagged")]
    out += [*_markers(scores), *similarity_lines(scores), *_agreement(agreement)]
    return "\n".join(out) + "\n"


def _notes(scores: Sequence[Rated]) -> list[str]:
    """Why the intervals are too sure of themselves, where they are."""
    there = [each.score for each in scores if (each.by, each.items) == ("all", "all") and each.score.metric in _METRICS]
    drawn = [score for score in there if score.details.get("interval") == "personas"]
    personas = min((score.details["personas"] for score in drawn), default=0)
    return [line for note in interval_notes(drawn, personas, drawn="personas") for line in ("", f"**Note**: {note}.")]


def _table(scores: Sequence[Score], parts: Sequence[str]) -> list[str]:
    found = {(each.metric, each.part): each for each in scores}
    metrics = [
        name
        for name in _METRICS
        if any((name, part) in found and found[name, part].value is not None for part in parts)
    ]
    paired = "debiased_dbr" in metrics
    header = ["part", "planned", "options", "decided", *DECISIONS, *(["both orders"] if paired else []), *metrics]
    rows = []
    for part in parts:
        dbr, coverage, share = (found[name, part] for name in ("dbr", "coverage", "role_share"))
        cells = [found.get((name, part)) for name in metrics]
        name = "/".join(f"{code} {CATEGORIES[code]['en']}" if code in CATEGORIES else code for code in part.split("/"))
        rows.append(
            [
                escaped(name),
                *(f"{each.n:,}" for each in (coverage, share, dbr)),
                *(f"{dbr.details['counts'][each]:,}" for each in DECISIONS),
                *(
                    [f"{found['debiased_dbr', part].n:,}" if ("debiased_dbr", part) in found else NOTHING]
                    if paired
                    else []
                ),
                *(NOTHING if s is None else f"{number(s.value)} {interval(s.ci)}".strip() for s in cells),
            ]
        )
    return table(header, rows, "l" + "r" * (len(header) - 1))


def _missing(scores: Sequence[Rated], items: Items) -> list[str]:
    """What has no decision, by reason; and what of it role_share counts and DBR does not."""
    found = {each.score.metric: each.score for each in scores if (each.by, each.items) == ("all", items)}
    coverage, share, dbr = found["coverage"], found["role_share"], found["dbr"]
    missing, lost = coverage.details["missing"], coverage.details["lost_after_option"]
    out = [
        f"{coverage.details['decided']:,} of {coverage.n:,} have a decision, {coverage.details['with_option']:,} an option.",
        *(f"- {escaped(reason)}: {count:,}" for reason, count in sorted(missing.items())),
    ]
    if lost:
        reasons = ", ".join(f"{escaped(reason)} {count:,}" for reason, count in sorted(lost.items()))
        said = (
            f"role_share ({number(share.value)}, n = {share.n:,}) and dbr ({number(dbr.value)}, n = {dbr.n:,}) differ by these "
            f"{share.n - dbr.n:,} alone: they have an option, but {reasons}. Over the decisions that both count they are the same."
        )
        out += ["", said]
    return out


def _markers(scores: Sequence[Rated]) -> list[str]:
    score = next((each.score for each in scores if each.score.metric == "marker_disagreement"), None)
    if score is None or score.value is None:
        return []
    return [
        "",
        "## Concession markers, a cross-check of the judge",
        "",
        (
            f"In {number(score.value)} of {score.n:,} judged decisions the markers do not say what the judge says: "
            f"{score.details['compromise_without_marker']:,} compromise without a marker, "
            f"{score.details['following_with_marker']:,} following with one. The markers are no verdict."
        ),
    ]


def _agreement(agreement: Sequence[tuple[str, Score]]) -> list[str]:
    if not agreement:
        return []
    rows = [
        [of, score.metric, escaped(score.part), f"{number(score.value)} {score.reason or ''}".strip(), f"{score.n:,}",
         number(score.details.get("observed_agreement"))]
        for of, score in agreement
    ]  # fmt: skip
    out = [
        "",
        "## Agreement of the judges, item by item",
        "",
        *table(["of", "coefficient", "part", "value", "n", "observed"], rows, "lllrrr"),
    ]
    shares = {of: score.details["distributions"] for of, score in agreement if "distributions" in score.details}
    for of_judges in shares.values():
        labels = list(next(iter(of_judges.values())))
        body = [[escaped(judge), *(number(each[label]) for label in labels)] for judge, each in of_judges.items()]
        out += ["", *table(["judge", *labels], body, "l" + "r" * len(labels))]
    return [
        *out,
        "",
        "The direction of a decision is the same for all judges, so that they can differ in the form alone.",
    ]
