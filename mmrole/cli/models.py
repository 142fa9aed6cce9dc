"""`mmrole models list | fetch | verify | cache`."""

from __future__ import annotations

import argparse
import json
import sys

from mmrole.cli.types import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("models", help="list, fetch or verify the model files; show or prune the reply cache")
    parser.set_defaults(run=run, action="list")
    actions = parser.add_subparsers(metavar="ACTION")
    for name, text in (
        ("list", "what there is, where it lies, and whether it is all right"),
        ("fetch", "fetch what is missing (needs a network; hashes are checked)"),
        ("verify", "check the bytes of every file"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        action.add_argument("--models", metavar="DIR", help="folder of the model files")
        action.add_argument("--json", action="store_true", help="print JSON")
        action.set_defaults(run=run, action=name)
    text = "show how many replies of language models are kept, or remove old ones"
    cache = actions.add_parser("cache", help=text, description=text)
    cache.add_argument(
        "--cache", metavar="DIR", help="the cache (default: MMROLE_CACHE, else in the user's cache folder)"
    )
    cache.add_argument("--prune-days", type=float, metavar="DAYS", help="remove replies that are older; 0 removes all")
    cache.add_argument("--json", action="store_true", help="print JSON")
    cache.set_defaults(run=run_cache)
    parser.set_defaults(models=None, json=False)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from mmrole.core.model_files import MODEL_FILES, models_folder, state

    folder = models_folder(args.models)
    if args.action == "fetch":
        from mmrole.jobs.models import fetch_models

        fetched = fetch_models(folder=args.models, say=lambda line: print(line, file=sys.stderr, flush=True))
        print(f"{len(fetched)} fetched, {len(MODEL_FILES) - len(fetched)} were there already: {folder}")
        return 0
    states = {model.name: state(model, folder) for model in MODEL_FILES}
    if args.json:
        rows = [
            {"name": m.name, "state": states[m.name], "sha256": m.sha256, "licence": m.licence, "purpose": m.purpose}
            for m in MODEL_FILES
        ]
        print(json.dumps({"folder": str(folder), "files": rows}, ensure_ascii=False))
    else:
        print(f"model files in {folder}")
        for model in MODEL_FILES:
            print(
                f"  {model.name}: {states[model.name]} ({model.size_bytes / 1e6:.1f} MB, {model.licence}; {model.purpose})"
            )
    wrong = [name for name, found in states.items() if found != "ok"]
    if wrong and not args.json:
        print("run `mmrole models fetch` to get what is missing or damaged")
    return 1 if wrong and args.action == "verify" else 0


def run_cache(args: argparse.Namespace) -> int:
    """Runs `mmrole models cache`."""
    from mmrole.llm.cache import ReplyCache

    cache = ReplyCache(args.cache)
    removed = None if args.prune_days is None else cache.prune(older_than_days=args.prune_days)
    kept = cache.stats()
    if args.json:
        counts = {"folder": str(kept.folder), "replies": kept.replies, "size_bytes": kept.size_bytes}
        print(json.dumps({**counts, "removed": removed.replies if removed else 0}, ensure_ascii=False))
        return 0
    if removed:
        print(f"removed {removed.replies} replies, {removed.size_bytes / 1e6:.1f} MB")
    print(f"{kept.replies} replies, {kept.size_bytes / 1e6:.1f} MB in {kept.folder}")
    return 0
