"""`mmrole judge`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mmrole.cli.bench_outcome import EXIT_SOME_FAILED, exit_code, print_json, print_stage, print_together, stage_record
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.score import add_dialogues_to
from mmrole.cli.types import Commands
from mmrole.core.counting import counted, noun

if TYPE_CHECKING:
    from mmrole.jobs.judge import JudgeRun
    from mmrole.llm import Estimate


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("judge", help="have models judge the role consistency of responses")
    parser.description = (
        "Has judges look for evidence for and against the consistency of each response with the role's experience (exp), relationships "
        "(rel) and characteristics (cha). Quotes that are not there do not count. Fills a folder with judgements.jsonl for mmrole score. "
        "A refusal, a cut-off or an unreadable reply is a result and stays stored: choose another --out to ask again."
    )
    files = parser.add_argument_group("files")
    files.add_argument(
        "--responses", required=True, metavar="FILE", help="the responses, JSONL, or the --out folder of mmrole respond"
    )
    add_dialogues_to(files)
    files.add_argument("--roles", required=True, metavar="FILE", help="roles with their profiles, JSONL")
    files.add_argument(
        "--previous",
        metavar="FILE",
        help="previous information, JSONL (without it: exp and rel against the profile alone)",
    )
    files.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    how = parser.add_argument_group("how")
    how.add_argument(
        "--judge",
        required=True,
        nargs="+",
        action="extend",
        metavar="ENDPOINT",
        help="judges, endpoints of the configuration; two or more (one is allowed)",
    )
    how.add_argument(
        "--method",
        choices=("evidence", "subjective"),
        default="evidence",
        help="evidence of both sides with quotes, or a rating from 1 to 5 (default: evidence)",
    )
    how.add_argument(
        "--aspects",
        nargs="+",
        choices=("exp", "rel", "cha"),
        default=["exp", "rel", "cha"],
        help="what is judged (default: all three)",
    )
    how.add_argument("--lang", choices=("zh", "en"), help="of the prompts (default: that of the dialogues)")
    how.add_argument("--config", metavar="FILE", help="endpoints (default: mmrole.toml in the working folder)")
    how.add_argument("--cache", metavar="DIR", help="reply cache (default: in the user's cache folder)")
    how.add_argument("--no-cache", action="store_true", help="use no reply cache")
    how.add_argument(
        "--max-cost",
        type=float,
        metavar="X",
        help="end before all judges together cost more, in the price list's currency",
    )
    how.add_argument("--dry-run", action="store_true", help="say what it would take, ask nothing")
    how.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.judge import estimate_judge, judge

    given: dict[str, Any] = {
        "dialogues": args.dialogues, "roles": args.roles, "judges": args.judge, "out": args.out, "previous": args.previous,
        "method": args.method, "aspects": args.aspects, "lang": args.lang, "format": args.format, "config": args.config,
        "cache": False if args.no_cache else args.cache, "max_cost": args.max_cost,
    }  # fmt: skip
    if args.dry_run:
        return _print_estimates(estimate_judge(args.responses, **given), args.json)
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        done = judge(args.responses, **given, on_progress=progress.show)
    _print_json(done) if args.json else _print(done)
    return EXIT_SOME_FAILED if any(exit_code(stage) for stage in done.stages.values()) else 0


def _print_json(done: JudgeRun) -> None:
    print_json(
        out=str(done.out), counts=done.counts, skipped=done.skipped, notes=done.notes,
        judges={name: stage_record(stage) for name, stage in done.stages.items()},
        scores=[score.to_record() for score in done.scores],
        judgements=None if done.judgements is None else str(done.judgements),
    )  # fmt: skip


def _print(done: JudgeRun) -> None:
    from mmrole.cli.tables import score_lines, text_table
    from mmrole.jobs.markdown import NOTHING, number

    for note in done.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    for name, stage in done.stages.items():
        print_stage(stage, f"{noun(stage.total, 'reply', 'replies')} of {one_line(name)}")
    if done.scores:
        print(*score_lines(done.scores), sep="\n")
        rows = [
            [
                score.metric,
                NOTHING if score.details["coverage"] is None else f"{score.details['coverage']:.1%}",
                f"{score.details['scored_by_one_judge']:,}",
                number(score.details["alpha"])
                if score.details["alpha"] is not None
                else f"– ({score.details['alpha_reason']})",
                ", ".join(f"{judge} {number(of['mean'])}" for judge, of in score.details["judges"].items()),
            ]
            for score in done.scores
        ]
        print(
            *text_table(["aspect", "coverage", "by one judge only", "alpha", "mean by judge"], rows, "lrrrl"), sep="\n"
        )
    counts = done.counts
    pending = f" + {counts['pending']:,} pending" if counts["pending"] else ""
    print(
        f"{counted(counts['inputs'], 'judgement')} = {counts['done']:,} done + {counts['failed'] - counts['pending']:,} failed + "
        f"{counts['skipped']:,} skipped{pending} -> {one_line(done.judgements or done.out)}"
    )


def _print_estimates(estimates: dict[str, Estimate], as_json: bool) -> int:
    from mmrole.cli.bench_outcome import estimate_record

    if as_json:
        print_json(judges={name: estimate_record(estimate) for name, estimate in estimates.items()})
        return 0
    for name, estimate in estimates.items():
        print(f"{one_line(name)}: {estimate}")
    print_together(estimates.values())
    return 0
