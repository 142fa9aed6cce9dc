"""`mmrole check`."""

from __future__ import annotations

import argparse
import json

from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.types import Commands
from mmrole.core.counting import counted

EXIT_FAULTS = 3


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("check", help="list what is wrong with a data set")
    parser.description = (
        "Lists what is wrong with a data set: encoding, rows, ids, labels, attributes, durations, clips; with counts and the first "
        "places. Exits 3 when there is anything."
    )
    parser.add_argument("file", metavar="FILE", help="CPED, MELD or JSONL")
    parser.add_argument("--clips", metavar="DIR", help="folder of its clips, named by utterance id")
    parser.add_argument(
        "--format", choices=("auto", "cped", "meld", "jsonl"), default="auto", help="of the file (default: told from it)"
    )  # fmt: skip
    parser.add_argument("--labels", metavar="SET", help="label set, a name of `mmrole labels` or a TOML file")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.core.dialogue_readers import NOTES
    from mmrole.jobs.check import check

    with progress_of("clips", quiet=args.quiet or args.json) as progress:
        found = check(
            args.file, clips=args.clips, format=args.format, labels=args.labels, on_progress=progress.show
        )  # fmt: skip
    report, data_set = found.report, found.data_set
    if args.json:
        outcome = {
            "source": report.source,
            "format": data_set.format,
            "dialogues": len(data_set.dialogues),
            "utterances": len(found.utterances),
            "clips": found.clips,
            "skipped": found.skipped,
            "faults": len(report.faults),
            "defects": report.to_records(),
        }
        print(json.dumps(outcome, ensure_ascii=False))
        return EXIT_FAULTS if report.faults else 0
    of_clips = (
        "" if found.clips is None else f", {counted(found.clips, 'clip')} ({counted(len(found.skipped), 'other file')})"
    )
    print(
        one_line(
            f"{report.source}: {data_set.format}, {counted(len(data_set.dialogues), 'dialogue')}, "
            f"{counted(len(found.utterances), 'utterance')}{of_clips}"
        )
    )
    lines = dict(zip(report.counts, report.lines(), strict=True))
    for title, chosen in (
        ("faults", [kind for kind in lines if kind not in NOTES]),
        ("notes, which are no faults", [kind for kind in lines if kind in NOTES]),
    ):
        print(f"{title}: {len(chosen) or 'none'}")
        for kind in chosen:
            print(one_line(f"  {lines[kind]}"))
    return EXIT_FAULTS if report.faults else 0
