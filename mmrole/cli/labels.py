"""`mmrole labels [NAME]`."""

from __future__ import annotations

import argparse
import json

from mmrole.cli.lines import one_line
from mmrole.cli.types import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = "list the label sets and the maps between them, or print one of them whole"
    parser = commands.add_parser("labels", help=text, description=text)
    parser.add_argument("name", nargs="?", metavar="NAME", help="a label set or map, or a TOML file of one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.core.labels import LabelSet
    from mmrole.jobs.labels import all_labels, find_labels, map_record

    if args.name is not None:
        found = find_labels(args.name)
        if isinstance(found, LabelSet):
            record, lines = found.to_record(), found.lines()
        else:
            record = map_record(found)
            head = f"{found.name}: from {found.source.name} to {found.target.name}"
            lines = [head, f"  source: {found.reference}", *(f"  {line}" for line in found.lines())]
        print(*([json.dumps(record, ensure_ascii=False)] if args.json else map(one_line, lines)), sep="\n")
        return 0
    sets, maps = all_labels()
    if args.json:
        outcome = {"sets": [names.to_record() for names in sets], "maps": [map_record(mapping) for mapping in maps]}
        print(json.dumps(outcome, ensure_ascii=False))
        return 0
    from mmrole.cli.tables import text_table

    rows = [[names.name, len(names), "yes" if names.sentiments else "no", names.title] for names in sets]
    print(*text_table(["label set", "labels", "map to sentiments", "what"], rows, "lrll"), sep="\n")
    print("")
    of_maps = [[mapping.name, mapping.source.name, mapping.target.name, mapping.reference] for mapping in maps]
    print(*text_table(["label map", "from", "to", "what"], of_maps), sep="\n")
    print("\n`mmrole labels NAME` prints one whole; a set of your own is a TOML file of the same form")
    return 0
