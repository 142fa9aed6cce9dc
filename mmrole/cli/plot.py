"""`mmrole plot prosody | keyframes`."""

from __future__ import annotations

import argparse
import sys
import warnings

from mmrole.cli.types import Commands

_KINDS = {
    "prosody": "pitch, volume, speaking rate and the normalised sequences of a clip",
    "keyframes": "contact sheet: sampled frames with landmarks, and the keyframes of a clip",
}


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("plot", help="draw what was measured")
    kinds = parser.add_subparsers(title="kinds", metavar="KIND", required=True)
    for name, text in _KINDS.items():
        kind = kinds.add_parser(name, help=text, description=text)
        kind.add_argument("features", metavar="FEATURES", help="the --out folder of mmrole extract")
        kind.add_argument(
            "--clip", metavar="CLIP_ID", action="append", help="a clip (default: the first ones that were measured)"
        )
        kind.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
        kind.set_defaults(run=run, kind=name)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.plot import plot

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        path = plot(args.kind, args.features, clips=args.clip, out=args.out)
    for line in dict.fromkeys(str(warning.message) for warning in seen):
        print(f"mmrole: {line}", file=sys.stderr)
    print(path)
    return 0
