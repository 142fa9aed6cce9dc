"""The stages of `mmrole bench incharacter`: from parsed arguments to a job, to what is printed, to the exit code."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from mmrole.cli.bench_arguments import asked_of
from mmrole.cli.bench_outcome import EXIT_SOME_FAILED, exit_code, print_estimate, print_json, print_stage, stage_record
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of


def build_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter build`; returns the exit code."""
    from mmrole.jobs.bench.incharacter import build

    result = build(
        args.out, characters=args.characters, only=args.only, scales=args.scales, questionnaires=args.questionnaires,
        methods=args.methods, setting=args.setting, runs=args.runs, seed=args.seed, temperature=args.temperature,
        passages=args.passages, with_roleless=args.with_roleless,
    )  # fmt: skip
    if args.json:
        print_json(
            out=str(result.out), characters=result.characters, scales=result.scales, styles=result.styles, items=result.items,
            runs=result.runs,
        )  # fmt: skip
        return 0
    scales = ", ".join(f"{name} ({count} items)" for name, count in result.scales.items())
    print(
        f"{len(result.characters)} characters: {', '.join(result.characters[:10])}{', ...' if result.characters[10:] else ''}"
    )
    print(f"scales: {scales}; asked as {', '.join(result.styles)}")
    print(f"{result.items:,} questions x {result.runs} runs = {result.items * result.runs:,} -> {one_line(result.out)}")
    return 0


def run_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter run`; returns the exit code."""
    from mmrole.jobs.bench.incharacter import estimate_run, run

    if args.dry_run:
        return print_estimate(estimate_run(args.folder, args.agent, **asked_of(args)), args.json)
    with progress_of("answers", quiet=args.quiet or args.json) as progress:
        result = run(args.folder, args.agent, on_progress=progress.show, **asked_of(args))
    if args.json:
        print_json(**stage_record(result))
    else:
        print_stage(result, "answers")
    return exit_code(result)


def grade_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter grade`; returns the exit code."""
    from mmrole.jobs.bench.incharacter import estimate_grade, grade

    named = {"name": args.name, "methods": args.methods, "most_regenerations": args.regenerations}
    if args.dry_run:
        return print_estimate(estimate_grade(args.folder, args.interviewer, **named, **asked_of(args)), args.json)
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        result = grade(
            args.folder,
            args.interviewer,
            **named,
            on_progress=progress.show,
            **asked_of(args),
        )
    counts = {
        "sittings": result.sittings, "graded": result.graded, "incomplete": result.incomplete, "methods_unread": list(result.unread),
    }  # fmt: skip
    if args.json:
        print_json(
            **stage_record(result.stage), **counts, ratings=None if result.ratings is None else str(result.ratings)
        )
    else:
        print_stage(result.stage, "calls of the interviewer")
        print(
            f"{result.graded} of {result.sittings} sittings (character, scale, method, run) have ratings"
            + (f"; {result.incomplete} lack answers: run the stage run again" if result.incomplete else "")
        )
        for method in result.unread:
            print(f"{method}: nothing that the interviewer said could be read: there are no scores of this method")
        print(
            f"-> {one_line(result.ratings)}"
            if result.ratings
            else "the ratings were not written: the stage ended early"
        )
    return EXIT_SOME_FAILED if result.graded < result.sittings or result.unread else exit_code(result.stage)


def score_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter score`; returns the exit code."""
    from mmrole.jobs.bench.incharacter import score
    from textbench.incharacter.evaluation import Choosing

    choosing = Choosing(
        types=args.types, values=args.values, mask=args.mask, mirror=tuple(args.mirror), refusal=args.refusal,
        upstream=args.upstream, bootstrap=args.bootstrap, seed=args.seed,
    )  # fmt: skip
    result = score(args.folder, grades=args.grades, labels=args.labels, choosing=choosing)
    if args.json:
        print_json(
            folder=str(result.folder),
            missing=result.missing,
            scores=result.evaluation.score_records(),
            problems=result.problems,
        )
    else:
        if result.evaluation.results:
            print(result.evaluation.table().to_markdown())
        for line in _count_lines(result.evaluation.counts, result.problems):
            print(line)
        if result.missing:
            print(f"{result.missing} sittings have no ratings; their scores are left out")
        print(f"-> {one_line(result.folder)}")
    return EXIT_SOME_FAILED if result.missing else 0


def _count_lines(counts: Sequence[dict[str, Any]], problems: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Per scale and method, what the choices or ratings were; and the common problems of the answers."""
    totals: dict[tuple[str, str], Counter[str]] = {}
    for record in counts:
        total = totals.setdefault((record["scale"], record["method"]), Counter())
        kinds = ("answered", "refused", "missing", "unread", "invalid", "regenerations")
        total.update({kind: record[kind] for kind in kinds if kind in record})
    for (scale, method), total in totals.items():
        yield f"{scale} {method}: {', '.join(f'{count:,} {kind}' for kind, count in total.items())}"
    if problems:
        found: Counter[str] = Counter()
        for record in problems:
            found.update({name: count for name, count in record.items() if name != "character"})
        answers = found.pop("answers")
        yield f"problems in {answers:,} open answers: {', '.join(f'{name} {count:,}' for name, count in found.items())}"


def plot_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter plot`; returns the exit code."""
    from mmrole.jobs.bench.incharacter.plot import plot

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        drawn = plot(
            args.kind, args.folder, out=args.out, grades=args.grades, labels=args.labels, method=args.method, scale=args.scale,
            only=args.only, source=args.source, lang=args.lang,
        )  # fmt: skip
    for line in dict.fromkeys(str(warning.message) for warning in seen):
        print(f"mmrole: {line}", file=sys.stderr)
    if args.json:
        print_json(out=str(drawn.out), method=drawn.method, scales=list(drawn.scales))
    else:
        print(f"{drawn.method} on {', '.join(drawn.scales)}", file=sys.stderr)
        print(drawn.out)
    return 0


def labels_stage(args: argparse.Namespace) -> int:
    """`mmrole bench incharacter labels`; returns the exit code."""
    from mmrole.jobs.bench.incharacter.labels import build_labels

    result = build_labels(
        args.out, pdb=args.pdb, sheets=args.sheets, mirror=args.mirror, questionnaires=args.questionnaires,
        bootstrap=args.bootstrap, seed=args.seed,
    )  # fmt: skip
    if args.json:
        kappas = {name: score.to_record() for name, score in result.kappas.items()}
        print_json(out=str(result.out), counts=result.counts, kappa=kappas)
        return 0
    for source, count in result.counts.items():
        print(f"{count} labels from {source}")
    for name, score in result.kappas.items():
        value = "undefined" if score.value is None else f"{score.value:.3f}"
        print(
            f"kappa of the annotators on {name}: {value} (n = {score.n}{'' if score.reason is None else f', {score.reason}'})"
        )
    print(f"-> {one_line(result.out)}")
    return 0
