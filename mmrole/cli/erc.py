"""`mmrole erc`."""

from __future__ import annotations

import argparse
import json
import sys

from mmrole.cli.lines import one_line
from mmrole.cli.score import add_bootstrap_to, add_dialogues_to, add_labels_to, add_voters_to
from mmrole.cli.types import Commands
from mmrole.core.counting import counted


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("erc", help="score predicted emotions of the dialogues' own utterances")
    parser.description = (
        "Scores predicted emotions of the dialogues' own utterances: accuracy, weighted and macro F1 over all and over the answered "
        "utterances, precision, recall and F1 of each label, confusion counts."
    )
    add_dialogues_to(parser)
    parser.add_argument(
        "--predictions",
        required=True,
        metavar="FILE",
        help="JSONL or CSV with utterance_id and label, or votes.jsonl of mmrole recognize, whose votes are fused",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    add_labels_to(parser)
    parser.add_argument("--prediction-map", metavar="MAP", help="label map for the predictions, as --truth-map")
    parser.add_argument(
        "--target",
        choices=("emotion", "sentiment"),
        default="emotion",
        help="column of the ground truth that is the truth (default: emotion)",
    )
    parser.add_argument(
        "--level",
        choices=("lower", "upper"),
        default="lower",
        help="labels, or the sentiments that they map to (default: lower)",
    )
    parser.add_argument(
        "--without",
        nargs="+",
        default=[],
        metavar="LABEL",
        help="labels to leave out of two more averages, such as neutral",
    )
    parser.add_argument(
        "--stream",
        metavar="NAME",
        help="take only predictions of this stream (of votes, or of a labels.jsonl of mmrole score)",
    )
    add_voters_to(parser)
    add_bootstrap_to(parser)
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.erc import erc_files

    done = erc_files(
        args.dialogues, args.predictions, out=args.out, format=args.format, labels=args.labels, truth_map=args.truth_map,
        prediction_map=args.prediction_map, target=args.target, level=args.level, without=args.without, stream=args.stream,
        experts=args.experts, baselines=not args.without_baselines, bootstrap=args.bootstrap, seed=args.seed,
    )  # fmt: skip
    scores = list(done.result.values())
    if args.json:
        outcome = {
            "out": str(done.out),
            "counts": done.counts,
            "notes": done.notes,
            "scores": [score.to_record() for score in scores],
            "per_class": done.result.per_class,
            "per_class_answered": done.result.per_class_answered,
        }
        print(json.dumps(outcome, ensure_ascii=False))
        return 0
    from mmrole.cli.tables import score_lines

    for note in done.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    print(*score_lines(scores), sep="\n")
    counts = done.counts
    print(
        f"{counted(counts['inputs'], 'prediction')} = {counts['done']:,} done + {counts['failed']:,} failed + "
        f"{counts['skipped']:,} skipped -> {one_line(done.out)}"
    )
    return 0
