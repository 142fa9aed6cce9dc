"""`mmrole compare`."""

from __future__ import annotations

import argparse
import json
import sys

from mmrole.cli.lines import one_line
from mmrole.cli.score import add_bootstrap_to
from mmrole.cli.types import Commands
from mmrole.core.counting import counted


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("compare", help="lay scored runs side by side, with differences on common items")
    parser.description = (
        "Lays folders of scores side by side, each one agent under one condition, as a table in Markdown, LaTeX and CSV; "
        "differences from the first folder are on the items that both have, with intervals."
    )
    parser.add_argument(
        "folders",
        nargs="+",
        metavar="DIR",
        help="the --out folders of mmrole score or mmrole erc, or folders of mmrole bench lifechoice (whose methods are compared) or "
        "mmrole bench rolecde",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="of the runs (default: the names of their folders)")
    parser.add_argument(
        "--dialogues", metavar="FILE", help="the ground truth, where it is no longer where it was scored"
    )
    parser.add_argument("--all-pairs", action="store_true", help="differences of every two runs")
    add_bootstrap_to(parser)
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.compare import compare

    done = compare(
        args.folders, out=args.out, names=args.names, dialogues=args.dialogues, all_pairs=args.all_pairs,
        bootstrap=args.bootstrap, seed=args.seed,
    )  # fmt: skip
    found = done.comparison
    if args.json:
        outcome = {
            "out": str(done.out),
            "notes": done.notes,
            "runs": [{"name": run.name, "scores": [s.to_record() for s in run.scores]} for run in found.runs],
            "differences": [
                {"first": pair.first, "second": pair.second, "scores": [s.to_record() for s in pair.scores]}
                for pair in found.pairs
            ],
        }
        print(json.dumps(outcome, ensure_ascii=False))
        return 0
    from mmrole.cli.tables import difference_lines, runs_lines

    for note in done.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    print(*runs_lines(found), "* the best of its row; each run over its own items", sep="\n")
    for pair in found.pairs:
        print("", one_line(f"{pair.second} minus {pair.first}, on what both have"), *difference_lines(pair), sep="\n")
    print("", f"{counted(len(found.runs), 'run')} -> {one_line(done.out)}", sep="\n")
    return 0
