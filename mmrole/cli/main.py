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
from typing import Any, NoReturn

from mmrole.cli import (
    agree,
    bench,
    check,
    compare,
    demo,
    describe,
    doctor,
    erc,
    experts,
    extract,
    judge,
    judge_review,
    labels,
    models,
    plot,
    recognize,
    respond,
    score,
    verify,
)
from mmrole.cli.lines import one_line
from mmrole.core.errors import MMRoleError, UsageError

_COMMANDS = (
    extract,
    verify,
    check,
    labels,
    experts,
    describe,
    recognize,
    respond,
    judge,
    judge_review,
    score,
    erc,
    compare,
    agree,
    bench,
    plot,
    models,
    doctor,
    demo,
)
_BEGIN_ANEW = frozenset(
    command.__name__
    for command in (agree, check, compare, doctor, erc, experts, judge_review, labels, plot, score, verify)
)
"""Modules of commands that store nothing before they are through."""
EXIT_ERROR, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses what it does not know by its own name: the help that is pointed to is that of the command."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

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
    _signals.clear()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
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
    _interrupted[:] = [_ANEW if args.run.__module__ in _BEGIN_ANEW else _INTERRUPTED]
    try:
        return int(args.run(args))
    except UsageError as error:
        print(one_line(f"mmrole: {error}"), file=sys.stderr)
        return EXIT_USAGE
    except MMRoleError as error:
        print(one_line(f"mmrole: {error}"), file=sys.stderr)
        return EXIT_ERROR
    except BrokenPipeError:  # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ERROR
    except BaseException as error:
        # a library that is interrupted while it is imported may say ImportError
        if not _signals and not isinstance(error, KeyboardInterrupt):
            raise
        print(_interrupted[0], file=sys.stderr)
        return EXIT_INTERRUPTED


_INTERRUPTED = "mmrole: interrupted; what was finished is stored, the same command goes on from there"
_ANEW = "mmrole: interrupted before it was through; the same command begins anew"
_interrupted: list[str] = [_INTERRUPTED]
"""What is said of the command that runs."""
_signals: list[int] = []


def _interrupt(number: int, _frame: FrameType | None) -> None:
    """Ends the command; a second signal ends it at once, which loses nothing that is stored."""
    _signals.append(number)
    if len(_signals) > 1:
        os.write(2, f"{_interrupted[0]}\n".encode())
        os._exit(EXIT_INTERRUPTED)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
