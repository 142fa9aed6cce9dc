"""`mmrole describe`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mmrole.cli.bench_outcome import EXIT_SOME_FAILED, print_estimate, print_json
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.types import Commands
from mmrole.core.counting import counted
from mmrole.core.errors import UsageError

if TYPE_CHECKING:
    from mmrole.jobs.describe import DescribeResult

_MODALITIES = ("face", "body", "speech")


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("describe", help="describe face, body and speech of extracted clips in words")
    parser.description = (
        "Turns the features of mmrole extract into descriptions in words, by rules (embedded, no model) or by a language model. "
        "Fills a folder with descriptions.jsonl: one record for each utterance and modality; where there is no text it says why. "
        "Interrupted, the same command goes on; run again, it describes only what has changed. A folder keeps to one describer and "
        "language. "
        "A refusal, a cut-off or an unreadable reply is a result and stays stored: choose another --out to ask again."
    )
    parser.add_argument("--features", required=True, metavar="DIR", help="the folder of mmrole extract")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    parser.add_argument(
        "--dialogues", metavar="FILE", help="the utterances to describe: CPED, MELD or JSONL (default: every clip of the features)"
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=("auto", "cped", "meld", "jsonl"), default="auto", help="of the dialogues (default: told from the file)"
    )  # fmt: skip
    parser.add_argument(
        "--describer", default="embedded", metavar="NAME", help="embedded, or an endpoint of the configuration (default: embedded)"
    )  # fmt: skip
    parser.add_argument(
        "--modalities", nargs="+", choices=_MODALITIES, default=list(_MODALITIES), help="what is described (default: all three)"
    )  # fmt: skip
    parser.add_argument(
        "--lang",
        choices=("zh", "en"),
        help="language of prompts and descriptions (default: that of most of the dialogues; en without dialogues)",
    )
    model = parser.add_argument_group("with a model")
    model.add_argument(
        "--vision",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="show it pictures of face and body; --no-vision tells it what was measured (default: yes)",
    )
    model.add_argument("--roles", metavar="FILE", help="roles.jsonl, whose pictures are shown beside the keyframes")
    model.add_argument("--config", metavar="FILE", help="endpoints (default: mmrole.toml in the working folder)")
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
    from mmrole.jobs.describe import describe, estimate_describe

    given: dict[str, Any] = {
        "out": args.out, "dialogues": args.dialogues, "roles": args.roles, "describer": args.describer,
        "modalities": args.modalities, "vision": args.vision, "lang": args.lang, "format": args.format,
    }  # fmt: skip
    asked = {"config": args.config, "cache": False if args.no_cache else args.cache}
    if args.dry_run:
        if args.describer == "embedded":
            raise UsageError("--dry-run is for a model: the embedded describer asks none")
        return print_estimate(estimate_describe(args.features, **given, **asked), args.json)
    with progress_of("descriptions", quiet=args.quiet or args.json) as progress:
        result = describe(args.features, **given, **asked, max_cost=args.max_cost, on_progress=progress.show)
    if args.json:
        print_json(
            out=str(result.out), describer=result.describer, counts=result.counts, notes=list(result.notes),
            reasons={modality: dict(counts) for modality, counts in result.reasons.items()},
            spent=result.spent.to_record(), currency=result.currency,
            stopped=None if result.stopped is None else result.stopped.message,
        )  # fmt: skip
    else:
        _print(result)
    return EXIT_SOME_FAILED if result.failed or result.pending else 0


def _print(result: DescribeResult) -> None:
    for note in result.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    pending = f" + {result.pending:,} pending" if result.pending else ""
    print(
        f"{counted(result.total, 'description')} = {result.done:,} done + {result.failed:,} failed + {result.skipped:,} skipped{pending}; "
        f"{result.reused:,} of them reused"
    )
    for modality, counts in result.reasons.items():
        if counts:
            listed = ", ".join(f"{reason} {count:,}" for reason, count in counts.most_common())
            print(one_line(f"  no description of {modality}: {listed}"))
    if result.spent.cost is not None:
        print(f"  spent: {result.spent.cost:.4f} {result.currency}")
    if result.stopped is not None:
        print(one_line(f"  ended early: {result.stopped.message}"))
        print(one_line(f"the descriptions were not written, because it ended early; the replies are in {result.out}"))
    else:
        print(one_line(f"-> {result.out / 'descriptions.jsonl'}"))
