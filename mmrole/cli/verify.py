"""`mmrole verify FEATURES`."""

from __future__ import annotations

import argparse
import json

from mmrole.cli.types import Commands
from mmrole.core.counting import counted


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = "read a folder of features again: every file, its hash, and whether all is there"
    parser = commands.add_parser("verify", help=text, description=text)
    parser.add_argument("features", metavar="FEATURES", help="the --out folder of mmrole extract")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.verify import verify

    report = verify(args.features)
    if args.json:
        print(
            json.dumps({"clips": report.clips, "files": report.files, "problems": report.problems}, ensure_ascii=False)
        )
    else:
        for problem in report.problems:
            print(problem)
        print(
            f"{counted(report.clips, 'clip')}, {counted(report.files, 'file')} read: {counted(len(report.problems), 'problem')}"
        )
    return 1 if report.problems else 0
