"""The stages of `mmrole bench rolecde`: from parsed arguments to a job, to what is printed, to the exit code."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import TYPE_CHECKING

from mmrole.cli.bench_arguments import asked_of
from mmrole.cli.bench_outcome import (
    EXIT_SOME_FAILED,
    estimate_record,
    exit_code,
    print_estimate,
    print_json,
    print_stage,
    stage_record,
)
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmrole.core.scores import Score
    from mmrole.jobs.bench.rolecde import BuildResult, ScoreResult
    from mmrole.llm import Estimate

_SHOWN = ("dbr", "debiased_dbr", "position_bias", "flip_rate", "role_share", "coverage")


def build_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde build`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import build, estimate_audit

    if args.dry_run:
        found = estimate_audit(
            args.out, personas=args.personas, only=args.only, levels=args.levels, auditors=args.auditors,
            skip_invalid=args.skip_invalid,
            **asked_of(args),
        )  # fmt: skip
        return _print_estimates(found, args.json)
    with progress_of("replies", quiet=args.quiet or args.json or not args.auditors) as progress:
        result = build(
            args.out, personas=args.personas, only=args.only, levels=args.levels, style=args.prompt, orders=args.orders,
            with_values=args.with_values, runs=args.runs, temperature=args.temperature, role_option_files=args.role_options,
            auditors=args.auditors, skip_invalid=args.skip_invalid, on_progress=progress.show, **asked_of(args),
        )  # fmt: skip
    if args.json:
        print_json(
            out=str(result.out), personas=result.personas, items=result.items, runs=result.runs,
            audit=result.counts if result.audited else None, skipped=list(result.skipped),
            flagged=[each.to_record() for each in result.options if each.flagged],
            auditors={name: stage_record(stage) for name, stage in result.audits.items()},
        )  # fmt: skip
    else:
        _print_build(result)
    return 0 if result.audited and not result.skipped else EXIT_SOME_FAILED


def _print_build(result: BuildResult) -> None:
    for record in list(result.skipped)[:10]:
        print(one_line(f"left out: {record['reason']}"))
    if len(result.skipped) > 10:
        print(f"and {len(result.skipped) - 10} more left out: see audit/manifest.json")
    for name, stage in result.audits.items():
        print_stage(stage, f"replies of the auditor {name}")
    shown = ", ".join(result.personas[:10])
    print(f"{len(result.personas):,} personas: {shown}{', ...' if result.personas[10:] else ''}")
    print(f"{result.items:,} decisions x {result.runs} runs = {result.items * result.runs:,}")
    if not result.audited:
        print("the audit has not come to its end: run the stage build again")
        return
    counts = result.counts
    sources = ", ".join(f"{name} {count:,}" for name, count in counts["sources"].items())
    print(f"{counts['dilemmas']:,} role options: {sources}; {counts['flagged']:,} flagged (see audit.md)")
    if counts["sources"].get("assumed"):
        print(
            f"  {counts['sources']['assumed']:,} are assumed to be B: give --role-options or --auditors to have them checked"
        )
    for each in [each for each in result.options if each.flagged][:10]:
        print(f"  flagged: persona {each.persona}, {each.level}: {each.option} ({', '.join(each.doubts)})")
    if counts["flagged"] > 10:
        print(f"  and {counts['flagged'] - 10:,} more")
    _print_scores(result.agreement)
    print(f"-> {one_line(result.out)}")


def _print_scores(scores: Sequence[Score]) -> None:
    for score in scores:
        value = score.reason if score.value is None else f"{score.value:.3f}"
        observed = score.details.get("observed_agreement")
        same = "" if observed is None else f", observed agreement {observed:.3f}"
        print(f"  {score.metric} {score.part}: {value} (n = {score.n:,}{same})")


def _print_estimates(found: Mapping[str, Estimate], as_json: bool) -> int:
    if as_json:
        print_json(**{name: estimate_record(each) for name, each in found.items()})
        return 0
    for name, each in found.items():
        print(f"{name}:")
        print_estimate(each, as_json=False)
    if not found:
        print("nobody is asked")
    return 0


def run_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde run`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import estimate_run, run, take_outputs

    if args.outputs is not None:
        result = take_outputs(args.folder, args.outputs, level=args.level)
    elif args.dry_run:
        return print_estimate(estimate_run(args.folder, args.agent, **asked_of(args)), args.json)
    else:
        with progress_of("answers", quiet=args.quiet or args.json) as progress:
            result = run(args.folder, args.agent, on_progress=progress.show, **asked_of(args))
    if args.json:
        print_json(**stage_record(result))
    else:
        print_stage(result, "answers")
    return exit_code(result)


def grade_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde grade`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import estimate_grade, grade, take_judgements

    if args.outputs is not None:
        taken = take_judgements(args.folder, args.outputs, level=args.level, name=args.name or "published")
        if args.json:
            print_json(name=taken.name, counts=taken.counts, ratings=str(taken.ratings))
        else:
            print(f"{taken.name}: " + ", ".join(f"{name} {count:,}" for name, count in taken.counts.items()))
            print(f"-> {one_line(taken.ratings)}")
        return 0 if taken.complete else EXIT_SOME_FAILED
    if args.dry_run:
        found = estimate_grade(
            args.folder, args.judge, name=args.name, most_regenerations=args.regenerations, **asked_of(args)
        )
        return _print_estimates(found, args.json)
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        results = grade(
            args.folder, args.judge, name=args.name, most_regenerations=args.regenerations, on_progress=progress.show,
            **asked_of(args),
        )  # fmt: skip
    if args.json:
        print_json(
            judges={
                each.name: {
                    **stage_record(each.stage), "decisions": each.decisions, "choices": dict(each.choices),
                    "judged": each.judged, "waiting": each.waiting, "ratings": None if each.ratings is None else str(each.ratings),
                }
                for each in results
            }
        )  # fmt: skip
    else:
        for each in results:
            print_stage(each.stage, f"replies of the judge {each.name}")
            choices = ", ".join(f"{name} {count:,}" for name, count in sorted(each.choices.items()))
            print(f"  choices: {choices}; {each.judged:,} of {each.decisions:,} decisions judged")
            if each.unread:
                print("  nothing that this judge said could be read: there are no decisions")
            print(
                f"-> {one_line(each.ratings)}"
                if each.ratings
                else "the ratings were not written: the stage ended early"
            )
    return max(EXIT_SOME_FAILED if each.unread else exit_code(each.stage) for each in results)


def score_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde score`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import Similarity, score

    how = None
    if args.similarity or args.bertscore_model is not None or args.bertscore_layer is not None:
        how = Similarity(bertscore_model=args.bertscore_model, bertscore_layer=args.bertscore_layer)
    results = score(args.folder, grades=args.grades, similarity=how, bootstrap=args.bootstrap, seed=args.seed)
    if args.json:
        print_json(
            judges={
                each.folder.name: {"scores": [rated.to_record() for rated in each.scores], "undecided": each.undecided}
                for each in results
                if each.graded
            },
            similarity=[rated.to_record() for each in results if not each.graded for rated in each.scores],
            audit=results[0].audit,
            agreement=[{**found.to_record(), "of": of} for of, found in results[0].agreement],
        )
    else:
        for each in results:
            _print_score(each)
        for of, found in results[0].agreement:
            value = found.reason if found.value is None else f"{found.value:.3f}"
            print(f"agreement on the {of}: {found.metric} {found.part} {value} (n = {found.n:,})")
    missing = any(
        record["reason"] in ("choice_missing", "choice_error", "judge_error", "judge_missing")
        for each in results
        for record in each.decisions or each.similarity
    )
    return EXIT_SOME_FAILED if missing else 0


def _print_score(result: ScoreResult) -> None:
    if not result.graded:
        print("nobody has graded the decisions")
        _print_similarity(result)
        print(f"-> {one_line(result.folder)}")
        return
    print(f"judge {result.folder.name}:")
    for items in ("all", "without_flagged"):
        print("  all dilemmas" if items == "all" else f"  without {result.audit['flagged']:,} flagged dilemmas")
        for metric in _SHOWN:
            found = result.score(metric, items=items)
            value = f"null ({found.reason})" if found.value is None else f"{found.value:.3f}"
            ends = "" if found.ci is None else f" [{found.ci[0]:.3f}, {found.ci[1]:.3f}]"
            print(f"    {metric:<14} {value}{ends}  n = {found.n:,}")
    counts = result.score("dbr").details["counts"]
    print("  " + ", ".join(f"{name} {count:,}" for name, count in counts.items()))
    coverage = result.score("coverage").details
    for name, what in (("missing", "without a decision"), ("lost_after_option", "of these in role_share, not in dbr")):
        if coverage[name]:
            print(f"  {what}: " + ", ".join(f"{reason} {count:,}" for reason, count in sorted(coverage[name].items())))
    if result.similarity:
        _print_similarity(result)
    print(f"-> {one_line(result.folder)}")


def _print_similarity(result: ScoreResult) -> None:
    first = result.score("similarity_bleu")
    print("  similarity of the reasons to the personal value")
    for rated in result.scores:
        found = rated.score
        if found.metric.startswith("similarity_") and (rated.items, rated.by) == ("all", "all"):
            value = f"null ({found.reason})" if found.value is None else f"{found.value:.3f}"
            ends = "" if found.ci is None else f" [{found.ci[0]:.3f}, {found.ci[1]:.3f}]"
            print(f"    {found.metric.removeprefix('similarity_'):<16} {value}{ends}  n = {found.n:,}")
    if first.value is not None:
        words = [first.details[f"mean_{what}_words"] for what in ("candidate", "reference")]
        print(f"    reasons have {words[0]:.1f} words, values {words[1]:.1f}: BLEU and F fall with every other word")
    if first.excluded:
        print("    without: " + ", ".join(f"{reason} {count:,}" for reason, count in sorted(first.excluded.items())))


def review_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde review`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import compare_reviews, write_review

    if args.sheet is not None:
        count = write_review(args.folder, args.sheet, sample=args.sample, seed=args.seed)
        if args.json:
            print_json(sheet=args.sheet, rows=count)
        else:
            print(f"{count:,} decisions -> {one_line(args.sheet)}")
            print("give a copy to each annotator, who fills in the column form: compromise or following")
        return 0
    scores = compare_reviews(args.folder, args.read)
    if args.json:
        print_json(scores=[score.to_record() for score in scores])
    else:
        _print_scores(scores)
    return 0


def plot_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde plot`; returns the exit code."""
    from mmrole.jobs.bench.rolecde.plot import plot

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        path = plot(
            args.kind, args.folder, out=args.out, grades=args.grades, by=args.by, metric=args.metric,
            items="without_flagged" if args.without_flagged else "all", lang=args.lang,
        )  # fmt: skip
    for line in dict.fromkeys(str(warning.message) for warning in seen):
        print(f"mmrole: {line}", file=sys.stderr)
    if args.json:
        print_json(out=str(path))
    else:
        print(path)
    return 0
