"""Arguments that the stages of the benchmarks share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from mmrole.cli.types import Commands


def stage_parser(
    stages: Commands, name: str, text: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """The parser of a stage.

    Args:
        stages: of the benchmark
        name: of the stage
        text: one line
        run: from the parsed arguments to the exit code
    """
    parser = stages.add_parser(name, help=text, description=text[:1].upper() + text[1:] + ".")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)
    return parser


def add_asking(parser: argparse.ArgumentParser) -> None:
    """The arguments of a stage that asks a model."""
    parser.add_argument("--config", metavar="FILE", help="endpoints (default: mmrole.toml in the working folder)")
    parser.add_argument("--cache", metavar="DIR", help="reply cache (default: in the user's cache folder)")
    parser.add_argument("--no-cache", action="store_true", help="use no reply cache")
    parser.add_argument(
        "--max-cost", type=float, metavar="X", help="end before it costs more, in the price list's currency"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what it would take, ask nothing")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def asked_of(args: argparse.Namespace) -> dict[str, Any]:
    """What a stage that asks a model is given, see `mmrole.jobs.asking.asking_of`."""
    return {"config": args.config, "cache": False if args.no_cache else args.cache, "max_cost": args.max_cost}
