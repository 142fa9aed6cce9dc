"""`mmrole bench lifechoice leak`: does the agent know the books by heart?"""

from __future__ import annotations

import argparse
import sys
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
from mmrole.cli.tables import text_table
from mmrole.cli.types import Commands

_NAMES = {"names": "calls for names", "continue": "continuations", "judge": "verdicts"}


def add_leak(stages: Commands) -> None:
    """Adds the stage ``leak``."""
    parser = stage_parser(
        stages, "leak", "have the agent continue the books after the decisions, plain and masked; a judge compares", leak_stage
    )  # fmt: skip
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the folder of a run, whose items are tested; or:")
    parser.add_argument("--data", metavar="FILE", help="a data set, JSON or JSONL")
    parser.add_argument(
        "--novels", nargs="+", required=True, metavar="PATH", help="text files, or folders with .txt files; TITLE.txt"
    )
    parser.add_argument(
        "--agent", required=True, metavar="ENDPOINT", help="the agent, an endpoint of the configuration"
    )
    parser.add_argument(
        "--judge", required=True, metavar="ENDPOINT", help="the judge, an endpoint of the configuration"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder of the test")
    parser.add_argument(
        "--masking",
        choices=("none", "given", "model"),
        help="none: the plain text only; given, model: also with names replaced (default: that of the run, none for --data)",
    )
    parser.add_argument(
        "--entities", metavar="FILE", help="with --masking given: the names (default: those of the run)"
    )
    parser.add_argument(
        "--finder", metavar="ENDPOINT", help="with --masking model: finds the names (default: the agent)"
    )
    parser.add_argument(
        "--tokens", type=int, default=400, metavar="N", help="of the end shown and the continuation (default: 400)"
    )
    parser.add_argument(
        "--regenerations",
        type=int,
        default=2,
        metavar="N",
        help="ask so often again for a verdict that cannot be read (default: 2, most: 12)",
    )
    parser.add_argument(
        "--bootstrap",
        type=int,
        default=1000,
        metavar="N",
        help="draws of whole books, 0 for Wilson's intervals (default: 1000)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
    add_asking(parser)


def leak_stage(args: argparse.Namespace) -> int:
    """`mmrole bench lifechoice leak`; returns the exit code."""
    from mmrole.jobs.bench.lifechoice import estimate_leak, leak

    given: dict[str, Any] = {
        "novels": args.novels, "folder": args.folder, "data": args.data, "masking": args.masking, "entities": args.entities,
        "finder": args.finder, "tokens": args.tokens, **asked_of(args),
    }  # fmt: skip
    if args.dry_run:
        found = estimate_leak(args.out, args.agent, args.judge, most_regenerations=args.regenerations, **given)
        if args.json:
            print_json(**{name: estimate_record(each) for name, each in found.items()})
            return 0
        for name, each in found.items():
            print(f"{_NAMES[name]}:")
            print_estimate(each, as_json=False)
        return 0
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        result = leak(
            args.out, args.agent, args.judge, most_regenerations=args.regenerations, bootstrap=args.bootstrap,
            seed=args.seed, on_progress=progress.show, **given,
        )  # fmt: skip
    if args.json:
        print_json(
            out=str(result.out), cases=result.cases, excluded=dict(result.excluded), refused=list(result.refused),
            steps={name: stage_record(step) for name, step in result.steps.items()},
            scores=None if result.scores is None else [score.to_record() for score in result.scores],
        )  # fmt: skip
    else:
        for one in result.refused:
            print(one_line(f"mmrole: {one['path']}: {one['reason']}, {one['detail']}"), file=sys.stderr)
        for name, step in result.steps.items():
            print_stage(step, _NAMES[name])
        if result.excluded:
            print("not tested: " + ", ".join(f"{name} {count:,}" for name, count in result.excluded.items()))
        _print_scores(result)
    failed = result.scores is None or any(map(exit_code, result.steps.values()))
    return EXIT_SOME_FAILED if failed or result.refused else 0


def _print_scores(result: Any) -> None:
    from mmrole.jobs.markdown import interval, number

    if result.scores is None:
        print("the scores were not written: the test ended early")
        return
    rows = []
    for score in result.scores:
        value = number(score.value) if score.value is not None else f"null ({score.reason})"
        left_out = ", ".join(f"{name} {count:,}" for name, count in score.excluded.items())
        rows.append([one_line(score.part), value, interval(score.ci), f"{score.n:,}", left_out])
    print(*text_table(["share of leaks", "value", "95 % interval", "n", "left out"], rows, "lrlrl"), sep="\n")
    print(one_line(f"-> {result.out}"))
