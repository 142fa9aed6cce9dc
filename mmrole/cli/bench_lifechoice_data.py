"""`mmrole bench lifechoice construct | filter`: a data set from novels, and what people keep of it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Any

from mmrole.cli.bench_arguments import add_asking, asked_of, stage_parser
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
from mmrole.cli.types import Commands
from mmrole.core.counting import counted

_LISTED = 5


def add_construct(stages: Commands) -> None:
    """Adds the stage ``construct``."""
    parser = stage_parser(
        stages, "construct", "make a data set of novels, with sheets for people to look it over", construct_stage
    )
    parser.add_argument("novels", nargs="+", metavar="NOVEL", help="text files in UTF-8, or folders with .txt files")
    parser.add_argument(
        "--author", required=True, metavar="ENDPOINT", help="writes the items, an endpoint of the configuration"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    numbers: list[tuple[str, int, str]] = [
        ("--passages", 20, "passages of a novel in which a decision is looked for"),
        ("--passage-tokens", 1500, "tokens of a passage"),
        ("--min-story", 2000, "fewest tokens before a decision"),
        ("--max-story", 150_000, "most tokens before a decision"),
        ("--min-tokens", 20_000, "fewest tokens of a novel"),
        ("--max-tokens", 400_000, "most tokens of a novel"),
    ]
    for name, value, text in numbers:
        parser.add_argument(name, type=int, default=value, metavar="N", help=f"{text} (default: {value})")
    parser.add_argument(
        "--first", type=float, default=0.2, metavar="X", help="share of a novel before the first passage (default: 0.2)"
    )
    parser.add_argument(
        "--last", type=float, default=0.95, metavar="X", help="share of a novel before the last one (default: 0.95)"
    )
    parser.add_argument(
        "--languages", nargs="+", choices=("en", "zh"), default=["en", "zh"], help="of the novels (default: en zh)"
    )
    parser.add_argument("--genres", metavar="FILE", help="JSON: title -> genre, or list of genres")
    parser.add_argument("--temperature", type=float, help="of the author (default: the endpoint's own)")
    parser.add_argument("--seed", type=int, default=0, help="of the orders of options (default: 0)")
    parser.add_argument(
        "--sheets", type=int, default=2, metavar="N", help="review sheets, one for each reviewer (default: 2)"
    )
    add_asking(parser)


def add_filter(stages: Commands) -> None:
    """Adds the stage ``filter``."""
    parser = stage_parser(
        stages, "filter", "keep the items whose mean total of the reviewers' points is above 6 of 8", filter_stage
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of the stage construct")
    parser.add_argument(
        "--sheets", nargs="+", required=True, metavar="CSV", help="the sheets, filled in, one for each reviewer"
    )


def construct_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice construct`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import construct, estimate_construct
    from textbench.lifechoice.construction import Where

    where = Where(
        passages=args.passages, passage_tokens=args.passage_tokens, first=args.first, last=args.last,
        min_story=args.min_story, max_story=args.max_story,
    )  # fmt: skip
    given: dict[str, Any] = {
        "out": args.out, "where": where, "min_tokens": args.min_tokens, "max_tokens": args.max_tokens,
        "languages": args.languages, "temperature": args.temperature, **asked_of(args),
    }  # fmt: skip
    if args.dry_run:
        found = estimate_construct(args.novels, args.author, **given)
        if args.json:
            print_json(**{name: estimate_record(each) for name, each in found.items()})
            return 0
        for name, each in found.items():
            print(f"step {name}:")
            print_estimate(each, as_json=False)
        print("how many passages come to a later step, only the replies tell" if found else "no passage is looked at")
        return 0
    with progress_of("calls", quiet=args.quiet or args.json) as progress:
        result = construct(
            args.novels, args.author, genres=args.genres, seed=args.seed, sheets=args.sheets, on_progress=progress.show,
            **given,
        )  # fmt: skip
    stage, counts, refused = result.built.steps.stage, result.built.counts, result.novels.refused
    if args.json:
        print_json(
            out=str(result.out), novels=[novel.to_record() for novel in result.novels.chosen], refused=list(refused),
            items=None if result.items is None else str(result.items), passages=counts, rejected=list(result.built.rejected),
            sheets=list(map(str, result.sheets)), notes=result.notes, calls=stage_record(stage),
        )  # fmt: skip
    else:
        for note in result.notes:
            print(one_line(f"mmrole: {note}"), file=sys.stderr)
        for one in refused[:_LISTED]:
            print(one_line(f"not chosen: {one['path']}: {one['reason']}, {one['detail']}"))
        if len(refused) > _LISTED:
            print(f"and {len(refused) - _LISTED} more files not chosen, see refused.jsonl")
        print_stage(stage, "calls of the author")
        print(
            f"{counted(counts['passages'], 'passage')} of {counted(len(result.novels.chosen), 'novel')} = "
            f"{counted(counts['items'], 'item')} + "
            f"{counts['rejected']:,} rejected + {counts['failed']:,} failed + {counts['pending']:,} pending"
        )
        if result.built.rejected:
            reasons = Counter(f"{one['step']} {_code(one)}" for one in result.built.rejected)
            print("  rejected: " + ", ".join(f"{name} {count:,}" for name, count in sorted(reasons.items())))
        for sheet in result.sheets:
            print(one_line(f"sheet: {sheet}"))
        print(
            one_line(f"-> {result.items}")
            if result.items
            else "the items were not written: the construction ended early"
        )
    return EXIT_SOME_FAILED if exit_code(stage) or counts["pending"] or result.unread or not counts["items"] else 0


def _code(rejected: dict[str, Any]) -> str:
    if rejected["status"] == "rejected":
        return str(rejected["reason"]).partition(":")[0]
    return str(rejected["status"])


def filter_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice filter`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import filter_reviewed

    result = filter_reviewed(args.folder, args.sheets)
    found = result.found
    if args.json:
        print_json(
            items=str(result.items), kept=len(found.kept), dropped=list(found.dropped), marks=list(found.marks),
            agreement=[score.to_record() for score in found.agreement],
        )  # fmt: skip
        return 0
    print(f"{len(found.marks):,} items = {len(found.kept):,} kept + {len(found.dropped):,} dropped")
    for name in found.dropped[:_LISTED]:
        mean = next(mark["mean"] for mark in found.marks if mark["item_id"] == name)
        print(one_line(f"  dropped: {name}: {mean:.2f} points"))
    if len(found.dropped) > _LISTED:
        print(f"  and {len(found.dropped) - _LISTED} more, see marks.jsonl")
    for score in found.agreement:
        value = f"null ({score.reason})" if score.value is None else f"{score.value:.3f}"
        print(f"  agreement on {score.part}: alpha {value} (n = {score.n:,})")
    print(one_line(f"-> {result.items}"))
    return 0
