"""`mmrole score`."""

from __future__ import annotations

import argparse
import json
import sys

from mmrole.cli.lines import one_line
from mmrole.cli.types import Commands
from mmrole.core.counting import counted


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("score", help="score an agent's responses by the votes of emotion experts")
    parser.description = (
        "Scores the responses of one agent under one condition: MEC, CEC, ED, EDD and RCD from the votes of experts, Exp, Rel and Cha "
        "from judgements. Fills a folder with labels, transitions, confusion counts, scores and scores.md."
    )
    files = parser.add_argument_group("files")
    add_dialogues_to(files)
    files.add_argument(
        "--votes",
        required=True,
        metavar="FILE",
        help="votes of the experts, JSONL, or the --out folder of mmrole recognize",
    )
    files.add_argument(
        "--responses", metavar="FILE", help="the agent's responses, JSONL, or their folder: counts those without votes"
    )
    files.add_argument(
        "--judgements",
        metavar="FILE",
        help="judgements of role consistency, JSONL, or their folder: adds Exp, Rel, Cha",
    )
    files.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    add_voters_to(files)
    labels = parser.add_argument_group("labels")
    add_labels_to(labels)
    labels.add_argument(
        "--threshold", default="7/10", metavar="F", help="share of the valid votes that makes a label (default: 7/10)"
    )
    labels.add_argument(
        "--min-valid", default="1/2", metavar="F", help="share of the votes that has to be valid (default: 1/2)"
    )
    who = parser.add_argument_group("who is scored")
    who.add_argument(
        "--two-speakers-only",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="only dialogues of exactly two speakers (default: yes)",
    )
    who.add_argument(
        "--nobody", action="append", metavar="NAME", help="a speaker who is no role, instead of 其他; may be repeated"
    )
    metrics = parser.add_argument_group("metrics")
    metrics.add_argument(
        "--average", choices=("micro", "macro", "jaccard"), default="micro", help="of MEC (default: micro)"
    )
    metrics.add_argument(
        "--empty",
        choices=("excluded", "miss"),
        default="excluded",
        help="a response without any accepted label leaves MEC, or is a miss (default: excluded)",
    )
    metrics.add_argument("--cec", choices=("alpha", "pairwise"), default="alpha", help="what CEC is (default: alpha)")
    metrics.add_argument(
        "--ed", choices=("entropy", "alpha"), default="entropy", help="what ED is: entropy, or 1 - alpha (default: entropy)"
    )  # fmt: skip
    metrics.add_argument(
        "--method",
        choices=("evidence", "graded", "subjective"),
        default="evidence",
        help="how a judgement becomes a score (default: evidence)",
    )
    metrics.add_argument(
        "--kinds",
        nargs="+",
        choices=("intra", "inter", "same_speaker"),
        default=["intra", "inter"],
        help="transitions of EDD and RCD (default: intra inter)",
    )
    metrics.add_argument(
        "--min-transitions", type=int, default=10, metavar="N", help="roles with fewer are left out (default: 10)"
    )
    metrics.add_argument("--drop-self-loops", action="store_true", help="only transitions to another label")
    metrics.add_argument(
        "--equalise", action="store_true", help="draw a role's larger matrix down to the smaller (no intervals then)"
    )
    add_bootstrap_to(parser)
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def add_dialogues_to(parser: argparse._ActionsContainer) -> None:
    """Adds the options that name the ground truth."""
    parser.add_argument("--dialogues", required=True, metavar="FILE", help="the ground truth: CPED, MELD or JSONL")
    parser.add_argument(
        "--format",
        choices=("auto", "cped", "meld", "jsonl"),
        default="auto",
        help="of the ground truth (default: told from the file)",
    )


def add_voters_to(parser: argparse._ActionsContainer) -> None:
    """Adds the options that choose whose votes count."""
    parser.add_argument(
        "--experts",
        nargs="+",
        default=[],
        metavar="NAME",
        help="take only the votes of these experts (default: of all)",
    )
    parser.add_argument(
        "--without-baselines", action="store_true", help="leave out the votes of baselines, which are not for reporting"
    )


def add_labels_to(parser: argparse._ActionsContainer) -> None:
    """Adds the options that choose the label set."""
    parser.add_argument(
        "--labels",
        metavar="SET",
        help="label set, a name of `mmrole labels` or a TOML file (default: that of the format, else cped-13)",
    )
    parser.add_argument(
        "--truth-map",
        metavar="MAP",
        help="label map from the file's labels to those of the scores: a name of `mmrole labels` or a TOML file",
    )


def add_bootstrap_to(parser: argparse._ActionsContainer) -> None:
    """Adds the options of the intervals."""
    parser.add_argument(
        "--bootstrap", type=int, default=1000, metavar="N", help="draws of the 95 %% intervals; 0 for none (default: 1000)"
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draws (default: 0)")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from emotion.ensemble import exact
    from emotion.options import ScoreOptions
    from mmrole.core.dialogue import NOBODY
    from mmrole.jobs.score import score_files

    options = ScoreOptions(
        threshold=exact(args.threshold, "--threshold"), min_valid=exact(args.min_valid, "--min-valid"), average=args.average,
        empty=args.empty, min_transitions=args.min_transitions, kinds=tuple(dict.fromkeys(args.kinds)),
        drop_self_loops=args.drop_self_loops, equalise=args.equalise, two_speakers_only=args.two_speakers_only,
        nobody=NOBODY if args.nobody is None else frozenset([*args.nobody, ""]), cec_measure=args.cec, ed_measure=args.ed,
        rc_method=args.method,
    )  # fmt: skip
    done = score_files(
        args.dialogues, args.votes, out=args.out, responses=args.responses, judgements=args.judgements, format=args.format,
        labels=args.labels, truth_map=args.truth_map, experts=args.experts, baselines=not args.without_baselines,
        options=options, bootstrap=args.bootstrap, seed=args.seed,
    )  # fmt: skip
    coverage = done.report.coverage()
    if args.json:
        outcome = {
            "out": str(done.out),
            "counts": done.counts,
            "coverage": coverage,
            "notes": done.notes,
            "scores": [score.to_record() for score in done.report.scores],
        }
        print(json.dumps(outcome, ensure_ascii=False))
        return 0
    from mmrole.cli.tables import score_lines

    for note in done.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    print(*score_lines(done.report.scores), sep="\n")
    counts = done.counts
    print(
        f"{counted(counts['inputs'], 'voted utterance')} = {counts['done']:,} done + {counts['failed']:,} failed + "
        f"{counts['skipped']:,} skipped; "
        f"{coverage['answered']:,} of {counted(coverage['played_turns'], 'turn')} answered -> {one_line(done.out)}"
    )
    return 0
