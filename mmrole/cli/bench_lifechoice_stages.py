"""The stages of `mmrole bench lifechoice`: from parsed arguments to a job, to what is printed, to the exit code."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

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
from mmrole.core.counting import counted

_NAMES = {
    "names": "calls for names",
    "profile": "calls for descriptions",
    "segments": "calls for segments",
    "answer": "questions",
}


def build_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice build`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import build
    from textbench.lifechoice.summaries import Sizes

    leaf = args.leaf if args.leaf is not None else max(1, args.chunk // 4)
    sizes = Sizes(chunk=args.chunk, leaf=leaf, group=args.group, node=args.node, most_levels=args.most_levels)
    result = build(
        args.out, data=args.data, only=args.only, lenient=args.lenient, index_base=args.index_base, methods=args.methods,
        budget=args.budget, split=args.split, order=args.order, sizes=sizes, embedder=args.embedder,
        seed=None if args.no_shuffle else args.seed, runs=args.runs, temperature=args.temperature, prefixes=args.prefixes,
        truncate_descriptions=args.truncate_descriptions, masking=args.masking, entities=args.entities,
        data_version=args.data_version,
    )  # fmt: skip
    if args.json:
        print_json(
            out=str(result.out), items=result.items, books=result.books, characters=result.characters, methods=result.methods,
            questions=result.questions, refused=[str(each) for each in result.refused], notes=result.notes,
        )  # fmt: skip
        return EXIT_SOME_FAILED if result.refused else 0
    for note in result.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    for refused in result.refused[:10]:
        print(one_line(f"left out: {refused}"))
    if len(result.refused) > 10:
        print(f"and {len(result.refused) - 10} more, see refused.jsonl")
    books = f"of {counted(result.characters, 'character')} in {counted(result.books, 'book')}"
    print(f"{counted(result.items, 'decision')} {books if result.characters else 'without a role'}")
    print(f"methods: {', '.join(result.methods)}")
    print(f"{result.questions:,} questions to the agent -> {one_line(result.out)}")
    return EXIT_SOME_FAILED if result.refused else 0


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    return {"profiles": args.profiles, **asked_of(args)}


def run_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice run`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import estimate_run, run
    from textbench.lifechoice.summaries import NOT_SHORTER

    named = {"profiler": args.profiler, "until": args.until}
    if args.dry_run:
        estimates = estimate_run(args.folder, args.agent, **named, **_asked(args))
        if args.json:
            print_json(**{name: estimate_record(each) for name, each in estimates.items()})
            return 0
        for name, each in estimates.items():
            print(f"{_NAMES[name]}:")
            print_estimate(each, as_json=False)
        print("what is not written yet is taken to be as long as it may be")
        return 0

    def note(text: str) -> None:
        if not (args.quiet or args.json):
            print(one_line(f"mmrole: {text}"), file=sys.stderr)

    with progress_of("calls", quiet=args.quiet or args.json) as progress:
        result = run(args.folder, args.agent, on_progress=progress.show, on_note=note, **named, **_asked(args))
    if args.json:
        steps = {name: stage_record(each) for name, each in result.steps.items()}
        print_json(**stage_record(result.answers), steps=steps)
    else:
        for step, done in result.steps.items():
            print_stage(done, _NAMES[step])
        if any(NOT_SHORTER in str(each["reason"]) for each in result.answers.failures):
            print(
                f"{NOT_SHORTER}: what the profiler wrote is no shorter than what it was to sum up, and asking again gives the same: "
                "give another --profiler, or build another folder with larger chunks"
            )
    last = list(result.steps.values())[-1]
    if args.until != "answer" and args.until in result.steps:
        return exit_code(last)
    return exit_code(result.answers)


def grade_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice grade`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import estimate_grade, grade

    if args.dry_run:
        found = estimate_grade(
            args.folder, args.judge, name=args.name, most_regenerations=args.regenerations, **_asked(args)
        )
        return print_estimate(found, args.json)
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        result = grade(
            args.folder,
            args.judge,
            name=args.name,
            most_regenerations=args.regenerations,
            on_progress=progress.show,
            **_asked(args),
        )
    unread = result.stage.done > 0 and not result.stage.statuses["ok"]
    if args.json:
        ratings = None if result.ratings is None else str(result.ratings)
        print_json(**stage_record(result.stage), left_out=result.left_out, ratings=ratings)
    else:
        print_stage(result.stage, "profiles")
        if result.left_out:
            print(
                f"{result.left_out} are not judged: no profile, no motivation to judge by, or the motivation was given away"
            )
        print(
            f"-> {one_line(result.ratings)}"
            if result.ratings
            else "the ratings were not written: the stage ended early"
        )
        if unread:
            print("not one verdict could be read: name another judge, or look at its replies")
    return EXIT_SOME_FAILED if unread else exit_code(result.stage)


def score_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice score`; returns the exit code."""
    from mmrole.cli.lifechoice_lines import counts_lines, reference_lines, score_lines
    from mmrole.jobs.bench.lifechoice import score

    result = score(
        args.folder,
        grades=args.grades,
        human=args.human,
        reference=args.reference,
        bootstrap=args.bootstrap,
        seed=args.seed,
    )
    if args.json:
        print_json(
            folder=str(result.folder),
            missing=result.missing,
            scores=[part.to_record() for part in result.evaluation.parts],
            counts=list(result.evaluation.counts),
            reference=None
            if result.reference is None
            else {"version": result.reference.version, "accuracies": dict(result.reference.accuracies)},
        )
    else:
        print(*score_lines(result.plan, result.evaluation), *counts_lines(result.evaluation), sep="\n")
        if result.reference is not None:
            print(*reference_lines(result.reference), sep="\n")
        if result.missing:
            print(f"{result.missing} questions have no reply; they are in no accuracy")
        print(f"-> {one_line(result.folder)}")
    return EXIT_SOME_FAILED if result.missing else 0


def plot_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice plot`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice.plot import plot

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        path = plot(args.kind, args.folder, out=args.out, methods=args.methods, lang=args.lang)
    for line in dict.fromkeys(str(warning.message) for warning in seen):
        print(f"mmrole: {line}", file=sys.stderr)
    if args.json:
        print_json(out=str(path))
    else:
        print(path)
    return 0
