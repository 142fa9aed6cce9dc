"""`mmrole judge-sheet` and `mmrole judge-agree`: people beside the judges."""

from __future__ import annotations

import argparse

from mmrole.cli.bench_outcome import print_json
from mmrole.cli.lines import one_line
from mmrole.cli.score import add_bootstrap_to
from mmrole.cli.types import Commands
from mmrole.core.errors import UsageError


def add_to(commands: Commands) -> None:
    """Adds the two commands to the parser."""
    _add_sheet(commands)
    _add_agree(commands)


def _add_sheet(commands: Commands) -> None:
    parser = commands.add_parser("judge-sheet", help="a review sheet of judged responses for people")
    parser.description = (
        "Draws responses that mmrole judge has judged and writes a CSV sheet for people to judge by the same instructions: yes or no for "
        "evidence on either side, or a rating. mmrole judge-agree reads the sheets back."
    )
    parser.add_argument("folder", metavar="DIR", help="the --out folder of mmrole judge")
    parser.add_argument("--out", required=True, metavar="FILE", help="the sheet, CSV")
    parser.add_argument("--samples", type=int, default=100, metavar="N", help="number of responses (default: 100)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    parser.add_argument(
        "--blind", action="store_true", help="do not show the judges' evidence, for ratings that judges are measured on"
    )
    for name in ("responses", "dialogues", "roles", "previous"):
        parser.add_argument(f"--{name}", metavar="FILE", help="where that file is now, when it was moved since")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run_sheet)


def _add_agree(commands: Commands) -> None:
    parser = commands.add_parser("judge-agree", help="agreement of judges with people who filled in review sheets")
    parser.description = (
        "Reads the sheets of mmrole judge-sheet back. The evidence that people found becomes a score by the same table as that of the "
        "judges; ordinal alpha is between the mean of the people and each judge. Name several folders to compare methods."
    )
    parser.add_argument("folders", metavar="DIR", nargs="+", help="the --out folder of mmrole judge")
    parser.add_argument(
        "--sheets", required=True, nargs="+", metavar="[NAME=]FILE", help="sheets that came back, one per person"
    )
    parser.add_argument("--out", metavar="DIR", help="folder for a table of ratings per aspect, for mmrole agree")
    add_bootstrap_to(parser)
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run_agree)


def run_sheet(args: argparse.Namespace) -> int:
    """Runs `mmrole judge-sheet`."""
    from mmrole.jobs.judge_sheet import judge_sheet

    done = judge_sheet(
        args.folder, out=args.out, samples=args.samples, seed=args.seed, blind=args.blind, responses=args.responses,
        dialogues=args.dialogues, roles=args.roles, previous=args.previous,
    )  # fmt: skip
    if args.json:
        print_json(
            out=str(done.path), responses=done.responses, rows=done.rows, judged=done.judged, fill=list(done.fill)
        )
        return 0
    print(
        f"{done.responses:,} of {done.judged:,} judged responses, {done.rows:,} rows; to fill in: {', '.join(done.fill)} "
        f"-> {one_line(done.path)}"
    )
    return 0


def run_agree(args: argparse.Namespace) -> int:
    """Runs `mmrole judge-agree`."""
    from mmrole.jobs.judge_agree import judge_agree

    found = judge_agree(args.folders, _sheets(args.sheets), out=args.out, bootstrap=args.bootstrap, seed=args.seed)
    if args.json:
        print_json(
            people=found.people, no_evidence=found.no_evidence, scores=[score.to_record() for score in found.scores],
            tables={aspect: str(path) for aspect, path in found.tables.items()},
        )  # fmt: skip
        return 0
    from mmrole.cli.tables import text_table
    from mmrole.jobs.markdown import interval, number

    rows = [
        [
            *score.part.replace("/people", "/one another").split("/", 1),
            f"– ({score.reason})" if score.value is None else number(score.value),
            interval(score.ci),
            f"{score.n:,}",
            number(score.details.get("observed_agreement")),
        ]
        for score in found.scores
    ]
    print(", ".join(f"{one_line(name)}: {count:,} ratings" for name, count in found.people.items()))
    if found.no_evidence:
        print(f"{found.no_evidence:,} rows with no evidence on either side have no score")
    header = ["aspect", "people against", "ordinal alpha", "95 % interval", "n", "observed"]
    print(*text_table(header, rows, "llrlrr"), sep="\n")
    for path in found.tables.values():
        print(f"-> {one_line(path)}")
    return 0


def _sheets(given: list[str]) -> dict[str, str]:
    """Name of a person -> sheet; one without a name is called as its file."""
    from pathlib import Path

    out: dict[str, str] = {}
    for text in given:
        name, is_named, path = text.partition("=")
        name, path = (name, path) if is_named and not Path(text).exists() else (Path(text).stem, text)
        if not name or name in out:
            raise UsageError(f"--sheets {text}: two sheets of {name!r}: name them as NAME=FILE")
        out[name] = path
    return out
