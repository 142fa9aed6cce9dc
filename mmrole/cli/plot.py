"""`mmrole plot KIND`: pictures of what was measured and of scores."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from mmrole.cli.lines import one_line
from mmrole.cli.types import Commands

_FEATURES = {
    "prosody": "pitch, volume, speaking rate and the normalised sequences of a clip",
    "keyframes": "contact sheet: sampled frames with landmarks, and the keyframes of a clip",
}
_SCORES = {
    "confusion": "true against predicted labels: one table per label of responses, a matrix of recognition",
    "classes": "precision and recall of each label: shows which labels are predicted too often",
    "transitions": "emotion transitions: ground truth, agent and their difference",
    "scores": "scores with their intervals, several folders side by side",
    "episodes": "role consistency by episode, several folders (such as conditions) side by side",
    "timeline": "the emotions of a dialogue, ground truth and prediction",
}


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("plot", help="draw what was measured, and scores")
    kinds = parser.add_subparsers(title="kinds", metavar="KIND", required=True)
    for name, text in _FEATURES.items():
        kind = kinds.add_parser(name, help=text, description=text)
        kind.add_argument("features", metavar="FEATURES", help="the --out folder of mmrole extract")
        kind.add_argument(
            "--clip", metavar="CLIP_ID", action="append", help="a clip (default: the first ones that were measured)"
        )
        _finish(kind, name, run)
    for name, text in _SCORES.items():
        kind = kinds.add_parser(name, help=text, description=text)
        kind.add_argument("folders", metavar="FOLDER", nargs="+", help="the --out folder of mmrole score or mmrole erc")
        _add_options_of(name, kind)
        kind.add_argument(
            "--lang", choices=("en", "zh"), default="en", help="language of labels and words (default: en)"
        )
        _finish(kind, name, run_scores)


def _finish(kind: argparse.ArgumentParser, name: str, run: Callable[[argparse.Namespace], int]) -> None:
    kind.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    kind.set_defaults(run=run, plot=name)


def _add_options_of(name: str, kind: argparse.ArgumentParser) -> None:
    if name in ("confusion", "classes"):
        kind.add_argument(
            "--level", choices=("lower", "upper"), help="labels, or the sentiments that they map to (default: labels)"
        )
    if name == "confusion":
        kind.add_argument(
            "--values",
            choices=("both", "share", "count"),
            default="both",
            help="what stands in a matrix: shares of the row, counts (default: both)",
        )
    elif name == "transitions":
        kind.add_argument(
            "--kind",
            choices=("intra", "inter", "same_speaker"),
            default="inter",
            help="within a turn, from the turn before, or from the role's own turn before (default: inter)",
        )
        kind.add_argument("--role", action="append", help="a role; may be repeated (default: all roles together)")
        kind.add_argument(
            "--normalise",
            choices=("row", "joint", "count"),
            default="row",
            help="share of the row, share of all transitions, or their number (default: row)",
        )
    elif name == "scores":
        kind.add_argument("--metrics", nargs="+", metavar="METRIC", help="such as mec edd (default: all)")
    elif name == "episodes":
        kind.add_argument("--show", metavar="NAME", help="only this show (default: all shows together)")
    elif name == "timeline":
        kind.add_argument(
            "--dialogue", action="append", metavar="ID", help="a dialogue; may be repeated (default: the first with labels)"
        )  # fmt: skip
        kind.add_argument(
            "--dialogues", metavar="FILE", help="the dialogues that were scored (default: where they were then)"
        )


def run(args: argparse.Namespace) -> int:
    """Runs the command on features."""
    from mmrole.jobs.plot import plot

    return _tell(lambda: plot(args.plot, args.features, clips=args.clip, out=args.out))


def run_scores(args: argparse.Namespace) -> int:
    """Runs the command on folders of scores."""
    from mmrole.jobs.plot_scores import plot_scores

    names = {
        "level": "level", "values": "values", "kind": "transition_kind", "role": "roles", "normalise": "normalise",
        "metrics": "metrics", "dialogue": "dialogue_ids", "dialogues": "dialogues", "show": "show",
    }  # fmt: skip
    options = {to: getattr(args, name) for name, to in names.items() if hasattr(args, name)}
    return _tell(lambda: plot_scores(args.plot, args.folders, out=args.out, lang=args.lang, **options))


def _tell(draw: Callable[[], Path]) -> int:
    """Draws; prints the path, and each warning once."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        path = draw()
    for line in dict.fromkeys(str(warning.message) for warning in seen):
        print(one_line(f"mmrole: {line}"), file=sys.stderr)
    print(one_line(path))
    return 0
