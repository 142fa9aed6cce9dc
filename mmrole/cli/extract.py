"""`mmrole extract`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import TYPE_CHECKING

from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of
from mmrole.cli.types import Commands
from mmrole.core.counting import counted

if TYPE_CHECKING:
    from mmrole.jobs.extract.run import ExtractResult

EXIT_SOME_FAILED = 3


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("extract", help="measure speech, faces and bodies in clips")
    parser.description = (
        "Measures speech, faces and bodies in clips and stores them in a folder of features. "
        "An interrupted run goes on when the same command is given again."
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a folder of clips, or a clip")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder of features")
    parser.add_argument("--jobs", type=int, metavar="N", help="worker processes (default: one per processor)")
    parser.add_argument("--fps", type=float, default=5.0, metavar="F", help="sampled frames per second (default: 5)")
    parser.add_argument("--audio", action=argparse.BooleanOptionalAction, default=True, help="measure the sound")
    parser.add_argument("--video", action=argparse.BooleanOptionalAction, default=True, help="measure the picture")
    parser.add_argument(
        "--dialogues", metavar="FILE", help="CPED, MELD or JSONL: transcript, speaker, gender, face box by utterance id"
    )
    parser.add_argument(
        "--segments",
        metavar="CSV",
        help="cut utterances out of episodes (columns path, start_s, end_s, utterance_id)",
    )
    parser.add_argument(
        "--pitch",
        choices=("parselmouth", "pyin"),
        default="parselmouth",
        help="how pitch is measured (default: parselmouth)",
    )
    parser.add_argument(
        "--face-backend", choices=("litert", "mediapipe"), default="litert", help="which runtime (default: litert)"
    )
    parser.add_argument("--pose", choices=("full", "lite"), default="full", help="body model (default: full)")
    parser.add_argument(
        "--keyframes", type=int, default=4, metavar="K", help="at most K keyframes of face and of body (default: 4)"
    )
    parser.add_argument("--models", metavar="DIR", help="folder of the model files")
    parser.add_argument("--engine", default="local", metavar="ENGINE", help="local, or dask://HOST:PORT")
    parser.add_argument("--fresh", action="store_true", help="throw away what earlier runs left in --out")
    parser.add_argument(
        "--strict", action="store_true", help="a partly measured clip counts as failed in the exit code"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.jobs.extract.run import extract

    with progress_of("clips", quiet=args.quiet or args.json) as progress:
        result = extract(
            args.inputs, out=args.out, jobs=args.jobs, fps=args.fps, audio=args.audio, video=args.video, dialogues=args.dialogues,
            segments=args.segments, pitch=args.pitch, face_backend=args.face_backend, pose=args.pose, keyframes=args.keyframes,
            engine=args.engine, fresh=args.fresh, models=args.models, on_progress=progress.show, say=progress.say,
        )  # fmt: skip
    partial = [record for record in result.done if record["status"] == "partial"]
    if args.json:
        outcome = {
            "out": str(result.out),
            "counts": result.counts,
            "partial": len(partial),
            "notes": result.notes,
            "failed": [_failure(record) for record in result.failed],
            "skipped": result.skipped,
        }
        print(json.dumps(outcome, ensure_ascii=False))
    else:
        _print_summary(result, len(partial))
    return EXIT_SOME_FAILED if result.failed or (args.strict and partial) else 0


def _failure(record: dict[str, str]) -> dict[str, str | None]:
    return {
        "path": record["path"],
        "clip_id": record["clip_id"],
        "reason": record["reason"],
        "detail": record.get("detail"),
    }


def _print_summary(result: ExtractResult, partial: int) -> None:
    counts = result.counts
    print(
        f"{counted(counts['inputs'], 'input')} = {counts['done']} done + {counts['failed']} failed + {counts['skipped']} skipped "
        f"-> {one_line(result.out)}"
    )
    print(
        f"  done: {counts['done'] - partial} ok, {partial} partial; {counts['reused']} of them reused from earlier runs"
    )
    reasons: Counter[str] = Counter()
    for record in result.done:
        for kind in ("audio", "video"):
            reason = (record.get(kind) or {}).get("reason")
            if reason:
                reasons[f"{kind} {reason}"] += 1
    if reasons:
        print("  not measured, or not wholly: " + ", ".join(f"{name} {n}" for name, n in sorted(reasons.items())))
    if result.skipped:
        why = Counter(entry["reason"] for entry in result.skipped)
        print("  skipped: " + ", ".join(f"{reason} {n}" for reason, n in sorted(why.items())))
    for record in result.failed:
        # a segment has the path of its episode: only its id tells it from the others
        name = f"{record['path']} ({record['clip_id']})" if record.get("segment") else record["path"]
        print(one_line(f"  failed: {name}: {record['reason']}: {record.get('detail') or ''}"))
