"""`mmrole`: parses the command line, calls one job, turns its result into an exit code.

Exit codes: 0 all done, 3 some items failed, 1 an expected error (one line), 2 usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from mmrole.cli import demo, doctor, extract, models, plot, verify
from mmrole.core.errors import MMRoleError, UsageError

_COMMANDS = (extract, verify, plot, models, doctor, demo)
EXIT_ERROR, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="mmrole", description="Measures how consistent a role-playing agent is with the character it plays."
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    for command in _COMMANDS:
        command.add_to(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    if hasattr(sys.stdout, "reconfigure"):
        for stream in (sys.stdout, sys.stderr):  # a terminal that is not UTF-8 must not end a run over a file name
            stream.reconfigure(errors="backslashreplace")
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.version:
        from importlib.metadata import version

        print(f"mmrole {version('mmrole')}")
        return 0
    if not hasattr(args, "run"):
        parser.print_help()
        return EXIT_USAGE
    try:
        return int(args.run(args))
    except UsageError as error:
        print(f"mmrole: {error}", file=sys.stderr)
        return EXIT_USAGE
    except MMRoleError as error:
        print(f"mmrole: {error}", file=sys.stderr)
        return EXIT_ERROR
    except KeyboardInterrupt:
        print("mmrole: interrupted; what was finished is stored, the same command goes on from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ERROR


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
