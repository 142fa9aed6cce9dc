"""`mmrole experts [train | show FILE]`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from mmrole.cli.lines import one_line
from mmrole.cli.types import Commands
from mmrole.core.counting import counted

if TYPE_CHECKING:
    from emotion.experts.trained_model import TrainedText


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = "list the kinds of emotion experts and what each can give, train one, or show a trained one"
    parser = commands.add_parser("experts", help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.add_argument("--labels", default="cped-13", metavar="SET", help="label set (default: cped-13)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_list)
    parts = parser.add_subparsers(title="parts", metavar="PART", parser_class=type(parser))
    _add_train(parts)
    show = parts.add_parser("show", help="what a trained expert was trained on and how good it is")
    show.add_argument("file", metavar="FILE", help="the file that mmrole experts train wrote")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run=run_show)


def _add_train(parts: Commands) -> None:
    parser = parts.add_parser("train", help="train a text expert on labelled dialogues")
    parser.description = (
        "Trains a text expert on labelled dialogues: logistic regression on character n-grams of the utterance and of those before it. "
        "The file keeps label set, hash of the data, versions, settings and cross-validated scores."
    )
    parser.add_argument(
        "--data", required=True, nargs="+", metavar="FILE", help="CPED or MELD tables or the project's JSONL"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the file to write, such as expert.npz")
    parser.add_argument("--format", default="auto", choices=("auto", "cped", "meld", "jsonl"), help="of the data")
    parser.add_argument("--labels", metavar="SET", help="name or TOML file of the label set (default: of the format)")
    parser.add_argument(
        "--truth-map", metavar="MAP", help="label map from the labels of the data to those of the expert"
    )
    parser.add_argument(
        "--target",
        choices=("emotion", "sentiment"),
        default="emotion",
        help="column of the data to learn (default: emotion)",
    )
    parser.add_argument(
        "--groups",
        choices=("dialogue", "show"),
        default="dialogue",
        help="what stays together in cross-validation (default: dialogue)",
    )
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="of the cross-validation (default: 5)")
    parser.add_argument(
        "--ngrams", type=int, default=2, metavar="N", help="characters of the longest n-gram (default: 2)"
    )
    parser.add_argument(
        "--context", type=int, default=2, metavar="N", help="utterances before that are read (default: 2)"
    )
    parser.add_argument(
        "--context-weight", type=float, default=0.5, metavar="X", help="of each step back (default: 0.5)"
    )
    parser.add_argument(
        "--fewest", type=int, default=2, metavar="N", help="leave out n-grams in fewer utterances (default: 2)"
    )
    parser.add_argument(
        "--strength", type=float, default=3.0, metavar="X", help="inverse of the regularisation (default: 3)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the folds (default: 0)")
    parser.add_argument("--quiet", action="store_true", help="no lines about the progress")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run_train)


def run_list(args: argparse.Namespace) -> int:
    """Lists the kinds."""
    from mmrole.jobs.experts_kinds import kinds_of_experts

    kinds = kinds_of_experts(args.labels)
    if args.json:
        print(json.dumps([kind.to_record() for kind in kinds], ensure_ascii=False))
        return 0
    from mmrole.cli.tables import text_table

    rows = [
        [kind.kind, " ".join(kind.streams), "yes" if kind.baseline else "no", kind.gives, kind.what] for kind in kinds
    ]
    print(*text_table(["kind", "streams", "baseline", "can give", "what"], rows), sep="\n")
    print(
        "\na baseline is not for reporting, and every vote of it says so; `mmrole experts show FILE` shows a trained one"
    )
    return 0


def run_train(args: argparse.Namespace) -> int:
    """Trains an expert."""
    from emotion.experts.trained_training import TrainingOptions
    from mmrole.jobs.experts import train_expert

    done = train_expert(
        args.data,
        out=args.out,
        format=args.format,
        labels=args.labels,
        truth_map=args.truth_map,
        target=args.target,
        groups=args.groups,
        options=TrainingOptions(
            ngrams=args.ngrams,
            context=args.context,
            context_weight=args.context_weight,
            fewest=args.fewest,
            strength=args.strength,
            folds=args.folds,
            seed=args.seed,
        ),
        tell=_silent if args.quiet else _say,
    )
    if args.json:
        outcome = {"out": str(done.out), "counts": done.counts, "skipped": done.skipped, "notes": done.notes}
        print(json.dumps({**outcome, "expert": _record(done.model)}, ensure_ascii=False))
        return 0
    for note in done.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    print(*_lines(done.model), sep="\n")
    counts = done.counts
    why = "".join(f", {reason} {count:,}" for reason, count in done.skipped.items())
    print(
        f"{counted(counts['inputs'], 'utterance')} = {counts['done']:,} done + {counts['failed']:,} failed + "
        f"{counts['skipped']:,} skipped{why} -> {one_line(done.out)}"
    )
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Shows a trained expert."""
    from emotion.experts.trained_model import read_trained

    model = read_trained(args.file)
    print(*([json.dumps(_record(model), ensure_ascii=False)] if args.json else _lines(model)), sep="\n")
    return 0


def _record(model: TrainedText) -> dict[str, Any]:
    from mmrole.jobs.experts import model_record

    return model_record(model)


def _lines(model: TrainedText) -> list[str]:
    """A trained expert for people."""
    from mmrole.jobs.experts_page import trained_lines

    return [one_line(line) for line in trained_lines(model)]


def _say(line: str) -> None:
    print(one_line(line), file=sys.stderr, flush=True)


def _silent(_line: str) -> None:
    pass
