"""`mmrole demo`."""

from __future__ import annotations

import argparse

from mmrole.cli.bench_outcome import EXIT_SOME_FAILED
from mmrole.cli.progress import progress_of
from mmrole.cli.types import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = (
        "the whole way on the clips in fixtures/, without a language model: measure, describe, recognise, score, draw"
    )
    parser = commands.add_parser("demo", help=text, description=text)
    parser.add_argument(
        "--clips", metavar="DIR", default="fixtures/clips", help="folder of clips (default: fixtures/clips)"
    )
    parser.add_argument(
        "--dialogues", metavar="FILE", default=None, help="their table (default: dialogues.csv beside that folder)"
    )
    parser.add_argument(
        "--panel", metavar="FILE", default=None, help="the experts (default: panel.toml beside that folder)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default="demo", help="where to put results and pictures (default: demo)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.demo import demo

    with progress_of("clips", quiet=args.quiet) as progress:
        done = demo(
            args.clips,
            dialogues=args.dialogues,
            panel=args.panel,
            out=args.out,
            on_progress=progress.show,
            say=progress.say,
        )
    print("\n".join(done.lines))
    return EXIT_SOME_FAILED if done.failed else 0
