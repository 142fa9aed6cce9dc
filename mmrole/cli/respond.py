"""`mmrole respond`."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from mmrole.cli.bench_outcome import exit_code, print_estimate, print_json, print_stage, stage_record
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.score import add_dialogues_to
from mmrole.cli.types import Commands
from mmrole.core.counting import counted, noun

if TYPE_CHECKING:
    from mmrole.jobs.respond import RespondResult, Setup


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("respond", help="have an agent play the roles of dialogues")
    parser.description = (
        "Has an agent play both roles of each dialogue, one after the other, on every turn that has a predecessor. An answer has one or "
        "more utterances with text, facial expression, body movement and speech. One folder is one agent under one condition; the same "
        "command goes on where it was interrupted. A refusal, a cut-off or an unreadable reply is a result and stays stored: choose "
        "another --out to ask again."
    )
    files = parser.add_argument_group("files")
    add_dialogues_to(files)
    files.add_argument("--roles", metavar="FILE", help="roles.jsonl with the profiles; prof and all need it")
    files.add_argument("--previous", metavar="FILE", help="previous.jsonl: what happened before; prev and all need it")
    files.add_argument(
        "--descriptions",
        metavar="FILE",
        help="descriptions.jsonl, or the folder of mmrole describe, shown beside the lines of the history",
    )
    files.add_argument("--features", metavar="DIR", help="features folder, for pictures and sound of the history")
    files.add_argument("--out", required=True, metavar="DIR", help="the folder to fill")
    told = parser.add_argument_group("what the agent is told and shown")
    told.add_argument(
        "--condition",
        required=True,
        choices=("none", "prev", "prof", "all"),
        help="the name alone; what happened before; the profile; both",
    )
    told.add_argument(
        "--context",
        choices=("text", "images", "audio", "media"),
        default="text",
        help="the history in words, with pictures, with sound, with both; what is not there is shown in words (default: text)",
    )
    told.add_argument("--history", type=int, metavar="N", help="only the last N utterances of it (default: all)")
    told.add_argument(
        "--rollout", action="store_true", help="the history has the agent's own earlier answers, not the ground truth"
    )
    told.add_argument(
        "--lang", choices=("zh", "en"), help="in which the agent is asked (default: that of the dialogues)"
    )
    who = parser.add_argument_group("who is played")
    who.add_argument("--role", action="append", metavar="NAME", help="only this role; may be repeated (default: all)")
    who.add_argument(
        "--nobody", action="append", metavar="NAME", help="a speaker who is no role, instead of 其他; may be repeated"
    )
    who.add_argument(
        "--two-speakers-only",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="only dialogues of exactly two speakers (default: yes)",
    )
    asking = parser.add_argument_group("the agent")
    asking.add_argument(
        "--agent", required=True, metavar="ENDPOINT", help="the agent, an endpoint of the configuration"
    )
    asking.add_argument("--config", metavar="FILE", help="endpoints (default: mmrole.toml in the working folder)")
    asking.add_argument("--cache", metavar="DIR", help="reply cache (default: in the user's cache folder)")
    asking.add_argument("--no-cache", action="store_true", help="use no reply cache")
    asking.add_argument(
        "--max-cost", type=float, metavar="X", help="end before it costs more, in the price list's currency"
    )
    asking.add_argument("--dry-run", action="store_true", help="say what it would take, ask nothing")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.respond import estimate_with, respond_with

    setup = _setup(args)
    asked = {
        "out": args.out,
        "config": args.config,
        "cache": False if args.no_cache else args.cache,
        "max_cost": args.max_cost,
    }
    if args.dry_run:
        code = print_estimate(estimate_with(setup, args.agent, **asked), args.json)
        if not args.json:
            print("an answer that cannot be read is asked for once more; those calls come on top")
        return code
    with progress_of("turns", quiet=args.quiet or args.json) as progress:
        result = respond_with(setup, args.agent, on_progress=progress.show, **asked)
    if args.json:
        print_json(
            **{**stage_record(result.stage), "counts": result.counts},
            out=str(result.out),
            responses=None if result.responses is None else str(result.responses),
            not_played=result.not_played,
            left_out=result.left_out,
            utterances=result.utterances,
            notes=list(result.notes),
        )
    else:
        _print(result)
    return exit_code(result.stage)


def _setup(args: argparse.Namespace) -> Setup:
    from mmrole.core.dialogue import NOBODY
    from mmrole.jobs.respond import Setup

    return Setup(
        dialogues=args.dialogues, condition=args.condition, roles=args.roles, previous=args.previous, descriptions=args.descriptions,
        features=args.features, context=args.context, history=args.history, rollout=args.rollout, lang=args.lang,
        only=tuple(dict.fromkeys(args.role or ())), nobody=tuple(sorted(NOBODY) if args.nobody is None else args.nobody),
        two_speakers_only=args.two_speakers_only, format=args.format,
    )  # fmt: skip


def _print(result: RespondResult) -> None:
    for note in result.notes:
        print(one_line(f"mmrole: {note}"), file=sys.stderr)
    print_stage(result.stage, noun(result.stage.total, "turn to play", "turns to play"))
    said = dict(result.utterances)
    total = said.pop("utterances")
    without = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in said.items() if count)
    if total:
        print(f"  {counted(total, 'utterance')}{f': {without}' if without else ', each with face, body and speech'}")
    if result.not_played:
        counts = ", ".join(f"{status} {count:,}" for status, count in result.not_played.items())
        more = sum(result.not_played.values())
        were = noun(more, "more turn was", "more turns were")
        print(f"{more:,} {were} not played: {counts} (by role in manifest.json)")
    if result.left_out:
        print(f"no turns to play: {', '.join(f'{reason} {count:,}' for reason, count in result.left_out.items())}")
    print(
        f"-> {one_line(result.responses)}"
        if result.responses is not None
        else f"the responses were not written, because it ended early; the replies are in {one_line(result.out)}"
    )
