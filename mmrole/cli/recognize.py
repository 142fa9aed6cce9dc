"""`mmrole recognize`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mmrole.cli.bench_outcome import EXIT_SOME_FAILED, print_json, print_together
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.types import Commands
from mmrole.core.counting import counted

if TYPE_CHECKING:
    from mmrole.jobs.recognize import ExpertOutcome, RecognizeResult
    from mmrole.llm import Estimate


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("recognize", help="have a panel of experts vote on emotions")
    parser.description = (
        "Has a panel of experts vote on the emotions of the dialogues' own utterances (their clips) or, with --responses, of what an "
        "agent said in their place. mmrole score and mmrole erc read the votes. A folder keeps to its experts, language and utterances; "
        "further experts may join. A refusal, a cut-off or an unreadable reply is a result and stays stored: choose another --out to ask "
        "again."
    )
    parser.add_argument("--dialogues", required=True, metavar="FILE", help="CPED or MELD table, or the project's JSONL")
    parser.add_argument("--panel", required=True, metavar="FILE", help="TOML file with a table [[experts]] per expert")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    parser.add_argument(
        "--descriptions", metavar="FILE", help="descriptions.jsonl of the clips, or the folder of mmrole describe"
    )
    parser.add_argument(
        "--responses",
        metavar="FILE",
        help="responses.jsonl of an agent, or the --out folder of mmrole respond: vote on these, not on the clips",
    )
    parser.add_argument("--features", metavar="DIR", help="features of the clips (mmrole extract)")
    parser.add_argument(
        "--history", type=int, default=20, metavar="N", help="lines before an utterance that are shown (default: 20)"
    )
    parser.add_argument(
        "--lang", choices=("zh", "en"), help="language of the prompts (default: that of most of the dialogues)"
    )
    parser.add_argument(
        "--format",
        choices=("auto", "cped", "meld", "jsonl"),
        default="auto",
        help="of the dialogues (default: told from the file)",
    )
    parser.add_argument(
        "--labels", metavar="SET", help="label set, by name or TOML file (default: that of the format, else cped-13)"
    )
    model = parser.add_argument_group("experts that ask a model")
    model.add_argument(
        "--config",
        metavar="FILE",
        help="endpoints (default: the panel's own file when it has any, else mmrole.toml in the working folder)",
    )
    model.add_argument("--cache", metavar="DIR", help="reply cache (default: in the user's cache folder)")
    model.add_argument("--no-cache", action="store_true", help="use no reply cache")
    model.add_argument(
        "--max-cost", type=float, metavar="X", help="end before it costs more, in the price list's currency"
    )
    model.add_argument("--dry-run", action="store_true", help="say what it would take, ask nothing")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.recognize import estimate_recognize, recognize

    given: dict[str, Any] = {
        "panel": args.panel, "out": args.out, "descriptions": args.descriptions, "responses": args.responses,
        "features": args.features, "history": args.history, "lang": args.lang, "format": args.format, "labels": args.labels,
        "config": args.config, "cache": False if args.no_cache else args.cache, "max_cost": args.max_cost,
    }  # fmt: skip
    if args.dry_run:
        return _print_estimates(estimate_recognize(args.dialogues, **given), args.json)
    with progress_of("votes", quiet=args.quiet or args.json) as progress:
        result = recognize(args.dialogues, **given, on_progress=progress.show)
    if args.json:
        print_json(**_record(result))
    else:
        for note in result.notes:
            print(one_line(f"mmrole: {note}"), file=sys.stderr)
        for line in _lines(result):
            print(one_line(line))
    return EXIT_SOME_FAILED if result.counts["failed"] else 0


def _print_estimates(estimates: dict[str, Estimate], as_json: bool) -> int:
    if as_json:
        print_json(
            experts={
                name: {
                    "total": each.total, "stored": each.stored, "cached": each.cached, "calls": each.calls,
                    "prompt_tokens": each.prompt_tokens, "completion_tokens": each.completion_tokens,
                    "least_cost": each.least_cost, "most_cost": each.most_cost, "currency": each.currency,
                }
                for name, each in estimates.items()
            }
        )  # fmt: skip
        return 0
    if not estimates:
        print("no expert of the panel asks a language model: it costs nothing")
    for name, each in estimates.items():
        print(f"{name}: {each}")
    print_together(estimates.values())
    return 0


def _record(result: RecognizeResult) -> dict[str, Any]:
    return {
        "votes": str(result.votes),
        "utterances": result.utterances,
        "counts": result.counts,
        "skipped": list(result.skipped),
        "experts": [{**each.to_record(), "spent": each.spent.to_record()} for each in result.experts],
        "spent": result.spent.to_record(),
        "currency": result.currency,
        "notes": list(result.notes),
    }


def _lines(result: RecognizeResult) -> Iterator[str]:
    counts = result.counts
    pending = f" + {counts['pending']:,} pending" if counts["pending"] else ""
    yield (
        f"{counted(counts['inputs'], 'vote')} on {counted(result.utterances, 'utterance')} = {counts['done']:,} done + "
        f"{counts['failed'] - counts['pending']:,} failed + {counts['skipped']:,} skipped{pending}; {counts['reused']:,} of them reused"
    )
    width = max(len(each.name) for each in result.experts)
    for each in result.experts:
        yield f"  {each.name:{width}}  {', '.join(_facts(each))}"
        for reason, count in each.errors.most_common(3):
            yield f"  {'':{width}}  {count:,} failed: {reason}"
        if each.stopped is not None:
            yield f"  {'':{width}}  ended early: {each.stopped}"
    if result.spent.cost is not None:
        yield f"  spent: {result.spent.cost:.4f} {result.currency}"
    yield f"-> {result.votes}"


def _facts(each: ExpertOutcome) -> Iterator[str]:
    yield f"{each.kind}, baseline, not for reporting" if each.baseline else each.kind
    yield f"{each.asked:,} asked, {each.valid:,} valid"
    others = {name: count for name, count in sorted(each.statuses.items()) if name not in ("ok", "absent") and count}
    if others:
        yield ", ".join(f"{count:,} {name}" for name, count in others.items())
    if each.reasons:
        yield "nothing to show: " + ", ".join(f"{count:,} {reason}" for reason, count in sorted(each.reasons.items()))
