"""`mmrole agree`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from mmrole.cli.score import add_bootstrap_to
from mmrole.cli.types import Commands

if TYPE_CHECKING:
    from mmrole.core.scores import Score


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("agree", help="agreement of raters: alpha, kappas, AC1, correlations")
    parser.description = (
        "Agreement of the raters of a CSV table: Krippendorff's alpha; Fleiss' kappa, Gwet's AC1 and Cohen's kappa for nominal ratings; "
        "weighted kappas and correlations for ordered ones. A table is wide (a column of units, one column per rater) or long "
        "(columns unit, rater, rating); empty cells are missing ratings."
    )
    parser.add_argument("file", metavar="FILE", help="the table of ratings, CSV")
    parser.add_argument(
        "--level",
        choices=("nominal", "ordinal", "interval", "ratio"),
        default="nominal",
        help="of measurement (default: nominal)",
    )
    parser.add_argument(
        "--order", metavar="A,B,C", help="the values in rising order, for ordinal ratings that are words"
    )
    add_bootstrap_to(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.agree import agree_file

    order = None if args.order is None else [value.strip() for value in args.order.split(",")]
    found = agree_file(args.file, level=args.level, order=order, bootstrap=args.bootstrap, seed=args.seed)
    table = found.table
    if args.json:
        outcome = {
            "level": found.level,
            "raters": list(table.raters),
            "units": len(table.units),
            "values": table.values(),
            "scores": [score.to_record() for score in found.scores],
        }
        print(json.dumps(outcome, ensure_ascii=False))
        return 0
    from mmrole.cli.tables import text_table
    from mmrole.jobs.markdown import interval, number

    rows = [
        [
            _NAMES.get(score.metric, score.metric),
            score.part,
            f"– ({score.reason})" if score.value is None else number(score.value),
            interval(score.ci),
            f"{score.n:,}",
            number(score.details.get("observed_agreement")),
            _left_out(score),
        ]
        for score in found.scores
    ]
    print(
        f"{len(table.units):,} units, {len(table.raters):,} raters, {len(table.values()):,} values, {found.level} level"
    )
    header = ["measure", "of", "value", "95 % interval", "n", "observed", "left out"]
    print(*text_table(header, rows, "llrlrrl"), sep="\n")
    print("observed: share of agreeing pairs, which chance alone may explain when one value prevails")
    return 0


_NAMES = {
    "alpha": "Krippendorff's alpha",
    "kappa_fleiss": "Fleiss' kappa",
    "kappa_cohen": "Cohen's kappa",
    "ac1": "Gwet's AC1",
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
}


def _left_out(score: Score) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in score.excluded.items() if count)
