"""`mmrole doctor`."""

from __future__ import annotations

import argparse
import json

from mmrole.cli.types import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = "check the installation: versions, decoders, model files, fonts, free disk"
    parser = commands.add_parser("doctor", help=text, description=text)
    parser.add_argument("--out", metavar="DIR", default=".", help="where results would go (default: here)")
    parser.add_argument("--models", metavar="DIR", help="folder of the model files")
    parser.add_argument(
        "--endpoints", action="store_true", help="also ask every endpoint of mmrole.toml one small thing"
    )
    parser.add_argument("--config", metavar="FILE", help="the file with the endpoints (default: mmrole.toml here)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.doctor import examine, try_endpoints

    findings = examine(out=args.out, models=args.models)
    if args.endpoints or args.config:
        findings += try_endpoints(args.config)
    if args.json:
        print(
            json.dumps(
                [
                    {"what": f.what, "ok": f.ok, "optional": f.optional, "found": f.found, "advice": f.advice}
                    for f in findings
                ]
            )
        )
    else:
        for finding in findings:
            mark = "ok  " if finding.ok else "--  " if finding.optional else "FIX "
            print(
                f"{mark}{finding.what}: {finding.found}"
                + (f"; {finding.advice}" if finding.advice and not finding.ok else "")
            )
    return 0 if all(finding.ok or finding.optional for finding in findings) else 1
